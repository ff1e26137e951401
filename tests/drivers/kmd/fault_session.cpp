#include "tests/drivers/kmd/fault_session.hpp"

#include "aerogpu/abi/dbgctl_escape.h"
#include "drivers/win7/kmd/driver_entry.hpp"
#include "tests/drivers/kmd/memory_driver.hpp"
#include "tests/support/stream_builder.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::test {

namespace {

constexpr std::uint32_t width = 640;
constexpr std::uint32_t height = 480;
constexpr std::uint32_t painted_width = 64;  ///< What a frame changes, from the corner on.
constexpr std::uint32_t painted_height = 16;
constexpr std::uint32_t buffer_bytes = 4096;
constexpr std::uint64_t minute_ns = 61'000'000'000;
constexpr std::uint64_t timeout_and_preemption_ns = 4'500'000'000;

}  // namespace

auto fault_session::step(const char* what, bool has_worked) -> bool {
  ++steps_;
  if (rule_ == session_rule::everything_works && !has_worked) FAIL_CHECK(what);
  // Windows stops at the sixth timeout within a minute, whatever the driver did.
  if (graphics_ && graphics_->scheduler.resets() != resets_seen_) {
    resets_seen_ = graphics_->scheduler.resets();
    m_.pc.clock.advance(minute_ns);
  }
  return has_worked;
}

void fault_session::run() {
  errors_before_ = m_.machine.host().errors.size();
  if (!step("DriverEntry", m_.windows.load(&DriverEntry))) {
    if (const auto leaks = m_.pc.leaks(); !leaks.empty()) FAIL_CHECK(leaks);
    return;
  }
  if (step("AddDevice", m_.windows.add_device())) {
    if (step("StartDevice", m_.windows.start_device())) {
      run_started();
      step("StopDevice", m_.windows.stop_device());
    }
    step("RemoveDevice", m_.windows.remove_device());
  }
  m_.windows.unload();
}

void fault_session::run_started() {
  vidpns_.emplace(m_.windows);
  graphics_.emplace(m_.windows);
  step("CreateDevice of the system", graphics_->create_device(system_.device, true));
  set_mode();
  open_primaries();
  show_primary();
  if (open_process(composer_)) compose();
  share();
  time_out();
  sleep_and_resume();
  close_process(other_);
  close_process(composer_);
  close_process(system_);
  graphics_.reset();
  vidpns_.reset();
}

void fault_session::set_mode() {
  step("RecommendMonitorModes", vidpns_->read_monitor());
  sim::vidpn* const functional = vidpns_->negotiate(width, height);
  if (!step("a mode of 640 by 480", functional != nullptr)) return;
  step("CommitVidPn", vidpns_->commit(functional));
}

void fault_session::open_primaries() {
  if (system_.device == 0) return;
  for (int i = 0; i < 2; ++i) {
    if (const auto handle = create_primary(); handle != 0) primaries_.push_back(handle);
  }
}

void fault_session::show_primary() {
  if (primaries_.empty()) return;
  step("SetVidPnSourceAddress", graphics_->set_source(primaries_.front(), true));
  step("SetVidPnSourceVisibility", set_visible(true));
}

auto fault_session::open_process(process& one) -> bool {
  return step("CreateDevice", graphics_->create_device(one.device)) &&
         step("CreateContext", graphics_->create_context(one.device, one.context));
}

void fault_session::close_process(process& one) {
  for (const auto handle : one.allocations)
    step("DestroyAllocation", graphics_->destroy_allocation(handle));
  if (one.context != 0) step("DestroyContext", graphics_->destroy_context(one.context));
  if (one.device != 0) step("DestroyDevice", graphics_->destroy_device(one.device));
  one = {};
}

/// What the desktop does all day.
void fault_session::compose() {
  opened_primaries_.clear();
  for (const auto global : primaries_global_) {
    std::vector<sim::allocation_request> opened;
    if (!step("OpenAllocation", graphics_->open_resource(composer_.device, global, opened)))
      continue;
    opened_primaries_.push_back(opened.front().handle);
    composer_.allocations.push_back(opened.front().handle);
  }
  shadow_ = create_shadow();
  draw_frame(0xFF112233);
  draw_frame(0xFFAABBCC);
  copy_buffers(3);
  move_pointer();
  flip();
  ask_escapes();
}

