// SPDX-License-Identifier: MIT
#include "tests/golden/guests/states.hpp"

#include <algorithm>
#include <bit>

namespace aerogpu::golden {
namespace {

/// A 16x4 target; points fall on pixels of its row 1.
struct vertex_scene {
  guest g;
  std::uint32_t target = g.make_target(16, 4);
  vertex_scene() {
    g.bind_targets({target});
    g.clear(blue);
    g.stream().topology(AEROGPU_TOPOLOGY_POINTLIST);
  }
  /// Where a point colours pixel (x, 1).
  [[nodiscard]] auto position(int x) const -> color4 {
    const vertex at = g.at_pixel(static_cast<float>(x) + 0.5f, 1.5f);
    return {at.x, at.y, at.z, at.w};
  }
  /// Checks the pixels of row 1 from the left; all others stay as they were.
  void expect_row(const std::vector<rgba>& colors, const tolerance& allowed = rounding) {
    image expected(16, 4, blue);
    for (std::size_t x = 0; x < colors.size(); ++x) expected.at(static_cast<int>(x), 1) = colors[x];
    g.expect(target, expected, allowed);
  }
};

constexpr std::string_view position_and_color_vs =
    "vs_2_0\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nmov oT0, v1";

/// POSITION from stream 0 and COLOR, as floats, from another.
[[nodiscard]] auto two_stream_layout(guest& g, std::uint16_t color_stream) -> std::uint32_t {
  return g.make_layout({{0, 0, type_float4, 0, usage_position, 0},
                        {color_stream, 0, type_float4, 0, usage_color, 0}});
}

void use_shaders(guest& g, std::string_view vs_text, std::uint32_t layout) {
  const auto vs = g.make_shader(vs_text);
  const auto ps = g.attribute_color_ps();
  g.stream().bind_shaders(vs, ps).set_layout(layout);
}

TEST_CASE("VK-031 offset, a stride larger than the data, and two streams", "[golden][vertices]") {
  const auto stream = GENERATE(std::uint16_t{1}, std::uint16_t{15});
  vertex_scene s;
  const color4 unused{9, 9, 9, 9};
  const auto positions = s.g.make_buffer(
      std::vector<color4>{unused, s.position(0), unused, s.position(1), unused, s.position(2)});
  const auto colors = s.g.make_buffer(
      std::vector<color4>{unused, unused, to_color(red), to_color(green), to_color(white)});
  use_shaders(s.g, position_and_color_vs, two_stream_layout(s.g, stream));
  s.g.stream().vertex_buffer(0, positions, 32, 16).vertex_buffer(stream, colors, 16, 32).draw(3);
  s.expect_row({red, green, white});
}

TEST_CASE("VK-031 a first vertex moves every stream", "[golden][vertices]") {
  vertex_scene s;
  const auto positions = s.g.make_buffer(std::vector{s.position(9), s.position(0), s.position(1)});
  const auto colors = s.g.make_buffer(std::vector{to_color(white), to_color(red), to_color(green)});
  use_shaders(s.g, position_and_color_vs, two_stream_layout(s.g, 1));
  s.g.stream().vertex_buffer(0, positions).vertex_buffer(1, colors);
  s.g.stream().add(aerogpu_cmd_draw{{}, 2, 1, 1, 0});
  s.expect_row({red, green});
}

TEST_CASE("VK-032 a declaration needs its stream, and a stride", "[golden][vertices]") {
  const auto is_bound = GENERATE(true, false);
  vertex_scene s;
  const auto positions = s.g.make_buffer(std::vector{s.position(0)});
  use_shaders(s.g, position_and_color_vs, two_stream_layout(s.g, 3));
  s.g.stream().vertex_buffer(0, positions);
  if (is_bound) s.g.stream().vertex_buffer(3, positions, 0);
  s.g.submit();
  s.g.stream().draw(1);
  CHECK(s.g.failure() == error_code::missing_binding);
  s.expect_row({});
}

TEST_CASE("VK-033 a vertex buffer offset behind the buffer is an error", "[golden][vertices]") {
  vertex_scene s;
  const auto positions = s.g.make_buffer(std::vector{s.position(0)});
  use_shaders(s.g, position_and_color_vs, two_stream_layout(s.g, 1));
  s.g.stream().vertex_buffer(0, positions).vertex_buffer(1, positions, 16, 20);
  s.g.submit();
  s.g.stream().draw(1);
  CHECK(s.g.failure() == error_code::invalid_parameter);
}

TEST_CASE("VK-033 vertex reads past the end are zero", "[golden][vertices]") {
  const auto offset = GENERATE(0u, 16u, 32u);  // The last is the end itself.
  vertex_scene s;
  const auto positions =
      s.g.make_buffer(std::vector{s.position(0), s.position(1), s.position(2), s.position(3)});
  const auto colors = s.g.make_buffer(std::vector{to_color(red), to_color(green)});
  use_shaders(s.g, position_and_color_vs, two_stream_layout(s.g, 1));
  s.g.stream().vertex_buffer(0, positions).vertex_buffer(1, colors, 16, offset).draw(4);
  const std::vector<rgba> seen{red, green, nothing, nothing, nothing, nothing};
  const auto first = seen.begin() + offset / 16;
  s.expect_row({first, first + 4});
}

TEST_CASE("VK-034 vertices, indices, constants and textures change between draws of a submission",
          "[golden][vertices]") {
  vertex_scene s;
  const auto vs = s.g.make_shader(
      "vs_2_0\ndcl_position v0\ndcl_texcoord v1\n"
      "add oPos, v0, c0\nmov oT0, v1");
  const auto ps = s.g.make_shader(
      "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\n"
      "mul r0, r0, c1\nmov oC0, r0");
  const auto layout = s.g.vertex_layout();
  const color4 p0 = s.position(0), p4 = s.position(4);
  const auto first = s.g.make_buffer(
      std::vector<vertex>{{p0[0], p0[1], p0[2], p0[3], {}}, {p4[0], p4[1], p4[2], p4[3], {}}});
  const color4 p8 = s.position(8), p12 = s.position(12);
  const auto second = s.g.make_buffer(
      std::vector<vertex>{{p8[0], p8[1], p8[2], p8[3], {}}, {p12[0], p12[1], p12[2], p12[3], {}}});
  const auto ones = s.g.make_buffer(std::vector<std::uint16_t>{1, 1});
  const auto zeros = s.g.make_buffer(std::vector<std::uint32_t>{0, 0});
  const auto white_texture = s.g.make_texture(image(1, 1, white));
  const auto green_texture = s.g.make_texture(image(1, 1, green));
  const color4 whole{1, 1, 1, 1};
  s.g.stream()
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .constants_f(wire_vs, 0, {{0, 0, 0, 0}})
      .constants_f(wire_ps, 1, {whole})
      .set_texture(wire_ps, 0, white_texture)
      .vertex_buffer(0, first, sizeof(vertex))
      .draw(1)  // White at 0.
      .set_texture(wire_ps, 0, green_texture)
      .constants_f(wire_vs, 0, {{2 / 16.0f, 0, 0, 0}})
      .draw(1)  // Green at 1.
      .index_buffer(ones)
      .draw_indexed(1)  // Green at 5.
      .index_buffer(zeros, AEROGPU_INDEX_FORMAT_UINT32)
      .vertex_buffer(0, second, sizeof(vertex))
      .draw_indexed(1)  // Green at 9.
      .constants_f(wire_ps, 1, {{1, 0.2f, 1, 1}})
      .constants_f(wire_vs, 0, {{4 / 16.0f, 0, 0, 0}})
      .set_texture(wire_ps, 0, white_texture)
      .draw(2);  // Pink at 10 and 14.
  const rgba pink{255, 51, 255, 255};
  image expected(16, 4, blue);
  expected.at(0, 1) = white;
  for (const int x : {1, 5, 9}) expected.at(x, 1) = green;
  for (const int x : {10, 14}) expected.at(x, 1) = pink;
  s.g.expect(s.target, expected, rounding);
}

TEST_CASE("VK-035 instance data advances every N instances, or never", "[golden][vertices]") {
  const auto rate = GENERATE(1u, 2u, 3u, 0u);
  const auto first_instance = GENERATE(0u, 1u);
  CAPTURE(rate, first_instance);
  vertex_scene s;
  // A position for each instance from slot 1, a colour from slot 2 at the rate.
  const auto layout = s.g.new_handle();
  s.g.stream().create_layout(
      layout, test::ilay_blob({{.name = "POSITION", .slot = 0},
                               {.name = "TEXCOORD", .slot = 1, .input_class = 1, .step_rate = 1},
                               {.name = "COLOR", .slot = 2, .input_class = 1, .step_rate = rate}}));
  use_shaders(
      s.g, "vs_2_0\ndcl_position v0\ndcl_texcoord v1\ndcl_color v2\nadd oPos, v0, v1\nmov oT0, v2",
      layout);
  std::vector<color4> offsets, colors;
  for (int i = 0; i < 8; ++i) {
    offsets.push_back({2 * static_cast<float>(i) / 16, 0, 0, 0});
    colors.push_back({static_cast<float>(i) / 5, 0, 1, 1});
  }
  const auto vertices = s.g.make_buffer(std::vector{s.position(0)});
  const auto offset_buffer = s.g.make_buffer(offsets), color_buffer = s.g.make_buffer(colors);
  s.g.stream()
      .vertex_buffer(0, vertices)
      .vertex_buffer(1, offset_buffer)
      .vertex_buffer(2, color_buffer);
  s.g.stream().add(aerogpu_cmd_draw{{}, 1, 5, 0, first_instance});
  image expected(16, 4, blue);
  for (std::uint32_t i = 0; i < 5; ++i) {
    // Direct3D: the element is first_instance + i / rate.
    const std::uint32_t element = rate == 0 ? first_instance : first_instance + i / rate;
    expected.at(static_cast<int>(first_instance + i), 1) = to_rgba(colors[element]);
  }
  s.g.expect(s.target, expected, rounding);
}

TEST_CASE("VK-036 elements follow each other when they ask to, over what the shader skips",
          "[golden][vertices]") {
  vertex_scene s;
  const auto layout = s.g.new_handle();
  constexpr std::uint32_t float2 = 16, bytes2 = 49, float4 = 2;
  s.g.stream().create_layout(layout, test::ilay_blob({{.name = "POSITION", .format = float4},
                                                      {.name = "NORMAL", .format = bytes2},
                                                      {.name = "color", .format = float2},
                                                      {.name = "TEXCOORD", .index = 1}}));
  // NORMAL takes 2 bytes, so COLOR begins at 20. Components that a format lacks are 0, 0, 1.
  use_shaders(s.g, position_and_color_vs, layout);
  byte_vector bytes(20 + 8 + 16);
  store(bytes.data(), s.position(3));
  store(bytes.data() + 16, std::uint32_t{0xFFFFFFFF});
  store(bytes.data() + 20, std::array<float, 2>{1.0f, 0.6f});
  s.g.stream().vertex_buffer(0, s.g.make_buffer(bytes), 44).draw(1);
  s.expect_row({blue, blue, blue, {255, 153, 0, 255}});
}

TEST_CASE("VK-036 inputs without an element read zero colours", "[golden][vertices]") {
  vertex_scene s;
  const auto layout = s.g.new_handle();
  s.g.stream().create_layout(layout, test::ilay_blob({{.name = "POSITION"}}));
  use_shaders(s.g, position_and_color_vs, layout);
  s.g.stream().render_state(rs::color_write, 7);
  s.g.stream().vertex_buffer(0, s.g.make_buffer(std::vector{s.position(0)})).draw(1);
  s.expect_row({black});
}

TEST_CASE("VK-038 colours are blue, green, red, alpha in memory, however they got there",
          "[golden][vertices]") {
  const auto way = GENERATE(0, 1, 2);  // UPLOAD; COPY; guest backing.
  vertex_scene s;
  struct colored {
    color4 position;
    std::array<std::uint8_t, 4> first, second;
  };
  const std::vector<colored> content{{s.position(0), {10, 20, 30, 255}, {1, 2, 3, 4}}};
  std::uint32_t buffer = 0;
  if (way == 0) buffer = s.g.make_buffer(content);
  if (way == 1) {
    const auto from = s.g.make_buffer(content);
    buffer = s.g.new_handle();
    s.g.stream()
        .create_buffer(buffer, sizeof(colored))
        .copy_buffer(buffer, 0, from, 0, sizeof(colored));
  }
  if (way == 2) {
    const auto memory = s.g.allocate(sizeof(colored));
    const const_bytes bytes = std::as_bytes(std::span{content});
    s.g.poke(memory, 0, {bytes.begin(), bytes.end()});
    buffer = s.g.new_handle();
    s.g.stream()
        .create_buffer(buffer, sizeof(colored), {memory, 0})
        .dirty(buffer, 0, sizeof(colored));
  }
  const auto layout = s.g.make_layout({{0, 0, type_float4, 0, usage_position, 0},
                                       {0, 16, type_color, 0, usage_color, 0},
                                       {0, 20, type_color, 0, usage_color, 1}});
  use_shaders(s.g,
              "vs_2_0\ndcl_position v0\ndcl_color v1\ndcl_color1 v2\nmov oPos, v0\nadd oT0, v1, v2",
              layout);
  s.g.stream().vertex_buffer(0, buffer, sizeof(colored)).draw(1);
  s.expect_row({{33, 22, 11, 255}});
}

/// A declaration type with bytes and what a shader sees of them.
struct type_case {
  std::uint8_t type;
  byte_vector bytes;
  color4 value;
};

[[nodiscard]] auto type_cases() -> std::vector<type_case> {
  const auto floats = [](std::initializer_list<float> values) {
    byte_vector bytes;
    for (const float value : values) {
      const const_bytes one = bytes_of(value);
      bytes.insert(bytes.end(), one.begin(), one.end());
    }
    return bytes;
  };
  const auto word = [](std::uint32_t value) {
    const const_bytes one = bytes_of(value);
    return byte_vector{one.begin(), one.end()};
  };
  return {
      {type_float1, floats({0.25f}), {0.25f, 0, 0, 1}},
      {type_float2, floats({0.25f, 0.5f}), {0.25f, 0.5f, 0, 1}},
      {type_float3, floats({0.25f, 0.5f, 0.75f}), {0.25f, 0.5f, 0.75f, 1}},
      {type_float4, floats({0.25f, 0.5f, 0.75f, 0.125f}), {0.25f, 0.5f, 0.75f, 0.125f}},
      {type_color,
       test::bytes_from({10, 20, 30, 40}),
       {30 / 255.f, 20 / 255.f, 10 / 255.f, 40 / 255.f}},
      {type_ubyte4, test::bytes_from({0, 1, 128, 255}), {0, 1, 128, 255}},
      {type_short2, test::bytes_from({0x2C, 0x01, 0x9C, 0xFF}), {300, -100, 0, 1}},
      {type_short4, test::bytes_from({1, 0, 2, 0, 0xFF, 0xFF, 0x00, 0x80}), {1, 2, -1, -32768}},
      {type_ubyte4n,
       test::bytes_from({10, 20, 30, 40}),
       {10 / 255.f, 20 / 255.f, 30 / 255.f, 40 / 255.f}},
      {type_short2n, test::bytes_from({0xFF, 0x7F, 0x00, 0x80}), {1, -1, 0, 1}},
      {type_short4n,
       test::bytes_from({0xFF, 0x7F, 0x00, 0x40, 0x01, 0x80, 0, 0}),
       {1, 16384 / 32767.f, -1, 0}},
      {type_ushort2n, test::bytes_from({0xFF, 0xFF, 0x00, 0x80}), {1, 32768 / 65535.f, 0, 1}},
      {type_ushort4n,
       test::bytes_from({0xFF, 0xFF, 0x00, 0x80, 0, 0, 0x33, 0x33}),
       {1, 32768 / 65535.f, 0, 0.2f}},
      {type_udec3, word(1000u | 500u << 10 | 3u << 20), {1000, 500, 3, 1}},
      {type_dec3n, word(511u | 0x201u << 10 | 256u << 20), {1, -1, 256 / 511.f, 1}},
      {type_half2, test::bytes_from({0x00, 0x38, 0x00, 0xBC}), {0.5f, -1, 0, 1}},
      {type_half4,
       test::bytes_from({0x00, 0x38, 0x00, 0xBC, 0x00, 0x3C, 0x00, 0x34}),
       {0.5f, -1, 1, 0.25f}},
  };
}

TEST_CASE("VK-039 every type of a declaration reaches the shader as its value",
          "[golden][vertices]") {
  const std::vector<type_case> cases = type_cases();
  const auto index = GENERATE(range(std::size_t{0}, std::size_t{17}));
  REQUIRE(index < cases.size());
  const type_case& given = cases[index];
  INFO("type " << int{given.type});
  vertex_scene s;
  const auto layout = s.g.make_layout(
      {{0, 0, type_float4, 0, usage_position, 0}, {1, 0, given.type, 0, usage_color, 0}});
  // The shader compares, because most values are no colours: |value - expected| <= limit.
  use_shaders(s.g,
              "vs_2_0\ndef c2, 0, 1, 0.000005, 0\ndcl_position v0\ndcl_color v1\nmov oPos, v0\n"
              "add r0, v1, -c0\nmax r0, r0, -r0\nsge oT0, c1, r0",
              layout);
  color4 limits{};
  for (std::size_t i = 0; i < 4; ++i) limits[i] = 0.00001f + std::abs(given.value[i]) * 0.00001f;
  s.g.stream().constants_f(wire_vs, 0, {given.value, limits});
  const auto positions = s.g.make_buffer(std::vector{s.position(0)});
  const auto values = s.g.make_buffer(given.bytes);
  s.g.stream()
      .vertex_buffer(0, positions)
      .vertex_buffer(1, values, static_cast<std::uint32_t>(given.bytes.size()))
      .draw(1);
  s.expect_row({white});
}

TEST_CASE("VK-039 elements find their registers by usage and index", "[golden][vertices]") {
  struct semantic {
    std::string_view name;
    std::uint8_t usage, index;
  };
  static constexpr std::array<semantic, 16> semantics{{{"position", usage_position, 0},
                                                       {"normal", usage_normal, 0},
                                                       {"tangent", usage_tangent, 0},
                                                       {"binormal", usage_binormal, 0},
                                                       {"blendweight", usage_blendweight, 0},
                                                       {"blendindices", usage_blendindices, 0},
                                                       {"color", usage_color, 0},
                                                       {"color1", usage_color, 1},
                                                       {"texcoord", usage_texcoord, 0},
                                                       {"texcoord1", usage_texcoord, 1},
                                                       {"texcoord2", usage_texcoord, 2},
                                                       {"texcoord3", usage_texcoord, 3},
                                                       {"texcoord4", usage_texcoord, 4},
                                                       {"texcoord5", usage_texcoord, 5},
                                                       {"texcoord6", usage_texcoord, 6},
                                                       {"texcoord7", usage_texcoord, 7}}};
  vertex_scene s;
  // Registers in one order, elements in another, stream 1 for all but the position.
  std::vector<declaration_element> elements;
  std::string declarations = "vs_2_0\n";
  std::vector<color4> values(semantics.size());
  for (std::size_t i = 0; i < semantics.size(); ++i) {
    const std::size_t reg = (i * 7 + 3) % 16;
    const bool is_position = i == 0;
    declarations += "dcl_" + std::string{semantics[i].name} + " v" + std::to_string(reg) + "\n";
    elements.insert(elements.begin(), {static_cast<std::uint16_t>(is_position ? 0 : 1),
                                       static_cast<std::uint16_t>(is_position ? 0 : 16 * i),
                                       type_float4, 0, semantics[i].usage, semantics[i].index});
    values[i] = {static_cast<float>(i) / 15, 1 - static_cast<float>(i) / 15, 0.2f, 1};
  }
  const auto layout = s.g.make_layout(elements);
  const auto value_buffer = s.g.make_buffer(values);
  std::vector<rgba> expected{blue};
  for (int i = 1; i < 16; ++i) {
    const auto reg = std::to_string((i * 7 + 3) % 16);
    use_shaders(s.g, declarations + "mov oPos, v3\nmov oT0, v" + reg, layout);
    const auto position = s.g.make_buffer(std::vector{s.position(i)});
    s.g.stream().vertex_buffer(0, position).vertex_buffer(1, value_buffer, 256).draw(1);
    expected.push_back(to_rgba(values[static_cast<std::size_t>(i)]));
  }
  s.expect_row(expected);
}

TEST_CASE("VK-039 elements may share their place in a stream", "[golden][vertices]") {
  vertex_scene s;
  const auto layout = s.g.make_layout({{0, 0, type_float4, 0, usage_position, 0},
                                       {1, 0, type_float4, 0, usage_color, 0},
                                       {1, 0, type_float2, 0, usage_texcoord, 0}});
  use_shaders(s.g,
              "vs_2_0\ndcl_position v0\ndcl_color v1\ndcl_texcoord v2\nmov oPos, v0\n"
              "add r0, v1, v2\nmov oT0, r0",
              layout);
  s.g.stream()
      .vertex_buffer(0, s.g.make_buffer(std::vector{s.position(0)}))
      .vertex_buffer(1, s.g.make_buffer(std::vector<color4>{{0.25f, 0.5f, 0.75f, 0}}))
      .draw(1);
  s.expect_row({{128, 255, 191, 255}});
}

TEST_CASE("VK-039 an input that the declaration lacks reads zero", "[golden][vertices]") {
  vertex_scene s;
  const auto layout = s.g.make_layout({{0, 0, type_float4, 0, usage_position, 0}});
  use_shaders(s.g, position_and_color_vs, layout);
  s.g.stream().vertex_buffer(0, s.g.make_buffer(std::vector{s.position(0)})).draw(1);
  s.expect_row({nothing});
}

TEST_CASE("VK-039 without declarations, registers take the elements in order",
          "[golden][vertices]") {
  const auto is_color_first = GENERATE(false, true);
  vertex_scene s;
  const auto layout = is_color_first ? s.g.make_layout({{0, 0, type_float4, 0, usage_color, 0},
                                                        {0, 16, type_float4, 0, usage_position, 0}})
                                     : s.g.make_layout({{0, 0, type_float4, 0, usage_position, 0},
                                                        {0, 16, type_float4, 0, usage_color, 0}});
  use_shaders(
      s.g,
      is_color_first ? "vs_2_0\nmov oPos, v1\nmov oT0, v0" : "vs_2_0\nmov oPos, v0\nmov oT0, v1",
      layout);
  const auto vertices = is_color_first
                            ? s.g.make_buffer(std::vector{to_color(green), s.position(0)})
                            : s.g.make_buffer(std::vector{s.position(0), to_color(green)});
  s.g.stream().vertex_buffer(0, vertices, 32).draw(1);
  s.expect_row({green});
}

/// Vertices for indexed draws: vertex i lies on pixel i and has the colour (17 * i, 255, 0).
struct indexed_scene : vertex_scene {
  std::uint32_t positions, colors;
  indexed_scene() {
    std::vector<color4> at, color;
    for (int i = 0; i < 16; ++i) {
      at.push_back(position(i));
      color.push_back(vertex_color(i));
    }
    positions = g.make_buffer(at);
    colors = g.make_buffer(color);
    use_shaders(g, position_and_color_vs, two_stream_layout(g, 1));
    g.stream().vertex_buffer(0, positions).vertex_buffer(1, colors);
  }
  [[nodiscard]] static auto vertex_color(int i) -> color4 {
    return {static_cast<float>(i) / 15, 1, 0, 1};
  }
  void expect_vertices(std::initializer_list<int> numbers) {
    image expected(16, 4, blue);
    for (const int i : numbers) expected.at(i, 1) = to_rgba(vertex_color(i));
    g.expect(target, expected, rounding);
  }
};

TEST_CASE("VK-040 indices of both widths, from an offset and a first index", "[golden][vertices]") {
  const auto is_wide = GENERATE(false, true);
  indexed_scene s;
  std::uint32_t indices = 0;
  if (is_wide) {
    indices = s.g.make_buffer(std::vector<std::uint32_t>{15, 14, 13, 2, 4, 7});
  } else {
    indices = s.g.make_buffer(std::vector<std::uint16_t>{15, 14, 13, 2, 4, 7});
  }
  s.g.stream().index_buffer(indices,
                            is_wide ? AEROGPU_INDEX_FORMAT_UINT32 : AEROGPU_INDEX_FORMAT_UINT16,
                            is_wide ? 4 : 2);
  s.g.stream().add(aerogpu_cmd_draw_indexed{{}, 3, 1, 2, 0, 0});
  s.expect_vertices({2, 4, 7});
}

TEST_CASE("VK-040 a base vertex is added, negative ones too", "[golden][vertices]") {
  const auto is_wide = GENERATE(false, true);
  indexed_scene s;
  std::uint32_t indices = 0;
  if (is_wide) {
    indices = s.g.make_buffer(std::vector<std::uint32_t>{8, 10});
  } else {
    indices = s.g.make_buffer(std::vector<std::uint16_t>{8, 10});
  }
  s.g.stream().index_buffer(indices,
                            is_wide ? AEROGPU_INDEX_FORMAT_UINT32 : AEROGPU_INDEX_FORMAT_UINT16);
  s.g.stream().add(aerogpu_cmd_draw_indexed{{}, 2, 1, 0, -7, 0});
  s.g.stream().add(aerogpu_cmd_draw_indexed{{}, 2, 1, 0, 4, 0});
  s.expect_vertices({1, 3, 12, 14});
}

TEST_CASE("VK-040 a negative base vertex with a stream offset stays in range",
          "[golden][vertices]") {
  indexed_scene s;
  const auto indices = s.g.make_buffer(std::vector<std::uint16_t>{2, 3});
  s.g.stream().vertex_buffer(0, s.positions, 16, 64).vertex_buffer(1, s.colors, 16, 64);
  s.g.stream().index_buffer(indices);
  s.g.stream().add(aerogpu_cmd_draw_indexed{{}, 2, 1, 0, -2, 0});
  s.expect_vertices({4, 5});
}

TEST_CASE("VK-040 index reads past the end give index 0", "[golden][vertices]") {
  indexed_scene s;
  const auto indices = s.g.make_buffer(std::vector<std::uint16_t>{5, 6});
  s.g.stream().index_buffer(indices);
  s.g.stream().draw_indexed(6);
  s.expect_vertices({5, 6, 0});
}

TEST_CASE("VK-040 an index of all ones is a vertex, never a cut, for these shaders",
          "[golden][vertices]") {
  const auto is_strip = GENERATE(false, true);
  vertex_scene s;
  // Vertex 0xFFFF + 1 wraps to 65536 with the base; it lies inside of a large buffer.
  std::vector<color4> positions(0x10000, s.position(1));
  positions[0] = {-1, 1, 0.5f, 1};
  positions[1] = {1, 1, 0.5f, 1};
  positions[0xFFFF] = {-1, -1, 0.5f, 1};
  positions[2] = {1, -1, 0.5f, 1};
  const auto vertices = s.g.make_buffer(positions);
  const auto indices =
      s.g.make_buffer(is_strip ? std::vector<std::uint16_t>{0, 1, 0xFFFF, 2}
                               : std::vector<std::uint16_t>{0, 1, 0xFFFF, 0xFFFF, 1, 2});
  const auto layout = s.g.make_layout({{0, 0, type_float4, 0, usage_position, 0}});
  const auto vs = s.g.make_shader("vs_2_0\ndcl_position v0\nmov oPos, v0");
  const auto ps = s.g.constant_color_ps();
  s.g.stream()
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .constants_f(wire_ps, 0, {to_color(green)})
      .vertex_buffer(0, vertices)
      .index_buffer(indices)
      .topology(is_strip ? AEROGPU_TOPOLOGY_TRIANGLESTRIP : AEROGPU_TOPOLOGY_TRIANGLELIST)
      .draw_indexed(is_strip ? 4 : 6);
  s.g.expect(s.target, green);
}

TEST_CASE("VK-080 a stream of position and colour, as fixed-function guests send it",
          "[golden][vertices]") {
  guest g;
  const auto target = g.make_target(16, 16, AEROGPU_FORMAT_B8G8R8X8_UNORM);
  g.bind_targets({target});
  g.clear(black);
  struct simple {
    float x, y, z;
    std::uint32_t argb;
  };
  const auto vertices = g.make_buffer(std::vector<simple>{{-1, 1, 0.5f, 0x80FF8000},
                                                          {1, 1, 0.5f, 0x80FF8000},
                                                          {-1, -1, 0.5f, 0x80FF8000},
                                                          {1, -1, 0.5f, 0x80FF8000}});
  const auto layout = g.make_layout(
      {{0, 0, type_float3, 0, usage_position, 0}, {0, 12, type_color, 0, usage_color, 0}});
  const auto vs =
      g.make_shader("vs_1_1\ndcl_position v0\ndcl_color v1\nm4x4 oPos, v0, c0\nmov oD0, v1");
  const auto ps = g.make_shader("ps_1_1\nmov r0, v0");
  // Rows of a matrix that halves x and y; w of the position is 1.
  g.stream()
      .constants_f(wire_vs, 0, {{0.5f, 0, 0, 0}, {0, 0.5f, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}})
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, vertices, sizeof(simple))
      .topology(AEROGPU_TOPOLOGY_TRIANGLESTRIP)
      .draw(4);
  g.expect(target, image(16, 16, black).fill({4, 4, 8, 8}, {255, 128, 0, 255}));
}

}  // namespace
}  // namespace aerogpu::golden
