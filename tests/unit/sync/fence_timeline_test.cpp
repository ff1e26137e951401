// SPDX-License-Identifier: MIT
// Tests of aerogpu/sync/fence_timeline.hpp.
#include "aerogpu/sync/fence_timeline.hpp"

#include "tests/catch.hpp"
#include "tests/unit/sync/fence.hpp"

#include <array>
#include <vector>

using namespace aerogpu;
using test::fence;

namespace {

constexpr auto immediate = fence_kind::immediate;
constexpr auto paced = fence_kind::vsync_paced;

/// A timeline with its storage.
struct fixture {
  std::vector<pending_fence> pending = std::vector<pending_fence>(16);
  std::vector<fence_value> early = std::vector<fence_value>(16);
  fence_timeline line{pending, early};

  auto submit(std::uint64_t value, fence_kind kind = immediate, bool wants_irq = true,
              std::uint64_t at = 0) -> fence_ticket {
    return line.submit(
        {.value = fence(value), .kind = kind, .wants_irq = wants_irq, .consumed_at_ns = at});
  }
  void submit_finished(std::uint64_t value, fence_kind kind = immediate, bool wants_irq = true,
                       std::uint64_t at = 0) {
    line.finish(submit(value, kind, wants_irq, at));
  }
  [[nodiscard]] auto completed() const -> std::uint64_t { return raw(line.completed()); }
};

}  // namespace

TEST_CASE("the fate of a request follows the table of host.md 1.12", "[sync]") {
  fixture f;
  f.submit_finished(4);
  (void)f.line.advance();
  (void)f.submit(5);
  (void)f.submit(7);
  const auto [value, fate] = GENERATE(table<std::uint64_t, fence_fate>({
      {0, fence_fate::unsignalled},
      {3, fence_fate::stale},
      {4, fence_fate::stale},
      {5, fence_fate::stale},
      {6, fence_fate::stale},
      {7, fence_fate::merged},
      {8, fence_fate::queued},
      {UINT64_MAX, fence_fate::queued},
  }));
  CAPTURE(value);
  CHECK(f.submit(value).fate == fate);
  CHECK(f.line.pending_count() == (fate == fence_fate::queued ? 3u : 2u));
}

TEST_CASE("a fence of value 0 or a stale one waits for nothing and changes nothing", "[sync]") {
  fixture f;
  (void)f.submit(5);
  const auto newest = f.submit(7);
  for (const auto& ticket : {f.submit(0), f.submit(5), f.submit(6)}) {
    CHECK(ticket.value == fence(0));
    f.line.finish(ticket);  // must not finish entry 5
  }
  f.line.finish(newest);
  CHECK_FALSE(f.line.advance().has_advanced);
  CHECK(f.completed() == 0);
}

TEST_CASE("a finished immediate fence retires at the next step, not before", "[sync]") {
  fixture f;
  f.submit_finished(1);
  CHECK(f.completed() == 0);
  const auto progress = f.line.advance();
  CHECK(progress.has_advanced);
  CHECK(progress.wants_irq);
  CHECK(progress.completed == fence(1));
  CHECK(f.completed() == 1);
  CHECK_FALSE(f.line.advance().has_advanced);
}

TEST_CASE("fences retire in queue order whatever finishes first", "[sync]") {
  fixture f;
  const auto first = f.submit(1);
  const auto second = f.submit(2);
  f.submit_finished(3);
  f.line.finish(second);
  CHECK_FALSE(f.line.advance().has_advanced);
  f.line.finish(first);
  CHECK(f.line.advance().completed == fence(3));
}

TEST_CASE("fences cross 2^32 in one piece", "[sync]") {
  fixture f;
  f.submit_finished(0xFFFFFFFF);
  f.submit_finished(0x100000000);
  CHECK(f.line.advance().completed == fence(0x100000000));
}

TEST_CASE("a merged fence needs all of its submissions", "[sync]") {
  fixture f;
  const auto a = f.submit(1);
  const auto b = f.submit(1);
  const auto c = f.submit(1);
  CHECK(b.fate == fence_fate::merged);
  f.line.finish(b);
  f.line.finish(a);
  CHECK_FALSE(f.line.advance().has_advanced);
  f.line.finish(c);
  CHECK(f.line.advance().completed == fence(1));
}

TEST_CASE("a merged fence wants the cause when any part does", "[sync]") {
  const auto [first, second] =
      GENERATE(table<bool, bool>({{false, false}, {false, true}, {true, false}, {true, true}}));
  fixture f;
  f.submit_finished(1, immediate, first);
  f.submit_finished(1, immediate, second);
  const auto progress = f.line.advance();
  CHECK(progress.has_advanced);
  CHECK(progress.wants_irq == (first || second));
}

