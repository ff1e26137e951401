// SPDX-License-Identifier: MIT
/// \file DEV-125: what the backend presented, stored in the guest's frame buffer.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"
#include "tests/conformance/device/snapshot_edits.hpp"
#include "tests/conformance/display/display_reference.hpp"
#include "tests/conformance/display/presented_texture.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace aerogpu::conformance {

namespace write_back_case {

/// What is presented: 6 x 5 pixels, with alphas on both sides of 0x80.
inline constexpr std::uint32_t image_width = 6, image_height = 5;
[[nodiscard]] inline auto image_pixels() -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> pixels(image_width * image_height);
  copy_bytes(std::as_writable_bytes(std::span{pixels}), scrambled(4 * pixels.size()));
  pixels[0] = 0x7FFFFFFF;
  pixels[1] = 0x80000000;
  pixels[2] = 0x00070307;  // Cut to nothing in 16 bits.
  pixels[3] = 0xFF080408;  // Cut to the least of each channel.
  return pixels;
}
[[nodiscard]] inline auto present_image(std::uint32_t flags = 0) -> byte_vector {
  const auto pixels = image_pixels();
  const auto bytes = std::as_bytes(std::span{pixels});
  return present_texture(image_width, image_height, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                         {bytes.begin(), bytes.end()}, flags)
      .bytes();
}

/// Byte value of a frame buffer that nothing was stored in.
inline constexpr unsigned untouched = 0xEE;

/// A frame buffer, padding included, that the image was stored in, clipped to the smaller size.
[[nodiscard]] inline auto expected_frame_buffer(const guest_image& surface) -> byte_vector {
  const auto& row = display_row_of(surface.format);
  const auto pixels = image_pixels();
  auto bytes = test::filled(std::size_t{surface.height} * surface.pitch, untouched);
  for (std::uint32_t y = 0; y < std::min(surface.height, image_height); ++y) {
    for (std::uint32_t x = 0; x < std::min(surface.width, image_width); ++x) {
      const auto packed = row.pack(pixels[y * image_width + x]);
      copy_bytes(std::span{bytes}.subspan(y * surface.pitch + x * row.pixel_bytes, row.pixel_bytes),
                 bytes_of(packed).first(row.pixel_bytes));
    }
  }
  return bytes;
}

template <class Rig>
[[nodiscard]] auto writing_config() -> device_config {
  auto config = Rig::small_config();
  config.write_back = present_write_back::on;
  return config;
}

/// Shows a surface over fresh, untouched memory.
template <class Rig>
void show_untouched(Rig& rig, const guest_image& surface) {
  rig.machine.ram.poke(gpa{surface.address},
                       test::filled(std::size_t{surface.height} * surface.pitch, untouched));
  rig.set_scanout(surface);
}
template <class Rig>
auto frame_buffer(Rig& rig, const guest_image& surface) -> byte_vector {
  return rig.machine.ram.peek(gpa{surface.address}, std::size_t{surface.height} * surface.pitch);
}

}  // namespace write_back_case

