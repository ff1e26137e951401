// SPDX-License-Identifier: MIT
#include "tests/golden/guests/dxbc_guest.hpp"

#include <cstring>

namespace aerogpu::golden {
namespace {

constexpr std::uint32_t r32g32b32_float = 6, r8g8b8a8_unorm = 28;

/// Elements one behind another, as bytes.
class packed {
 public:
  template <class... T>
  auto add(const T&... values) -> packed& {
    (append(values), ...);
    return *this;
  }
  [[nodiscard]] auto bytes() const -> const byte_vector& { return bytes_; }

 private:
  template <class T>
  void append(const T& value) {
    const const_bytes from = bytes_of(value);
    bytes_.insert(bytes_.end(), from.begin(), from.end());
  }
  byte_vector bytes_;
};

/// Positions of a quad over the whole target, four floats each.
[[nodiscard]] auto positions(const dxbc_scene& s) -> std::vector<color4> {
  std::vector<color4> made;
  for (const dxbc_vertex& v : s.quad(s.whole())) made.push_back({v.x, v.y, v.z, v.w});
  return made;
}

TEST_CASE("VK-036 appended elements, of which the shader reads some", "[golden][dxbc][vertices]") {
  dxbc_scene s;
  const auto vs = s.passing_vs(), ps = s.color_ps();
  // NORMAL and a second COLOR are there for nobody; COLOR 0 begins behind NORMAL.
  const auto layout = s.layout({{.name = "POSITION", .format = dxgi_float4_format},
                                {.name = "NORMAL", .format = r32g32b32_float},
                                {.name = "COLOR", .format = r8g8b8a8_unorm},
                                {.name = "COLOR", .index = 1, .format = r8g8b8a8_unorm}});
  packed vertices;
  for (const color4& at : positions(s)) {
    vertices.add(at, 9.0f, 9.0f, 9.0f, std::uint32_t{0xFF00FF00}, std::uint32_t{0x12345678});
  }
  s.g.stream()
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, s.g.make_buffer(vertices.bytes()), 36)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .draw(6);
  s.expect(green);
}

TEST_CASE("VK-036 an input without an element reads 0, 0, 0, 1", "[golden][dxbc][vertices]") {
  dxbc_scene s;
  s.g.clear(white);
  const auto vs = s.passing_vs(), ps = s.color_ps();
  const auto layout = s.layout({{.name = "POSITION", .format = dxgi_float4_format}});
  s.g.stream()
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, s.g.make_buffer(positions(s)), 16)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .draw(6);
  s.expect(black);
}

TEST_CASE("VK-032 SM4: an unbound vertex buffer reads 0, 0, 0, 1", "[golden][dxbc][vertices]") {
  dxbc_scene s;
  s.g.clear(white);
  const auto vs = s.passing_vs(), ps = s.color_ps();
  const auto layout = s.layout({{.name = "POSITION", .format = dxgi_float4_format},
                                {.name = "COLOR", .format = dxgi_float4_format, .slot = 7}});
  s.g.stream()
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, s.g.make_buffer(positions(s)), 16)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .draw(6);
  s.expect(black);
}

TEST_CASE("SM4: a layout of stride 0 repeats its element", "[golden][dxbc][vertices]") {
  dxbc_scene s;
  const auto vs = s.passing_vs(), ps = s.color_ps();
  const auto layout = s.layout({{.name = "POSITION", .format = dxgi_float4_format},
                                {.name = "COLOR", .format = dxgi_float4_format, .slot = 1}});
  s.g.stream()
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, s.g.make_buffer(positions(s)), 16)
      .vertex_buffer(1, s.g.make_buffer(std::vector<color4>{{0, 0, 1, 1}}), 0)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .draw(6);
  s.expect(blue);
}