TEST_CASE("fences that retire together give one cause", "[sync]") {
  fixture f;
  f.submit_finished(1, immediate, false);
  f.submit_finished(2, immediate, true);
  f.submit_finished(3, immediate, false);
  const auto progress = f.line.advance();
  CHECK(progress.wants_irq);
  CHECK(progress.completed == fence(3));
}

TEST_CASE("a silent fence advances without a cause", "[sync]") {
  fixture f;
  f.submit_finished(1, immediate, false);
  const auto progress = f.line.advance();
  CHECK(progress.has_advanced);
  CHECK_FALSE(progress.wants_irq);
}

TEST_CASE("steps add up", "[sync]") {
  fixture f;
  f.submit_finished(1);
  auto progress = f.line.advance();
  f.submit_finished(2, immediate, false);
  progress.add(f.line.advance());
  CHECK(progress.completed == fence(2));
  CHECK(progress.has_advanced);
  CHECK(progress.wants_irq);
}

TEST_CASE("a paced fence waits for the first edge after it was consumed", "[sync]") {
  fixture f;
  f.submit_finished(1, paced, true, 100);
  CHECK_FALSE(f.line.advance().has_advanced);
  CHECK_FALSE(f.line.on_vblank_edge(99).has_advanced);
  CHECK_FALSE(f.line.on_vblank_edge(100).has_advanced);
  CHECK(f.line.on_vblank_edge(101).completed == fence(1));
}

TEST_CASE("a paced fence needs its work as well as an edge", "[sync]") {
  fixture f;
  const auto ticket = f.submit(1, paced, true, 100);
  CHECK_FALSE(f.line.on_vblank_edge(116).has_advanced);
  f.line.finish(ticket);
  CHECK_FALSE(f.line.advance().has_advanced);
  CHECK(f.line.on_vblank_edge(132).has_advanced);
}

TEST_CASE("one paced fence retires at each edge", "[sync]") {
  fixture f;
  f.submit_finished(1, paced);
  f.submit_finished(2, paced);
  f.submit_finished(3, paced);
  for (std::uint64_t edge = 1; edge <= 3; ++edge) {
    CHECK(f.line.on_vblank_edge(edge).completed == fence(edge));
  }
}

TEST_CASE("immediate fences behind a paced one retire with it, up to the next paced one",
          "[sync]") {
  fixture f;
  f.submit_finished(1, paced);
  f.submit_finished(2);
  f.submit_finished(3);
  f.submit_finished(4, paced);
  f.submit_finished(5);
  CHECK_FALSE(f.line.advance().has_advanced);
  CHECK(f.line.on_vblank_edge(1).completed == fence(3));
  CHECK_FALSE(f.line.advance().has_advanced);
  CHECK(f.line.on_vblank_edge(2).completed == fence(5));
}

TEST_CASE("an unfinished immediate fence behind a paced one retires without another edge",
          "[sync]") {
  fixture f;
  f.submit_finished(1, paced);
  const auto ticket = f.submit(2);
  CHECK(f.line.on_vblank_edge(1).completed == fence(1));
  f.line.finish(ticket);
  CHECK(f.line.advance().completed == fence(2));
}

TEST_CASE("an immediate fence merged with a paced one is paced from then on", "[sync]") {
  const auto [first, second] =
      GENERATE(table<fence_kind, fence_kind>({{immediate, paced}, {paced, immediate}}));
  fixture f;
  f.submit_finished(1, first, true, 50);
  f.submit_finished(1, second, true, 50);
  CHECK_FALSE(f.line.advance().has_advanced);
  CHECK_FALSE(f.line.on_vblank_edge(50).has_advanced);
  CHECK(f.line.on_vblank_edge(66).has_advanced);
}

TEST_CASE("a merged paced fence waits for an edge after its last paced part", "[sync]") {
  fixture f;
  f.submit_finished(1, paced, true, 10);
  f.submit_finished(1, paced, true, 30);
  f.submit_finished(1, immediate, true, 90);
  CHECK_FALSE(f.line.on_vblank_edge(20).has_advanced);
  CHECK(f.line.on_vblank_edge(40).has_advanced);
}

TEST_CASE("without vblank finished fences retire, paced or not; unfinished ones wait", "[sync]") {
  fixture f;
  f.submit_finished(1, paced);
  f.submit_finished(2);
  const auto ticket = f.submit(3, paced);
  f.submit_finished(4, paced);
  CHECK(f.line.release_paced().completed == fence(2));
  f.line.finish(ticket);
  CHECK(f.line.release_paced().completed == fence(4));
}