void fault_session::draw_frame(std::uint32_t color) {
  if (shadow_ == 0 || opened_primaries_.empty()) return;
  if (!step("the shadow is painted", paint(color))) return;
  sim::present_request request;
  request.source = shadow_;
  request.destination = opened_primaries_.front();
  request.flags.Blt = 1;
  request.source_rect = request.destination_rect = {0, 0, width, height};
  request.sub_rects = {{0, 0, painted_width, painted_height}};
  if (!step("Present", graphics_->present(composer_.context, request))) return;
  graphics_->wait_for_context(composer_.context);
  if (rule_ == session_rule::everything_works) step("the frame is shown", shows(color));
}

/// The host copies, through its own objects and back to guest memory.
void fault_session::copy_buffers(int value) {
  const auto source = create(composer_, buffer_blob(1, buffer_bytes, cpu_visible_flag));
  const auto target = create(composer_, buffer_blob(2, buffer_bytes, cpu_visible_flag));
  if (source == 0 || target == 0) return;
  if (!step("the source is filled", fill(source, buffer_bytes, value))) return;
  stream_builder stream;
  stream.create_buffer(1, buffer_bytes, {1})
      .create_buffer(2, buffer_bytes, {2})
      .dirty(1, 0, buffer_bytes)
      .copy_buffer(2, 0, 1, 0, buffer_bytes, AEROGPU_COPY_FLAG_WRITEBACK_DST)
      .destroy(1)
      .destroy(2);
  if (!step("Render of a copy",
            render(composer_, stream.bytes(), {{0, false}, {source, false}, {target, true}}))) {
    return;
  }
  graphics_->wait_for_context(composer_.context);
  step("the copy has the source's bytes", holds(target, buffer_bytes, value));
}

void fault_session::flip() {
  if (opened_primaries_.size() < 2) return;
  for (const auto index : {1u, 0u}) {
    step("a flip", graphics_->flip(composer_.context, opened_primaries_[index]));
    step("a vertical blank after a flip", graphics_->wait_for_vblank());
  }
  DXGKARG_GETSCANLINE line{};
  step("GetScanLine", graphics_->get_scan_line(line));
  step("vertical blanks off", graphics_->set_vsync(false));
  step("GetScanLine without vertical blanks", graphics_->get_scan_line(line));
}

void fault_session::move_pointer() {
  const std::vector<std::uint32_t> pixels(std::size_t{32} * 32, 0xFF00FF00);
  DXGKARG_SETPOINTERSHAPE shape{};
  shape.Flags.Color = 1;
  shape.Width = shape.Height = 32;
  shape.Pitch = 32 * 4;
  shape.pPixels = pixels.data();
  step("SetPointerShape", m_.windows.call(&table::DxgkDdiSetPointerShape, m_.windows.context(),
                                          static_cast<const DXGKARG_SETPOINTERSHAPE*>(&shape)));
  for (const int at : {200, 300}) {
    DXGKARG_SETPOINTERPOSITION position{};
    position.X = position.Y = at;
    position.Flags.Visible = 1;
    step("SetPointerPosition",
         m_.windows.call(&table::DxgkDdiSetPointerPosition, m_.windows.context(),
                         static_cast<const DXGKARG_SETPOINTERPOSITION*>(&position)));
  }
}

/// The answers are of no interest here: what reads the device while it fails is.
void fault_session::ask_escapes() {
  constexpr std::uint32_t largest_bytes = 4136;
  constexpr std::uint32_t operations = 17;
  auto* const data = m_.pc.user.allocate(largest_bytes);
  for (std::uint32_t op = 1; op <= operations; ++op) {
    std::memset(data, 0, largest_bytes);
    const aerogpu_escape_header header{1, op, largest_bytes, 0};
    std::memcpy(data, &header, sizeof header);
    static_cast<void>(graphics_->escape(composer_.device, data, largest_bytes));
    step("an escape comes back", true);
  }
  m_.pc.user.release(data);
}