TEST_CASE("SM5: vertices without a layout come from a buffer, by their number",
          "[golden][dxbc][vertices]") {
  using namespace sm4;
  program code{program_type::vertex, 5};
  code.op(dcl_resource_structured, {plain(resource, {3}), word(16)})
      .op(dcl_input_sgv, {to(input, {0}, "x"), word(name_vertex_id)})
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_temps, {word(1)})
      .op(ld_structured, {to(temp, {0}), from(input, {0}, "x"), bits(0), from(resource, {3})})
      .op(mov, {to(output, {0}), from(temp, {0})})
      .op(ret);
  const test::signature_entry number_in{"SV_VertexID", 0, sv_vertex_id, is_uint, 0, 0x1, 0x1};
  dxbc_scene s;
  const auto vs = s.shader(wire_vs, container({{number_in}, {position_out}}, code));
  const auto ps = s.shader(wire_ps, ps_constant());
  const auto offset = GENERATE(0u, 4u);
  byte_vector bytes(offset);
  for (const color4& at : positions(s)) {
    const const_bytes from = bytes_of(at);
    bytes.insert(bytes.end(), from.begin(), from.end());
  }
  s.g.stream()
      .bind_shaders(vs, ps)
      .constants_f(wire_ps, 0, {{0, 1, 0, 1}})
      .resource_buffers(wire_vs, 3, {{s.g.make_buffer(bytes), offset}})
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .draw(6);
  s.expect(green);
}

struct format_row {
  const char* name;
  std::uint32_t dxgi;
  byte_vector element;
  rgba expected;
};

template <class... T>
[[nodiscard]] auto element(const T&... values) -> byte_vector {
  return packed{}.add(values...).bytes();
}

/// Draws one element as COLOR, or as BLENDINDICES of integers over 4.
void check_format(const format_row& row, const char* semantic, const byte_vector& vertex_shader) {
  INFO(row.name);
  dxbc_scene s;
  const auto vs = s.shader(wire_vs, vertex_shader), ps = s.color_ps();
  const auto layout = s.layout({{.name = "POSITION", .format = dxgi_float4_format},
                                {.name = semantic, .format = row.dxgi, .slot = 1}});
  s.g.stream()
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, s.g.make_buffer(positions(s)), 16)
      .vertex_buffer(1, s.g.make_buffer(row.element), 0)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .draw(6);
  s.expect(row.expected, rounding);
}

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
constexpr u16 half_one = 0x3C00, half_quarter = 0x3400;
constexpr u32 minus_one = 0xFFFFFFFF;

TEST_CASE("VK-037 DXGI formats that arrive as numbers with fractions", "[golden][dxbc][vertices]") {
  const auto row = GENERATE(values<format_row>({
      {"R32G32B32A32_FLOAT", 2, element(0.25f, 0.5f, 0.75f, 0.5f), {64, 128, 191, 128}},
      {"R32G32B32_FLOAT", 6, element(0.25f, 0.5f, 0.75f), {64, 128, 191, 255}},
      {"R16G16B16A16_FLOAT",
       10,
       element(half_one, half_quarter, half_one, half_quarter),
       {255, 64, 255, 64}},
      {"R16G16B16A16_UNORM",
       11,
       element(u16{65535}, u16{0}, u16{32768}, u16{65535}),
       {255, 0, 128, 255}},
      {"R16G16B16A16_SNORM",
       13,
       element(u16{32767}, u16{0x8000}, u16{16384}, u16{32767}),
       {255, 0, 128, 255}},
      {"R32G32_FLOAT", 16, element(0.25f, 0.5f), {64, 128, 0, 255}},
      {"R10G10B10A2_UNORM", 24, element(u32{1023u | 512u << 20 | 2u << 30}), {255, 0, 128, 170}},
      {"R8G8B8A8_UNORM", 28, element(u8{10}, u8{20}, u8{30}, u8{40}), {10, 20, 30, 40}},
      {"R8G8B8A8_UNORM_SRGB", 29, element(u8{10}, u8{20}, u8{30}, u8{40}), {10, 20, 30, 40}},
      {"R8G8B8A8_SNORM", 31, element(u8{127}, u8{0x81}, u8{64}, u8{127}), {255, 0, 129, 255}},
      {"R16G16_FLOAT", 34, element(half_one, half_quarter), {255, 64, 0, 255}},
      {"R16G16_UNORM", 35, element(u16{65535}, u16{32768}), {255, 128, 0, 255}},
      {"R16G16_SNORM", 37, element(u16{32767}, u16{16384}), {255, 128, 0, 255}},
      {"R32_FLOAT", 41, element(0.5f), {128, 0, 0, 255}},
      {"R8G8_UNORM", 49, element(u8{10}, u8{20}, u16{}), {10, 20, 0, 255}},
      {"R8G8_SNORM", 51, element(u8{127}, u8{64}, u16{}), {255, 129, 0, 255}},
      {"R16_FLOAT", 54, element(half_quarter, u16{}), {64, 0, 0, 255}},
      {"B8G8R8A8_UNORM", 87, element(u8{10}, u8{20}, u8{30}, u8{40}), {30, 20, 10, 40}},
      {"B8G8R8A8_UNORM_SRGB", 91, element(u8{10}, u8{20}, u8{30}, u8{40}), {30, 20, 10, 40}},
  }));
  check_format(row, "COLOR", sm4::vs_passing());
}

