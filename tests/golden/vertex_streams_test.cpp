// SPDX-License-Identifier: MIT
// Streams that begin anywhere, step by anything and are counted from below zero: what Direct3D
// reads and Vulkan may not.
#include "tests/golden/guests/states.hpp"

#include <optional>

namespace aerogpu::golden {
namespace {

/// Where a stream's FLOAT4 lie.
struct stream_place {
  std::uint32_t stride, offset;
  std::uint16_t element;
};

/// Any four of these bytes are a float between 0 and 1, wherever they begin.
[[nodiscard]] auto float_bytes(std::size_t size) -> byte_vector {
  byte_vector bytes(size);
  std::uint32_t x = 7;
  for (std::byte& b : bytes) {
    x = x * 1664525 + 1013904223;
    b = static_cast<std::byte>(0x3D + (x >> 24) % 3);
  }
  return bytes;
}

/// What a draw reads of a stream as vertex `v`: zeros outside of the buffer.
[[nodiscard]] auto read_element(const byte_vector& bytes, const stream_place& place, std::int64_t v)
    -> color4 {
  const std::int64_t at = std::int64_t{place.offset} + v * place.stride + place.element;
  if (at < 0 || at + 16 > static_cast<std::int64_t>(bytes.size())) return {};
  return load<color4>(bytes.data() + at);
}

/// Vertices -16 to 15 of stream 0 lie on the pixels of row 1; stream 1 gives them colours.
struct stream_scene {
  static constexpr int width = 16;
  guest g;
  std::uint32_t target = g.make_target(width, 4);
  byte_vector colors = float_bytes(1024);
  image expected{width, 4, blue};

