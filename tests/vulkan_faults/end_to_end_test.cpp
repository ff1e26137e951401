// SPDX-License-Identifier: MIT
// The whole way of a picture: ring, Vulkan, scanout, fence page and interrupt.
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/device_harness.hpp"
#include "tests/support/layout_blobs.hpp"
#include "tests/support/vulkan/vulkan_pool.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace {

using namespace aerogpu;
using namespace aerogpu::test;

/// A white triangle over the lower left half of a blue target, presented.
auto half_white() -> byte_vector {
  constexpr std::uint32_t target = 1, vertices = 2, vs = 1, ps = 2, layout = 1;
  constexpr std::array<float, 12> corners{-1, 1, 0.5f, 1, 1, -1, 0.5f, 1, -1, -1, 0.5f, 1};
  const auto bytes = std::as_bytes(std::span{corners});
  return stream_builder{}
      .create_texture(target, {.format = AEROGPU_FORMAT_B8G8R8X8_UNORM,
                               .width = 16,
                               .height = 16,
                               .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .create_buffer(vertices, bytes.size())
      .upload(vertices, 0, {bytes.begin(), bytes.end()})
      .create_shader(vs, wire_vs, vs_2_0_position())
      .create_shader(ps, wire_ps, ps_2_0_white())
      .create_layout(layout, declaration_blob({{0, 0, 3, 0, 0, 0}, {0xFF, 0, 17, 0, 0, 0}}))
      .targets({target})
      .clear(AEROGPU_CLEAR_COLOR, {0, 0, 1, 1})
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, vertices, 16)
      .draw(3)
      .present()
      .bytes();
}

TEST_CASE("VK-084 a guest's triangle shows on the scanout, with its fence and interrupt") {
  device_harness<vulkan::vulkan_backend> rig{borrow_vulkan_backend()};
  rig.start();
  rig.machine.ram.map(gpa{0x800000}, 16 * 16 * 4);
  rig.set_scanout({.width = 16,
                   .height = 16,
                   .format = AEROGPU_FORMAT_B8G8R8X8_UNORM,
                   .pitch = 64,
                   .address = 0x800000});
  rig.submit({.fence = 7, .stream = half_white()});
  CHECK(rig.error_count() == 0);
  CHECK(rig.completed() == 7);
  CHECK(rig.page_fence() == 7);
  CHECK((rig.irq_status() & AEROGPU_IRQ_FENCE) != 0);
  rgba8_image image;
  REQUIRE(rig.dev->read_scanout(image));
  REQUIRE(image.width() == 16);
  const auto pixel = [&](std::uint32_t x, std::uint32_t y) {
    return load<std::uint32_t>(image.row(y).data() + std::size_t{x} * 4);
  };
  constexpr std::uint32_t blue = 0xFFFF0000, white = 0xFFFFFFFF;  // R, G, B, A in memory.
  CHECK(pixel(2, 12) == white);
  CHECK(pixel(12, 2) == blue);
  CHECK(rig.backend->validation_errors() == 0);
}

}  // namespace
