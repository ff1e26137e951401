// SPDX-License-Identifier: MIT
#include "tests/drivers/kmd/faults/fault_session.hpp"

#include "aerogpu/abi/dbgctl_escape.h"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "tests/drivers/support/alloc_blobs.hpp"
#include "tests/drivers/support/streams.hpp"

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
constexpr std::uint32_t composer_id = 1;
constexpr std::uint32_t other_id = 2;

}  // namespace

auto fault_session::step(const char* what, bool has_worked) -> bool {
  ++steps_;
  if (rule_ == session_rule::everything_works && !has_worked) FAIL_CHECK(what);
  // Windows stops at the sixth timeout within a minute, whatever the driver did.
  if (upper_ && upper_->scheduler.resets() != resets_seen_) {
    resets_seen_ = upper_->scheduler.resets();
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
  upper_.emplace(m_.windows);
  system_.client.emplace(*upper_, 0);
  step("CreateDevice of the system", system_.client->create_device());
  set_mode();
  open_primaries();
  show_primary();
  if (open_process(composer_, composer_id)) compose();
  share();
  time_out();
  sleep_and_resume();
  close_process(other_);
  close_process(composer_);
  upper_->display.blank();
  primaries_.clear();
  opened_primaries_.clear();
  shadow_ = nullptr;
  close_process(system_);
  upper_.reset();
}

void fault_session::set_mode() {
  step("RecommendMonitorModes", upper_->vidpns.read_monitor());
  sim::vidpn* const functional = upper_->vidpns.negotiate(width, height);
  if (!step("a mode of 640 by 480", functional != nullptr)) return;
  step("CommitVidPn", upper_->vidpns.commit(functional));
}

void fault_session::open_primaries() {
  if (system_.client->device == nullptr) return;
  for (int i = 0; i < 2; ++i) {
    if (auto made = create_primary(); made != nullptr) primaries_.push_back(std::move(made));
  }
}

void fault_session::show_primary() {
  if (primaries_.empty()) return;
  step("SetVidPnSourceAddress", upper_->display.show_as_primary(primaries_.front()->memory));
  step("SetVidPnSourceVisibility", upper_->display.set_visible(true));
}

auto fault_session::open_process(process& one, std::uint32_t id) -> bool {
  auto& client = one.client.emplace(*upper_, id);
  return step("CreateDevice", client.create_device()) &&
         step("CreateContext", client.create_context(client.context));
}

void fault_session::close_process(process& one) {
  for (const auto& allocation : one.allocations) {
    one.client->destroy(allocation);
    step("DestroyAllocation", true);
  }
  if (one.has_context()) {
    one.client->destroy_context(one.client->context);
    step("DestroyContext", true);
  }
  if (one.client && one.client->device != nullptr) {
    one.client->close();
    step("DestroyDevice", true);
  }
  one = {};
}

/// What the desktop does all day.
void fault_session::compose() {
  opened_primaries_.clear();
  for (const auto& primary : primaries_) {
    std::shared_ptr<sim::user_resource> opened;
    if (!step("OpenAllocation", composer_.client->open_resource(primary->resource, opened)))
      continue;
    opened_primaries_.push_back(opened->openings.front());
    composer_.allocations.push_back(opened->openings.front());
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
  if (!composer_.has_context() || shadow_ == nullptr || opened_primaries_.empty()) return;
  if (!step("the shadow is painted", paint(color))) return;
  sim::blt_request request;
  request.source = shadow_;
  request.destination = opened_primaries_.front();
  request.flags.Blt = 1;
  request.source_area = request.destination_area = {0, 0, width, height};
  request.sub_rectangles = {{0, 0, painted_width, painted_height}};
  if (!step("Present", composer_.client->blt(request))) return;
  composer_.client->wait();
  if (rule_ == session_rule::everything_works) step("the frame is shown", shows(color));
}

void fault_session::copy_buffers(int value) {
  auto& client = *composer_.client;
  const auto source = create(composer_, buffer_blob(1, buffer_bytes, cpu_visible_flag));
  const auto target = create(composer_, buffer_blob(2, buffer_bytes, cpu_visible_flag));
  if (source == nullptr || target == nullptr) return;
  if (!step("the source is filled", client.fill(source, buffer_bytes, value))) return;
  if (!step("Render of a copy", client.render(host_copy(1, 2, buffer_bytes).bytes(),
                                              {{}, {source, false}, {target, true}}))) {
    return;
  }
  client.wait();
  step("the copy has the source's bytes", client.holds(target, buffer_bytes, value));
}

void fault_session::flip() {
  if (opened_primaries_.size() < 2) return;
  for (const auto index : {1u, 0u}) {
    step("a flip", composer_.client->flip(opened_primaries_[index]));
    step("a vertical blank after a flip", composer_.client->wait_for_vblank());
  }
  read_scan_line("GetScanLine");
  step("vertical blanks off", upper_->flips.set_interrupt(false));
  read_scan_line("GetScanLine without vertical blanks");
}

void fault_session::read_scan_line(const char* what) {
  DXGKARG_GETSCANLINE line{};
  step(what, m_.windows.call(&table::DxgkDdiGetScanLine, m_.windows.context(), &line));
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
  for (std::uint32_t op = 1; op <= operations; ++op) {
    sim::byte_list data(largest_bytes);
    const aerogpu_escape_header header{1, op, largest_bytes, 0};
    std::memcpy(data.data(), &header, sizeof header);
    DXGKARG_ESCAPE escape{};
    escape.hDevice = composer_.client->device->driver;
    escape.pPrivateDriverData = data.data();
    escape.PrivateDriverDataSize = largest_bytes;
    static_cast<void>(m_.windows.call(&table::DxgkDdiEscape, m_.windows.context(),
                                      static_cast<const DXGKARG_ESCAPE*>(&escape)));
    step("an escape comes back", true);
  }
}

/// One process exports a surface, another one opens and imports it; both let go.
void fault_session::share() {
  if (!composer_.has_context() || !open_process(other_, other_id)) return;
  std::uint64_t token = 0;
  const auto surface =
      create_shared(composer_, texture_blob({.id = 7, .flags = shared_flag}), token);
  if (surface == nullptr) return;
  step("a shared surface has a token", token != 0);
  auto& exporter = *composer_.client;
  auto& importer = *other_.client;
  const texture_spec spec{.width = 64, .height = 32, .pitch = 64 * 4, .memory = {7}};
  stream_builder exports;
  exports.create_texture(70, spec).export_surface(70, token);
  step("Render of an export", exporter.render(exports.bytes(), {{}, {surface, true}}));

  std::shared_ptr<sim::user_resource> opened;
  if (step("OpenAllocation by another process",
           importer.open_resource(surface->resource, opened))) {
    const auto opening = opened->openings.front();
    other_.allocations.push_back(opening);
    stream_builder imports;
    imports.import_surface(71, parse_blob(opening->memory->private_data).share_token).destroy(71);
    step("Render of an import", importer.render(imports.bytes(), {{}, {opening, false}}));
    importer.wait();
  }
  stream_builder ends;
  ends.destroy(70);
  step("Render of a destruction", exporter.render(ends.bytes(), {}));
  exporter.wait();
  exporter.destroy(surface);
  step("DestroyAllocation of a shared surface", true);
  std::erase(composer_.allocations, surface);
  close_process(other_);
  if (rule_ == session_rule::everything_works)
    step("the host found nothing wrong", m_.machine.host().errors.size() == errors_before_);
}

/// The host stands still: the devices are lost, and their processes begin anew.
void fault_session::time_out() {
  if (!composer_.has_context()) return;
  m_.pc.bus.host.doorbells = sim::doorbell_mode::held;
  const auto before = upper_->scheduler.resets();
  stream_builder stream;
  stream.nop();
  const auto sent = composer_.client->render(stream.bytes(), {});
  upper_->scheduler.advance(timeout_and_preemption_ns);
  const bool was_reset = upper_->scheduler.resets() != before;
  m_.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  step("Render to a host that stands still", sent);
  step("the timeout led to a reset", was_reset);
  close_process(composer_);
  show_primary();
  if (open_process(composer_, composer_id)) compose();
}

void fault_session::sleep_and_resume() {
  step("SetVidPnSourceVisibility before sleep", upper_->display.set_visible(false));
  upper_->flips.restart({});
  step("all memory is evicted before sleep", upper_->memory.evict_all());
  step("sleep", set_power(PowerDeviceD3));
  m_.pc.clock.advance(1'000'000'000);
  step("resume", set_power(PowerDeviceD0));
  show_primary();
  draw_frame(0xFF778899);
}

auto fault_session::create_primary() -> opening {
  D3DKMDT_SHAREDPRIMARYSURFACEDATA wanted{};
  wanted.Width = width;
  wanted.Height = height;
  wanted.Format = D3DDDIFMT_A8R8G8B8;
  DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA asked{};
  asked.StandardAllocationType = D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
  asked.pCreateSharedPrimarySurfaceData = &wanted;
  sim::resource_request request;
  request.is_resource = request.is_shared = true;
  if (!step("a primary", system_.client->create_standard(asked, request))) return nullptr;
  system_.allocations.push_back(request.allocations.front().opening);
  return system_.allocations.back();
}

auto fault_session::create_shadow() -> opening {
  D3DKMDT_SHADOWSURFACEDATA wanted{width, height, D3DDDIFMT_A8R8G8B8, 0};
  DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA asked{};
  asked.StandardAllocationType = D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE;
  asked.pCreateShadowSurfaceData = &wanted;
  sim::resource_request request;
  if (!step("a shadow", composer_.client->create_standard(asked, request))) return nullptr;
  shadow_pitch_ = wanted.Pitch;
  composer_.allocations.push_back(request.allocations.front().opening);
  return composer_.allocations.back();
}

auto fault_session::create(process& in, sim::byte_list private_data) -> opening {
  auto made = in.client->create(std::move(private_data));
  if (!step("CreateAllocation", made != nullptr)) return nullptr;
  in.allocations.push_back(made);
  return made;
}

auto fault_session::create_shared(process& in, sim::byte_list private_data, std::uint64_t& token)
    -> opening {
  sim::resource_request request;
  request.is_resource = request.is_shared = true;
  if (!step("CreateAllocation", in.client->create(std::move(private_data), request)))
    return nullptr;
  const auto& made = request.allocations.front();
  token = parse_blob(made.private_data).share_token;
  in.allocations.push_back(made.opening);
  return made.opening;
}

auto fault_session::paint(std::uint32_t color) -> bool {
  auto& memory = upper_->memory;
  auto* const bytes = memory.lock(shadow_->memory);
  if (bytes == nullptr) return false;
  for (std::size_t y = 0; y < painted_height; ++y) {
    for (std::size_t x = 0; x < painted_width; ++x)
      std::memcpy(bytes + y * shadow_pitch_ + x * 4, &color, sizeof color);
  }
  memory.unlock(shadow_->memory);
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

void check_no_bug_check(simulated_pc<>& on, const std::string& where) {
  for (const auto& one : on.pc.bugs.take()) {
    INFO(where);
    FAIL_CHECK(sim::describe(one));
  }
}

}  // namespace aerogpu::test
