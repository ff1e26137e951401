// SPDX-License-Identifier: MIT
#include "aerogpu/processor/resources/buffer_range.hpp"

#include "tests/catch.hpp"

#include <cstdint>

using namespace aerogpu;

TEST_CASE("a range is inside a buffer, outside it, or beyond 64 bits", "[buffer_range]") {
  const auto [offset, size, code] = GENERATE(table<std::uint64_t, std::uint64_t, error_code>({
      {0, 64, error_code::none},
      {64, 0, error_code::none},
      {60, 4, error_code::none},
      {60, 5, error_code::resource_out_of_bounds},
      {65, 0, error_code::resource_out_of_bounds},
      {UINT64_MAX, 1, error_code::size_overflow},
      {1, UINT64_MAX, error_code::size_overflow},
  }));
  CHECK(check_buffer_range({offset, size}, 64).why().code == code);
}
