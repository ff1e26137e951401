// SPDX-License-Identifier: MIT
/// Draws of every kind, through the whole stack, as pictures.
#include "tests/drivers/umd/pictures/picture_rig.hpp"

#include <utility>

using namespace aerogpu;
using namespace aerogpu::test;
using golden::blue;
using golden::green;
using golden::red;

namespace {

// vs_2_0: dcl_position v0; mov oPos, v0. ps_2_0: def c0, 0, 0, 1, 1; mov oC0, c0.
constexpr std::array<UINT, 8> pass_position{0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000,
                                            0x02000001, 0xC00F0000, 0x90E40000, 0x0000FFFF};
constexpr std::array<UINT, 11> draw_blue{0xFFFF0200, 0x05000051, 0xA00F0000, 0,
                                         0,          0x3F800000, 0x3F800000, 0x02000001,
                                         0x800F0800, 0xA0E40000, 0x0000FFFF};
// ps_2_0: mov oC0, c0, where c0 is a constant of the application.
constexpr std::array<UINT, 5> draw_constant{0xFFFF0200, 0x02000001, 0x800F0800, 0xA0E40000,
                                            0x0000FFFF};

/// Corners at whole pixels: (32, 4), (60, 44), (4, 44). No pixel centre lies on an edge.
constexpr float top = 1 - 2.0f * 4 / 48, bottom = 1 - 2.0f * 44 / 48;
constexpr std::array<std::array<float, 3>, 3> triangle{
    {{0, top, 0.5f}, {0.875f, bottom, 0.5f}, {-0.875f, bottom, 0.5f}}};

[[nodiscard]] auto is_in_triangle(int x, int y) -> bool {
  const int px = 2 * x + 1, py = 2 * y + 1;  // In half pixels.
  return py < 88 && 10 * (px - 64) < 7 * (py - 8) && 10 * (64 - px) < 7 * (py - 8);
}
[[nodiscard]] auto blue_triangle_on_red(int x, int y) -> rgba {
  return is_in_triangle(x, y) ? blue : red;
}

class shader_pair {
 public:
  shader_pair(picture_application& app, std::span<const UINT> pixel_code) : device_(app.device) {
    REQUIRE(device_.create_vertex_shader(pass_position, vertex_) == S_OK);
    REQUIRE(device_.create_pixel_shader(pixel_code, pixel_) == S_OK);
    REQUIRE(device_.set_vertex_shader(vertex_) == S_OK);
    REQUIRE(device_.set_pixel_shader(pixel_) == S_OK);
  }
  shader_pair(const shader_pair&) = delete;
  auto operator=(const shader_pair&) -> shader_pair& = delete;
  ~shader_pair() {
    CHECK(device_.set_vertex_shader({}) == S_OK);
    CHECK(device_.set_pixel_shader({}) == S_OK);
    CHECK(device_.delete_vertex_shader(vertex_) == S_OK);
    CHECK(device_.delete_pixel_shader(pixel_) == S_OK);
  }

 private:
  sim::d3d9_device& device_;
  sim::driver_object vertex_{}, pixel_{};
};

}  // namespace

TEST_CASE("a triangle of two shaders from a vertex buffer", "[umd][vulkan][G14]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  sim::d3d9_resource* buffer = nullptr;
  REQUIRE(device.create_vertex_buffer(sizeof triangle, D3DUSAGE_WRITEONLY, D3DFVF_XYZ,
                                      D3DPOOL_DEFAULT, buffer) == S_OK);
  s.app.write_buffer(*buffer, std::span{triangle});
  const shader_pair shaders{s.app, draw_blue};
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_fvf(D3DFVF_XYZ) == S_OK);
  REQUIRE(device.set_stream_source(0, buffer, 0, sizeof triangle[0]) == S_OK);
  REQUIRE(device.draw_primitive(D3DPT_TRIANGLELIST, 0, 1) == S_OK);
  check_picture(s.app, blue_triangle_on_red);
}

