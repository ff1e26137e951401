// SPDX-License-Identifier: MIT
/// \file Thunks: Render, Present, the queued limit.
#include "drivers/sim/kernel/thunks/thunk_caller.hpp"

#include <optional>
#include <utility>
#include <vector>

using namespace aerogpu::sim;

namespace {

using table_type = DRIVER_INITIALIZATION_DATA;

/// A present that waits longer has met a display that stands still.
constexpr std::uint64_t longest_wait_ns = 10'000'000'000;

/// The context's list, each handle an opening of its device.
[[nodiscard]] auto resolve_list(const thunk_caller& caller, const user_context& context, UINT count,
                                std::vector<list_line>& lines) -> NTSTATUS {
  if (count > context.info.AllocationListSize) return STATUS_INVALID_PARAMETER;
  const auto& space = context.spaces[context.current_space];
  const auto list = capture_list(caller.machine(), space.allocations, count);
  if (!list) return STATUS_INVALID_USER_BUFFER;
  for (const auto& one : *list) {
    if (one.hAllocation == 0) {
      lines.emplace_back();
      continue;
    }
    auto opening = find_opening(caller, *context.device, one.hAllocation);
    if (opening == nullptr) return STATUS_INVALID_HANDLE;
    if (opening->locks != 0) return STATUS_GRAPHICS_ALLOCATION_BUSY;
    lines.push_back({std::move(opening), one.WriteOperation != 0});
  }
  return STATUS_SUCCESS;
}

/// The other set of buffers; user mode must not count on what it wrote into this one.
void rotate_spaces(user_context& context, D3DKMT_RENDER& out) {
  context.current_space ^= 1;
  const auto& space = context.spaces[context.current_space];
  out.pNewCommandBuffer = space.commands;
  out.NewCommandBufferSize = context.info.DmaBufferSize;
  out.pNewAllocationList = space.allocations;
  out.NewAllocationListSize = context.info.AllocationListSize;
  out.pNewPatchLocationList = space.patches;
  out.NewPatchLocationListSize = context.info.PatchLocationListSize;
}

[[nodiscard]] auto whole_of(kernel& driver, const user_allocation& opening) -> std::optional<RECT> {
  DXGKARG_DESCRIBEALLOCATION described{};
  described.hAllocation = opening.memory->driver;
  const auto status =
      driver.call(&table_type::DxgkDdiDescribeAllocation, driver.context(), &described);
  if (!NT_SUCCESS(status)) return std::nullopt;
  return RECT{0, 0, static_cast<LONG>(described.Width), static_cast<LONG>(described.Height)};
}

/// What the device presents to without a destination: the desktop's primary, as it is now.
[[nodiscard]] auto desktop_of(const thunk_caller& caller, user_device& device)
    -> std::shared_ptr<user_allocation> {
  auto& objects = caller.session().objects;
  const auto& primary = caller.session().display.primary().resource;
  if (device.desktop != nullptr && device.desktop->resource == primary) return device.desktop;
  if (device.desktop != nullptr) objects.close(std::exchange(device.desktop, nullptr));
  std::shared_ptr<user_resource> made;
  if (primary == nullptr || !NT_SUCCESS(objects.open(device, primary, made))) return nullptr;
  device.desktop = made->openings.front();
  return device.desktop;
}

[[nodiscard]] auto make_blt(const thunk_caller& caller, user_device& device,
                            const D3DKMT_PRESENT& asked, blt_request& blt) -> NTSTATUS {
  auto& kernel = caller.host().machine_kernel;
  const bool is_fill = asked.Flags.ColorFill != 0;
  if (!is_fill) {
    blt.source = find_opening(caller, device, asked.hSource);
    if (blt.source == nullptr) return STATUS_GRAPHICS_INVALID_ALLOCATION_HANDLE;
  }
  blt.destination = asked.hDestination != 0 ? find_opening(caller, device, asked.hDestination)
                                            : desktop_of(caller, device);
  if (blt.destination == nullptr) return STATUS_GRAPHICS_INVALID_ALLOCATION_HANDLE;
  auto whole = whole_of(kernel, is_fill ? *blt.destination : *blt.source);
  if (!whole) return STATUS_INVALID_PARAMETER;
  blt.source_area = asked.Flags.SrcRectValid != 0 ? asked.SrcRect : *whole;
  blt.destination_area = asked.Flags.DstRectValid != 0 ? asked.DstRect : *whole;
  const auto areas = capture_list(caller.machine(), asked.pSrcSubRects, asked.SubRectCnt);
  if (!areas) return STATUS_INVALID_PARAMETER;
  blt.sub_rectangles = *areas;
  if (blt.sub_rectangles.empty()) blt.sub_rectangles = {blt.destination_area};
  blt.color = asked.Color;
  blt.flags.Blt = is_fill ? 0 : 1;
  blt.flags.ColorFill = is_fill ? 1 : 0;
  blt.flags.SrcColorKey = asked.Flags.SrcColorKey;
  blt.flags.DstColorKey = asked.Flags.DstColorKey;
  blt.flags.LinearToSrgb = asked.Flags.LinearToSrgb;
  blt.flags.Rotate = asked.Flags.Rotate;
  blt.is_redirected = asked.Flags.RedirectedBlt != 0;
  return STATUS_SUCCESS;
}

[[nodiscard]] auto number_of(const D3DKMT_PRESENT& asked) -> present_number {
  if (asked.Flags.PresentCountValid == 0) return std::nullopt;
  return asked.PresentCount;
}

/// Ends at its fence.
[[nodiscard]] auto present_blt(const thunk_caller& caller, user_context& context,
                               const D3DKMT_PRESENT& asked) -> NTSTATUS {
  blt_request blt;
  const auto status = make_blt(caller, *context.device, asked, blt);
  if (!NT_SUCCESS(status)) return status;
  auto& flips = caller.session().flips;
  return caller.session().renders.blt(
      context, blt,
      [&flips, account = context.device->presents, number = number_of(asked)](bool was_dropped) {
        if (was_dropped) return account->cancel();
        account->retire(number, flips.refreshes());
      });
}

/// Ends at the vertical blank that shows it.
[[nodiscard]] auto present_flip(const thunk_caller& caller, user_context& context,
                                const D3DKMT_PRESENT& asked) -> NTSTATUS {
  auto& session = caller.session();
  const auto source = find_opening(caller, *context.device, asked.hSource);
  if (source == nullptr) return STATUS_GRAPHICS_INVALID_ALLOCATION_HANDLE;
  const auto& caps = caller.host().caps().FlipCaps;
  const bool is_immediate = asked.FlipInterval == D3DDDI_FLIPINTERVAL_IMMEDIATE;
  if (is_immediate && caps.FlipImmediateMmIo == 0) return STATUS_NOT_SUPPORTED;
  const auto status =
      session.renders.flip(context, source, asked.FlipInterval, asked.Flags.FlipDoNotWait == 0);
  if (!NT_SUCCESS(status)) return status;
  queued_flip flip;
  flip.surface = source->memory;
  flip.interval = static_cast<std::uint32_t>(asked.FlipInterval);
  flip.account = context.device->presents;
  flip.number = number_of(asked);
  return session.flips.push(std::move(flip));
}

[[nodiscard]] auto may_flip(const thunk_caller& caller, const user_device& device) -> bool {
  const std::lock_guard hold{caller.session().base.gpu};
  const auto& owner = caller.host().owner;
  return owner.device == &device && owner.type != D3DKMT_VIDPNSOURCEOWNER_UNOWNED;
}

/// A place in the device's queue of presents.
[[nodiscard]] auto enter_queue(thunk_caller& caller, user_device& device, bool may_wait)
    -> NTSTATUS {
  const auto account = device.presents;
  if (account->try_add()) return STATUS_SUCCESS;
  if (!may_wait) return STATUS_DEVICE_BUSY;
  bool has_place = false;
  const auto is_over = [&] {
    has_place = has_place || account->try_add();
    return has_place || device.is_lost.load();
  };
  static_cast<void>(caller.wait_until(is_over, longest_wait_ns));
  if (device.is_lost.load()) {
    if (has_place) account->cancel();
    return STATUS_DEVICE_REMOVED;
  }
  return has_place ? STATUS_SUCCESS : STATUS_DEVICE_BUSY;
}

}  // namespace

