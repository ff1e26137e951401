// SPDX-License-Identifier: MIT
/// Allocation n of the driver fails, for every n (umd-d3d9.md T233).
#include "tests/drivers/umd/rigs/driver_profiles.hpp"
#include "tests/drivers/umd/rigs/quiet_system.hpp"
#include "tests/drivers/umd/session/session_script.hpp"
#include "tests/support/failing_heap.hpp"
#include "tests/support/fault_stride.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>

using namespace aerogpu;

namespace {

/// Offsets into the executable, for addr2line.
[[nodiscard]] auto offsets_of(const test::heap_call_stack& stack) -> std::string {
  std::ostringstream text;
  for (const std::uintptr_t frame : stack) {
    if (frame != 0) text << " 0x" << std::hex << test::failing_heap::offset_of(frame);
  }
  return text.str();
}

/// One session with its n-th allocation failing, then one without on the same device.
class exhausted_session {
 public:
  exhausted_session(bool is_windowed, const sim::runtime_options& options)
      : is_windowed_(is_windowed), options_(options) {}

  /// How many allocations the driver made until the first script was over.
  [[nodiscard]] auto run(std::uint64_t failing) -> std::uint64_t {
    const std::int64_t before = test::failing_heap::live_blocks();
    std::uint64_t calls = 0;
    {
      const test::quiet_system quiet{test::driver_clock::steps};
      test::running_runtime<> w{test::real_driver(), options_};
      test::failing_heap::plan(failing);
      test::failing_heap::count_where(&sim::is_in_driver);
      const test::heap_scope armed;
      {
        test::d3d9_application app{w.runtime, 7};
        calls = run(app, failing);
      }
      CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
    }
    test::failing_heap::count_where(nullptr);
    CAPTURE(failing, failed_at());
    CHECK(test::failing_heap::live_blocks() == before);
    return calls;
  }
  /// Sessions in which a call said that there is no memory.
  [[nodiscard]] auto reports() const -> std::uint64_t { return reports_; }

 private:
  [[nodiscard]] static auto failed_at() -> std::string {
    return test::failing_heap::has_failed() ? offsets_of(test::failing_heap::failed_at())
                                            : "nowhere";
  }
  auto run(test::d3d9_application& app, std::uint64_t failing) -> std::uint64_t {
    const auto wanted = is_windowed_ ? test::d3d9_application::windowed(64, 32)
                                     : test::d3d9_application::full_screen(640, 480, 2);
    start([&] { return app.adapter.open(); });
    start([&] { return app.device.create(wanted); });
    test::session_script script{app.device};
    script.run();
    const std::uint64_t calls = test::failing_heap::calls();
    check(script, failing);
    test::failing_heap::plan(0);
    script.run();
    CAPTURE(failing);
    CHECK(script.failures() == "");
    return calls;
  }
  /// Once more when there was no memory.
  template <class Act>
  void start(Act&& act) {
    const HRESULT result = act();
    if (SUCCEEDED(result)) return;
    CHECK(result == E_OUTOFMEMORY);
    CHECK(test::failing_heap::has_failed());
    ++reports_;
    REQUIRE(act() == S_OK);
  }
  /// The first call that failed ran out of memory; later ones may miss what it did not do.
  void check(const test::session_script& script, std::uint64_t failing) {
    const auto first = std::find_if(script.steps().begin(), script.steps().end(),
                                    [](const auto& step) { return FAILED(step.result); });
    if (first == script.steps().end()) return;
    CAPTURE(failing, failed_at(), script.failures());
    CHECK(test::failing_heap::has_failed());
    CHECK(first->result == E_OUTOFMEMORY);
    for (const auto& step : script.steps()) {
      const bool is_consequence = SUCCEEDED(step.result) || step.result == E_OUTOFMEMORY ||
                                  step.result == D3DERR_INVALIDCALL;
      CHECK(is_consequence);
    }
    ++reports_;
  }

  bool is_windowed_;
  const sim::runtime_options options_;
  std::uint64_t reports_ = 0;
};

}  // namespace

TEST_CASE("a session of the driver survives the failure of any of its allocations",
          "[umd][session][exhaustion][T233]") {
  const auto options = GENERATE(from_range(test::with_profile_m({sim::portable_variance{}})));
  CAPTURE(test::name_of(options));
  const bool is_windowed = GENERATE(true, false);
  exhausted_session session{is_windowed, options};
  const std::uint64_t calls = session.run(0);
  CHECK(calls > 100);
  for (const auto& stack : test::failing_heap::throwing_calls()) FAIL_CHECK(offsets_of(stack));
  for (std::uint64_t failing = 1; failing <= calls; failing += test::fault_stride()) {
    CAPTURE(failing);
    static_cast<void>(session.run(failing));
  }
  CHECK(session.reports() > calls / test::fault_stride() / 4);
}
