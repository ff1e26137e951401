// SPDX-License-Identifier: MIT
/// \file DEV-109..114: who owns the display, and what is published for it.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::conformance {

namespace scanout_case {

/// A register and what the guest writes to it.
struct register_write {
  std::uint32_t offset;
  std::uint32_t value;
};

/// The default `guest_image`, register by register; the address's halves are the last two.
inline constexpr std::array<register_write, 7> writes{{
    {AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1},
    {AEROGPU_MMIO_REG_SCANOUT0_WIDTH, 4},
    {AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, 4},
    {AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8X8_UNORM},
    {AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, 16},
    {AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, surface_gpa},
    {AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 0},
}};

inline constexpr guest_surface no_surface{0, 0, AEROGPU_FORMAT_B8G8R8X8_UNORM, 0, gpa{}};

/// Nobody claimed anything, and the host heard nothing.
template <class Rig>
void check_legacy(Rig& rig) {
  CHECK(rig.machine.scanouts.empty());
  CHECK(rig.dev->scanout().owner == display_owner::legacy);
  CHECK_FALSE(rig.dev->scanout().is_enabled);
  CHECK(rig.dev->scanout().generation == 0);
}

/// The host heard `count` descriptors, each one generation older than the next; the last of them is
/// the current one and shows `surface`, or nothing.
template <class Rig>
void check_published(Rig& rig, std::size_t count, const guest_surface& surface) {
  REQUIRE(rig.machine.scanouts.size() == count);
  const auto& told = rig.machine.scanouts.back();
  CHECK(told.generation == count);
  CHECK(told.owner == display_owner::wddm);
  CHECK(told.is_enabled == (surface != no_surface));
  CHECK(told.surface == surface);
  const auto& current = rig.dev->scanout();
  CHECK(current.generation == told.generation);
  CHECK(current.owner == told.owner);
  CHECK(current.is_enabled == told.is_enabled);
  CHECK(current.surface == told.surface);
}
template <class Rig>
void check_published(Rig& rig, std::size_t count, const guest_image& image) {
  check_published(
      rig, count,
      guest_surface{image.width, image.height, image.format, image.pitch, gpa{image.address}});
}

}  // namespace scanout_case

TEMPLATE_LIST_TEST_CASE("DEV-109 a scanout enabled before its address is known claims on HI",
                        "[conformance][device]", backends) {
  using namespace scanout_case;
  device_rig<TestType> rig;
  for (const auto& [offset, value] : writes) {
    check_legacy(rig);
    rig.write(offset, value);
  }
  check_published(rig, 1, guest_image{});
}

TEMPLATE_LIST_TEST_CASE("DEV-109 whichever register comes last makes the claim",
                        "[conformance][device]", backends) {
  using namespace scanout_case;
  const auto last = GENERATE(range(std::size_t{0}, writes.size()));
  if (writes[last].offset == AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO) return;  // Never without HI.
  device_rig<TestType> rig;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (i != last) rig.write(writes[i].offset, writes[i].value);
  }
  check_legacy(rig);
  rig.write(writes[last].offset, writes[last].value);
  check_published(rig, 1, guest_image{});
}

TEMPLATE_LIST_TEST_CASE("DEV-109 a good configuration with a waiting low half claims only on HI",
                        "[conformance][device]", backends) {
  using namespace scanout_case;
  device_rig<TestType> rig;
  rig.set_scanout({}, false);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0x500000);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, 32);
  check_legacy(rig);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 1);
  check_published(rig, 1, guest_image{.pitch = 32, .address = 0x1'00500000});
}

TEMPLATE_LIST_TEST_CASE("DEV-110 a configuration that is not valid claims nothing until it is",
                        "[conformance][device]", backends) {
  using namespace scanout_case;
  struct row {
    const char* what;
    guest_image wrong;
    guest_image fixed;
  };
  constexpr auto r5g6b5 = AEROGPU_FORMAT_B5G6R5_UNORM;
  const row rows[] = {
      {"zero width", {.width = 0}, {}},
      {"zero height", {.height = 0}, {}},
      {"no address", {.address = 0}, {.address = 1}},
      {"pitch a pixel short", {.pitch = 12}, {}},
      {"pitch a byte short", {.pitch = 15}, {}},
      {"pitch of no whole pixels", {.pitch = 18}, {.pitch = 20}},
      {"odd pitch of 16-bit pixels",
       {.format = r5g6b5, .pitch = 9},
       {.format = r5g6b5, .pitch = 8}},
      {"row of 2^32 bytes", {.width = 0x40000000, .pitch = 0}, {.width = 0x3FFFFFFF, .pitch = ~3u}},
      {"last byte past 2^64", {.address = ~0ull - 63}, {.address = ~0ull - 64}},
      {"rows past 2^64", {.height = ~0u, .address = ~0ull << 35}, {.height = ~0u}},
      {"padding of the last row is not read",
       {.pitch = 32, .address = ~0ull - 111},
       {.pitch = 32, .address = ~0ull - 112}},
  };
  for (const auto& [what, wrong, fixed] : rows) {
    INFO(what);
    device_rig<TestType> rig;
    rig.set_scanout(wrong);
    check_legacy(rig);
    // In this order no step but the last is valid: the address goes away first and comes back last.
    rig.write64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0);
    rig.set_scanout({.width = fixed.width,
                     .height = fixed.height,
                     .format = fixed.format,
                     .pitch = fixed.pitch,
                     .address = 0});
    check_legacy(rig);
    rig.write64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, fixed.address);
    check_published(rig, 1, fixed);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-110 formats 1 to 10 claim the display and no other does",
                        "[conformance][device]", backends) {
  using namespace scanout_case;
  for (std::uint32_t format = 0; format < 80; ++format) {
    INFO(format);
    device_rig<TestType> rig;
    rig.set_scanout({.format = format});
    if (format >= 1 && format <= 10) {
      check_published(rig, 1, guest_image{.format = format});
    } else {
      check_legacy(rig);
      rig.write(AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8X8_UNORM);
      check_published(rig, 1, guest_image{});
    }
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-111 disabling after the claim publishes zeros, and WDDM stays owner",
                        "[conformance][device]", backends) {
  using namespace scanout_case;
  device_rig<TestType> rig;
  rig.set_scanout({});
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  check_published(rig, 2, no_surface);
  rgba8_image image;
  CHECK_FALSE(rig.dev->read_display(image));

  // Nothing that legacy software does takes the display back.
  rig.dev->begin_vbe_mode(0x118, 0x1000);
  rig.dev->set_vbe_window({true, 1});
  rig.dev->legacy_write(0xA0000, 0xFF, 1);
  rig.dev->set_vbe_window({});
  rig.dev->tick();
  check_published(rig, 2, no_surface);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
  check_published(rig, 3, guest_image{});
}

TEMPLATE_LIST_TEST_CASE("DEV-112 disabling before any claim leaves the display to legacy",
                        "[conformance][device]", backends) {
  using namespace scanout_case;
  device_rig<TestType> rig;
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  check_legacy(rig);
  rig.set_scanout({.pitch = 15});
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  check_legacy(rig);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, 16);  // Good, and disabled.
  check_legacy(rig);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
  check_published(rig, 1, guest_image{});
}

