// SPDX-License-Identifier: MIT
/// \file What a submission takes of the system's memory: nothing.
#include "tests/drivers/support/application.hpp"
#include "tests/drivers/support/running_windows.hpp"

using namespace aerogpu;
using test::app_surface;
using test::application;

namespace {

using windows = test::running_windows<>;

/// Blocks that the driver has asked for since it was loaded.
struct memory_calls {
  std::uint64_t pool = 0, contiguous = 0, mappings = 0;
  std::size_t blocks = 0;
  std::uint64_t bytes = 0;
  friend auto operator==(const memory_calls&, const memory_calls&) -> bool = default;
};

auto calls_of(windows& w) -> memory_calls {
  return {w.pc.faults.calls(sim::fault_point::pool),
          w.pc.faults.calls(sim::fault_point::contiguous),
          w.pc.faults.calls(sim::fault_point::map_mdl), w.pc.pool.blocks(), w.pc.pool.bytes()};
}

}  // namespace

TEST_CASE("a thousand submissions of every kind take no memory of the system",
          "[drivers][kmd][submit]") {
  const auto doorbells = GENERATE(sim::doorbell_mode::synchronous, sim::doorbell_mode::delayed);
  windows w;
  w.pc.bus.host.doorbells = doorbells;
  application app{7};
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  const auto front = app.create_surface(1, 640, 480);
  const auto back = app.create_surface(2, 640, 480);
  const auto submit = [&](int turn) {
    app.clear(turn % 2 == 0 ? back : front, 1, 0, 0);
    app.render({{front, false}, {back, true}}, [](test::stream_type& s) { test::good(s.flush()); });
    CHECK(app.blt(back, front.allocation) == STATUS_SUCCESS);
    if (turn % 10 == 0) CHECK(app.flip(turn % 20 == 0 ? front : back) == STATUS_SUCCESS);
    if (turn % 50 == 0) CHECK(app.wait_idle() == STATUS_SUCCESS);
  };
  submit(0);  // Pages both in, and opens what the desktop opens once.
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  const auto before = calls_of(w);
  CHECK(before.pool != 0);  // They are counted.
  for (int turn = 1; turn <= 350; ++turn) submit(turn);
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  CHECK(calls_of(w) == before);
  app.close();
}

TEST_CASE("a submission with the longest allocation list takes no memory of the system",
          "[drivers][kmd][submit]") {
  windows w;
  application app{7};
  std::vector<application::use> uses;
  for (std::uint32_t i = 0; i < 1024; ++i) uses.push_back({app.create_surface(i + 1, 8, 8), true});
  const auto flush = [](test::stream_type& s) { test::good(s.flush()); };
  app.render(uses, flush);
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  const auto before = calls_of(w);
  for (int turn = 0; turn < 10; ++turn) app.render(uses, flush);
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  CHECK(calls_of(w) == before);
  app.close();
}
