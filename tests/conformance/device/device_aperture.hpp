// SPDX-License-Identifier: MIT
/// \file DEV-121 and DEV-126..127: video memory through BAR1, DMA and the legacy windows.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"
#include "tests/conformance/display/display_reference.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aerogpu::conformance {

namespace aperture_case {

inline constexpr std::uint64_t window = 0xA0000;
inline constexpr std::uint64_t frame_buffer = 0x40000;  ///< Of VBE, in BAR1.
inline constexpr std::uint64_t bank_bytes = 0x10000;
inline constexpr std::uint64_t bar_bytes = 1u << 20;  ///< As the rig makes it.
inline constexpr std::uint64_t pattern = 0x8877665544332211;

/// What an access of this size carries of `value`.
[[nodiscard]] constexpr auto cut(std::uint64_t value, std::uint32_t size_bytes) -> std::uint64_t {
  return size_bytes >= 8 ? value : value & ((std::uint64_t{1} << 8 * size_bytes) - 1);
}

/// The guest's processor fills BAR1 from `offset` on.
template <class Rig>
void fill_aperture(Rig& rig, std::uint64_t offset, const byte_vector& bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    rig.dev->bar1_write(offset + i, std::to_integer<std::uint64_t>(bytes[i]), 1);
  }
}

/// A value written at either place reads back at the other, at every width.
template <class Rig>
void check_alias(Rig& rig, std::uint64_t legacy_address, std::uint64_t offset) {
  INFO(legacy_address << " and " << offset);
  for (const std::uint32_t size : {1u, 2u, 4u, 8u}) {
    rig.dev->bar1_write(offset, 0, 8);
    rig.dev->legacy_write(legacy_address, pattern, size);
    CHECK(rig.dev->bar1_read(offset, 8) == cut(pattern, size));
    rig.dev->bar1_write(offset, ~pattern, size);
    CHECK(rig.dev->legacy_read(legacy_address, size) == cut(~pattern, size));
  }
}

}  // namespace aperture_case