auto APIENTRY D3DKMTRender(D3DKMT_RENDER* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto context = caller.find<user_context>(arguments->hContext);
  if (context == nullptr) return STATUS_INVALID_HANDLE;
  if (context->device->is_lost.load()) return STATUS_DEVICE_REMOVED;
  const auto size = context->info.DmaBufferSize;
  if (arguments->CommandOffset > size || arguments->CommandLength > size - arguments->CommandOffset)
    return STATUS_INVALID_PARAMETER;
  const auto& space = context->spaces[context->current_space];
  render_request request;
  request.commands = space.commands + arguments->CommandOffset;
  request.size_bytes = arguments->CommandLength;
  request.patches = space.patches;
  request.patch_lines = arguments->PatchLocationCount;
  auto status = resolve_list(caller, *context, arguments->AllocationCount, request.lines);
  if (!NT_SUCCESS(status)) return status;
  status = caller.session().renders.render(*context, request);
  if (!NT_SUCCESS(status)) return status;
  rotate_spaces(*context, *arguments);
  arguments->QueuedBufferCount = static_cast<ULONG>(caller.session().scheduler.in_flight());
  return STATUS_SUCCESS;
}

auto APIENTRY D3DKMTPresent(D3DKMT_PRESENT* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr || arguments->VidPnSourceId != 0) return STATUS_INVALID_PARAMETER;
  const auto context = caller.find<user_context>(arguments->hContext);
  if (context == nullptr) return STATUS_INVALID_HANDLE;
  auto& device = *context->device;
  if (device.is_lost.load()) return STATUS_DEVICE_REMOVED;
  const auto& flags = arguments->Flags;
  if (flags.Blt + flags.ColorFill + flags.Flip != 1) return STATUS_INVALID_PARAMETER;
  if (flags.Flip != 0 && !may_flip(caller, device)) return STATUS_GRAPHICS_PRESENT_OCCLUDED;
  auto status = enter_queue(caller, device, flags.FlipDoNotWait == 0);
  if (!NT_SUCCESS(status)) return status;
  status = flags.Flip != 0 ? present_flip(caller, *context, *arguments)
                           : present_blt(caller, *context, *arguments);
  if (!NT_SUCCESS(status)) device.presents->cancel();
  return status;
}

auto APIENTRY D3DKMTSetQueuedLimit(D3DKMT_SETQUEUEDLIMIT* arguments) -> NTSTATUS {
  thunk_caller caller;
  if (!caller.is_ready()) return STATUS_DEVICE_NOT_READY;
  if (arguments == nullptr) return STATUS_INVALID_PARAMETER;
  const auto [device, bad] = find_live_device(caller, arguments->hDevice);
  if (device == nullptr) return bad;
  constexpr UINT most = 16;  // Direct3D's own bound of the frame latency.
  switch (arguments->Type) {
    case D3DKMT_SET_QUEUEDLIMIT_PRESENT:
      if (arguments->QueuedPresentLimit == 0 || arguments->QueuedPresentLimit > most)
        return STATUS_INVALID_PARAMETER;
      device->presents->set_limit(arguments->QueuedPresentLimit);
      return STATUS_SUCCESS;
    case D3DKMT_GET_QUEUEDLIMIT_PRESENT:
      arguments->QueuedPendingFlipCount = device->presents->queued();
      arguments->QueuedPresentLimit = device->presents->limit();
      return STATUS_SUCCESS;
  }
  return STATUS_INVALID_PARAMETER;
}
