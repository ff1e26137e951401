// SPDX-License-Identifier: MIT
/// \file DEV-017..020: 64-bit addresses that two writes change as one.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"

#include <cstdint>

namespace aerogpu::conformance {

/// A surface whose first pixel tells where it lies.
template <class Rig>
void mark_surface(Rig& rig, std::uint64_t address, std::uint32_t mark) {
  rig.machine.ram.poke(gpa{address}, byte_vector(64));
  rig.machine.ram.poke_object(gpa{address}, mark);
}

/// The first pixel that is shown; memory is made fresh, as the host may read it but once.
template <class Rig>
auto first_pixel(Rig& rig) -> std::uint32_t {
  mark_surface(rig, 0x1'00400000, 0x11111111);
  mark_surface(rig, 0x1'00500000, 0x22222222);
  mark_surface(rig, 0x2'00400000, 0x33333333);
  rgba8_image image;
  REQUIRE(rig.dev->read_scanout(image));
  return load<std::uint32_t>(image.pixels().data());
}

constexpr guest_image latched_image{.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                    .address = 0x1'00400000};

TEMPLATE_LIST_TEST_CASE("DEV-017 FB_GPA_LO waits for HI, and until then the old surface shows",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout(latched_image);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0x00500000);
  CHECK(first_pixel(rig) == 0x11111111);
  CHECK(rig.read(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO) == 0x00500000);
  CHECK(rig.read(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI) == 1);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 1);
  CHECK(first_pixel(rig) == 0x22222222);
}

TEMPLATE_LIST_TEST_CASE("DEV-018 FB_GPA_HI alone keeps the committed low half",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout(latched_image);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 2);
  CHECK(first_pixel(rig) == 0x33333333);
}

TEMPLATE_LIST_TEST_CASE("DEV-019 disabling the scanout drops a waiting low half",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout(latched_image);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0x00500000);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  CHECK(rig.read(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO) == 0x00400000);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 1);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
  CHECK(first_pixel(rig) == 0x11111111);
}

TEMPLATE_LIST_TEST_CASE("DEV-020 the cursor's address waits, commits and drops in the same way",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.set_scanout({});
  rig.set_cursor(latched_image);
  const auto pixel = [&] {
    mark_surface(rig, 0x1'00400000, 0x11111111);
    mark_surface(rig, 0x1'00500000, 0x22222222);
    mark_surface(rig, 0x2'00500000, 0x33333333);
    rgba8_image image;
    REQUIRE(rig.dev->read_cursor(image));
    return load<std::uint32_t>(image.pixels().data());
  };
  rig.write(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, 0x00500000);
  CHECK(pixel() == 0x11111111);
  CHECK(rig.read(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO) == 0x00500000);
  CHECK(rig.read(AEROGPU_MMIO_REG_CURSOR_FB_GPA_HI) == 1);
  rig.write(AEROGPU_MMIO_REG_CURSOR_FB_GPA_HI, 1);
  CHECK(pixel() == 0x22222222);
  rig.write(AEROGPU_MMIO_REG_CURSOR_FB_GPA_HI, 2);
  CHECK(pixel() == 0x33333333);
  rig.write(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, 0x00400000);
  rig.write(AEROGPU_MMIO_REG_CURSOR_ENABLE, 0);
  CHECK(rig.read(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO) == 0x00500000);
}

TEMPLATE_LIST_TEST_CASE("DEV-020 disabling what is disabled already drops no waiting low half",
                        "[conformance][device]", backends) {
  const auto [low, enable] = GENERATE(table<std::uint32_t, std::uint32_t>({
      {AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, AEROGPU_MMIO_REG_SCANOUT0_ENABLE},
      {AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, AEROGPU_MMIO_REG_CURSOR_ENABLE},
  }));
  INFO(enable);
  device_rig<TestType> rig;
  rig.write(low, 0x00500000);
  rig.write(enable, 0);
  CHECK(rig.read(low) == 0x00500000);
}

}  // namespace aerogpu::conformance
