// SPDX-License-Identifier: MIT
/// \file The thunks and user services of a program whose kernel is aerogpu-guestd.
///
/// The calling thread's process (`process_scope`) chooses the connection; it is made when that
/// process makes its first call. A program can so stand for several processes, or be one.
#include "drivers/sim/kernel/objects/user_services.hpp"
#include "drivers/sim/kernel/system/thread.hpp"
#include "drivers/wine/transport/remote_processes.hpp"
#include "drivers/wine/transport/thunk_table.hpp"

#include <type_traits>

namespace aerogpu::sim {

/// Only the process means anything here.
auto this_thread() noexcept -> thread_state& {
  thread_local thread_state state;
  return state;
}

}  // namespace aerogpu::sim

namespace aerogpu::wine {
namespace {

using sim::this_thread;

[[nodiscard]] auto this_process() -> remote_process& {
  return remote_process_of(this_thread().process);
}

/// A thunk that is no more than its row. `take_rest` reads what the answer has behind it.
template <class Row, class Argument, class TakeRest>
auto call_row(Argument* arguments, TakeRest&& take_rest) -> NTSTATUS {
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  auto copy = *arguments;
  const auto status = this_process().call(
      Row::code, [&](message_writer& to) { Row::put_request(to, *arguments); },
      [&](message_reader& from, NTSTATUS answered) {
        Row::take_answer(from, copy, *arguments);
        take_rest(from, answered, copy);
      });
  if constexpr (!std::is_const_v<Argument>) *arguments = copy;
  return status;
}

template <class Row, class Argument>
auto call_row(Argument* arguments) -> NTSTATUS {
  return call_row<Row>(arguments, [](message_reader&, NTSTATUS, auto&) {});
}

/// Where a slot's buffers are.
template <class Sizes>
[[nodiscard]] auto layout_of(const Sizes& sizes) -> context_layout {
  return {sizes.CommandBufferSize, sizes.AllocationListSize, sizes.PatchLocationListSize};
}

}  // namespace
}  // namespace aerogpu::wine

using namespace aerogpu::wine;

auto APIENTRY D3DKMTOpenAdapterFromGdiDisplayName(D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME* arguments)
    -> NTSTATUS {
  return call_row<open_adapter_row>(arguments);
}
auto APIENTRY D3DKMTCloseAdapter(const D3DKMT_CLOSEADAPTER* arguments) -> NTSTATUS {
  return call_row<close_adapter_row>(arguments);
}
auto APIENTRY D3DKMTQueryAdapterInfo(const D3DKMT_QUERYADAPTERINFO* arguments) -> NTSTATUS {
  return call_row<query_adapter_info_row>(arguments);
}
auto APIENTRY D3DKMTEscape(const D3DKMT_ESCAPE* arguments) -> NTSTATUS {
  return call_row<escape_row>(arguments);
}
auto APIENTRY D3DKMTCreateDevice(D3DKMT_CREATEDEVICE* arguments) -> NTSTATUS {
  return call_row<create_device_row>(arguments);
}
auto APIENTRY D3DKMTDestroyDevice(const D3DKMT_DESTROYDEVICE* arguments) -> NTSTATUS {
  return call_row<destroy_device_row>(arguments);
}
auto APIENTRY D3DKMTGetDeviceState(D3DKMT_GETDEVICESTATE* arguments) -> NTSTATUS {
  return call_row<get_device_state_row>(arguments);
}
auto APIENTRY D3DKMTWaitForIdle(const D3DKMT_WAITFORIDLE* arguments) -> NTSTATUS {
  return call_row<wait_for_idle_row>(arguments);
}

auto APIENTRY D3DKMTCreateContext(D3DKMT_CREATECONTEXT* arguments) -> NTSTATUS {
  auto& process = this_process();
  return call_row<create_context_row>(
      arguments, [&](message_reader& from, NTSTATUS status, D3DKMT_CREATECONTEXT& made) {
        const auto slot = from.take<std::uint32_t>();
        if (!NT_SUCCESS(status)) return;
        auto* const part = process.context_part(slot);
        const auto layout = layout_of(made);
        if (part == nullptr || !layout.fits()) return from.refuse();
        made.pCommandBuffer = part;
        made.pAllocationList = reinterpret_cast<D3DDDI_ALLOCATIONLIST*>(part + layout.list_at());
        made.pPatchLocationList =
            reinterpret_cast<D3DDDI_PATCHLOCATIONLIST*>(part + layout.patches_at());
        process.keep_context(made);
      });
}
auto APIENTRY D3DKMTDestroyContext(const D3DKMT_DESTROYCONTEXT* arguments) -> NTSTATUS {
  const auto status = call_row<destroy_context_row>(arguments);
  if (NT_SUCCESS(status)) this_process().forget_context(arguments->hContext);
  return status;
}

auto APIENTRY D3DKMTCreateAllocation(D3DKMT_CREATEALLOCATION* arguments) -> NTSTATUS {
  return call_row<create_allocation_row>(arguments);
}
auto APIENTRY D3DKMTDestroyAllocation(const D3DKMT_DESTROYALLOCATION* arguments) -> NTSTATUS {
  return call_row<destroy_allocation_row>(arguments);
}
auto APIENTRY D3DKMTQueryResourceInfo(D3DKMT_QUERYRESOURCEINFO* arguments) -> NTSTATUS {
  return call_row<query_resource_info_row>(arguments);
}