TEST_CASE("VK-037 DXGI formats of unsigned integers", "[golden][dxbc][vertices]") {
  const auto row = GENERATE(values<format_row>({
      {"R32G32B32A32_UINT", 3, element(u32{1}, u32{2}, u32{3}, u32{4}), {64, 128, 191, 255}},
      {"R32G32B32_UINT", 7, element(u32{1}, u32{2}, u32{3}), {64, 128, 191, 64}},
      {"R16G16B16A16_UINT", 12, element(u16{1}, u16{2}, u16{3}, u16{4}), {64, 128, 191, 255}},
      {"R32G32_UINT", 17, element(u32{1}, u32{2}), {64, 128, 0, 64}},
      {"R8G8B8A8_UINT", 30, element(u8{1}, u8{2}, u8{3}, u8{4}), {64, 128, 191, 255}},
      {"R16G16_UINT", 36, element(u16{1}, u16{2}), {64, 128, 0, 64}},
      {"R32_UINT", 42, element(u32{3}), {191, 0, 0, 64}},
      {"R8G8_UINT", 50, element(u8{1}, u8{2}, u16{}), {64, 128, 0, 64}},
  }));
  check_format(row, "BLENDINDICES", sm4::vs_blend_indices());
}

TEST_CASE("VK-037 DXGI formats of signed integers", "[golden][dxbc][vertices]") {
  const auto row = GENERATE(values<format_row>({
      {"R32G32B32A32_SINT", 4, element(u32{1}, minus_one, u32{3}, u32{4}), {64, 0, 191, 255}},
      {"R32G32B32_SINT", 8, element(minus_one, u32{2}, u32{3}), {0, 128, 191, 64}},
      {"R16G16B16A16_SINT", 14, element(u16{1}, u16{0xFFFF}, u16{3}, u16{4}), {64, 0, 191, 255}},
      {"R32G32_SINT", 18, element(u32{1}, minus_one), {64, 0, 0, 64}},
      {"R8G8B8A8_SINT", 32, element(u8{1}, u8{0xFF}, u8{3}, u8{4}), {64, 0, 191, 255}},
      {"R16G16_SINT", 38, element(u16{0xFFFF}, u16{2}), {0, 128, 0, 64}},
      {"R32_SINT", 43, element(u32{3}), {191, 0, 0, 64}},
      {"R8G8_SINT", 52, element(u8{0xFF}, u8{2}, u16{}), {0, 128, 0, 64}},
  }));
  check_format(row, "BLENDINDICES", sm4::vs_blend_indices(true));
}

TEST_CASE("VK-037 words of 32 bits arrive as the shader reads them", "[golden][dxbc][vertices]") {
  check_format({"R32G32B32A32_UINT as float",
                3,
                element(as_bits(0.25f), as_bits(0.5f), as_bits(0.75f), as_bits(1.0f)),
                {64, 128, 191, 255}},
               "COLOR", sm4::vs_passing());
  check_format({"R32_SINT as unsigned", 43, element(u32{2}), {128, 0, 0, 64}}, "BLENDINDICES",
               sm4::vs_blend_indices());
}