TEST_CASE("a triangle of a pixel shader alone, with a constant", "[umd][vulkan][G15]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  sim::driver_object pixel{};
  REQUIRE(device.create_pixel_shader(draw_constant, pixel) == S_OK);
  REQUIRE(device.set_pixel_shader(pixel) == S_OK);
  constexpr std::array<float, 4> color{0, 0, 1, 1};
  REQUIRE(device.set_pixel_shader_constants(0, std::span{color}) == S_OK);
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_fvf(D3DFVF_XYZ) == S_OK);
  REQUIRE(device.draw_primitive_up(D3DPT_TRIANGLELIST, 1, std::as_bytes(std::span{triangle}),
                                   sizeof triangle[0]) == S_OK);
  check_picture(s.app, blue_triangle_on_red);
  REQUIRE(device.set_pixel_shader({}) == S_OK);
  REQUIRE(device.delete_pixel_shader(pixel) == S_OK);
}

TEST_CASE("a vertex shader whose pixels the fixed-function pipeline colours",
          "[umd][vulkan][G20]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  sim::driver_object vertex{};
  REQUIRE(device.create_vertex_shader(pass_position, vertex) == S_OK);
  REQUIRE(device.set_vertex_shader(vertex) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_TEXTUREFACTOR, 0xFFFF00FF) == S_OK);
  for (const auto& [operation, argument] :
       {std::pair{D3DTSS_COLOROP, D3DTSS_COLORARG1}, std::pair{D3DTSS_ALPHAOP, D3DTSS_ALPHAARG1}}) {
    REQUIRE(device.set_texture_stage_state(0, operation, D3DTOP_SELECTARG1) == S_OK);
    REQUIRE(device.set_texture_stage_state(0, argument, D3DTA_TFACTOR) == S_OK);
  }
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_fvf(D3DFVF_XYZ) == S_OK);
  REQUIRE(device.draw_primitive_up(D3DPT_TRIANGLELIST, 1, std::as_bytes(std::span{triangle}),
                                   sizeof triangle[0]) == S_OK);
  check_picture(s.app, [](int x, int y) {
    return is_in_triangle(x, y) ? rgba{255, 0, 255, 255} : red;
  });
  REQUIRE(device.set_vertex_shader({}) == S_OK);
  REQUIRE(device.delete_vertex_shader(vertex) == S_OK);
}

TEST_CASE("a quad of indices and vertices from the application's memory", "[umd][vulkan][G16]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  const golden::area at{10, 12, 40, 20};
  const auto corners = screen_quad(at, 0xFF0000FF);
  s.app.clear(0xFFFF0000);
  REQUIRE(s.app.device.set_fvf(screen_format) == S_OK);
  const auto draw = [&](auto indices, D3DFORMAT format) {
    return s.app.device.draw_indexed_primitive_up(
        D3DPT_TRIANGLELIST, 0, 4, 2, std::as_bytes(std::span{indices}), format,
        std::as_bytes(std::span{corners}), sizeof corners[0]);
  };
  const bool is_wide = GENERATE(false, true);
  if (is_wide) {
    REQUIRE(draw(std::array<std::uint32_t, 6>{0, 1, 2, 2, 1, 3}, D3DFMT_INDEX32) == S_OK);
  } else {
    REQUIRE(draw(std::array<std::uint16_t, 6>{0, 1, 2, 2, 1, 3}, D3DFMT_INDEX16) == S_OK);
  }
  check_picture(s.app, [&](int x, int y) { return at.contains(x, y) ? blue : red; });
}

