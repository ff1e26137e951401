// SPDX-License-Identifier: MIT
#include "tests/golden/guests/states.hpp"

namespace aerogpu::golden {
namespace {

[[nodiscard]] auto bytes_of_color(rgba color, int texels) -> byte_vector {
  const image content(texels, 1, color);
  return {content.bytes().begin(), content.bytes().end()};
}

TEST_CASE("VK-064 uploads to a texture between draws reach only the later ones",
          "[golden][order]") {
  guest g;
  const auto target = g.make_target(16, 4);
  g.bind_targets({target});
  g.clear(black);
  const auto texture = g.make_texture(image(2, 2, red));
  g.stream().set_texture(wire_ps, 0, texture);
  g.draw_textured({0, 0, 4, 4});
  g.stream().upload(texture, 0, bytes_of_color(green, 4));
  g.draw_textured({4, 0, 4, 4});
  g.stream().upload(texture, 8, bytes_of_color(blue, 2));  // The lower row.
  g.draw_textured({8, 0, 4, 4});
  const auto other = g.make_texture(image(2, 2, white));
  g.stream().copy_texture({texture, 0, 0, 1, 0}, {other}, 1, 2);  // The right column.
  g.draw_textured({12, 0, 4, 4});
  g.expect(target, image(16, 4, red)
                       .fill({4, 0, 12, 4}, green)
                       .fill({8, 2, 8, 2}, blue)
                       .fill({14, 0, 2, 4}, white));
}

TEST_CASE("VK-064 uploads and copies to a vertex buffer between draws reach only the later ones",
          "[golden][order]") {
  guest g;
  const auto target = g.make_target(16, 4);
  g.bind_targets({target});
  g.clear(black);
  const auto vs = g.position_and_attribute_vs(), ps = g.attribute_color_ps();
  const auto layout = g.vertex_layout();
  const auto content = [&](const area& where, rgba color) {
    const auto vertices =
        g.rectangle(where, 0.5f, to_color(color), to_color(color), to_color(color));
    const const_bytes bytes = std::as_bytes(std::span{vertices});
    return byte_vector{bytes.begin(), bytes.end()};
  };
  const auto buffer = g.make_buffer(content({0, 0, 4, 4}, red));
  const auto other = g.make_buffer(content({8, 0, 4, 4}, blue));
  g.stream()
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, buffer, sizeof(vertex))
      .draw(6)
      .upload(buffer, 0, content({4, 0, 4, 4}, green))
      .draw(6)
      .copy_buffer(buffer, 0, other, 0, 6 * sizeof(vertex))
      .draw(6)
      .upload(other, 0, content({12, 0, 4, 4}, white))
      .vertex_buffer(0, other, sizeof(vertex))
      .draw(6)
      .vertex_buffer(0, buffer, sizeof(vertex));
  g.expect(target, image(16, 4, red)
                       .fill({4, 0, 4, 4}, green)
                       .fill({8, 0, 4, 4}, blue)
                       .fill({12, 0, 4, 4}, white));
}

TEST_CASE("VK-064 copies take what draws and clears left, and draws what copies left",
          "[golden][order]") {
  guest g;
  const auto first = g.make_target(8, 8), second = g.make_target(8, 8);
  g.bind_targets({first});
  g.clear(red);
  g.fill({0, 0, 4, 4}, green);
  g.stream().copy_texture({second}, {first}, 8, 8);
  g.fill({4, 4, 4, 4}, blue);  // After the copy.
  g.bind_targets({second});
  g.fill({0, 4, 4, 4}, white);
  g.stream().copy_texture({first, 0, 0, 0, 4}, {second, 0, 0, 0, 4}, 4, 4);
  g.expect(second, image(8, 8, red).fill({0, 0, 4, 4}, green).fill({0, 4, 4, 4}, white));
  g.expect(first, image(8, 8, red)
                      .fill({0, 0, 4, 4}, green)
                      .fill({4, 4, 4, 4}, blue)
                      .fill({0, 4, 4, 4}, white));
}

TEST_CASE("VK-064 an upload over a part of a rendered image keeps the rest", "[golden][order]") {
  guest g;
  const auto target = g.make_target(8, 4);
  g.bind_targets({target});
  g.clear(red);
  g.stream().upload(target, 32, bytes_of_color(green, 8));
  g.fill({6, 0, 2, 4}, blue);
  g.expect(target, image(8, 4, red).fill({0, 1, 8, 1}, green).fill({6, 0, 2, 4}, blue));
}

TEST_CASE("VK-065 dirty ranges are read when a draw needs them", "[golden][order]") {
  guest g;
  const auto target = g.make_target(8, 4);
  const auto memory = g.allocate(0x1000);
  const texture_spec spec{.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                          .width = 2,
                          .height = 2,
                          .pitch = 8,
                          .memory = {memory, 0}};
  const auto texture = g.make_texture(spec);
  g.poke(memory, 0, bytes_of_color(red, 4));
  g.bind_targets({target});
  g.clear(black);
  g.stream().dirty(texture, 0, 16).set_texture(wire_ps, 0, texture);
  g.draw_textured({0, 0, 4, 4});
  g.submit();
  // The guest writes, and says so only later, for one row: the whole level is read again.
  g.poke(memory, 0, bytes_of_color(green, 4));
  g.draw_textured({4, 0, 4, 2});
  g.stream().dirty(texture, 8, 8);
  g.draw_textured({4, 2, 4, 2});
  g.expect(target, image(8, 4, red).fill({4, 2, 4, 2}, green));
}

TEST_CASE("VK-065 dirty ranges between draws of one submission keep their order",
          "[golden][order]") {
  guest g;
  const auto target = g.make_target(8, 4);
  const auto first_memory = g.allocate(0x1000), second_memory = g.allocate(0x1000);
  const auto first = g.make_texture({.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                     .width = 2,
                                     .height = 2,
                                     .pitch = 8,
                                     .memory = {first_memory, 64}});
  const auto second = g.make_texture({.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                      .width = 2,
                                      .height = 2,
                                      .pitch = 8,
                                      .memory = {second_memory, 0}});
  g.poke(first_memory, 64, bytes_of_color(red, 4));
  g.poke(second_memory, 0, bytes_of_color(blue, 4));
  g.bind_targets({target});
  g.stream().dirty(first, 0, 16).set_texture(wire_ps, 0, first);
  g.draw_textured({0, 0, 4, 4});
  // Rendered content on top of the dirty one, then dirty again: guest memory wins.
  g.stream().dirty(second, 0, 16).copy_texture({first}, {second}, 1, 2).dirty(first, 0, 16);
  g.draw_textured({4, 0, 4, 4});
  g.expect(target, red);
}

TEST_CASE("VK-066 a copy with write-back is in guest memory when the fence is", "[golden][order]") {
  const auto format = GENERATE(AEROGPU_FORMAT_B8G8R8A8_UNORM, AEROGPU_FORMAT_B8G8R8X8_UNORM,
                               AEROGPU_FORMAT_B5G6R5_UNORM);
  guest g;
  const auto target = g.make_target(6, 3, format);
  const std::uint32_t pitch = 64;
  const auto memory = g.allocate(0x1000);
  const auto staging = g.make_texture({.format = static_cast<std::uint32_t>(format),
                                       .width = 6,
                                       .height = 3,
                                       .pitch = pitch,
                                       .memory = {memory, 256}});
  g.poke(memory, 256, test::filled(3 * pitch, 0xEE));
  g.bind_targets({target});
  g.clear(red);
  g.fill({0, 0, 2, 3}, green);
  g.stream().copy_texture({staging}, {target}, 6, 3, AEROGPU_COPY_FLAG_WRITEBACK_DST);
  g.submit();
  const std::size_t row = 6 * std::size_t{find_format(format)->bytes_per_block};
  for (std::size_t y = 0; y < 3; ++y) {
    const byte_vector seen = g.peek(memory, 256 + y * pitch, pitch);
    CHECK(test::part_of(seen, row, pitch - row) == test::filled(pitch - row, 0xEE));
    if (!g.renders()) continue;
    check_image(to_image(const_bytes{seen}.first(row), format, 6, 1),
                image(6, 1, red).fill({0, 0, 2, 1}, green));
  }
}

TEST_CASE("VK-067 a write-back holds what was drawn before it, not after", "[golden][order]") {
  guest g;
  const auto target = g.make_target(4, 4);
  const auto memory = g.allocate(0x1000);
  const auto staging = g.make_texture({.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                       .width = 4,
                                       .height = 4,
                                       .pitch = 16,
                                       .memory = {memory, 0}});
  const auto later_memory = g.allocate(0x1000);
  const auto later = g.make_texture({.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                     .width = 4,
                                     .height = 4,
                                     .pitch = 16,
                                     .memory = {later_memory, 0}});
  g.bind_targets({target});
  g.fill_all(red);
  g.stream().copy_texture({staging}, {target}, 4, 4, AEROGPU_COPY_FLAG_WRITEBACK_DST);
  g.fill_all(green);
  g.stream().copy_texture({later}, {target}, 4, 4, AEROGPU_COPY_FLAG_WRITEBACK_DST);
  g.fill_all(blue);
  g.submit();
  const auto seen = g.peek(memory, 0, 64), seen_later = g.peek(later_memory, 0, 64);
  if (!g.renders()) return;
  CHECK(seen == bytes_of_color(red, 16));
  CHECK(seen_later == bytes_of_color(green, 16));
  g.expect(target, blue);
}

TEST_CASE("VK-067 write-backs of buffers hold what copies left", "[golden][order]") {
  guest g;
  const auto memory = g.allocate(0x1000);
  const auto staging = g.new_handle();
  const auto first = g.make_buffer(test::counting(64)),
             second = g.make_buffer(test::filled(64, 0xAA));
  g.stream()
      .create_buffer(staging, 64, {memory, 0})
      .copy_buffer(staging, 0, first, 0, 64, AEROGPU_COPY_FLAG_WRITEBACK_DST)
      .copy_buffer(first, 16, second, 0, 16)
      .copy_buffer(staging, 32, first, 0, 32, AEROGPU_COPY_FLAG_WRITEBACK_DST);
  g.submit();
  byte_vector expected = test::counting(64);
  test::overwrite(expected, 32, test::counting(16));
  test::overwrite(expected, 48, test::filled(16, 0xAA));
  CHECK(g.peek(memory, 0, 64) == expected);
}

}  // namespace
}  // namespace aerogpu::golden
