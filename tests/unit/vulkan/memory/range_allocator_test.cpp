// SPDX-License-Identifier: MIT
#include "vulkan/memory/range_allocator.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

using aerogpu::vulkan::range_allocator;

namespace {

/// The same rules, one flag for each byte.
class naive_ranges {
 public:
  explicit naive_ranges(std::size_t size) : taken_(size, false) {}

  auto take(std::size_t size, std::size_t alignment) -> std::optional<std::uint64_t> {
    for (std::size_t start = 0; start + size <= taken_.size(); start += alignment) {
      if (count_taken(start, size) != 0) continue;
      mark(start, size, true);
      return start;
    }
    return std::nullopt;
  }
  void mark(std::size_t start, std::size_t size, bool is_taken) {
    for (std::size_t i = 0; i < size; ++i) taken_[start + i] = is_taken;
  }
  [[nodiscard]] auto free_ranges() const -> std::size_t {
    std::size_t count = 0;
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      count += !taken_[i] && (i == 0 || taken_[i - 1]) ? 1 : 0;
    }
    return count;
  }
  [[nodiscard]] auto is_unused() const -> bool { return count_taken(0, taken_.size()) == 0; }

 private:
  [[nodiscard]] auto count_taken(std::size_t start, std::size_t size) const -> std::size_t {
    std::size_t count = 0;
    for (std::size_t i = 0; i < size; ++i) count += taken_[start + i] ? 1 : 0;
    return count;
  }
  std::vector<bool> taken_;
};

auto ranges_of(std::uint64_t size_bytes) -> range_allocator {
  auto made = range_allocator::create(size_bytes);
  REQUIRE(made);
  return *std::move(made);
}

struct live_range {
  std::uint64_t start;
  std::uint64_t size;
};

}  // namespace

TEST_CASE("ranges are handed out at the lowest aligned place", "[vulkan][ranges]") {
  auto ranges = ranges_of(256);
  CHECK(ranges.take(10, 1) == 0u);
  CHECK(ranges.take(16, 64) == 64u);
  CHECK(ranges.take(54, 1) == 10u);  // Exactly the gap that the alignment left.
  CHECK(ranges.take(176, 1) == 80u);
  CHECK(ranges.free_ranges() == 0);
  CHECK(ranges.take(1, 1) == std::nullopt);
}

TEST_CASE("a range that does not fit is not handed out", "[vulkan][ranges]") {
  auto ranges = ranges_of(64);
  CHECK(ranges.take(65, 1) == std::nullopt);
  CHECK(ranges.take(UINT64_MAX, 1) == std::nullopt);
  CHECK(ranges.take(64, std::uint64_t{1} << 63) == 0u);
  CHECK(ranges_of(0).take(1, 1) == std::nullopt);
}

TEST_CASE("neighbours merge on both sides when a range comes back", "[vulkan][ranges]") {
  auto ranges = ranges_of(30);
  REQUIRE(ranges.take(10, 1) == 0u);
  REQUIRE(ranges.take(10, 1) == 10u);
  REQUIRE(ranges.take(10, 1) == 20u);
  ranges.give_back(0, 10);
  ranges.give_back(20, 10);
  CHECK(ranges.free_ranges() == 2);
  CHECK_FALSE(ranges.is_unused());
  ranges.give_back(10, 10);
  CHECK(ranges.free_ranges() == 1);
  CHECK(ranges.is_unused());
}

TEST_CASE("a block that ends at the top of the address space is handed out whole",
          "[vulkan][ranges]") {
  auto ranges = ranges_of(UINT64_MAX);
  CHECK(ranges.take(UINT64_MAX - 1, 1) == 0u);
  CHECK(ranges.take(1, 2) == UINT64_MAX - 1);
  CHECK(ranges.take(1, 1) == std::nullopt);
  ranges.give_back(UINT64_MAX - 1, 1);
  ranges.give_back(0, UINT64_MAX - 1);
  CHECK(ranges.is_unused());
}

TEST_CASE("random requests go as in a map of single bytes", "[vulkan][ranges]") {
  const auto seed = GENERATE(range(1u, 17u));
  INFO("seed " << seed);
  std::mt19937 random{seed};
  const auto below = [&random](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  constexpr std::uint32_t size = 512;
  auto ranges = ranges_of(size);
  naive_ranges naive{size};
  std::vector<live_range> live;
  const auto give_back = [&](std::size_t index) {
    const auto [start, length] = live[index];
    ranges.give_back(start, length);
    naive.mark(start, length, false);
    live[index] = live.back();
    live.pop_back();
  };

  bool is_same = true;
  for (int step = 0; step < 2000 && is_same; ++step) {
    if (!live.empty() && below(5) < 2) {
      give_back(below(static_cast<std::uint32_t>(live.size())));
    } else {
      const std::uint32_t length = 1 + below(48);
      const std::uint32_t alignment = 1u << below(7);
      const auto start = ranges.take(length, alignment);
      is_same = start == naive.take(length, alignment);
      if (start) live.push_back({*start, length});
    }
    is_same = is_same && ranges.free_ranges() == naive.free_ranges() &&
              ranges.is_unused() == naive.is_unused();
  }
  CHECK(is_same);
  while (!live.empty()) give_back(live.size() - 1);
  CHECK(ranges.is_unused());
}
