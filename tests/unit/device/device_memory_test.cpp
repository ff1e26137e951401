// SPDX-License-Identifier: MIT
#include "aerogpu/device/device_memory.hpp"

#include "tests/catch.hpp"
#include "tests/support/guest_memory_fakes.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu {
namespace {

using test::fake_memory;

constexpr std::uint64_t window = 0xE0000000;
constexpr std::uint64_t window_bytes = 0x100000;

struct machine {
  fake_memory ram;
  result<video_memory> vram = video_memory::create(window_bytes, window_bytes);
  device_memory<fake_memory> memory{ram, *vram};

  machine() {
    ram.map(gpa{window - 0x1000}, 0x1000);
    ram.map(gpa{window + window_bytes}, 0x1000);
    memory.set_window(window);
  }
  auto read(std::uint64_t at) -> std::uint32_t {
    std::uint32_t value = 0xDEADBEEF;
    CHECK(memory.read(gpa{at}, mutable_bytes_of(value)));
    return value;
  }
};

static_assert(guest_memory<device_memory<fake_memory>>);

TEST_CASE("an address in BAR1 reaches video memory and never RAM", "[device]") {
  machine m;
  REQUIRE(m.memory.write(gpa{window + 0x40}, bytes_of(0x11223344u)));
  CHECK(m.read(window + 0x40) == 0x11223344);
  CHECK(load<std::uint32_t>(m.vram->bytes().data() + 0x40) == 0x11223344);
  CHECK(m.ram.writes(gpa{window + 0x40}, 4) == 0);
}

TEST_CASE("a range over an edge of BAR1 is split", "[device]") {
  machine m;
  const auto edge = GENERATE(as<std::uint64_t>{}, window, window + window_bytes);
  REQUIRE(m.memory.write(gpa{edge - 1}, bytes_of(0x44332211u)));
  CHECK(m.read(edge - 1) == 0x44332211);
  CHECK(m.ram.peek_object<std::uint8_t>(gpa{edge == window ? edge - 1 : edge}) ==
        (edge == window ? 0x11 : 0x22));
}

TEST_CASE("a range may cover all of BAR1 and both sides", "[device]") {
  machine m;
  std::vector<std::byte> bytes(window_bytes + 2, std::byte{0x5A});
  REQUIRE(m.memory.write(gpa{window - 1}, bytes));
  CHECK(m.ram.peek_object<std::uint8_t>(gpa{window - 1}) == 0x5A);
  CHECK(m.ram.peek_object<std::uint8_t>(gpa{window + window_bytes}) == 0x5A);
  CHECK(m.vram->bytes()[window_bytes - 1] == std::byte{0x5A});
}

TEST_CASE("with the window closed its addresses are RAM again", "[device]") {
  machine m;
  m.memory.close_window();
  std::uint32_t value = 0;
  CHECK_FALSE(m.memory.read(gpa{window}, mutable_bytes_of(value)));
  m.ram.poke_object(gpa{window}, 7u);
  CHECK(m.read(window) == 7);
}

TEST_CASE("missing RAM beside the window fails the whole range", "[device]") {
  machine m;
  std::vector<std::byte> bytes(0x2000);
  CHECK_FALSE(m.memory.read(gpa{window - 0x1001}, bytes));
  CHECK_FALSE(m.memory.read(gpa{window + window_bytes - 1}, bytes));
}

TEST_CASE("ranges that wrap are refused with the window open or closed", "[device]") {
  machine m;
  const bool is_open = GENERATE(true, false);
  if (!is_open) m.memory.close_window();
  std::vector<std::byte> bytes(16);
  CHECK_FALSE(m.memory.read(gpa{UINT64_MAX - 7}, bytes));
  CHECK_FALSE(m.memory.write(gpa{UINT64_MAX}, bytes));
}

TEST_CASE("an empty range is no access", "[device]") {
  machine m;
  CHECK(m.memory.read(gpa{window}, {}));
  CHECK(m.memory.read(gpa{window - 1}, {}));
}

}  // namespace
}  // namespace aerogpu