TEST_CASE("VK-037 an element of another type and size is refused", "[golden][dxbc][vertices]") {
  dxbc_scene s;
  const auto vs = s.passing_vs(), ps = s.color_ps();
  const auto layout = s.layout(
      {{.name = "POSITION", .format = dxgi_float4_format}, {.name = "COLOR", .format = 30}});
  s.g.stream()
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, s.g.make_buffer(byte_vector(120)), 20)
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .draw(6);
  const auto why = s.g.failure();
  if (s.g.renders()) CHECK(why == error_code::unsupported);
}

/// Points at the centres of pixels of one row, in this order.
[[nodiscard]] auto points(const dxbc_scene& s, std::initializer_list<int> pixels)
    -> std::vector<dxbc_vertex> {
  std::vector<dxbc_vertex> made;
  for (const int x : pixels) made.push_back(s.at(static_cast<float>(x) + 0.5f, 0.5f));
  return made;
}

[[nodiscard]] auto quarter(int count) -> rgba {
  constexpr std::array<std::uint8_t, 5> reds{0, 64, 128, 191, 255};
  return {reds[static_cast<std::size_t>(count)], 0, 0, 255};
}

TEST_CASE("VK-044 SV_VertexID counts from 0, whatever the first vertex is",
          "[golden][dxbc][vertices]") {
  dxbc_scene s(4, 1);
  const auto vs = s.shader(wire_vs, sm4::vs_vertex_id()), ps = s.color_ps();
  s.g.clear(white);
  s.g.stream().bind_shaders(vs, ps);
  s.set_vertices(points(s, {0, 0, 0, 1, 2}), AEROGPU_TOPOLOGY_POINTLIST);
  s.g.stream().add(aerogpu_cmd_draw{{}, 3, 1, 2, 0});
  s.expect(image::made_by(4, 1, [](int x, int) { return x < 3 ? quarter(x) : white; }), rounding);
}

TEST_CASE("VK-044 SV_VertexID of indexed draws is the index", "[golden][dxbc][vertices]") {
  dxbc_scene s(4, 1);
  const auto vs = s.shader(wire_vs, sm4::vs_vertex_id()), ps = s.color_ps();
  s.g.clear(white);
  s.g.stream().bind_shaders(vs, ps);
  s.set_vertices(points(s, {3, 3, 0, 1, 2}), AEROGPU_TOPOLOGY_POINTLIST);
  const auto indices = s.g.make_buffer(std::vector<std::uint16_t>{9, 9, 4, 2, 3, 9});
  s.g.stream().index_buffer(indices).add(aerogpu_cmd_draw_indexed{{}, 3, 1, 2, -2, 0});
  // Index 4 is vertex 2, at pixel 0; index 3 comes last of those at pixel 3.
  s.expect(image(4, 1, white).fill({0, 0, 1, 1}, quarter(4)).fill({3, 0, 1, 1}, quarter(3)));
}

TEST_CASE("VK-044 SV_InstanceID counts from 0, whatever the first instance is",
          "[golden][dxbc][vertices]") {
  dxbc_scene s(4, 1);
  s.g.clear(white);
  const auto vs = s.shader(wire_vs, sm4::vs_instance_id()), ps = s.color_ps();
  const auto layout = s.layout(
      {{.name = "POSITION", .format = dxgi_float4_format, .input_class = 1, .step_rate = 1}});
  std::vector<color4> places;
  for (const dxbc_vertex& v : points(s, {3, 3, 0, 1, 2})) places.push_back({v.x, v.y, v.z, v.w});
  s.g.stream()
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, s.g.make_buffer(places), 16)
      .topology(AEROGPU_TOPOLOGY_POINTLIST)
      .add(aerogpu_cmd_draw{{}, 1, 3, 0, 2});
  s.expect(image::made_by(4, 1, [](int x, int) { return x < 3 ? quarter(x) : white; }), rounding);
}

