// SPDX-License-Identifier: MIT
/// \file The guest memory of a replay, and its limit.
#include "tools/aerogpu/guest/sparse_memory.hpp"

#include "tests/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace aerogpu;
using aerogpu::tool::sparse_memory;

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::uint64_t many_bytes = 1ull << 40;

[[nodiscard]] auto content(std::size_t size) -> std::vector<std::byte> {
  return std::vector<std::byte>(size, std::byte{0x5A});
}

}  // namespace

TEST_CASE("Mapped memory takes no room until it is written") {
  sparse_memory memory{0};
  memory.map(gpa{0}, many_bytes);
  std::vector<std::byte> out = content(page_bytes);
  REQUIRE(memory.read(gpa{many_bytes - page_bytes}, out));
  CHECK(out == std::vector<std::byte>(page_bytes));
}

TEST_CASE("One content written to ever more addresses fails at the limit") {
  constexpr std::uint64_t pages = 8;
  sparse_memory memory{pages * page_bytes};
  memory.map(gpa{0}, many_bytes);
  const auto twice = content(2 * page_bytes);
  for (std::uint64_t at = 0; at < pages * page_bytes; at += twice.size()) {
    REQUIRE(memory.write(gpa{at}, twice));
  }
  CHECK_FALSE(memory.write(gpa{pages * page_bytes}, twice));
  CHECK_FALSE(memory.write(gpa{pages * page_bytes - 1}, twice));
}

TEST_CASE("Pages that exist can be written at the limit") {
  sparse_memory memory{2 * page_bytes};
  memory.map(gpa{0}, many_bytes);
  const auto twice = content(2 * page_bytes);
  REQUIRE(memory.write(gpa{page_bytes}, twice));
  CHECK(memory.write(gpa{page_bytes}, twice));
  CHECK_FALSE(memory.write(gpa{0}, const_bytes{twice}.first(1)));
}
