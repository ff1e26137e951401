// SPDX-License-Identifier: MIT
/// A session of every part of the driver in which one callback fails, whichever it is.
#include "tests/drivers/umd/rigs/driver_profiles.hpp"
#include "tests/drivers/umd/rigs/quiet_system.hpp"
#include "tests/drivers/umd/session/session_script.hpp"
#include "tests/support/fault_stride.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

using namespace aerogpu;

namespace {

/// An application on the whole stack whose device is made, and its script.
class lossy_session {
 public:
  explicit lossy_session(bool is_windowed, const sim::runtime_options& options)
      : w(test::real_driver(), options), app(w.runtime, 7) {
    app.start(is_windowed ? test::d3d9_application::windowed(64, 32)
                          : test::d3d9_application::full_screen(640, 480, 2));
    REQUIRE(app.device.flush() == S_OK);
  }
  ~lossy_session() {
    w.runtime.faults.stop();
    CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
  }

  test::quiet_system quiet{test::driver_clock::steps};
  test::running_runtime<> w;
  test::d3d9_application app;
  test::session_script script{app.device};
};

/// States and releases: what succeeds on a lost device (umd-d3d9.md 4.7).
[[nodiscard]] auto works_when_lost(std::string_view name) -> bool {
  constexpr std::array names{"light",        "texture 0",           "no texture",
                             "no stream",    "no indices",          "state",
                             "constants",    "block texture",       "block constants",
                             "release",      "release opened",      "release shared",
                             "no depth",     "no block texture",    "delete vertex shader",
                             "delete patch", "delete pixel shader", "delete declaration",
                             "release query"};
  return std::find(names.begin(), names.end(), name) != names.end();
}
/// What needs the kernel or the host, and so answers why there is none any more.
[[nodiscard]] auto fails_when_lost(std::string_view name) -> bool {
  constexpr std::array names{"vertices", "texture", "clear", "draw up", "draw fan",
                             "frame",    "present", "fill",  "shared",  "get data"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A runtime, and the callbacks by which it takes work and presents.
struct lossy_runtime {
  sim::runtime_options options;
  sim::callback renders = sim::callback::render;
  sim::callback presents = sim::callback::present;
};
/// Profile M's, and of profile U one for each way to submit and each owner of buffers.
[[nodiscard]] auto lossy_runtimes() -> std::vector<lossy_runtime> {
  using sim::callback, sim::portable_lending;
  std::vector<lossy_runtime> all{{test::with_profile_m({}).front()}};
  const auto add = [&](sim::portable_routes routes, portable_lending lending, callback renders,
                       callback presents) {
    sim::portable_variance how;
    how.routes = routes;
    how.lending = lending;
    how.has_sync_object = lending != portable_lending::borrowed;
    how.lies_in_dma_buffer = lending == portable_lending::borrowed;
    all.push_back({test::portable_runtime(how), renders, presents});
  };
  add({true, true, false, true}, portable_lending::rotating, callback::render, callback::present);
  add({false, false, false, true}, portable_lending::borrowed, callback::submit_command,
      callback::submit_command);
  add({true, false, true, false}, portable_lending::allocated, callback::render, callback::render);
  return all;
}

[[nodiscard]] auto stride() -> std::uint32_t {
  return static_cast<std::uint32_t>(test::fault_stride());
}

}  // namespace

TEST_CASE("a device that a submission lost says so from then on, and gives everything back",
          "[umd][session][faults][T230]") {
  const auto under = GENERATE(from_range(lossy_runtimes()));
  CAPTURE(test::name_of(under.options));
  const bool is_windowed = GENERATE(true, false);
  const auto which = GENERATE(true, false) ? under.renders : under.presents;
  const auto code = GENERATE(D3DERR_DEVICEREMOVED, D3DERR_DEVICEHUNG);
  const auto run = [&](std::uint32_t nth) {
    lossy_session s{is_windowed, under.options};
    s.w.runtime.faults.fail_one_of(which, nth, code);
    s.script.run();
    const std::uint32_t calls = s.w.runtime.faults.count();
    if (nth == 0) {
      CHECK(s.script.failures() == "");
      return calls;
    }
    // The first code is kept, whatever a submission would say now.
    const std::uint64_t submissions = s.app.device.ddi.submissions();
    s.w.runtime.faults.fail(0);
    bool has_failed = false;
    for (const auto& step : s.script.steps()) {
      CAPTURE(step.name, step.result);
      const bool is_known = SUCCEEDED(step.result) || step.result == code ||
                            (has_failed && step.result == D3DERR_INVALIDCALL);
      CHECK(is_known);
      has_failed = has_failed || FAILED(step.result);
      if (has_failed && works_when_lost(step.name)) CHECK(step.result == S_OK);
    }
    s.script.run();
    for (const auto& step : s.script.steps()) {
      CAPTURE(step.name, step.result);
      if (fails_when_lost(step.name)) CHECK(step.result == code);
      if (works_when_lost(step.name)) CHECK(step.result == S_OK);
    }
    CHECK(s.app.device.ddi.submissions() == submissions);
    return calls;
  };
  const auto calls = run(0);
  CHECK(calls >= 2);
  for (std::uint32_t nth = 1; nth <= calls; nth += stride()) {
    CAPTURE(nth);
    static_cast<void>(run(nth));
  }
}

TEST_CASE("a session of draws, locks, copies and presents, wherever a callback fails",
          "[umd][session][faults][T232]") {
  const auto under = GENERATE(from_range(lossy_runtimes()));
  CAPTURE(test::name_of(under.options));
  const bool is_windowed = GENERATE(true, false);
  const auto code = GENERATE(std::optional<HRESULT>{}, std::optional<HRESULT>{E_OUTOFMEMORY},
                             std::optional<HRESULT>{D3DERR_DEVICEREMOVED});
  const auto run = [&](std::uint32_t nth) {
    lossy_session s{is_windowed, under.options};
    s.w.runtime.faults.fail(nth, code);
    s.script.run();
    const std::uint32_t calls = s.w.runtime.faults.count();
    s.w.runtime.faults.stop();
    if (nth == 0) CHECK(s.script.failures() == "");
    // What is not lost works on, and what is lost stays so.
    s.script.run();
    const std::string failures = s.script.failures();
    CAPTURE(failures);
    for (const auto& step : s.script.steps()) {
      if (works_when_lost(step.name)) CHECK(step.result == S_OK);
      if (fails_when_lost(step.name)) CHECK(FAILED(step.result) == !failures.empty());
    }
    return calls;
  };
  const auto calls = run(0);
  CHECK(calls >= 40);
  for (std::uint32_t nth = 1; nth <= calls; nth += stride()) {
    CAPTURE(nth);
    static_cast<void>(run(nth));
  }
}
