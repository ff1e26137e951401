// SPDX-License-Identifier: MIT
// Tests of aerogpu/ring/shared_words.hpp.
#include "aerogpu/ring/shared_words.hpp"

#include "tests/catch.hpp"

using namespace aerogpu;

TEST_CASE("a split counter that stands still is read with three accesses", "[ring]") {
  int reads = 0;
  const auto value = read_split_counter(
      [&] {
        ++reads;
        return 0x11111111u;
      },
      [&] {
        ++reads;
        return 0x22222222u;
      });
  CHECK(value == 0x1111111122222222ull);
  CHECK(reads == 3);
}

TEST_CASE("a carry between the halves is never torn", "[ring]") {
  for (int step = 0; step < 8; ++step) {  // the counter rises before access number `step`
    std::uint64_t counter = 0x1FFFFFFFFull;
    int access = 0;
    const auto touch = [&] {
      if (access++ == step) ++counter;
      return counter;
    };
    const auto value = read_split_counter([&] { return static_cast<std::uint32_t>(touch() >> 32); },
                                          [&] { return static_cast<std::uint32_t>(touch()); });
    CAPTURE(step);
    CHECK((value == 0x1FFFFFFFFull || value == 0x200000000ull));
  }
}

TEST_CASE("a counter that never settles ends the read with a value it had passed", "[ring]") {
  std::uint32_t high = 100;
  const auto value = read_split_counter([&] { return ++high; }, [] { return 5u; });
  CHECK(value <= std::uint64_t{high} << 32);
  CHECK(value >= 100ull << 32);
}

TEST_CASE("a mapped counter is read whole", "[ring]") {
  const std::uint64_t counter = 0x0123456789ABCDEFull;
  CHECK(detail::load_counter(&counter) == counter);
}