/// One process exports a surface, another one opens and imports it; both let go.
void fault_session::share() {
  if (composer_.context == 0 || !open_process(other_)) return;
  D3DKMT_HANDLE global = 0;
  std::uint64_t token = 0;
  const auto surface =
      create(composer_, texture_blob({.id = 7, .flags = shared_flag}), &global, &token);
  if (surface == 0) return;
  step("a shared surface has a token", token != 0);
  texture_spec spec{.width = 64, .height = 32, .pitch = 64 * 4, .memory = {7}};
  stream_builder exports;
  exports.create_texture(70, spec).export_surface(70, token);
  step("Render of an export", render(composer_, exports.bytes(), {{0, false}, {surface, true}}));

  std::vector<sim::allocation_request> opened;
  if (step("OpenAllocation by another process",
           graphics_->open_resource(other_.device, global, opened))) {
    other_.allocations.push_back(opened.front().handle);
    stream_builder imports;
    imports.import_surface(71, parse_blob(opened.front().private_data).share_token).destroy(71);
    step("Render of an import",
         render(other_, imports.bytes(), {{0, false}, {other_.allocations.back(), false}}));
    graphics_->wait_for_context(other_.context);
  }
  stream_builder ends;
  ends.destroy(70);
  step("Render of a destruction", render(composer_, ends.bytes(), {}));
  graphics_->wait_for_context(composer_.context);
  step("DestroyAllocation of a shared surface", graphics_->destroy_allocation(surface));
  std::erase(composer_.allocations, surface);
  close_process(other_);
  if (rule_ == session_rule::everything_works)
    step("the host found nothing wrong", m_.machine.host().errors.size() == errors_before_);
}

/// The host stands still: the devices are lost, and their processes begin anew.
void fault_session::time_out() {
  if (composer_.context == 0) return;
  m_.pc.bus.host.doorbells = sim::doorbell_mode::held;
  const auto before = graphics_->scheduler.resets();
  stream_builder stream;
  stream.nop();
  const auto sent = render(composer_, stream.bytes(), {});
  graphics_->scheduler.advance(timeout_and_preemption_ns);
  const bool was_reset = graphics_->scheduler.resets() != before;
  m_.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  step("Render to a host that stands still", sent);
  step("the timeout led to a reset", was_reset);
  close_process(composer_);
  show_primary();
  if (open_process(composer_)) compose();
}