TEMPLATE_LIST_TEST_CASE("DEV-121 a frame buffer in BAR1 is read from video memory",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  for (const auto& row : display_rows) {
    // From the start, in the middle, and up to the last byte.
    for (const std::uint64_t offset : {std::uint64_t{0}, frame_buffer + 2, bar_bytes - 64}) {
      INFO("format " << row.format << " at " << offset);
      device_rig<TestType> rig;
      const auto bytes = scrambled(64, row.format);
      fill_aperture(rig, offset, bytes);
      rig.machine.ram.map(gpa{test::bar1_base + offset}, 64);  // What a detour would find.
      rig.set_scanout({.format = row.format, .address = test::bar1_base + offset});
      rgba8_image image;
      REQUIRE(rig.dev->read_scanout(image));
      for (std::uint32_t y = 0; y < 4; ++y) {
        CHECK(std::ranges::equal(image.row(y), row.rgba8_row(&bytes[16 * y], 4)));
      }
      CHECK(rig.machine.ram.max_reads(gpa{test::bar1_base + offset}, 64) == 0);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-121 a cursor in BAR1 is read from video memory, wherever BAR1 is",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  device_rig<TestType> rig;
  const auto& row = display_row_of(AEROGPU_FORMAT_B8G8R8A8_UNORM);
  const auto bytes = scrambled(64);
  rig.set_scanout({});
  fill_aperture(rig, 0x8000, bytes);
  for (const std::uint32_t base : {test::bar1_base, 0x90000000u}) {
    rig.dev->config_write(0x14, base, 4);
    rig.set_cursor({.format = row.format, .address = base + 0x8000ull});
    rgba8_image image;
    REQUIRE(rig.dev->read_cursor(image));
    CHECK(std::ranges::equal(image.pixels(), row.rgba8_row(bytes.data(), 16)));
  }
  rig.set_cursor({.format = row.format, .address = test::bar1_base + 0x8000ull});
  rgba8_image image;
  CHECK_FALSE(rig.dev->read_cursor(image));  // BAR1 has left, and nothing came instead.
}

TEMPLATE_LIST_TEST_CASE("DEV-121 a frame buffer may begin in RAM and end in BAR1",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  device_rig<TestType> rig;
  const auto& row = display_row_of(AEROGPU_FORMAT_R8G8B8A8_UNORM);
  const auto bytes = scrambled(64);
  rig.machine.ram.poke(gpa{test::bar1_base - 24}, test::part_of(bytes, 0, 24));
  fill_aperture(rig, 0, test::part_of(bytes, 24, 40));
  rig.set_scanout({.format = row.format, .address = test::bar1_base - 24});
  rgba8_image image;
  REQUIRE(rig.dev->read_scanout(image));
  CHECK(std::ranges::equal(image.pixels(), bytes));
}

TEMPLATE_LIST_TEST_CASE("DEV-126 without a VBE mode 0xA0000 and up is BAR1 from its start",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  device_rig<TestType> rig;
  for (const std::uint64_t n : {0x0u, 0x1u, 0x7FFFu, 0xFFFCu, 0x10000u, 0x18001u, 0x1FFF8u}) {
    check_alias(rig, window + n, n);
  }
  rig.dev->set_vbe_window({false, 3});  // A bank is of no account then.
  check_alias(rig, window, 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-126 a VBE mode makes 0xA0000 a bank and leaves 0xB0000 where it was",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  device_rig<TestType> rig;
  for (const std::uint32_t bank : {0u, 1u, 2u, 11u}) {
    rig.dev->set_vbe_window({true, bank});
    const auto at = frame_buffer + bank * bank_bytes;
    for (const std::uint64_t n : {0x0u, 0x3u, 0x8000u, 0xFFF8u}) {
      check_alias(rig, window + n, at + n);
    }
    check_alias(rig, window + 0x10000, 0x10000);
    check_alias(rig, window + 0x1FFF8, 0x1FFF8);
  }
  rig.dev->set_vbe_window({});
  check_alias(rig, window, 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-126 a device reset ends a VBE mode, a ring reset does not",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  device_rig<TestType> rig;
  rig.start();
  rig.dev->set_vbe_window({true, 2});
  rig.reset_ring();
  check_alias(rig, window, frame_buffer + 2 * bank_bytes);
  rig.dev->device_reset();
  rig.set_command(pci_command_memory | pci_command_bus_master);
  check_alias(rig, window, 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-126 an access across the bank's end is split, byte by byte",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  device_rig<TestType> rig;
  rig.dev->set_vbe_window({true, 1});
  rig.dev->legacy_write(window + 0xFFFE, 0x44332211, 4);
  CHECK(rig.dev->bar1_read(frame_buffer + 0x1FFFE, 4) == 0x2211);  // The next bank is not there.
  CHECK(rig.dev->bar1_read(0x10000, 4) == 0x4433);
  CHECK(rig.dev->legacy_read(window + 0xFFFE, 4) == 0x44332211);
}

TEMPLATE_LIST_TEST_CASE("DEV-126 a bank past BAR1 floats and takes nothing",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  device_rig<TestType> rig;
  const auto before = scrambled(bar_bytes);
  std::ranges::copy(before, rig.dev->vram().bytes().begin());
  for (const std::uint32_t bank : {12u, 0xFFFFu, 0xFFFFFFFCu, 0xFFFFFFFFu}) {
    INFO(bank);
    rig.dev->set_vbe_window({true, bank});
    CHECK(rig.dev->legacy_read(window, 1) == 0xFF);
    CHECK(rig.dev->legacy_read(window + 0xFFF8, 8) == UINT64_MAX);
    rig.dev->legacy_write(window, pattern, 8);
    rig.dev->legacy_write(window + 0xFFF8, pattern, 8);
    CHECK(std::ranges::equal(rig.dev->vram().bytes(), before));
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-126 outside the legacy window, or over its edge, nothing answers",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  device_rig<TestType> rig;
  const auto before = scrambled(bar_bytes);
  std::ranges::copy(before, rig.dev->vram().bytes().begin());
  const auto [address, size] = GENERATE(table<std::uint64_t, std::uint32_t>({
      {0x9FFFF, 1},
      {0x9FFFF, 2},
      {0xC0000, 1},
      {0xBFFFF, 2},
      {0xBFFF9, 8},
      {0, 4},
      {UINT64_MAX, 8},
      {0x1'000A0000, 4},
  }));
  INFO(address);
  CHECK(rig.dev->legacy_read(address, size) == cut(UINT64_MAX, size));
  rig.dev->legacy_write(address, pattern, size);
  CHECK(std::ranges::equal(rig.dev->vram().bytes(), before));
}

TEMPLATE_LIST_TEST_CASE("DEV-126 a mode set clears its frame buffer alone, unless bit 15 says no",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  device_rig<TestType> rig;
  const auto vram = rig.dev->vram().bytes();
  const auto before = scrambled(bar_bytes);
  std::ranges::copy(before, vram.begin());
  rig.dev->set_vbe_window({true, 5});

  rig.dev->begin_vbe_mode(0x8118, 0x3000);
  CHECK(std::ranges::equal(vram, before));
  CHECK(rig.dev->legacy_read(window, 8) == load<std::uint64_t>(&before[frame_buffer]));

  auto after = before;
  std::fill_n(after.begin() + frame_buffer, 0x3000, std::byte{0});
  rig.dev->begin_vbe_mode(0x4118, 0x3000);
  CHECK(std::ranges::equal(vram, after));

  std::fill(after.begin() + frame_buffer, after.end(), std::byte{0});
  rig.dev->begin_vbe_mode(0x118, UINT64_MAX);  // Larger than there is.
  CHECK(std::ranges::equal(vram, after));
}

TEMPLATE_LIST_TEST_CASE("DEV-127 accesses that leave BAR1 read all ones and change nothing",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  device_rig<TestType> rig;
  const auto before = scrambled(bar_bytes);
  std::ranges::copy(before, rig.dev->vram().bytes().begin());
  for (const std::uint32_t size : {1u, 2u, 4u, 8u}) {
    std::vector<std::uint64_t> outside{
        bar_bytes,  bar_bytes + 1, bar_bytes * 16,        UINT32_MAX,
        1ull << 32, 1ull << 63,    UINT64_MAX + 1 - size, UINT64_MAX};
    if (size > 1) outside.push_back(UINT64_MAX + 2 - size);  // Wraps to the first byte.
    for (std::uint32_t over = 1; over < size; ++over) outside.push_back(bar_bytes - size + over);
    for (const auto offset : outside) {
      INFO(size << " bytes at " << offset);
      CHECK(rig.dev->bar1_read(offset, size) == cut(UINT64_MAX, size));
      rig.dev->bar1_write(offset, ~pattern, size);
    }
    CHECK(std::ranges::equal(rig.dev->vram().bytes(), before));
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-127 the last bytes of BAR1 answer at every width",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  device_rig<TestType> rig;
  for (const std::uint32_t size : {1u, 2u, 4u, 8u}) {
    const auto at = bar_bytes - size;
    rig.dev->bar1_write(at, pattern + size, size);
    CHECK(rig.dev->bar1_read(at, size) == cut(pattern + size, size));
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-127 other widths than 1, 2, 4 and 8 are refused",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  device_rig<TestType> rig;
  for (const std::uint32_t size : {0u, 3u, 5u, 6u, 7u, 9u, 16u, 64u, 0xFFFFFFFFu}) {
    INFO(size);
    rig.dev->bar1_write(0x100, pattern, size);
    rig.dev->legacy_write(window + 0x100, pattern, size);
    CHECK(rig.dev->bar1_read(0x100, 8) == 0);
    CHECK(rig.dev->bar1_read(0x100, size) == cut(UINT64_MAX, size));
    CHECK(rig.dev->legacy_read(window + 0x100, size) == cut(UINT64_MAX, size));
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-127 past a store smaller than BAR1 bytes are 0 and writes are lost",
                        "[conformance][device]", backends) {
  using namespace aperture_case;
  byte_vector lent(0x1003, std::byte{0x77});
  auto config = device_rig<TestType>::small_config();
  config.vram = lent;
  device_rig<TestType> rig{config};
  CHECK(rig.dev->bar1_read(0x1000, 8) == 0x777777);
  CHECK(rig.dev->bar1_read(0x1003, 1) == 0);
  CHECK(rig.dev->bar1_read(bar_bytes - 8, 8) == 0);
  CHECK(rig.dev->bar1_read(bar_bytes - 7, 8) == UINT64_MAX);
  rig.dev->bar1_write(0x1000, pattern, 8);
  rig.dev->bar1_write(0x1008, pattern, 8);
  rig.dev->bar1_write(bar_bytes - 8, pattern, 8);
  CHECK(rig.dev->bar1_read(0x1000, 8) == 0x332211);
  CHECK(rig.dev->bar1_read(0x1008, 8) == 0);
  CHECK(lent[0xFFF] == std::byte{0x77});
  // DMA finds the same.
  rig.set_scanout({.width = 4,
                   .height = 1,
                   .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                   .address = test::bar1_base + 0x1000});
  rgba8_image image;
  REQUIRE(rig.dev->read_scanout(image));
  CHECK(load<std::uint64_t>(image.pixels().data()) == 0x332211);
  CHECK(load<std::uint64_t>(image.pixels().data() + 8) == 0);
}

}  // namespace aerogpu::conformance