  stream_scene() {
    g.bind_targets({target});
    g.clear(blue);
    std::vector<color4> positions;
    for (int i = 0; i < 2 * width; ++i) positions.push_back(position(i % width));
    g.stream().topology(AEROGPU_TOPOLOGY_POINTLIST);
    g.stream().vertex_buffer(0, g.make_buffer(positions), 16, 16 * width);
  }
  [[nodiscard]] auto position(int x) const -> color4 {
    const vertex at = g.at_pixel(static_cast<float>(x) + 0.5f, 1.5f);
    return {at.x, at.y, at.z, at.w};
  }
  void use_colors_at(const stream_place& place) {
    const auto layout = g.make_layout({{0, 0, type_float4, 0, usage_position, 0},
                                       {1, place.element, type_float4, 0, usage_color, 0}});
    use_shaders(layout);
    g.stream().vertex_buffer(1, g.make_buffer(colors), place.stride, place.offset);
  }
  void use_shaders(std::uint32_t layout) {
    const auto vs =
        g.make_shader("vs_2_0\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nmov oT0, v1");
    g.stream().bind_shaders(vs, g.attribute_color_ps()).set_layout(layout);
  }
  void use_indices(bool is_wide, const std::vector<std::uint16_t>& indices) {
    if (is_wide) {
      g.stream().index_buffer(
          g.make_buffer(std::vector<std::uint32_t>(indices.begin(), indices.end())),
          AEROGPU_INDEX_FORMAT_UINT32);
    } else {
      g.stream().index_buffer(g.make_buffer(indices));
    }
  }
  void expect_vertex(std::int64_t v, const color4& color) {
    expected.at(static_cast<int>((v + width) % width), 1) = to_rgba(color);
  }
  void check() { g.expect(target, expected, rounding); }
};

constexpr std::array<stream_place, 18> odd_places{{{16, 1, 0},
                                                   {16, 2, 0},
                                                   {16, 3, 0},
                                                   {17, 0, 0},
                                                   {18, 0, 0},
                                                   {19, 5, 0},
                                                   {17, 1, 2},
                                                   {16, 0, 1},
                                                   {20, 0, 3},
                                                   {4, 0, 0},
                                                   {8, 4, 0},
                                                   {12, 0, 4},
                                                   {5, 3, 0},
                                                   {1, 0, 0},
                                                   {16, 0, 64},
                                                   {16, 4, 4},
                                                   {16, 3, 65},
                                                   {36, 31, 333}}};

TEST_CASE("elements at odd places are read where they lie", "[golden][vertices][streams]") {
  const stream_place place = odd_places[GENERATE(range(std::size_t{0}, odd_places.size()))];
  const auto first = GENERATE(0u, 5u);
  CAPTURE(place.stride, place.offset, place.element, first);
  stream_scene s;
  s.use_colors_at(place);
  s.g.stream().add(aerogpu_cmd_draw{{}, 8, 1, first, 0});
  for (std::uint32_t v = first; v < first + 8; ++v) {
    s.expect_vertex(v, read_element(s.colors, place, v));
  }
  s.check();
}

TEST_CASE("indexed draws read elements at odd places, from any base",
          "[golden][vertices][streams][values]") {
  const stream_place odd = odd_places[GENERATE(range(std::size_t{0}, odd_places.size()))];
  const auto base = GENERATE(0, 2, -2, -3);
  const bool is_wide = GENERATE(false, true);
  // Far enough into the buffer that nothing lies before it.
  const stream_place place{odd.stride, odd.offset + 4 * odd.stride, odd.element};
  CAPTURE(place.stride, place.offset, place.element, base, is_wide);
  stream_scene s;
  s.use_colors_at(place);
  s.use_indices(is_wide, {0, 1, 5, 11});
  s.g.stream().add(aerogpu_cmd_draw_indexed{{}, 4, 1, 0, base, 0});
  for (const int index : {0, 1, 5, 11}) {
    s.expect_vertex(index + base, read_element(s.colors, place, index + base));
  }
  s.check();
}

TEST_CASE("a negative base vertex reaches back before every stream's offset",
          "[golden][vertices][streams]") {
  // Multiples of the stride, and others; each stream reaches back 4 vertices at least.
  const stream_place place =
      GENERATE(stream_place{16, 64, 0}, stream_place{16, 72, 0}, stream_place{20, 80, 4},
               stream_place{32, 140, 16}, stream_place{48, 0xFC, 4});
  const auto base = GENERATE(-1, -4, 3);
  CAPTURE(place.stride, place.offset, base);
  stream_scene s;
  s.use_colors_at(place);
  s.use_indices(GENERATE(false, true), {0, 3, 7});
  s.g.stream().add(aerogpu_cmd_draw_indexed{{}, 3, 1, 0, base, 0});
  // The base of one draw must not stay for the next.
  s.g.stream().add(aerogpu_cmd_draw_indexed{{}, 1, 1, 2, 8, 0});
  for (const int index : {0, 3, 7}) {
    s.expect_vertex(index + base, read_element(s.colors, place, index + base));
  }
  s.expect_vertex(15, read_element(s.colors, place, 15));
  s.check();
}

TEST_CASE("a base vertex does not move what advances by instance", "[golden][vertices][streams]") {
  const auto base = GENERATE(-2, 0, 2);
  const auto first_instance = GENERATE(0u, 3u);
  CAPTURE(base, first_instance);
  stream_scene s;
  const auto layout = s.g.new_handle();
  s.g.stream().create_layout(
      layout, test::ilay_blob({{.name = "POSITION", .slot = 0},
                               {.name = "COLOR", .slot = 1, .input_class = 1, .step_rate = 1}}));
  s.use_shaders(layout);
  const stream_place place{16, 32, 0};
  s.g.stream().vertex_buffer(1, s.g.make_buffer(s.colors), place.stride, place.offset);
  s.use_indices(false, {0});
  s.g.stream().add(aerogpu_cmd_draw_indexed{{}, 1, 1, 0, base, first_instance});
  s.expect_vertex(base, read_element(s.colors, place, first_instance));
  s.check();
}

TEST_CASE("what advances by instance may lie at odd places", "[golden][vertices][streams]") {
  const auto rate = GENERATE(0u, 1u, 3u);
  const auto first_instance = GENERATE(0u, 2u);
  const stream_place place =
      GENERATE(stream_place{16, 3, 0}, stream_place{17, 1, 0}, stream_place{29, 0, 0});
  CAPTURE(rate, first_instance, place.stride, place.offset);
  stream_scene s;
  const auto layout = s.g.new_handle();
  s.g.stream().create_layout(
      layout, test::ilay_blob({{.name = "POSITION", .slot = 0},
                               {.name = "COLOR", .slot = 1, .input_class = 1, .step_rate = rate},
                               {.name = "TEXCOORD", .slot = 2, .input_class = 1, .step_rate = 1}}));
  const auto vs = s.g.make_shader(
      "vs_2_0\ndcl_position v0\ndcl_color v1\ndcl_texcoord v2\nadd oPos, v0, v2\nmov oT0, v1");
  std::vector<color4> steps;
  for (int i = 0; i < 8; ++i) steps.push_back({2 * static_cast<float>(i) / 16, 0, 0, 0});
  s.g.stream()
      .bind_shaders(vs, s.g.attribute_color_ps())
      .set_layout(layout)
      .vertex_buffer(1, s.g.make_buffer(s.colors), place.stride, place.offset)
      .vertex_buffer(2, s.g.make_buffer(steps));
  s.g.stream().add(aerogpu_cmd_draw{{}, 1, 5, 0, first_instance});
  for (std::uint32_t i = 0; i < 5; ++i) {
    const std::uint32_t element = first_instance + (rate == 0 ? 0 : i / rate);
    s.expect_vertex(first_instance + i, read_element(s.colors, place, element));
  }
  s.check();
}

TEST_CASE("elements of one slot advance at rates of their own", "[golden][vertices][streams]") {
  stream_scene s;
  const auto layout = s.g.new_handle();
  s.g.stream().create_layout(
      layout, test::ilay_blob({{.name = "POSITION", .slot = 0},
                               {.name = "TEXCOORD", .slot = 1, .input_class = 1, .step_rate = 1},
                               {.name = "COLOR", .slot = 1, .input_class = 1, .step_rate = 2}}));
  const auto vs = s.g.make_shader(
      "vs_2_0\ndcl_position v0\ndcl_color v1\ndcl_texcoord v2\nadd oPos, v0, v2\nmov oT0, v1");
  std::vector<color4> instances;
  for (int i = 0; i < 4; ++i) {
    instances.push_back({2 * static_cast<float>(i) / 16, 0, 0, 0});
    instances.push_back({static_cast<float>(i) / 5, 1, 0, 1});
  }
  s.g.stream()
      .bind_shaders(vs, s.g.attribute_color_ps())
      .set_layout(layout)
      .vertex_buffer(1, s.g.make_buffer(instances), 32);
  s.g.stream().draw(1, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    s.expect_vertex(static_cast<int>(i), instances[2 * (i / 2) + 1]);
  }
  s.check();
}

TEST_CASE("positions at odd places, two attributes of one odd stream",
          "[golden][vertices][streams]") {
  const auto stride = GENERATE(33u, 34u, 37u);
  const auto offset = GENERATE(0u, 1u, 6u);
  stream_scene s;
  byte_vector bytes(offset + 4 * stride);
  const color4 color{0.2f, 0.4f, 0.6f, 1};
  for (std::uint32_t i = 0; i < 4; ++i) {
    store(bytes.data() + offset + i * stride, s.position(static_cast<int>(i)));
    store(bytes.data() + offset + i * stride + 16, color);
    s.expect_vertex(i, color);
  }
  s.use_shaders(s.g.make_layout(
      {{0, 0, type_float4, 0, usage_position, 0}, {0, 16, type_float4, 0, usage_color, 0}}));
  s.g.stream().vertex_buffer(0, s.g.make_buffer(bytes), stride, offset).draw(4);
  s.check();
}

TEST_CASE("elements past the end of an odd stream are zero", "[golden][vertices][streams]") {
  const bool is_indexed = GENERATE(false, true);
  stream_scene s;
  s.colors.resize(17 * 3 + 13);  // Three elements, and most of the fourth.
  const stream_place place{17, 0, 0};
  s.use_colors_at(place);
  s.use_indices(false, {0, 2, 3, 9});
  if (is_indexed) s.g.stream().draw_indexed(4);
  if (!is_indexed) s.g.stream().draw(10);
  for (const int v : {0, 2, 3, 9}) s.expect_vertex(v, read_element(s.colors, place, v));
  for (const int v : {1, 4, 5, 6, 7, 8}) {
    if (!is_indexed) s.expect_vertex(v, read_element(s.colors, place, v));
  }
  s.check();
}

TEST_CASE("integers of an input layout reach Direct3D 9 shaders as bits, or not at all",
          "[golden][vertices][streams]") {
  constexpr std::uint32_t uint4 = 3, ubyte4 = 30;
  const bool is_word = GENERATE(true, false);
  stream_scene s;
  const auto layout = s.g.new_handle();
  s.g.stream().create_layout(
      layout, test::ilay_blob({{.name = "POSITION", .slot = 0},
                               {.name = "COLOR", .format = is_word ? uint4 : ubyte4, .slot = 1}}));
  s.use_shaders(layout);
  s.g.stream().vertex_buffer(1, s.g.make_buffer(s.colors));
  s.g.submit();
  s.g.stream().draw(1);
  if (is_word) s.expect_vertex(0, read_element(s.colors, {16, 0, 0}, 0));
  if (!is_word && s.g.renders()) CHECK(s.g.failure() == error_code::unsupported);
  s.check();
}

TEST_CASE("more vertices at odd places than an image has rows", "[golden][vertices][streams]") {
  const stream_place place = GENERATE(stream_place{17, 3, 0}, stream_place{5, 1, 0});
  stream_scene s;
  s.colors = float_bytes(place.stride * 33'000);
  s.use_colors_at(place);
  const std::vector<std::uint16_t> read{0, 1, 16'383, 16'384, 32'767, 32'768};
  s.use_indices(false, read);
  std::vector<color4> positions(33'000);
  int x = 0;
  for (const std::uint32_t index : read) {
    s.expect_vertex(x, read_element(s.colors, place, index));
    positions[index] = s.position(x++);
  }
  s.g.stream().vertex_buffer(0, s.g.make_buffer(positions)).draw_indexed(6);
  s.check();
}

TEST_CASE("the bytes of unaligned vertices that a draw can name are limited",
          "[golden][vertices][streams]") {
  constexpr std::size_t most = 16u << 20;  // Of backend_limits.
  const bool is_above = GENERATE(false, true);
  stream_scene s;
  s.colors = byte_vector(most + (is_above ? 20 : 4), std::byte{0x3E});
  const stream_place place{16, 2, 0};
  s.use_colors_at(place);
  s.use_indices(true, {5});
  s.g.submit();
  s.g.stream().draw_indexed(1);
  if (is_above && s.g.renders()) {
    CHECK(s.g.failure() == error_code::unsupported);
  } else {
    s.expect_vertex(5, read_element(s.colors, place, 5));
  }
  s.check();
}

}  // namespace
}  // namespace aerogpu::golden
