// SPDX-License-Identifier: MIT
/// \file DEV-124: the display shows what the backend presented.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"
#include "tests/conformance/device/snapshot_edits.hpp"
#include "tests/conformance/display/display_reference.hpp"
#include "tests/conformance/display/presented_texture.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aerogpu::conformance {

namespace shown_case {

/// The pixels that the host reads, and their size.
template <class Rig>
void check_shows(Rig& rig, std::uint32_t width, std::uint32_t height, const byte_vector& pixels) {
  rgba8_image image;
  REQUIRE(rig.dev->read_scanout(image));
  CHECK(image.width() == width);
  CHECK(image.height() == height);
  CHECK(std::ranges::equal(image.pixels(), pixels));
}

/// A guest frame buffer that no backend image looks like.
inline constexpr guest_image guest_surface_image{.width = 2, .height = 1, .pitch = 8};
template <class Rig>
void show_guest_surface(Rig& rig) {
  rig.set_scanout(guest_surface_image);
}
template <class Rig>
void check_shows_guest_surface(Rig& rig) {
  rig.machine.ram.poke(gpa{surface_gpa}, test::bytes_from({1, 2, 3, 4, 5, 6, 7, 8}));
  check_shows(rig, 2, 1, test::bytes_from({3, 2, 1, 0xFF, 7, 6, 5, 0xFF}));
}

}  // namespace shown_case

TEMPLATE_LIST_TEST_CASE("DEV-124 a presented texture of any display format shows, not guest memory",
                        "[conformance][device]", backends) {
  using namespace shown_case;
  for (const auto& row : display_rows) {
    INFO(row.format);
    device_rig<TestType> rig;
    rig.start();
    show_guest_surface(rig);
    check_shows_guest_surface(rig);
    const auto texels = scrambled(5 * 3 * row.pixel_bytes, row.format);
    rig.submit({.fence = 1, .stream = present_texture(5, 3, row.format, texels).bytes()});
    rig.check_no_error();
    rig.machine.ram.poke(gpa{surface_gpa}, byte_vector(8));
    check_shows(rig, 5, 3, row.rgba8_row(texels.data(), 15));
    CHECK(rig.machine.ram.max_reads(gpa{surface_gpa}, 8) == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-124 once nothing is presented the guest's frame buffer shows again",
                        "[conformance][device]", backends) {
  using namespace shown_case;
  device_rig<TestType> rig;
  rig.start();
  show_guest_surface(rig);
  const auto texels = scrambled(16);
  const auto show_texture = [&](std::uint64_t fence) {
    rig.submit({.fence = fence,
                .stream = present_texture(2, 2, AEROGPU_FORMAT_R8G8B8A8_UNORM, texels).bytes()});
    check_shows(rig, 2, 2, texels);
  };
  show_texture(1);
  rig.submit({.fence = 2, .stream = stream_builder{}.targets({}).present(1).bytes()});
  check_shows(rig, 2, 2, texels);  // Another scanout's present is none of this one's.
  rig.submit({.fence = 3, .stream = stream_builder{}.targets({}).present(0).bytes()});
  check_shows_guest_surface(rig);
  rig.submit({.fence = 4, .stream = stream_builder{}.targets({shown_texture}).present(0).bytes()});
  check_shows(rig, 2, 2, texels);
  rig.submit({.fence = 5, .stream = stream_builder{}.destroy(shown_texture).bytes()});
  check_shows_guest_surface(rig);
  show_texture(6);
  rig.reset_ring();
  check_shows_guest_surface(rig);
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-124 a texture that a view alone keeps shows, after a restore as well",
                        "[conformance][device]", backends) {
  using namespace shown_case;
  constexpr std::uint32_t view = 2, format = AEROGPU_FORMAT_R8G8B8A8_UNORM;
  device_rig<TestType> rig;
  rig.start();
  show_guest_surface(rig);
  const auto texels = scrambled(16);
  rig.submit({.fence = 1,
              .stream = present_texture(2, 2, format, texels)
                            .create_view(view, shown_texture, {.format = format})
                            .targets({view})
                            .destroy(shown_texture)
                            .present()
                            .bytes()});
  check_shows(rig, 2, 2, texels);
  snapshot_case::move_to_new_device(rig);
  check_shows(rig, 2, 2, texels);
  rig.submit({.fence = 2, .stream = stream_builder{}.destroy_view(view).bytes()});
  check_shows_guest_surface(rig);
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-124 a presented image needs DMA and an enabled scanout like any other",
                        "[conformance][device]", backends) {
  using namespace shown_case;
  device_rig<TestType> rig;
  rig.start();
  show_guest_surface(rig);
  const auto texels = scrambled(16);
  rig.submit(
      {.fence = 1, .stream = present_texture(2, 2, AEROGPU_FORMAT_R8G8B8A8_UNORM, texels).bytes()});
  rgba8_image image;
  rig.set_bus_master(false);
  CHECK(rig.dev->read_scanout(image).why().code == error_code::invalid_parameter);
  rig.set_bus_master(true);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  CHECK(rig.dev->read_scanout(image).why().code == error_code::invalid_parameter);
  rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
  check_shows(rig, 2, 2, texels);
}

TEMPLATE_LIST_TEST_CASE("DEV-124 the cursor is on a presented image as on guest memory",
                        "[conformance][device]", backends) {
  using namespace shown_case;
  device_rig<TestType> rig;
  rig.start();
  show_guest_surface(rig);
  auto pixels = scrambled(36);
  rig.submit(
      {.fence = 1, .stream = present_texture(3, 3, AEROGPU_FORMAT_R8G8B8A8_UNORM, pixels).bytes()});
  rig.machine.ram.poke_object(gpa{0x600000}, 0x00112233u);
  rig.set_cursor({1, 1, AEROGPU_FORMAT_B8G8R8X8_UNORM, 4, 0x600000}, 2, 1);  // Off guest memory's.
  test::overwrite(pixels, (1 * 3 + 2) * 4, test::bytes_from({0x11, 0x22, 0x33, 0xFF}));
  rgba8_image image;
  REQUIRE(rig.dev->read_display(image));
  CHECK(std::ranges::equal(image.pixels(), pixels));
}

TEMPLATE_LIST_TEST_CASE("DEV-124 a presented image above the limit is refused, not cut",
                        "[conformance][device]", backends) {
  using namespace shown_case;
  auto config = device_rig<TestType>::small_config();
  config.bounds.scanout_read_back_bytes = 4 * 4 * 3;
  device_rig<TestType> rig{config};
  rig.start();
  show_guest_surface(rig);
  constexpr auto format = AEROGPU_FORMAT_B5G6R5_UNORM;
  rig.submit({.fence = 1, .stream = present_texture(4, 3, format, scrambled(24)).bytes()});
  rgba8_image image;
  CHECK(rig.dev->read_scanout(image));
  rig.submit(
      {.fence = 2,
       .stream =
           stream_builder{}
               .create_texture(
                   2, {.format = format, .width = 13, .height = 1, .usage = presentable_usage})
               .targets({2})
               .present()
               .bytes()});
  CHECK(rig.dev->read_scanout(image).why().code == error_code::out_of_memory);
  CHECK(image.empty());
}

}  // namespace aerogpu::conformance