TEST_CASE("a fan and indices from buffers, with a base vertex", "[umd][vulkan][G14]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  const golden::area first{2, 2, 20, 20}, second{30, 8, 30, 30};
  std::vector<screen_vertex> vertices;
  for (const auto& corner : screen_quad(first, 0xFF00FF00)) vertices.push_back(corner);
  for (const auto& corner : screen_quad(second, 0xFF0000FF)) vertices.push_back(corner);
  constexpr std::array<std::uint16_t, 6> list{0, 1, 2, 2, 1, 3};
  sim::d3d9_resource *vertex_buffer = nullptr, *index_buffer = nullptr;
  const auto bytes = static_cast<UINT>(vertices.size() * sizeof(screen_vertex));
  REQUIRE(device.create_vertex_buffer(bytes, D3DUSAGE_WRITEONLY, screen_format, D3DPOOL_DEFAULT,
                                      vertex_buffer) == S_OK);
  REQUIRE(device.create_index_buffer(sizeof list, D3DUSAGE_WRITEONLY, D3DFMT_INDEX16,
                                     D3DPOOL_DEFAULT, index_buffer) == S_OK);
  s.app.write_buffer(*vertex_buffer, std::span<const screen_vertex>{vertices});
  s.app.write_buffer(*index_buffer, std::span{list});
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_fvf(screen_format) == S_OK);
  REQUIRE(device.set_stream_source(0, vertex_buffer, 0, sizeof(screen_vertex)) == S_OK);
  REQUIRE(device.set_indices(index_buffer) == S_OK);
  REQUIRE(device.draw_indexed_primitive(D3DPT_TRIANGLELIST, 4, 0, 4, 0, 2) == S_OK);
  // Around the first quad: its corners in the order of a fan.
  const std::array fan{vertices[0], vertices[1], vertices[3], vertices[2]};
  REQUIRE(device.draw_primitive_up(D3DPT_TRIANGLEFAN, 2, std::as_bytes(std::span{fan}),
                                   sizeof(screen_vertex)) == S_OK);
  check_picture(s.app, [&](int x, int y) {
    if (second.contains(x, y)) return blue;
    return first.contains(x, y) ? green : red;
  });
}

TEST_CASE("a scissor rectangle cuts a quad and not what comes without it", "[umd][vulkan][G13]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  s.app.clear(0xFFFF0000);
  const golden::area everything{0, 0, picture_width, picture_height};
  REQUIRE(device.set_scissor_rect({16, 12, 48, 36}) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_SCISSORTESTENABLE, 1) == S_OK);
  s.app.fill(everything, 0xFF0000FF);
  REQUIRE(device.set_render_state(D3DRS_SCISSORTESTENABLE, 0) == S_OK);
  const golden::area corner{0, 0, 8, 4};
  s.app.fill(corner, 0xFF00FF00);
  const golden::area cut{16, 12, 32, 24};
  check_picture(s.app, [&](int x, int y) {
    if (corner.contains(x, y)) return green;
    return cut.contains(x, y) ? blue : red;
  });
}

TEST_CASE("behind an empty scissor rectangle nothing is drawn", "[umd][vulkan][G13]") {
  picture_session s;
  auto& device = s.app.device;
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_scissor_rect({0, 0, 0, 0}) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_SCISSORTESTENABLE, 1) == S_OK);
  s.app.fill({0, 0, picture_width, picture_height}, 0xFF0000FF);
  check_picture(s.app, [](int, int) { return red; });
}

TEST_CASE("a viewport moves and scales what is drawn in clip space", "[umd][vulkan][G14]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  s.app.clear(0xFFFF0000);
  const shader_pair shaders{s.app, draw_blue};
  REQUIRE(device.set_viewport({32, 24, 32, 24, 0, 1}) == S_OK);
  constexpr std::array<std::array<float, 3>, 4> all{
      {{-1, 1, 0}, {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}}};
  s.app.draw_strip(D3DFVF_XYZ, all);
  check_picture(s.app, [](int x, int y) { return x >= 32 && y >= 24 ? blue : red; });
}