TEST_CASE("a fence can retire when its work is done, a paced one where no vblank runs", "[sync]") {
  fixture f;
  CHECK_FALSE(f.line.can_retire(false));
  const auto first = f.submit(1);
  const auto second = f.submit(2, paced);
  CHECK_FALSE(f.line.can_retire(false));
  f.line.finish(first);
  CHECK(f.line.can_retire(true));
  (void)f.line.advance();
  CHECK_FALSE(f.line.can_retire(false));
  f.line.finish(second);
  CHECK_FALSE(f.line.can_retire(true));
  CHECK(f.line.can_retire(false));
}

TEST_CASE("an executor's report finishes a fence whatever its share", "[sync]") {
  fixture f;
  (void)f.submit(1);
  (void)f.submit(1);
  f.line.complete(fence(1));
  CHECK(f.line.advance().completed == fence(1));
}

TEST_CASE("a report of a completed fence, or of one that was skipped, is ignored", "[sync]") {
  fixture f;
  f.submit_finished(3);
  (void)f.line.advance();
  (void)f.submit(5);
  f.line.complete(fence(3));
  f.line.complete(fence(0));
  f.line.complete(fence(4));
  CHECK(f.line.early_count() == 0);
  CHECK_FALSE(f.line.advance().has_advanced);
}

TEST_CASE("an early report is applied when its submission comes", "[sync]") {
  fixture f;
  f.line.complete(fence(2));
  CHECK(f.line.early_count() == 1);
  (void)f.submit(1);
  (void)f.submit(2);
  CHECK(f.line.early_count() == 0);
  CHECK_FALSE(f.line.advance().has_advanced);  // 1 is still executing
  f.line.complete(fence(1));
  CHECK(f.line.advance().completed == fence(2));
}

TEST_CASE("an early report does not bypass pacing", "[sync]") {
  fixture f;
  f.line.complete(fence(1));
  (void)f.submit(1, paced, true, 100);
  CHECK_FALSE(f.line.advance().has_advanced);
  CHECK_FALSE(f.line.on_vblank_edge(100).has_advanced);
  CHECK(f.line.on_vblank_edge(101).has_advanced);
}

TEST_CASE("the end of a submission that was reported early ends no other", "[sync]") {
  fixture f;
  f.line.complete(fence(1));
  const auto early = f.submit(1);
  (void)f.submit(1);
  f.line.finish(early);
  CHECK_FALSE(f.line.advance().has_advanced);
}

TEST_CASE("a full queue refuses new fences, and still merges", "[sync]") {
  std::array<pending_fence, 2> pending{};
  fence_timeline line{pending, {}};
  const auto first = line.submit({.value = fence(1)});
  CHECK(line.can_submit());
  (void)line.submit({.value = fence(2)});
  CHECK_FALSE(line.can_submit());
  CHECK(line.submit({.value = fence(3)}).fate == fence_fate::refused);
  CHECK(line.submit({.value = fence(2)}).fate == fence_fate::merged);
  CHECK(line.submit({.value = fence(1)}).fate == fence_fate::stale);
  CHECK(line.pending_count() == 2);
  line.finish(first);
  CHECK(line.advance().completed == fence(1));
  CHECK(line.can_submit());
}

TEST_CASE("a fence that as many submissions share as can be counted takes no more", "[sync]") {
  fixture f;
  const std::array<pending_fence, 1> full{
      {{.value = fence(1), .unfinished = UINT32_MAX, .wants_irq = false}}};
  REQUIRE(f.line.restore(fence(0), full, {}));
  const auto refused = f.submit(1, paced, true, 50);
  CHECK(refused.fate == fence_fate::refused);
  CHECK(f.line.pending(0) == full[0]);
  f.line.finish(refused);
  CHECK(f.line.pending(0) == full[0]);
  CHECK_FALSE(f.line.advance().has_advanced);
}

TEST_CASE("what nobody can end counts as finished and retires on the normal path", "[sync]") {
  fixture f;
  const auto stuck = f.submit(1);
  (void)f.submit(2, paced, true, 10);
  f.line.finish_all();
  CHECK(f.line.advance().completed == fence(1));
  (void)f.submit(2);
  f.line.finish(stuck);
  CHECK_FALSE(f.line.on_vblank_edge(11).has_advanced);  // the new part executes
}