TEMPLATE_LIST_TEST_CASE("DEV-125 a present is stored in each format, clipped, rows a pitch apart",
                        "[conformance][device]", backends) {
  using namespace write_back_case;
  const auto [width, height, padding] =
      GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t>({
          {image_width, image_height, 0},
          {image_width - 2, image_height - 1, 5},  // No whole pixels.
          {image_width + 3, image_height + 2, 8},
          {image_width + 1, image_height - 3, 1000},
          {1, image_height + 1, 4096},
      }));
  for (const auto& row : display_rows) {
    INFO("format " << row.format << ", " << width << " x " << height << " + " << padding);
    device_rig<TestType> rig{writing_config<device_rig<TestType>>()};
    rig.start();
    const guest_image surface{.width = width,
                              .height = height,
                              .format = row.format,
                              .pitch = width * row.pixel_bytes + padding};
    show_untouched(rig, surface);
    rig.submit({.fence = 1, .stream = present_image(), .flags = AEROGPU_SUBMIT_FLAG_PRESENT});
    CHECK(rig.completed() == 1);
    CHECK(frame_buffer(rig, surface) == expected_frame_buffer(surface));
    rig.check_no_error();
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-125 the stored present is whole when the fence page moves",
                        "[conformance][device]", backends) {
  using namespace write_back_case;
  const bool is_paced = GENERATE(false, true);
  device_rig<TestType> rig{writing_config<device_rig<TestType>>()};
  rig.start();
  const guest_image surface{.width = 6, .height = 5, .pitch = 24};
  show_untouched(rig, surface);
  std::uint32_t fence_stores = 0;
  rig.machine.on_write = [&](gpa at, const_bytes in) {
    if (raw(at) > fence_page_gpa + 8 || raw(at) + in.size() <= fence_page_gpa + 8) return;
    if (rig.page_fence() != 1) return;
    ++fence_stores;
    CHECK(frame_buffer(rig, surface) == expected_frame_buffer(surface));
  };
  rig.submit({.fence = 1,
              .stream = present_image(is_paced ? AEROGPU_PRESENT_FLAG_VSYNC : 0),
              .flags = AEROGPU_SUBMIT_FLAG_PRESENT});
  rig.tick_at(period_ns);
  CHECK(rig.completed() == 1);
  CHECK(fence_stores != 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-125 a present that ends while DMA is off is stored when it is back",
                        "[conformance][device]", backends) {
  using namespace write_back_case;
  // A snapshot takes what ended out of the backend; another device goes on with it.
  const auto [is_saved, is_moved] =
      GENERATE(table<bool, bool>({{false, false}, {true, false}, {true, true}}));
  device_rig<TestType> rig{writing_config<device_rig<TestType>>()};
  rig.start();
  const guest_image surface{.width = 6, .height = 5, .pitch = 24};
  show_untouched(rig, surface);
  rig.push(guest_submission{.fence = 1, .stream = present_image()});
  rig.ring();
  const bool was_early = rig.completed() == 1;  // How fast it is is the backend's own matter.
  rig.set_bus_master(false);
  rig.dev->wait_idle();
  snapshot_writer saved;
  if (is_saved) REQUIRE(rig.dev->save(saved));
  if (is_moved) snapshot_case::replace_device(rig);
  if (is_moved) REQUIRE(rig.dev->load(saved.bytes()));
  CHECK((rig.completed() == 1) == was_early);
  CHECK((frame_buffer(rig, surface) == expected_frame_buffer(surface)) == was_early);
  rig.set_bus_master(true);
  rig.dev->wait_idle();
  CHECK(rig.completed() == 1);
  CHECK(frame_buffer(rig, surface) == expected_frame_buffer(surface));
}

TEMPLATE_LIST_TEST_CASE("DEV-125 a submission flagged PRESENT stores what was presented before",
                        "[conformance][device]", backends) {
  using namespace write_back_case;
  device_rig<TestType> rig{writing_config<device_rig<TestType>>()};
  rig.start();
  const guest_image surface{.width = 6, .height = 5, .pitch = 24};
  show_untouched(rig, surface);
  rig.submit({.fence = 1, .stream = present_image()});
  rig.machine.ram.poke(gpa{surface.address}, test::filled(5 * 24, untouched));
  rig.submit({.fence = 2, .stream = idle_stream()});
  CHECK(frame_buffer(rig, surface) == test::filled(5 * 24, untouched));
  const auto stream = GENERATE(std::optional{idle_stream()}, std::optional<byte_vector>{});
  byte_vector at_fence;
  rig.machine.on_write = [&](gpa at, const_bytes) {
    if (raw(at) == fence_page_gpa) at_fence = frame_buffer(rig, surface);
  };
  rig.submit({.fence = 3, .stream = stream, .flags = AEROGPU_SUBMIT_FLAG_PRESENT});
  CHECK(rig.completed() == 3);
  CHECK(frame_buffer(rig, surface) == expected_frame_buffer(surface));
  CHECK(at_fence == expected_frame_buffer(surface));
}

TEMPLATE_LIST_TEST_CASE("DEV-125 presents that end together are stored once, before their fences",
                        "[conformance][device]", backends) {
  using namespace write_back_case;
  device_rig<TestType> rig{writing_config<device_rig<TestType>>()};
  rig.start();
  const guest_image surface{.width = 6, .height = 5, .pitch = 24};
  show_untouched(rig, surface);
  int stores = 0;
  rig.machine.on_write = [&](gpa at, const_bytes) { stores += raw(at) == surface.address ? 1 : 0; };
  rig.push(guest_submission{.fence = 1, .stream = present_image()});
  for (std::uint64_t fence = 2; fence <= 8; ++fence) {
    rig.push(guest_submission{
        .fence = fence, .stream = idle_stream(), .flags = AEROGPU_SUBMIT_FLAG_PRESENT});
  }
  rig.doorbell();
  CHECK(rig.completed() == 8);
  CHECK(stores >= 1);
  CHECK(stores <= 3);  // Once in each round of completions.
  CHECK(frame_buffer(rig, surface) == expected_frame_buffer(surface));
}

TEMPLATE_LIST_TEST_CASE("DEV-125 the cursor is in no stored present", "[conformance][device]",
                        backends) {
  using namespace write_back_case;
  device_rig<TestType> rig{writing_config<device_rig<TestType>>()};
  rig.start();
  const guest_image surface{.width = 6, .height = 5, .pitch = 24};
  show_untouched(rig, surface);
  rig.machine.ram.poke(gpa{0x600000}, test::filled(64, 0xFF));
  rig.set_cursor({.format = AEROGPU_FORMAT_B8G8R8A8_UNORM, .address = 0x600000});
  rig.submit({.fence = 1, .stream = present_image()});
  CHECK(frame_buffer(rig, surface) == expected_frame_buffer(surface));
}

TEMPLATE_LIST_TEST_CASE("DEV-125 a frame buffer in BAR1 takes the present as well",
                        "[conformance][device]", backends) {
  using namespace write_back_case;
  device_rig<TestType> rig{writing_config<device_rig<TestType>>()};
  rig.start();
  const guest_image surface{
      .width = 6, .height = 5, .pitch = 24, .address = test::bar1_base + 0x40000};
  const auto stored = rig.dev->vram().bytes().subspan(0x40000, 5 * 24);
  std::ranges::fill(stored, static_cast<std::byte>(untouched));
  rig.set_scanout(surface);
  rig.submit({.fence = 1, .stream = present_image()});
  CHECK(std::ranges::equal(stored, expected_frame_buffer(surface)));
}

TEMPLATE_LIST_TEST_CASE("DEV-125 a present that cannot be stored leaves memory alone and completes",
                        "[conformance][device]", backends) {
  using namespace write_back_case;
  struct row {
    const char* what;
    guest_image surface;
    std::uint64_t limit_bytes;
    bool is_enabled;
    present_write_back write_back;
  };
  constexpr auto on = present_write_back::on;
  constexpr std::uint64_t limit = 64u << 20;
  const row rows[] = {
      {"not configured", {6, 5, 2, 24, surface_gpa}, limit, true, present_write_back::off},
      {"scanout disabled", {6, 5, 2, 24, surface_gpa}, limit, false, on},
      {"pitch a byte short", {6, 5, 2, 23, surface_gpa}, limit, true, on},
      {"no display format", {6, 5, AEROGPU_FORMAT_D32_FLOAT, 24, surface_gpa}, limit, true, on},
      {"above the limit", {6, 5, 2, 24, surface_gpa}, 4 * 6 * 5 - 1, true, on},
  };
  for (const auto& [what, surface, limit_bytes, is_enabled, write_back] : rows) {
    INFO(what);
    auto config = writing_config<device_rig<TestType>>();
    config.bounds.scanout_read_back_bytes = limit_bytes;
    config.write_back = write_back;
    device_rig<TestType> rig{config};
    rig.start();
    show_untouched(rig, surface);
    rig.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, is_enabled ? 1 : 0);
    rig.submit({.fence = 1, .stream = present_image(), .flags = AEROGPU_SUBMIT_FLAG_PRESENT});
    CHECK(rig.completed() == 1);
    CHECK(rig.machine.ram.writes(gpa{surface_gpa}, 5 * 24) == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-125 a frame buffer without memory is an error of the present",
                        "[conformance][device]", backends) {
  using namespace write_back_case;
  device_rig<TestType> rig{writing_config<device_rig<TestType>>()};
  rig.start();
  rig.set_scanout({.width = 6, .height = 5, .pitch = 24});
  rig.submit({.fence = 1, .stream = present_image(), .flags = AEROGPU_SUBMIT_FLAG_PRESENT});
  CHECK(rig.completed() == 1);
  rig.check_error(AEROGPU_ERROR_BACKEND, 1);
}

}  // namespace aerogpu::conformance