TEST_CASE("a dynamic vertex buffer that is discarded and appended to in turn",
          "[umd][vulkan][G22]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  constexpr UINT quad_bytes = 4 * sizeof(screen_vertex);
  sim::d3d9_resource* buffer = nullptr;
  REQUIRE(device.create_vertex_buffer(2 * quad_bytes, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY,
                                      screen_format, D3DPOOL_DEFAULT, buffer) == S_OK);
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_fvf(screen_format) == S_OK);
  REQUIRE(device.set_stream_source(0, buffer, 0, sizeof(screen_vertex)) == S_OK);
  constexpr std::array<D3DCOLOR, 4> colors{0xFF00FF00, 0xFF0000FF, 0xFFFFFF00, 0xFF00FFFF};
  for (int phase = 0; phase < 4; ++phase) {
    const bool appends = phase % 2 == 1;
    const auto quad = screen_quad({phase * 16 + 2, 4, 12, 40}, colors[static_cast<size_t>(phase)]);
    s.app.write_buffer(*buffer, std::span<const screen_vertex>{quad}, appends ? quad_bytes : 0,
                       appends ? D3DLOCK_NOOVERWRITE : D3DLOCK_DISCARD);
    REQUIRE(device.draw_primitive(D3DPT_TRIANGLESTRIP, appends ? 4 : 0, 2) == S_OK);
  }
  check_picture(s.app, [&](int x, int y) {
    const bool is_inside = x % 16 >= 2 && x % 16 < 14 && y >= 4 && y < 44;
    return is_inside ? rgb_of(colors[static_cast<std::size_t>(x / 16)]) : red;
  });
}

TEST_CASE("part of a static vertex buffer that changes later", "[umd][vulkan][G17]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  const auto before = screen_quad({0, 0, 8, 8}, 0xFF00FF00);
  const golden::area at{20, 10, 30, 30};
  const auto after = screen_quad(at, 0xFF0000FF);
  sim::d3d9_resource* buffer = nullptr;
  REQUIRE(device.create_vertex_buffer(8 * sizeof(screen_vertex), D3DUSAGE_WRITEONLY, screen_format,
                                      D3DPOOL_DEFAULT, buffer) == S_OK);
  s.app.write_buffer(*buffer, std::span<const screen_vertex>{before}, 4 * sizeof(screen_vertex));
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_fvf(screen_format) == S_OK);
  REQUIRE(device.set_stream_source(0, buffer, 0, sizeof(screen_vertex)) == S_OK);
  s.app.write_buffer(*buffer, std::span<const screen_vertex>{after}, 4 * sizeof(screen_vertex));
  REQUIRE(device.draw_primitive(D3DPT_TRIANGLESTRIP, 4, 2) == S_OK);
  check_picture(s.app, [&](int x, int y) { return at.contains(x, y) ? blue : red; });
}

TEST_CASE("depth decides which of two quads is seen, and alpha what shines through",
          "[umd][vulkan][G10]") {
  picture_session s{GENERATE(from_range(each_buffers())), true};
  auto& device = s.app.device;
  REQUIRE(device.clear({}, D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER, 0xFFFF0000, 1, 0) == S_OK);
  const golden::area near_one{8, 8, 24, 24}, far_one{20, 16, 36, 28}, glass{0, 30, 64, 10};
  s.app.fill(near_one, 0xFF00FF00, 0.25f);
  s.app.fill(far_one, 0xFF0000FF, 0.75f);
  REQUIRE(device.set_render_state(D3DRS_ALPHABLENDENABLE, 1) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_SRCBLEND, D3DBLEND_SRCALPHA) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA) == S_OK);
  s.app.fill(glass, 0x66FFFFFF, 0.5f);  // 40 percent of white, between the two.
  check_picture(
      s.app,
      [&](int x, int y) {
        rgba c = far_one.contains(x, y) ? blue : red;
        if (near_one.contains(x, y)) c = green;
        if (!glass.contains(x, y) || near_one.contains(x, y)) return c;
        const auto mixed = [](std::uint8_t under) {
          return static_cast<std::uint8_t>(under * 0.6 + 255 * 0.4 + 0.5);
        };
        return rgba{mixed(c.r), mixed(c.g), mixed(c.b), 255};
      },
      golden::rounding);
}

