// SPDX-License-Identifier: MIT
#include "drivers/wine/guestd/client_process.hpp"

#include "drivers/sim/kernel/objects/user_services.hpp"

#include <cstring>

namespace aerogpu::wine {
namespace {

/// A request with its arguments taken; what its pointers point to lives as long.
template <class Row>
struct taken {
  explicit taken(message_reader& request) : memory(bounds.message_bytes) {
    Row::take_request(request, arguments, memory);
    is_good = !request.is_bad() && request.is_at_end();
  }
  pointed_memory memory;
  typename Row::arguments arguments{};
  bool is_good = false;
};

template <class Row>
[[nodiscard]] auto serve_row(message_reader& request, message_writer& answer) -> NTSTATUS {
  taken<Row> asked{request};
  if (!asked.is_good) return STATUS_INVALID_PARAMETER;
  const auto before = asked.arguments;
  const auto status = Row::call(asked.arguments);
  Row::put_answer(answer, asked.arguments, before);
  return status;
}

}  // namespace

template <class... Rows>
auto client_process::serve_plain(thunk_rows<Rows...>, request_code code, message_reader& request,
                                 message_writer& answer) -> NTSTATUS {
  NTSTATUS status = STATUS_NOT_SUPPORTED;
  const auto try_row = [&]<class Row>() {
    if (code != Row::code) return false;
    status = serve_row<Row>(request, answer);
    return true;
  };
  static_cast<void>((try_row.template operator()<Rows>() || ...));
  return status;
}

auto client_process::serve(request_code code, message_reader& request, message_writer& answer)
    -> NTSTATUS {
  switch (code) {
    case request_code::create_context: return create_context(request, answer);
    case request_code::destroy_context: return destroy_context(request);
    case request_code::destroy_device: return destroy_device(request);
    case request_code::render: return render(request, answer);
    case request_code::lock: return lock(request, answer);
    case request_code::begin: return STATUS_SUCCESS;
    case request_code::duplicate_share: return duplicate_share(request, answer);
    case request_code::close_share: return close_share(request);
    case request_code::current_display_mode: return display_mode(answer);
    default: return serve_plain(plain_thunks{}, code, request, answer);
  }
}

void client_process::end() {
  static_cast<void>(sim::terminate_process(id));
}

auto client_process::find_slot() const -> std::uint32_t {
  std::uint32_t slot = 0;
  while (slot < bounds.contexts && is_slot_used_[slot]) ++slot;
  return slot;
}

auto client_process::create_context(message_reader& request, message_writer& answer) -> NTSTATUS {
  taken<create_context_row> asked{request};
  if (!asked.is_good) return STATUS_INVALID_PARAMETER;
  auto& made = asked.arguments;
  const auto before = made;
  const std::lock_guard hold{contexts_mutex_};
  const auto slot = find_slot();
  if (slot == bounds.contexts) return STATUS_INSUFFICIENT_RESOURCES;
  auto status = create_context_row::call(made);
  const context_layout sizes{made.CommandBufferSize, made.AllocationListSize,
                             made.PatchLocationListSize};
  if (NT_SUCCESS(status) && !sizes.fits()) {
    const D3DKMT_DESTROYCONTEXT gone{made.hContext};
    static_cast<void>(D3DKMTDestroyContext(&gone));
    status = STATUS_INSUFFICIENT_RESOURCES;
  }
  if (NT_SUCCESS(status)) {
    contexts_[made.hContext] = {
        made.hDevice,           slot, sizes, made.pCommandBuffer, made.pAllocationList,
        made.pPatchLocationList};
    is_slot_used_[slot] = true;
  }
  create_context_row::put_answer(answer, made, before);
  answer.put(slot);
  return status;
}

auto client_process::destroy_context(message_reader& request) -> NTSTATUS {
  taken<destroy_context_row> asked{request};
  if (!asked.is_good) return STATUS_INVALID_PARAMETER;
  const std::lock_guard hold{contexts_mutex_};
  const auto status = destroy_context_row::call(asked.arguments);
  const auto found = contexts_.find(asked.arguments.hContext);
  if (NT_SUCCESS(status) && found != contexts_.end()) {
    is_slot_used_[found->second.slot] = false;
    contexts_.erase(found);
  }
  return status;
}

/// Its contexts go with it.
auto client_process::destroy_device(message_reader& request) -> NTSTATUS {
  taken<destroy_device_row> asked{request};
  if (!asked.is_good) return STATUS_INVALID_PARAMETER;
  const std::lock_guard hold{contexts_mutex_};
  const auto status = destroy_device_row::call(asked.arguments);
  if (!NT_SUCCESS(status)) return status;
  std::erase_if(contexts_, [&](const auto& one) {
    const bool is_gone = one.second.device == asked.arguments.hDevice;
    if (is_gone) is_slot_used_[one.second.slot] = false;
    return is_gone;
  });
  return status;
}

/// The one copy of what the client wrote, into the context's buffers in the kernel, which the
/// kernel driver then checks and reads. Sizes are checked.
void client_process::fetch(const context& of, const D3DKMT_RENDER& wanted) const {
  const auto* const part = file.bytes().data() + context_offset(of.slot);
  std::memcpy(static_cast<std::byte*>(of.commands) + wanted.CommandOffset,
              part + wanted.CommandOffset, wanted.CommandLength);
  std::memcpy(of.list, part + of.sizes.list_at(),
              wanted.AllocationCount * context_layout::list_entry_bytes);
  std::memcpy(of.patches, part + of.sizes.patches_at(),
              wanted.PatchLocationCount * context_layout::patch_entry_bytes);
}

auto client_process::render(message_reader& request, message_writer& answer) -> NTSTATUS {
  static_assert(sizeof(D3DDDI_ALLOCATIONLIST) == context_layout::list_entry_bytes);
  static_assert(sizeof(D3DDDI_PATCHLOCATIONLIST) == context_layout::patch_entry_bytes);
  taken<render_row> asked{request};
  if (!asked.is_good) return STATUS_INVALID_PARAMETER;
  auto& wanted = asked.arguments;
  const auto before = wanted;
  const std::lock_guard hold{contexts_mutex_};
  const auto found = contexts_.find(wanted.hContext);
  if (found == contexts_.end()) return STATUS_INVALID_HANDLE;
  auto& of = found->second;
  const auto& sizes = of.sizes;
  const bool fits = wanted.CommandOffset <= sizes.command_bytes &&
                    wanted.CommandLength <= sizes.command_bytes - wanted.CommandOffset &&
                    wanted.AllocationCount <= sizes.list_entries &&
                    wanted.PatchLocationCount <= sizes.patch_entries;
  if (!fits) return STATUS_INVALID_PARAMETER;
  fetch(of, wanted);
  const auto status = render_row::call(wanted);
  if (NT_SUCCESS(status)) {
    of.commands = wanted.pNewCommandBuffer;
    of.list = wanted.pNewAllocationList;
    of.patches = wanted.pNewPatchLocationList;
  }
  render_row::put_answer(answer, wanted, before);
  return status;
}

auto client_process::offset_of(const void* bytes) const -> std::uint64_t {
  auto& machine = windows_.machine_kernel.machine;
  const auto video = machine.bus.video_memory();
  const auto in_video =
      reinterpret_cast<std::uintptr_t>(bytes) - reinterpret_cast<std::uintptr_t>(video.data());
  if (in_video < video.size()) return in_video;
  const auto physical = machine.ram.physical_of(bytes);
  const auto first_shared = first_shared_page_ * sim::page_bytes;
  if (physical == UINT64_MAX || physical < first_shared) return UINT64_MAX;
  return video.size() + (physical - first_shared);
}

auto client_process::lock(message_reader& request, message_writer& answer) -> NTSTATUS {
  taken<lock_row> asked{request};
  if (!asked.is_good) return STATUS_INVALID_PARAMETER;
  auto& wanted = asked.arguments;
  auto status = lock_row::call(wanted);
  const auto offset = NT_SUCCESS(status) ? offset_of(wanted.pData) : UINT64_MAX;
  if (NT_SUCCESS(status) && offset == UINT64_MAX) {
    const D3DKMT_UNLOCK back{wanted.hDevice, 1, &wanted.hAllocation};
    static_cast<void>(D3DKMTUnlock(&back));
    status = STATUS_NOT_SUPPORTED;
  }
  answer.put(offset);
  return status;
}

auto client_process::duplicate_share(message_reader& request, message_writer& answer) -> NTSTATUS {
  const auto share = request.take<D3DKMT_HANDLE>();
  const auto to = request.take<std::uint32_t>();
  // Number 0 is the system's own process; clients have the first ones after it.
  if (request.is_bad() || to == 0 || to > bounds.processes) return STATUS_INVALID_PARAMETER;
  const auto made = sim::duplicate_share(id, share, to);
  answer.put(made);
  return made != 0 ? STATUS_SUCCESS : STATUS_INVALID_HANDLE;
}

auto client_process::close_share(message_reader& request) -> NTSTATUS {
  const auto share = request.take<D3DKMT_HANDLE>();
  if (request.is_bad()) return STATUS_INVALID_PARAMETER;
  sim::close_share(id, share);
  return STATUS_SUCCESS;
}

auto client_process::display_mode(message_writer& answer) -> NTSTATUS {
  const auto mode = sim::current_display_mode();
  answer.put(mode.value_or(D3DKMT_DISPLAYMODE{}));
  return mode ? STATUS_SUCCESS : STATUS_DEVICE_NOT_READY;
}

}  // namespace aerogpu::wine
