// SPDX-License-Identifier: MIT
// Tests of aerogpu/sync/vblank_clock.hpp.
#include "aerogpu/sync/vblank_clock.hpp"

#include "tests/catch.hpp"

#include <random>
#include <vector>

using namespace aerogpu;

namespace {

struct edge_log {
  std::vector<vblank_edge> edges;
  void operator()(const vblank_edge& edge) { edges.push_back(edge); }
};

}  // namespace

TEST_CASE("the period is the refresh time rounded up", "[sync]") {
  const auto [hz, period] = GENERATE(table<std::uint32_t, std::uint32_t>({{0, 0},
                                                                          {1, 1'000'000'000},
                                                                          {50, 20'000'000},
                                                                          {60, 16'666'667},
                                                                          {75, 13'333'334},
                                                                          {1'000'000'000, 1},
                                                                          {UINT32_MAX, 1}}));
  CHECK(vblank_period_ns(hz) == period);
}

TEST_CASE("the first edge comes exactly one period after enable", "[sync]") {
  vblank_clock clock{100, 1024};
  edge_log log;
  clock.advance(1'000, log);
  CHECK_FALSE(clock.is_running());
  CHECK(clock.next_deadline_ns() == 0);
  clock.enable(1'050);
  CHECK(clock.next_deadline_ns() == 1'150);
  clock.advance(1'149, log);
  CHECK(log.edges.empty());
  clock.advance(1'150, log);
  REQUIRE(log.edges.size() == 1);
  CHECK(log.edges[0].sequence == 1);
  CHECK(log.edges[0].time_ns == 1'150);
  CHECK(clock.next_deadline_ns() == 1'250);
}

TEST_CASE("a clock without period never runs", "[sync]") {
  vblank_clock clock;
  edge_log log;
  clock.enable(1);
  clock.advance(1'000'000, log);
  CHECK_FALSE(clock.is_running());
  CHECK(log.edges.empty());
}

TEST_CASE("overdue edges come one by one with their nominal times", "[sync]") {
  vblank_clock clock{100, 1024};
  edge_log log;
  clock.enable(0);
  clock.advance(350, log);
  REQUIRE(log.edges.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(log.edges[i].sequence == i + 1);
    CHECK(log.edges[i].time_ns == (i + 1) * 100);
  }
  CHECK(clock.time_ns() == 300);
  CHECK(clock.next_deadline_ns() == 400);
}

TEST_CASE("catch-up stops at its limit and starts over one period from now", "[sync]") {
  const auto [overdue, edges, next] =
      GENERATE(table<std::uint64_t, std::size_t, std::uint64_t>({{1023, 1023, 102'400},
                                                                 {1024, 1024, 102'500},
                                                                 {1025, 1024, 102'650},
                                                                 {9000, 1024, 900'150}}));
  vblank_clock clock{100, 1024};
  edge_log log;
  clock.enable(0);
  clock.advance(overdue * 100 + 50, log);
  CAPTURE(overdue);
  CHECK(log.edges.size() == edges);
  CHECK(clock.sequence() == edges);
  CHECK(clock.next_deadline_ns() == next);
}

TEST_CASE("disabling drops the schedule and keeps the counters; nothing is delivered for the gap",
          "[sync]") {
  vblank_clock clock{100, 1024};
  edge_log log;
  clock.enable(0);
  clock.advance(100, log);
  clock.disable();
  clock.advance(5'000, log);
  CHECK(log.edges.size() == 1);
  CHECK(clock.sequence() == 1);
  CHECK(clock.time_ns() == 100);
  clock.enable(5'030);
  clock.advance(5'130, log);
  REQUIRE(log.edges.size() == 2);
  CHECK(log.edges[1].sequence == 2);
  CHECK(log.edges[1].time_ns == 5'130);
}

TEST_CASE("enabling a running clock does not move its edges", "[sync]") {
  vblank_clock clock{100, 1024};
  clock.enable(0);
  clock.enable(60);
  CHECK(clock.next_deadline_ns() == 100);
}

TEST_CASE("time that runs backwards is ignored", "[sync]") {
  vblank_clock clock{100, 1024};
  edge_log log;
  clock.enable(1'000);
  clock.advance(1'100, log);
  clock.advance(500, log);
  clock.disable();
  clock.enable(500);
  CHECK(clock.next_deadline_ns() == 1'200);
  CHECK(log.edges.size() == 1);
}

TEST_CASE("the sequence wraps through 2^64", "[sync]") {
  vblank_clock clock{100, 1024};
  clock.restore({.last = {UINT64_MAX, 0}, .next_edge_ns = 100, .now_ns = 0});
  edge_log log;
  clock.advance(100, log);
  CHECK(clock.sequence() == 0);
  CHECK(log.edges[0].sequence == 0);
}

TEST_CASE("an edge may stop the clock", "[sync]") {
  vblank_clock clock{100, 1024};
  clock.enable(0);
  int edges = 0;
  clock.advance(1'000, [&](const vblank_edge&) {
    ++edges;
    clock.disable();
  });
  CHECK(edges == 1);
  CHECK_FALSE(clock.is_running());
}

TEST_CASE("a reset clears counters and schedule and keeps the period", "[sync]") {
  vblank_clock clock{100, 1024};
  edge_log log;
  clock.enable(0);
  clock.advance(250, log);
  clock.reset();
  CHECK(clock.sequence() == 0);
  CHECK(clock.time_ns() == 0);
  CHECK_FALSE(clock.is_running());
  CHECK(clock.period_ns() == 100);
  clock.enable(250);
  CHECK(clock.next_deadline_ns() == 350);
}

TEST_CASE("a restored clock has its next edge when the original would", "[sync]") {
  vblank_clock a{100, 1024};
  edge_log log;
  a.enable(7);
  a.advance(230, log);
  vblank_clock b{100, 1024};
  b.restore(a.state());
  CHECK(b.state() == a.state());
  edge_log later_a, later_b;
  a.advance(1'000, later_a);
  b.advance(1'000, later_b);
  REQUIRE(later_a.edges.size() == later_b.edges.size());
  CHECK(later_a.edges.back().time_ns == later_b.edges.back().time_ns);
  CHECK(a.state() == b.state());
}

TEST_CASE("a restored edge that no period explains is rescheduled", "[sync]") {
  vblank_clock clock{100, 1024};
  clock.restore({.last = {}, .next_edge_ns = UINT64_MAX, .now_ns = 1'000});
  CHECK(clock.next_deadline_ns() == 1'100);
  clock.restore({.last = {}, .next_edge_ns = 1'100, .now_ns = 1'000});
  CHECK(clock.next_deadline_ns() == 1'100);
  clock.restore({.last = {}, .next_edge_ns = 0, .now_ns = 1'000});
  CHECK_FALSE(clock.is_running());
  vblank_clock without_period;
  without_period.restore({.last = {4, 5}, .next_edge_ns = 1'100, .now_ns = 1'000});
  CHECK_FALSE(without_period.is_running());
  CHECK(without_period.sequence() == 4);
}

TEST_CASE("the clock stands where time ends", "[sync]") {
  vblank_clock clock{100, 1024};
  clock.enable(UINT64_MAX - 150);
  edge_log log;
  clock.advance(UINT64_MAX, log);
  CHECK(log.edges.size() == 1);
  CHECK_FALSE(clock.is_running());
}

TEST_CASE("edges are one period apart however time is handed out", "[sync]") {
  const auto seed = GENERATE(1u, 2u);
  std::mt19937 random{seed};
  vblank_clock clock{16'666'667, 1024};
  clock.enable(123);
  edge_log log;
  std::uint64_t now = 123;
  for (int step = 0; step < 5'000; ++step) {
    now += random() % 40'000'000;
    clock.advance(random() % 10 == 0 ? now / 2 : now, log);
  }
  clock.advance(now, log);
  CHECK(log.edges.size() == (now - 123) / 16'666'667);
  for (std::size_t i = 0; i < log.edges.size(); ++i) {
    REQUIRE(log.edges[i].sequence == i + 1);
    REQUIRE(log.edges[i].time_ns == 123 + (i + 1) * 16'666'667ull);
  }
}
