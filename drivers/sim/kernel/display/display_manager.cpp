// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/display/display_manager.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace aerogpu::sim {

namespace {

using table_type = DRIVER_INITIALIZATION_DATA;

}  // namespace

display_manager::display_manager(services& base, object_manager& objects, render_path& renders,
                                 flip_queue& flips, vidpn_manager& vidpns)
    : base_(base), objects_(objects), renders_(renders), flips_(flips), vidpns_(vidpns) {}

auto display_manager::find_monitor() -> NTSTATUS {
  auto& windows = base_.windows;
  std::vector<DXGK_CHILD_DESCRIPTOR> children(windows.children() + 1);
  const auto size = static_cast<ULONG>(children.size() * sizeof children[0]);
  auto status = windows.call(&table_type::DxgkDdiQueryChildRelations, windows.context(),
                             children.data(), size);
  if (!NT_SUCCESS(status)) return status;
  const auto& child = children.front();
  if (child.ChildDeviceType != TypeVideoOutput || child.ChildUid != 0 ||
      children.back().ChildDeviceType != TypeUninitialized) {
    stop(stop_code::video_dxgkrnl_fatal_error, {10, child.ChildUid, 0, 0},
         "QueryChildRelations does not name one video output with the uid of its target");
    return STATUS_INVALID_PARAMETER;
  }
  if (child.ChildCapabilities.HpdAwareness != HpdAwarenessAlwaysConnected) {
    DXGK_CHILD_STATUS connected{};
    connected.Type = StatusConnection;
    connected.ChildUid = child.ChildUid;
    status = windows.call(&table_type::DxgkDdiQueryChildStatus, windows.context(), &connected,
                          static_cast<BOOLEAN>(FALSE));
    if (!NT_SUCCESS(status)) return status;
    if (connected.HotPlug.Connected == FALSE) return STATUS_MONITOR_NO_DESCRIPTOR;
  }
  // Both may be asked for; "no recommendation" is an answer.
  const D3DDDI_VIDEO_PRESENT_TARGET_ID target = child.ChildUid;
  const DXGKARG_RECOMMENDFUNCTIONALVIDPN functional{
      1, &target, vidpns_.create().handle(), DXGK_RFVR_USERMODE, nullptr, 0};
  status =
      windows.call(&table_type::DxgkDdiRecommendFunctionalVidPn, windows.context(), &functional);
  if (!NT_SUCCESS(status) && status != STATUS_GRAPHICS_NO_RECOMMENDED_FUNCTIONAL_VIDPN)
    return status;
  const DXGKARG_RECOMMENDVIDPNTOPOLOGY topology{vidpns_.create().handle(), 0,
                                                DXGK_RVT_INITIALIZATION_NOLKG, nullptr};
  status = windows.call(&table_type::DxgkDdiRecommendVidPnTopology, windows.context(), &topology);
  if (!NT_SUCCESS(status) && status != STATUS_GRAPHICS_NO_RECOMMENDED_VIDPN_TOPOLOGY) return status;
  return vidpns_.read_monitor();
}

/// The EDID's first detailed timing.
auto display_manager::preferred_mode() const -> display_mode {
  constexpr std::size_t timing = 54;
  const auto& edid = vidpns_.edid();
  const auto size = [&](std::size_t low, std::size_t high) {
    return std::uint32_t{edid[timing + low]} | (edid[timing + high] & 0xF0u) << 4;
  };
  return {size(2, 4), size(5, 7), D3DDDIFMT_A8R8G8B8};
}

auto display_manager::modes() -> std::vector<display_mode> {
  auto& asked = vidpns_.create_usual();
  if (!NT_SUCCESS(vidpns_.enum_cofunc(asked))) return {};
  std::vector<display_mode> out;
  for (const auto& one : vidpn_manager::sources(asked)) {
    const auto& graphics = one.Format.Graphics;
    out.push_back({graphics.PrimSurfSize.cx, graphics.PrimSurfSize.cy, graphics.PixelFormat});
  }
  return out;
}