TEST_CASE("VK-044 SV_PrimitiveID counts on across cuts, and from 0 for each instance",
          "[golden][dxbc][vertices]") {
  dxbc_scene s(4, 1);
  s.g.clear(white);
  const auto vs = s.shader(wire_vs, sm4::vs_position_only());
  const auto ps = s.shader(wire_ps, sm4::ps_primitive_id());
  s.g.stream().bind_shaders(vs, ps);
  // Strips of lines that cover one pixel each: 0-1, then 2-3 behind a cut.
  std::vector<dxbc_vertex> ends;
  for (const int x : {0, 1, 2, 3, 4}) ends.push_back(s.at(static_cast<float>(x), 0.5f));
  s.set_vertices(ends, AEROGPU_TOPOLOGY_LINESTRIP);
  const auto indices = s.g.make_buffer(std::vector<std::uint16_t>{0, 1, 2, 0xFFFF, 3, 4});
  s.g.stream().index_buffer(indices).draw_indexed(6, 2);
  s.expect(
      image::made_by(4, 1, [](int x, int) { return x == 2 ? white : quarter(x == 3 ? 2 : x); }),
      rounding);
}

TEST_CASE("VK-041 a restart index cuts strips, in both widths", "[golden][dxbc][vertices]") {
  dxbc_scene s(8, 4);
  const auto vs = s.passing_vs(), ps = s.color_ps();
  s.g.stream().bind_shaders(vs, ps);
  // Two quads with a gap between them; a strip that is not cut would fill it.
  std::vector<dxbc_vertex> corners;
  for (const int x : {0, 3, 5, 8}) {
    for (const int y : {0, 4}) {
      corners.push_back(s.at(static_cast<float>(x), static_cast<float>(y), {0, 1, 0, 1}));
    }
  }
  s.set_vertices(corners, AEROGPU_TOPOLOGY_TRIANGLESTRIP);
  s.g.stream().rasterizer({AEROGPU_FILL_SOLID, AEROGPU_CULL_NONE, 0, 0, 0, 0});
  const bool is_wide = GENERATE(false, true);
  const std::uint32_t cut = is_wide ? 0xFFFFFFFF : 0xFFFF;
  const std::uint32_t size = is_wide ? 4 : 2;
  const std::vector<std::uint32_t> values{7, 7, 7, 0, 1, 2, 3, cut, 4, 5, 6, 7};
  byte_vector bytes(values.size() * size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::memcpy(bytes.data() + i * size, &values[i], size);
  }
  // Of the three in front, the offset skips one and the first index two.
  s.g.stream()
      .index_buffer(s.g.make_buffer(bytes),
                    is_wide ? AEROGPU_INDEX_FORMAT_UINT32 : AEROGPU_INDEX_FORMAT_UINT16, size)
      .add(aerogpu_cmd_draw_indexed{{}, 9, 1, 2, 0, 0});
  s.expect(image(8, 4, green).fill({3, 0, 2, 4}, black));
}

TEST_CASE("VK-041 the other width's restart index is an index", "[golden][dxbc][vertices]") {
  dxbc_scene s(8, 4);
  const auto vs = s.passing_vs(), ps = s.color_ps();
  s.g.stream().bind_shaders(vs, ps).rasterizer({AEROGPU_FILL_SOLID, AEROGPU_CULL_NONE, 0, 0, 0, 0});
  std::vector<dxbc_vertex> corners;
  for (const int x : {0, 4}) {
    for (const int y : {0, 4}) {
      corners.push_back(s.at(static_cast<float>(x), static_cast<float>(y), {0, 1, 0, 1}));
    }
  }
  s.set_vertices(corners, AEROGPU_TOPOLOGY_TRIANGLESTRIP);
  const auto wide = s.g.make_buffer(std::vector<std::uint32_t>{0xFFFF, 0xFFFFFFFF, 0, 1, 2, 3});
  const auto narrow = s.g.make_buffer(std::vector<std::uint16_t>{0, 1, 0xFFFF, 2, 3, 0xFFFF});
  s.g.stream()
      .index_buffer(wide, AEROGPU_INDEX_FORMAT_UINT32)
      .draw_indexed(6)
      .index_buffer(narrow)
      .draw_indexed(6);
  s.expect(image(8, 4, black).fill({0, 0, 4, 4}, green));
}

}  // namespace
}  // namespace aerogpu::golden
