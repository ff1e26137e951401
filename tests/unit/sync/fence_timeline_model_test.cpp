// SPDX-License-Identifier: MIT
// Property test of aerogpu/sync/fence_timeline.hpp against a model that is too simple to be wrong.
#include "aerogpu/sync/fence_timeline.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <vector>

using namespace aerogpu;

namespace {

/// host.md 1.12 and 1.14, word by word, over a std::map.
struct model {
  struct entry {
    std::map<int, bool> is_finished;  // by submission
    bool is_paced = false;
    bool wants_irq = false;
    std::uint64_t consumed_at = 0;

    [[nodiscard]] auto done() const -> bool {
      for (const auto& [id, finished] : is_finished) {
        if (!finished) return false;
      }
      return true;
    }
  };
  std::map<std::uint64_t, entry> queue;
  std::map<std::uint64_t, bool> early;
  std::uint64_t completed = 0;

  [[nodiscard]] auto newest() const -> std::uint64_t {
    return queue.empty() ? completed : queue.rbegin()->first;
  }
  void submit(int id, std::uint64_t value, bool is_paced, bool wants_irq, std::uint64_t now) {
    const bool is_duplicate = !queue.empty() && value == newest();
    if (value == 0 || (value <= newest() && !is_duplicate)) return;
    entry& at = queue[value];
    at.is_finished[id] = !is_duplicate && early.count(value) != 0;
    at.wants_irq |= wants_irq;
    at.is_paced |= is_paced;
    if (is_paced) at.consumed_at = now;
    early.erase(early.begin(), early.upper_bound(value));
  }
  void finish(int id) {
    for (auto& [value, at] : queue) {
      if (at.is_finished.count(id) != 0) at.is_finished[id] = true;
    }
  }
  void complete(std::uint64_t value) {
    if (queue.count(value) != 0) {
      for (auto& [id, finished] : queue[value].is_finished) finished = true;
    } else if (value > newest()) {
      early[value] = true;
    }
  }
  auto retire_front() -> bool {
    const bool wants_irq = queue.begin()->second.wants_irq;
    completed = queue.begin()->first;
    queue.erase(queue.begin());
    return wants_irq;
  }
  auto advance() -> bool {
    bool irq = false;
    while (!queue.empty() && queue.begin()->second.done() && !queue.begin()->second.is_paced) {
      irq |= retire_front();
    }
    return irq;
  }
  auto edge(std::uint64_t time) -> bool {
    bool irq = advance();
    if (queue.empty() || !queue.begin()->second.done()) return irq;
    if (queue.begin()->second.consumed_at >= time) return irq;
    irq |= retire_front();
    return advance() || irq;
  }
  auto release() -> bool {
    bool irq = false;
    while (!queue.empty() && queue.begin()->second.done()) irq |= retire_front();
    return irq;
  }
};

}  // namespace

TEST_CASE("a fence timeline behaves like its model, by tickets or by value", "[sync]") {
  const auto [seed, by_value] = GENERATE(
      table<unsigned, bool>({{1, false}, {2, false}, {3, false}, {4, true}, {5, true}, {6, true}}));
  CAPTURE(seed, by_value);
  std::mt19937 random{seed};
  std::vector<pending_fence> pending(64);
  std::vector<fence_value> early(1024);
  fence_timeline line{pending, early};
  model expected;
  std::map<int, fence_ticket> executing;
  std::uint64_t now = 1;
  std::uint64_t value = 0;
  for (int step = 0; step < 30'000; ++step) {
    fence_progress progress{line.completed()};
    bool irq = false;
    const bool can_advance = line.can_retire(true);
    const bool can_release = line.can_retire(false);
    now += random() % 3;
    switch (random() % 8) {
      case 0:
      case 1:
      case 2: {
        if (!line.can_submit()) break;
        const std::uint64_t f = random() % 10 == 0 ? random() % (value + 1) : value;
        value += random() % 3;
        const bool is_paced = random() % 3 == 0;
        const bool wants_irq = random() % 2 == 0;
        const auto ticket =
            line.submit({.value = static_cast<fence_value>(f),
                         .kind = is_paced ? fence_kind::vsync_paced : fence_kind::immediate,
                         .wants_irq = wants_irq,
                         .consumed_at_ns = now});
        expected.submit(step, f, is_paced, wants_irq, now);
        executing[step] = ticket;
        break;
      }
      case 3:
      case 4:
        if (by_value) {
          const std::uint64_t f = line.pending_count() != 0 && random() % 4 != 0
                                      ? raw(line.pending(random() % line.pending_count()).value)
                                      : value + random() % 4;
          line.complete(static_cast<fence_value>(f));
          expected.complete(f);
        } else if (!executing.empty()) {
          auto at = executing.begin();
          std::advance(at,
                       static_cast<long>(random() % std::min<std::size_t>(executing.size(), 4)));
          line.finish(at->second);
          expected.finish(at->first);
          executing.erase(at);
        }
        break;
      case 5:
        progress = line.advance(), irq = expected.advance();
        REQUIRE(progress.has_advanced == can_advance);
        break;
      case 6: progress = line.on_vblank_edge(now), irq = expected.edge(now); break;
      default:
        if (random() % 8 != 0) break;
        progress = line.release_paced(), irq = expected.release();
        REQUIRE(progress.has_advanced == can_release);
    }
    REQUIRE(raw(line.completed()) == expected.completed);
    REQUIRE(raw(progress.completed) == expected.completed);
    REQUIRE(progress.wants_irq == irq);
    REQUIRE(line.pending_count() == expected.queue.size());
    REQUIRE(line.early_count() == expected.early.size());
  }
  CHECK(expected.completed > 1'000);
}