auto display_manager::offers_rate(const D3DDDI_RATIONAL& rate) -> bool {
  auto& asked = vidpns_.create_usual();
  if (rate.Denominator == 0 || !NT_SUCCESS(vidpns_.enum_cofunc(asked))) return false;
  const auto targets = vidpn_manager::targets(asked);
  return std::any_of(targets.begin(), targets.end(), [&](const auto& one) {
    const D3DDDI_RATIONAL& offered = one.VideoSignalInfo.VSyncFreq;
    return std::uint64_t{offered.Numerator} * rate.Denominator ==
           std::uint64_t{rate.Numerator} * offered.Denominator;
  });
}

auto display_manager::create_desktop() -> NTSTATUS {
  auto& system = objects_.process_of(0);
  const process_scope here{0};
  auto status = objects_.create_device(system, true, device_);
  if (!NT_SUCCESS(status)) return status;
  return objects_.create_context(device_, {}, context_);
}

void display_manager::destroy_desktop() {
  const process_scope here{0};
  blank();
  close(shadow_);
  close(primary_);
  if (device_ != nullptr) objects_.destroy_device(device_);
  device_ = nullptr;
  context_ = nullptr;
}

void display_manager::close(desktop_surface& surface) {
  if (surface.opening != nullptr) objects_.close(surface.opening);
  surface = {};
}

auto display_manager::make_surface(D3DKMDT_STANDARDALLOCATION_TYPE type, const display_mode& mode,
                                   desktop_surface& made) -> NTSTATUS {
  D3DKMDT_SHAREDPRIMARYSURFACEDATA shared{mode.width, mode.height, mode.format, {60, 1}, 0};
  D3DKMDT_SHADOWSURFACEDATA shadow{mode.width, mode.height, mode.format, 0};
  DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA asked{};
  asked.StandardAllocationType = type;
  const bool is_primary = type == D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
  if (is_primary)
    asked.pCreateSharedPrimarySurfaceData = &shared;
  else
    asked.pCreateShadowSurfaceData = &shadow;
  resource_request request;
  request.is_resource = is_primary;
  request.is_shared = is_primary;
  const auto status = objects_.create_standard(*device_, asked, request);
  if (!NT_SUCCESS(status)) return status;
  const auto& opening = request.allocations.front().opening;
  made = {opening, opening->resource, is_primary ? 0 : shadow.Pitch};
  return STATUS_SUCCESS;
}

auto display_manager::commit(const display_mode& mode) -> NTSTATUS {
  committed_ = vidpns_.negotiate(mode.width, mode.height, mode.format);
  if (committed_ == nullptr) return STATUS_GRAPHICS_VIDPN_MODALITY_NOT_SUPPORTED;
  const auto status = vidpns_.commit(committed_);
  if (NT_SUCCESS(status)) mode_ = mode;
  return status;
}

auto display_manager::set_visible(bool is_visible) -> NTSTATUS {
  const DXGKARG_SETVIDPNSOURCEVISIBILITY arguments{0,
                                                   static_cast<BOOLEAN>(is_visible ? TRUE : FALSE)};
  return base_.windows.call(&table_type::DxgkDdiSetVidPnSourceVisibility, base_.windows.context(),
                            &arguments);
}

/// Pages it in, and keeps it in place for as long as it is shown.
auto display_manager::show_as_primary(const std::shared_ptr<allocation>& surface) -> NTSTATUS {
  DXGKARG_SETVIDPNSOURCEADDRESS arguments{};
  queued_flip shown;
  {
    const std::lock_guard hold{base_.gpu};
    if (!base_.memory.acquire({surface})) return STATUS_GRAPHICS_NO_VIDEO_MEMORY;
    ++surface->pins;
    base_.memory.release_use({surface});
    base_.scheduler.wait_idle();
    shown.surface = surface;
    shown.segment = base_.memory.segment_of(*surface);
    shown.address = primary_address_of(base_, *surface);
  }
  arguments.PrimarySegment = shown.segment;
  arguments.PrimaryAddress.QuadPart = static_cast<LONGLONG>(shown.address);
  arguments.hAllocation = surface->driver;
  arguments.Flags.ModeChange = 1;
  const auto status =
      base_.windows.call(&table_type::DxgkDdiSetVidPnSourceAddress, base_.windows.context(),
                         static_cast<const DXGKARG_SETVIDPNSOURCEADDRESS*>(&arguments));
  if (!NT_SUCCESS(status)) {
    base_.memory.unlock(surface);
    return status;
  }
  scanned_out_ = surface;
  flips_.restart(std::move(shown));
  return status;
}

