// SPDX-License-Identifier: MIT
/// \file What guest tests need of Windows, over a simulated one with the real driver.
#pragma once

#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "drivers/win7/tests/guest/desktop.hpp"
#include "drivers/win7/tests/guest/program.hpp"
#include "tests/drivers/support/running_windows.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace aerogpu::test {

/// How the machine differs from an honest one whose gates are shut.
struct guest_machine_options {
  bool allows_gated_escapes = false;
  std::uint32_t aperture_mib = 0;  ///< In the registry; 0: nothing.
  device_config device = {};
};

/// A simulated PC on which Windows runs.
class guest_machine : public simulated_pc<null_backend>, public guest::desktop {
 public:
  explicit guest_machine(const guest_machine_options& options = {})
      : simulated_pc<null_backend>({}, options.device), session(windows, small_desktop()) {
    set_registry(options);
    connect_thunks();
    REQUIRE(session.boot(&DriverEntry) == STATUS_SUCCESS);
  }
  ~guest_machine() { sim::this_thread().is_privileged = false; }

  auto find_display(D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME&) -> guest::display_search override {
    return found;
  }
  auto calls() -> const guest::thunks& override { return thunks_of_kernel; }
  auto now_ns() -> std::uint64_t override { return pc.clock.now_ns(); }
  void sleep_ms(std::uint32_t milliseconds) override {
    auto& base = session.session().base;
    {
      const std::lock_guard hold{base.gpu};
      base.scheduler.advance(milliseconds * millisecond_ns);
    }
    base.poll();
  }
  /// On the calling thread: the machine's time is what runs out.
  auto run_within(std::uint32_t milliseconds, guest::task work) -> bool override {
    const auto begin = now_ns();
    work.run(work.with);
    return now_ns() - begin <= milliseconds * millisecond_ns;
  }
  void print(std::string_view more) override { text += more; }

  auto size() -> guest::screen_size override {
    return {display().mode().width, display().mode().height};
  }
  auto is_mode_possible(guest::screen_size wanted) -> bool override {
    const auto modes = display().modes();
    return std::any_of(modes.begin(), modes.end(), [&](const sim::display_mode& m) {
      return m.width == wanted.width && m.height == wanted.height;
    });
  }
  auto change_mode(guest::screen_size wanted) -> bool override {
    return NT_SUCCESS(display().set_mode({wanted.width, wanted.height, D3DDDIFMT_A8R8G8B8}));
  }

  auto set_cursor_shape(const guest::cursor_shape& shape) -> bool override {
    shape_ = shape;
    const std::vector<std::uint32_t> pixels(std::size_t{shape.width} * shape.height, 0x80204080u);
    DXGKARG_SETPOINTERSHAPE wanted{};
    wanted.Flags.Color = 1;
    wanted.Width = shape.width;
    wanted.Height = shape.height;
    wanted.Pitch = shape.width * 4;
    wanted.pPixels = pixels.data();
    wanted.XHot = shape.hot_x;
    wanted.YHot = shape.hot_y;
    return NT_SUCCESS(display().set_pointer_shape(wanted));
  }
  void move_cursor(std::int32_t x, std::int32_t y) override {
    x_ = x - static_cast<std::int32_t>(shape_.hot_x);
    y_ = y - static_cast<std::int32_t>(shape_.hot_y);
    show_cursor(is_shown_);
  }
  void show_cursor(bool is_visible) override {
    is_shown_ = is_visible;
    CHECK(NT_SUCCESS(display().set_pointer_position(x_, y_, is_visible)));
  }
  void restore_cursor() override { show_cursor(false); }

  auto create_section() -> std::uint64_t override {
    const auto handle = next_section_ += 4;
    pc.set_section(handle, reinterpret_cast<const void*>(static_cast<std::uintptr_t>(handle)));
    return handle;
  }
  void close_section(std::uint64_t handle) override { pc.set_section(handle, nullptr); }
  auto aperture() -> guest::aperture_setting override {
    std::uint32_t mebibytes = 0;
    static_cast<void>(pc.registry(sim::device_registry_key, "NonLocalMemorySizeMB", mebibytes));
    return {mebibytes, sizeof(void*) == 8};
  }

  [[nodiscard]] auto display() -> sim::display_manager& { return session.session().display; }

  guest::thunks thunks_of_kernel;  ///< A test may put lies between.
  guest::display_search found = guest::display_search::found;
  std::string text;
  sim::windows session;

 private:
  static constexpr std::uint64_t millisecond_ns = 1'000'000;

  [[nodiscard]] static auto small_desktop() -> sim::windows_options {
    sim::windows_options options;
    options.width = 640;
    options.height = 480;
    return options;
  }
  void set_registry(const guest_machine_options& options) {
    constexpr const char* service =
        "\\Registry\\Machine\\System\\CurrentControlSet\\Services\\aerogpu";
    if (options.allows_gated_escapes) {
      pc.set_registry(service, "EnableReadGpaEscape", 1);
      pc.set_registry(service, "EnableMapSharedHandleEscape", 1);
      sim::this_thread().is_privileged = true;
    }
    if (options.aperture_mib != 0)
      pc.set_registry(sim::device_registry_key, "NonLocalMemorySizeMB", options.aperture_mib);
  }
  void connect_thunks() {
    thunks_of_kernel = {
        &D3DKMTOpenAdapterFromGdiDisplayName,
        &D3DKMTCloseAdapter,
        &D3DKMTQueryAdapterInfo,
        &D3DKMTEscape,
        &D3DKMTCreateDevice,
        &D3DKMTDestroyDevice,
        &D3DKMTCreateContext,
        &D3DKMTDestroyContext,
        &D3DKMTCreateAllocation,
        &D3DKMTDestroyAllocation,
        &D3DKMTRender,
        &D3DKMTPresent,
        &D3DKMTGetDisplayModeList,
        &D3DKMTWaitForVerticalBlankEvent,
        &D3DKMTGetScanLine,
    };
  }

  guest::cursor_shape shape_;
  std::int32_t x_ = 0;
  std::int32_t y_ = 0;
  bool is_shown_ = false;
  std::uint64_t next_section_ = 0x1000;
};

/// Runs one test with those words, and gives what it ended with.
inline auto run_guest_test(guest_machine& on, const guest::guest_test& test,
                           const std::vector<std::string_view>& words = {}) -> guest::exit_code {
  guest::program program{test, on};
  const auto code = program.run(words);
  INFO(on.text);
  return code;
}

}  // namespace aerogpu::test
