// SPDX-License-Identifier: MIT
// Tests of aerogpu/memory/memory_ref.hpp.
#include "aerogpu/memory/memory_ref.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstring>

using namespace aerogpu;

namespace {

/// Sixteen bytes at 0x1000.
struct small_memory {
  std::array<std::byte, 16> bytes{};

  [[nodiscard]] auto holds(gpa at, std::size_t size) const noexcept -> bool {
    return raw(at) >= 0x1000 && raw(at) - 0x1000 <= 16 && size <= 16 - (raw(at) - 0x1000);
  }
  auto read(gpa at, mutable_bytes out) noexcept -> bool {
    if (!holds(at, out.size())) return false;
    std::memcpy(out.data(), bytes.data() + (raw(at) - 0x1000), out.size());
    return true;
  }
  auto write(gpa at, const_bytes in) noexcept -> bool {
    if (!holds(at, in.size())) return false;
    std::memcpy(bytes.data() + (raw(at) - 0x1000), in.data(), in.size());
    return true;
  }
};

auto stored_and_loaded(memory_ref memory, gpa at, std::uint32_t value) -> std::uint32_t {
  std::uint32_t read_back = 0;
  CHECK(write_object(memory, at, value));
  CHECK(read_object(memory, at, read_back));
  return read_back;
}

}  // namespace

TEST_CASE("a memory_ref reads and writes the memory it was made from", "[memory]") {
  small_memory memory;
  CHECK(stored_and_loaded(memory, gpa{0x1008}, 0xDEADBEEF) == 0xDEADBEEF);
  CHECK(memory.bytes[8] == std::byte{0xEF});
}

TEST_CASE("a memory_ref passes on that there is no memory", "[memory]") {
  small_memory memory;
  memory_ref reference = memory;
  std::uint32_t value = 7;
  CHECK_FALSE(read_object(reference, gpa{0x100D}, value));
  CHECK_FALSE(write_object(reference, gpa{0xFFF}, value));
  CHECK(value == 7);
}

TEST_CASE("a copy of a memory_ref refers to the same memory, not to the reference", "[memory]") {
  small_memory memory;
  memory_ref first = memory;
  memory_ref second = first;
  first = second;
  CHECK(stored_and_loaded(second, gpa{0x1000}, 5) == 5);
  CHECK(memory.bytes[0] == std::byte{5});
}