TEST_CASE("a ticket of before everything was flushed ends nothing later", "[sync]") {
  fixture f;
  const auto old = f.submit(1, paced);
  f.line.finish_all();
  const auto now = f.submit(1, paced);
  f.line.finish(old);
  CHECK_FALSE(f.line.on_vblank_edge(1).has_advanced);
  f.line.finish(now);
  CHECK(f.line.on_vblank_edge(2).has_advanced);
}

TEST_CASE("a fence that is held waits for one more end", "[sync]") {
  fixture f;
  (void)f.submit(1);
  f.line.finish_all();
  f.line.hold(fence(1));
  f.line.hold(fence(2));  // Not pending: nothing to hold.
  CHECK_FALSE(f.line.advance().has_advanced);
  f.line.finish(f.line.ticket_for(fence(1)));
  CHECK(f.line.advance().completed == fence(1));
  f.submit_finished(2);
  CHECK(f.line.advance().completed == fence(2));
}

TEST_CASE("a reset forgets all, and completions of before it are ignored", "[sync]") {
  fixture f;
  f.submit_finished(9);
  (void)f.line.advance();
  f.line.complete(fence(20));
  const auto old = f.submit(10);
  f.line.reset();
  CHECK(f.completed() == 0);
  CHECK(f.line.pending_count() == 0);
  CHECK(f.line.early_count() == 0);
  const auto now = f.submit(10);  // the restarted guest uses a value again
  f.line.finish(old);
  CHECK_FALSE(f.line.advance().has_advanced);
  f.line.finish(now);
  CHECK(f.line.advance().completed == fence(10));
}

TEST_CASE("a snapshot continues as the original would", "[sync]") {
  fixture a;
  a.submit_finished(1);
  (void)a.line.advance();
  (void)a.submit(2, paced, false, 40);
  (void)a.submit(3);
  a.line.complete(fence(9));
  a.line.complete(fence(8));
  std::vector<pending_fence> pending;
  std::vector<fence_value> early;
  for (std::size_t i = 0; i < a.line.pending_count(); ++i) pending.push_back(a.line.pending(i));
  for (std::size_t i = 0; i < a.line.early_count(); ++i) early.push_back(a.line.early(i));

  fixture b;
  (void)b.submit(77);
  REQUIRE(b.line.restore(a.line.completed(), pending, early));
  for (fixture* f : {&a, &b}) {
    CHECK(f->completed() == 1);
    f->line.finish(f->line.ticket_for(fence(2)));
    f->line.complete(fence(3));
    CHECK_FALSE(f->line.on_vblank_edge(40).has_advanced);
    const auto progress = f->line.on_vblank_edge(41);
    CHECK(progress.completed == fence(3));
    CHECK(progress.wants_irq);
    (void)f->submit(8);
    CHECK(f->line.advance().completed == fence(8));
    CHECK(f->line.early_count() == 1);
  }
  CHECK(b.line.ticket_for(fence(50)).value == fence(0));
}

TEST_CASE("a malformed snapshot is refused and changes nothing", "[sync]") {
  const auto entry = [](std::uint64_t value, unsigned kind = 0) {
    return pending_fence{.value = fence(value), .kind = static_cast<fence_kind>(kind)};
  };
  struct row {
    const char* why;
    std::vector<pending_fence> pending;
    std::vector<fence_value> early;
    error_code code;
  };
  const row rows[] = {
      {"empty", {}, {}, error_code::none},
      {"good", {entry(6), entry(7, 1)}, {fence(9), fence(8)}, error_code::none},
      {"kind 2", {entry(6, 2)}, {}, error_code::corrupt},
      {"kind 255", {entry(6, 255)}, {}, error_code::corrupt},
      {"duplicate", {entry(6), entry(6)}, {}, error_code::corrupt},
      {"falling", {entry(7), entry(6)}, {}, error_code::corrupt},
      {"completed already", {entry(5)}, {}, error_code::corrupt},
      {"early completion of a pending fence", {entry(6)}, {fence(6)}, error_code::corrupt},
      {"early completion of a completed fence", {}, {fence(5)}, error_code::corrupt},
      {"too many pending", std::vector<pending_fence>(17), {}, error_code::out_of_memory},
      {"too many early", {}, std::vector<fence_value>(17, fence(9)), error_code::out_of_memory},
  };
  for (const row& r : rows) {
    CAPTURE(r.why);
    fixture f;
    (void)f.submit(2);
    const auto restored = f.line.restore(fence(5), r.pending, r.early);
    CHECK(restored.why().code == r.code);
    if (restored) {
      CHECK(f.completed() == 5);
      CHECK(f.line.pending_count() == r.pending.size());
    } else {
      CHECK(f.completed() == 0);
      CHECK(f.line.pending_count() == 1);
    }
  }
}