void fault_session::sleep_and_resume() {
  step("SetVidPnSourceVisibility before sleep", set_visible(false));
  static_cast<void>(graphics_->memory.evict_all());  // The primary is pinned.
  step("sleep", set_power(PowerDeviceD3));
  m_.pc.clock.advance(1'000'000'000);
  step("resume", set_power(PowerDeviceD0));
  show_primary();
  draw_frame(0xFF778899);
}

auto fault_session::create_primary() -> D3DKMT_HANDLE {
  D3DKMDT_SHAREDPRIMARYSURFACEDATA wanted{};
  wanted.Width = width;
  wanted.Height = height;
  wanted.Format = D3DDDIFMT_A8R8G8B8;
  DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arguments{};
  arguments.StandardAllocationType = D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
  arguments.pCreateSharedPrimarySurfaceData = &wanted;
  sim::allocation_request made;
  D3DKMT_HANDLE global = 0;
  if (!step("a primary", graphics_->create_standard(system_.device, arguments, made, &global)))
    return 0;
  system_.allocations.push_back(made.handle);
  primaries_global_.push_back(global);
  return made.handle;
}

auto fault_session::create_shadow() -> D3DKMT_HANDLE {
  D3DKMDT_SHADOWSURFACEDATA wanted{width, height, D3DDDIFMT_A8R8G8B8, 0};
  DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA arguments{};
  arguments.StandardAllocationType = D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE;
  arguments.pCreateShadowSurfaceData = &wanted;
  sim::allocation_request made;
  if (!step("a shadow", graphics_->create_standard(composer_.device, arguments, made))) return 0;
  shadow_pitch_ = wanted.Pitch;
  composer_.allocations.push_back(made.handle);
  return made.handle;
}

auto fault_session::create(process& in, std::vector<std::byte> private_data, D3DKMT_HANDLE* global,
                           std::uint64_t* token) -> D3DKMT_HANDLE {
  sim::allocation_request request;
  request.private_data = std::move(private_data);
  if (!step("CreateAllocation", graphics_->create_allocation(in.device, {&request, 1}, global)))
    return 0;
  if (token != nullptr) *token = parse_blob(request.private_data).share_token;
  in.allocations.push_back(request.handle);
  return request.handle;
}

auto fault_session::render(const process& in, const_bytes stream,
                           std::vector<sim::list_entry> allocations) -> NTSTATUS {
  auto* const commands = m_.pc.user.place(stream);
  sim::render_request request;
  request.commands = commands;
  request.size_bytes = static_cast<std::uint32_t>(stream.size());
  request.allocations = std::move(allocations);
  const auto status = graphics_->render(in.context, request);
  m_.pc.user.release(commands);
  return status;
}

auto fault_session::fill(D3DKMT_HANDLE handle, std::size_t size_bytes, int value) -> bool {
  auto* const bytes = graphics_->lock(handle);
  if (bytes == nullptr) return false;
  std::memset(bytes, value, size_bytes);
  graphics_->unlock(handle);
  return true;
}

auto fault_session::holds(D3DKMT_HANDLE handle, std::size_t size_bytes, int value) -> bool {
  const auto* const bytes = graphics_->lock(handle);
  if (bytes == nullptr) return false;
  const bool is_same = std::all_of(bytes, bytes + size_bytes, [value](std::byte one) {
    return one == static_cast<std::byte>(value);
  });
  graphics_->unlock(handle);
  return is_same;
}

auto fault_session::paint(std::uint32_t color) -> bool {
  auto* const bytes = graphics_->lock(shadow_);
  if (bytes == nullptr) return false;
  for (std::size_t y = 0; y < painted_height; ++y) {
    for (std::size_t x = 0; x < painted_width; ++x)
      std::memcpy(bytes + y * shadow_pitch_ + x * 4, &color, sizeof color);
  }
  graphics_->unlock(shadow_);
  return true;
}

auto fault_session::shows(std::uint32_t color) -> bool {
  rgba8_image image;
  if (!m_.machine.get().read_scanout(image)) return false;
  if (image.width() != width || image.height() != height) return false;
  const std::uint32_t rgba = (color & 0xFF00FF00) | (color >> 16 & 0xFF) | (color & 0xFF) << 16;
  for (std::size_t y = 0; y < painted_height; ++y) {
    for (std::size_t x = 0; x < painted_width; ++x) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, image.pixels().data() + (y * width + x) * 4, sizeof pixel);
      if (pixel != rgba) return false;
    }
  }
  return true;
}

auto fault_session::set_power(DEVICE_POWER_STATE state) -> NTSTATUS {
  return m_.windows.call(&table::DxgkDdiSetPowerState, m_.windows.context(), DISPLAY_ADAPTER_HW_ID,
                         state, PowerActionSleep);
}

auto fault_session::set_visible(bool is_visible) -> NTSTATUS {
  const DXGKARG_SETVIDPNSOURCEVISIBILITY arguments{0, is_visible ? BOOLEAN{TRUE} : BOOLEAN{FALSE}};
  return m_.windows.call(&table::DxgkDdiSetVidPnSourceVisibility, m_.windows.context(), &arguments);
}

void check_no_bug_check(simulated_pc<>& on, const std::string& where) {
  for (const auto& one : on.pc.bugs.take()) {
    INFO(where);
    FAIL_CHECK(sim::describe(one));
  }
}

}  // namespace aerogpu::test