auto display_manager::set_mode(const display_mode& mode) -> NTSTATUS {
  const process_scope here{0};
  auto old_primary = std::exchange(primary_, {});
  auto old_shadow = std::exchange(shadow_, {});
  auto status = make_surface(D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, mode, primary_);
  if (NT_SUCCESS(status))
    status = make_surface(D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, mode, shadow_);
  if (NT_SUCCESS(status)) status = set_mode(mode, primary_.opening->memory);
  if (!NT_SUCCESS(status)) {
    close(primary_);
    close(shadow_);
    primary_ = std::move(old_primary);
    shadow_ = std::move(old_shadow);
    return status;
  }
  desktop_mode_ = mode;
  close(old_primary);
  close(old_shadow);
  return STATUS_SUCCESS;
}

auto display_manager::set_mode(const display_mode& mode, const std::shared_ptr<allocation>& primary)
    -> NTSTATUS {
  flips_.drop();
  {
    const std::lock_guard hold{base_.gpu};
    base_.scheduler.wait_idle();
  }
  vidpn* const committed_before = committed_;
  const display_mode mode_before = mode_;
  auto status = set_visible(false);
  if (NT_SUCCESS(status)) status = commit(mode);
  if (NT_SUCCESS(status) && !holds_scanout(base_, *primary)) status = STATUS_INVALID_PARAMETER;
  if (NT_SUCCESS(status)) status = show_as_primary(primary);
  if (NT_SUCCESS(status)) return set_visible(true);
  committed_ = committed_before;
  mode_ = mode_before;
  static_cast<void>(restore());
  return status;
}

auto display_manager::restore() -> NTSTATUS {
  if (committed_ == nullptr || scanned_out_ == nullptr) return STATUS_SUCCESS;
  const process_scope here{0};
  auto status = vidpns_.commit(committed_);
  if (NT_SUCCESS(status)) status = show_as_primary(scanned_out_);
  return NT_SUCCESS(status) ? set_visible(true) : status;
}

void display_manager::blank() {
  if (committed_ != nullptr) static_cast<void>(set_visible(false));
  flips_.restart({});
}

auto display_manager::update_desktop(const RECT& area) -> NTSTATUS {
  const process_scope here{0};
  blt_request request;
  request.source = shadow_.opening;
  request.destination = primary_.opening;
  request.destination_area = request.source_area = area;
  request.sub_rectangles = {area};
  request.flags.Blt = 1;
  const auto status = renders_.blt(*context_, request, {});
  if (NT_SUCCESS(status)) static_cast<void>(objects_.wait_idle(*device_));
  return status;
}

auto display_manager::set_pointer_shape(const DXGKARG_SETPOINTERSHAPE& shape) -> NTSTATUS {
  return base_.windows.call(&table_type::DxgkDdiSetPointerShape, base_.windows.context(), &shape);
}

auto display_manager::set_pointer_position(std::int32_t x, std::int32_t y, bool is_visible)
    -> NTSTATUS {
  DXGKARG_SETPOINTERPOSITION arguments{0, x, y, {}};
  arguments.Flags.Visible = is_visible ? 1 : 0;
  return base_.windows.call(&table_type::DxgkDdiSetPointerPosition, base_.windows.context(),
                            static_cast<const DXGKARG_SETPOINTERPOSITION*>(&arguments));
}

}  // namespace aerogpu::sim