TEST_CASE("a texture of four texels over a quad", "[umd][vulkan][G27]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  const std::vector<D3DCOLOR> texels{0xFF00FF00, 0xFF0000FF, 0xFFFFFF00, 0xFFFFFFFF};
  auto* const texture = s.app.make_texture(2, 2, D3DFMT_A8R8G8B8, {texels});
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_texture(0, texture) == S_OK);
  REQUIRE(device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1) == S_OK);
  REQUIRE(device.set_texture_stage_state(0, D3DTSS_COLORARG1, D3DTA_TEXTURE) == S_OK);
  REQUIRE(device.set_sampler_state(0, D3DSAMP_MAGFILTER, D3DTEXF_POINT) == S_OK);
  const golden::area at{8, 8, 40, 32};
  s.app.draw_strip(texel_format, texel_quad(at));
  check_picture(s.app, [&](int x, int y) {
    if (!at.contains(x, y)) return red;
    const std::size_t column = x >= at.x + at.width / 2, row = y >= at.y + at.height / 2;
    return rgb_of(texels[row * 2 + column]);
  });
}

TEST_CASE("levels of a texture, chosen by the largest that may be used", "[umd][vulkan][G23]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  constexpr std::array<D3DCOLOR, 3> colors{0xFF00FF00, 0xFF0000FF, 0xFFFFFF00};
  auto* const texture =
      s.app.make_texture(4, 4, D3DFMT_X8R8G8B8,
                         {std::vector<D3DCOLOR>(16, colors[0]), std::vector<D3DCOLOR>(4, colors[1]),
                          std::vector<D3DCOLOR>(1, colors[2])});
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_texture(0, texture) == S_OK);
  REQUIRE(device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1) == S_OK);
  REQUIRE(device.set_sampler_state(0, D3DSAMP_MIPFILTER, D3DTEXF_POINT) == S_OK);
  for (int level = 0; level < 3; ++level) {
    REQUIRE(device.set_sampler_state(0, D3DSAMP_MAXMIPLEVEL, static_cast<DWORD>(level)) == S_OK);
    s.app.draw_strip(texel_format, texel_quad({level * 20, 4, 16, 40}));
  }
  check_picture(s.app, [&](int x, int y) {
    const bool is_inside = x % 20 < 16 && x < 56 && y >= 4 && y < 44;
    return is_inside ? rgb_of(colors[static_cast<std::size_t>(x / 20)]) : red;
  });
}

TEST_CASE("without a mip filter the first level is sampled, whatever the largest is",
          "[umd][vulkan][G23]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  auto* const texture = s.app.make_texture(
      2, 2, D3DFMT_X8R8G8B8,
      {std::vector<D3DCOLOR>(4, 0xFF00FF00), std::vector<D3DCOLOR>(1, 0xFF0000FF)});
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_texture(0, texture) == S_OK);
  REQUIRE(device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1) == S_OK);
  constexpr std::array<std::array<DWORD, 2>, 5> steps{{{D3DSAMP_MAXMIPLEVEL, 1},
                                                       {D3DSAMP_MIPFILTER, D3DTEXF_POINT},
                                                       {D3DSAMP_MIPFILTER, D3DTEXF_NONE},
                                                       {D3DSAMP_MIPFILTER, D3DTEXF_LINEAR},
                                                       {D3DSAMP_MAXMIPLEVEL, 0}}};
  constexpr std::array<D3DCOLOR, 5> expected{0xFF00FF00, 0xFF0000FF, 0xFF00FF00, 0xFF0000FF,
                                             0xFF00FF00};
  int left = 0;
  for (const auto& [state, value] : steps) {
    REQUIRE(device.set_sampler_state(0, static_cast<D3DSAMPLERSTATETYPE>(state), value) == S_OK);
    s.app.draw_strip(texel_format, texel_quad({left, 4, 8, 40}));
    left += 12;
  }
  check_picture(s.app, [&](int x, int y) {
    const bool is_inside = x % 12 < 8 && x < 60 && y >= 4 && y < 44;
    return is_inside ? rgb_of(expected[static_cast<std::size_t>(x / 12)]) : red;
  });
}