auto APIENTRY D3DKMTOpenResource(D3DKMT_OPENRESOURCE* arguments) -> NTSTATUS {
  const auto status = call_row<open_resource_row>(arguments);
  if (!NT_SUCCESS(status)) return status;
  // One behind the other in the caller's buffer, as the kernel puts them.
  auto* at = static_cast<std::byte*>(arguments->pTotalPrivateDriverDataBuffer);
  for (UINT i = 0; i < arguments->NumAllocations; ++i) {
    auto& one = arguments->pOpenAllocationInfo[i];
    one.pPrivateDriverData = at;
    at += one.PrivateDriverDataSize;
  }
  return status;
}

auto APIENTRY D3DKMTLock(D3DKMT_LOCK* arguments) -> NTSTATUS {
  auto& process = this_process();
  return call_row<lock_row>(arguments,
                            [&](message_reader& from, NTSTATUS status, D3DKMT_LOCK& locked) {
                              const auto offset = from.take<std::uint64_t>();
                              if (!NT_SUCCESS(status)) return;
                              locked.pData = process.shared_bytes(offset);
                              if (locked.pData == nullptr) from.refuse();
                            });
}
auto APIENTRY D3DKMTUnlock(const D3DKMT_UNLOCK* arguments) -> NTSTATUS {
  return call_row<unlock_row>(arguments);
}

/// The server is done with the buffers when it answers: they are the next ones, too.
auto APIENTRY D3DKMTRender(D3DKMT_RENDER* arguments) -> NTSTATUS {
  auto& process = this_process();
  const auto status = call_row<render_row>(arguments);
  if (!NT_SUCCESS(status)) return status;
  const auto made = process.kept_context(arguments->hContext);
  arguments->pNewCommandBuffer = made.pCommandBuffer;
  arguments->NewCommandBufferSize = made.CommandBufferSize;
  arguments->pNewAllocationList = made.pAllocationList;
  arguments->NewAllocationListSize = made.AllocationListSize;
  arguments->pNewPatchLocationList = made.pPatchLocationList;
  arguments->NewPatchLocationListSize = made.PatchLocationListSize;
  return status;
}
auto APIENTRY D3DKMTPresent(D3DKMT_PRESENT* arguments) -> NTSTATUS {
  return call_row<present_row>(arguments);
}
auto APIENTRY D3DKMTSetQueuedLimit(D3DKMT_SETQUEUEDLIMIT* arguments) -> NTSTATUS {
  return call_row<set_queued_limit_row>(arguments);
}

auto APIENTRY D3DKMTGetDisplayModeList(D3DKMT_GETDISPLAYMODELIST* arguments) -> NTSTATUS {
  return call_row<get_display_mode_list_row>(arguments);
}
auto APIENTRY D3DKMTSetDisplayMode(const D3DKMT_SETDISPLAYMODE* arguments) -> NTSTATUS {
  return call_row<set_display_mode_row>(arguments);
}
auto APIENTRY D3DKMTGetSharedPrimaryHandle(D3DKMT_GETSHAREDPRIMARYHANDLE* arguments) -> NTSTATUS {
  return call_row<get_shared_primary_handle_row>(arguments);
}
auto APIENTRY D3DKMTSetVidPnSourceOwner(const D3DKMT_SETVIDPNSOURCEOWNER* arguments) -> NTSTATUS {
  return call_row<set_vidpn_source_owner_row>(arguments);
}
auto APIENTRY D3DKMTWaitForVerticalBlankEvent(const D3DKMT_WAITFORVERTICALBLANKEVENT* arguments)
    -> NTSTATUS {
  return call_row<wait_for_vertical_blank_row>(arguments);
}
auto APIENTRY D3DKMTGetScanLine(D3DKMT_GETSCANLINE* arguments) -> NTSTATUS {
  return call_row<get_scan_line_row>(arguments);
}

namespace aerogpu::sim {

auto duplicate_share(std::uint32_t from, D3DKMT_HANDLE share, std::uint32_t to) -> D3DKMT_HANDLE {
  const auto target = remote_process_of(to).process_id();
  D3DKMT_HANDLE made = 0;
  const auto status = remote_process_of(from).call(
      request_code::duplicate_share,
      [&](message_writer& request) {
        request.put(share);
        request.put(target);
      },
      [&](message_reader& answer, NTSTATUS) { made = answer.take<D3DKMT_HANDLE>(); });
  return NT_SUCCESS(status) ? made : 0;
}

void close_share(std::uint32_t process, D3DKMT_HANDLE share) {
  static_cast<void>(remote_process_of(process).call(
      request_code::close_share, [&](message_writer& request) { request.put(share); },
      [](message_reader&, NTSTATUS) {}));
}

auto terminate_process(std::uint32_t process) -> bool {
  auto& dying = remote_process_of(process);
  if (dying.is_lost()) return false;
  dying.disconnect();
  return true;
}

auto current_display_mode() -> std::optional<D3DKMT_DISPLAYMODE> {
  D3DKMT_DISPLAYMODE mode{};
  const auto status = this_process().call(
      request_code::current_display_mode, [](message_writer&) {},
      [&](message_reader& answer, NTSTATUS) { mode = answer.take<D3DKMT_DISPLAYMODE>(); });
  if (!NT_SUCCESS(status)) return std::nullopt;
  return mode;
}

/// The server's clock runs by itself.
void let_time_pass() {}

}  // namespace aerogpu::sim