TEMPLATE_LIST_TEST_CASE("DEV-113 a configuration that breaks after the claim publishes zeros",
                        "[conformance][device]", backends) {
  using namespace scanout_case;
  constexpr std::array<register_write, 8> breaks{{
      {AEROGPU_MMIO_REG_SCANOUT0_FORMAT, 0},
      {AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_D32_FLOAT},
      {AEROGPU_MMIO_REG_SCANOUT0_FORMAT, 0xFFFFFFFF},
      {AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, 15},
      {AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, 17},
      {AEROGPU_MMIO_REG_SCANOUT0_WIDTH, 0},
      {AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, 0},
      {AEROGPU_MMIO_REG_SCANOUT0_WIDTH, 5},
  }};
  device_rig<TestType> rig;
  rig.set_scanout({});
  std::size_t published = 1;
  for (const auto& [offset, value] : breaks) {
    INFO(offset << " = " << value);
    const auto good = rig.read(offset);
    rig.write(offset, value);
    check_published(rig, ++published, no_surface);
    rig.write64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0);  // Wrong in another way: no news.
    rig.write64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, surface_gpa);
    check_published(rig, published, no_surface);
    rig.write(offset, good);
    check_published(rig, ++published, guest_image{});
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-113 an address that no frame can have publishes zeros until it goes",
                        "[conformance][device]", backends) {
  using namespace scanout_case;
  device_rig<TestType> rig;
  rig.set_scanout({});
  std::size_t published = 1;
  for (const std::uint64_t address : {std::uint64_t{0}, UINT64_MAX - 63, UINT64_MAX}) {
    INFO(address);
    rig.write64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, address);
    check_published(rig, ++published, no_surface);
    rig.write64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, surface_gpa);
    check_published(rig, ++published, guest_image{});
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-114 each committed flip is published once, whole",
                        "[conformance][device]", backends) {
  using namespace scanout_case;
  device_rig<TestType> rig;
  rig.set_scanout({});
  std::size_t published = 1;
  std::uint64_t shown = surface_gpa;
  for (const std::uint64_t address :
       {0x1'00500000ull, 0x2'00600000ull, 0x00600000ull, 0x00700000ull, 0x1'00400000ull}) {
    rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, low_half(address));
    check_published(rig, published, guest_image{.address = shown});
    rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, high_half(address));
    check_published(rig, ++published, guest_image{.address = address});
    shown = address;
  }
  rig.write64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, surface_gpa);
  check_published(rig, ++published, guest_image{});
  rig.write64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, surface_gpa);  // The same again is no change.
  check_published(rig, published, guest_image{});
}

TEMPLATE_LIST_TEST_CASE("DEV-114 size, pitch and format are published as they change",
                        "[conformance][device]", backends) {
  using namespace scanout_case;
  device_rig<TestType> rig;
  guest_image image;
  rig.set_scanout(image);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, image.pitch = 64);
  check_published(rig, 2, image);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_WIDTH, image.width = 16);
  check_published(rig, 3, image);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, image.height = 9);
  check_published(rig, 4, image);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FORMAT, image.format = AEROGPU_FORMAT_B5G5R5A1_UNORM);
  check_published(rig, 5, image);
  // A waiting low half holds nothing back, and does not show.
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0x500000);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_WIDTH, image.width = 8);
  check_published(rig, 6, image);
}

}  // namespace aerogpu::conformance