TEST_CASE("a target without alpha is opaque, whatever is drawn to it", "[umd][vulkan]") {
  picture_session s;
  auto& device = s.app.device;
  sim::d3d9_resource* target = nullptr;
  REQUIRE(device.create_texture(4, 4, 1, D3DUSAGE_RENDERTARGET, D3DFMT_X1R5G5B5, D3DPOOL_DEFAULT,
                                target) == S_OK);
  REQUIRE(device.set_render_target(0, {target, 0}) == S_OK);
  s.app.fill({0, 0, 2, 4}, 0x000000FF);
  REQUIRE(device.set_render_target(0, device.get_back_buffer(0)) == S_OK);
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_texture(0, target) == S_OK);
  REQUIRE(device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_ALPHABLENDENABLE, 1) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_SRCBLEND, D3DBLEND_SRCALPHA) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA) == S_OK);
  s.app.draw_strip(texel_format, texel_quad({0, 0, picture_width, picture_height}));
  check_picture(s.app, [](int x, int) { return x < picture_width / 2 ? blue : golden::black; });
}

TEST_CASE("texels of 16 bits as Direct3D spreads them", "[umd][vulkan][G24]") {
  struct row {
    D3DFORMAT format;
    std::array<std::uint16_t, 4> texels;
    std::array<D3DCOLOR, 4> expected;
  };
  const auto of = GENERATE(row{D3DFMT_R5G6B5,
                               {0xF800, 0x07E0, 0x001F, 0x8410},
                               {0xFF0000, 0x00FF00, 0x0000FF, 0x848284}},
                           row{D3DFMT_X1R5G5B5,
                               {0x7C00, 0x03E0, 0x801F, 0x4210},
                               {0xFF0000, 0x00FF00, 0x0000FF, 0x848484}},
                           row{D3DFMT_A1R5G5B5,
                               {0xFC00, 0x83E0, 0x801F, 0x0000},
                               {0xFF0000, 0x00FF00, 0x0000FF, 0x808080}});
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  auto* const texture = s.app.make_texture(
      4, 1, of.format, {std::vector<std::uint16_t>(of.texels.begin(), of.texels.end())});
  s.app.clear(0xFF808080);
  REQUIRE(device.set_texture(0, texture) == S_OK);
  REQUIRE(device.set_texture_stage_state(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1) == S_OK);
  REQUIRE(device.set_texture_stage_state(0, D3DTSS_ALPHAOP, D3DTOP_SELECTARG1) == S_OK);
  // What has no alpha is opaque; the last texel of A1R5G5B5 lets the grey through.
  REQUIRE(device.set_render_state(D3DRS_ALPHABLENDENABLE, 1) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_SRCBLEND, D3DBLEND_SRCALPHA) == S_OK);
  REQUIRE(device.set_render_state(D3DRS_DESTBLEND, D3DBLEND_INVSRCALPHA) == S_OK);
  s.app.draw_strip(texel_format, texel_quad({0, 0, picture_width, picture_height}));
  check_picture(
      s.app, [&](int x, int) { return rgb_of(of.expected[static_cast<std::size_t>(x / 16)]); },
      golden::rounding);
}

TEST_CASE("a triangle of wires, and a whole surface stretched while they are asked for",
          "[umd][vulkan][G14]") {
  picture_session s{GENERATE(from_range(each_buffers()))};
  auto& device = s.app.device;
  s.app.clear(0xFFFF0000);
  REQUIRE(device.set_render_state(D3DRS_FILLMODE, D3DFILL_WIREFRAME) == S_OK);
  const std::array<screen_vertex, 3> corners{
      {{4, 4, 0, 1, 0xFF0000FF}, {60, 4, 0, 1, 0xFF0000FF}, {4, 44, 0, 1, 0xFF0000FF}}};
  s.app.draw_strip(screen_format, corners);
  const image wires = s.app.picture();
  CHECK(wires.at(30, 4) == blue);
  CHECK(wires.at(4, 24) == blue);
  CHECK(wires.at(16, 16) == red);
  sim::d3d9_resource* small = nullptr;
  REQUIRE(device.create_render_target(4, 4, D3DFMT_X8R8G8B8, false, small) == S_OK);
  REQUIRE(device.color_fill({small, 0}, nullptr, 0xFF00FF00) == S_OK);
  REQUIRE(device.stretch_rect({small, 0}, nullptr, device.get_back_buffer(0), nullptr,
                              D3DTEXF_POINT) == S_OK);
  check_picture(s.app, [](int, int) { return green; });
}
