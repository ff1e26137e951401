// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/draw.hpp"
#include "drivers/win7/umd/d3d9/draw/patches/patch_cache.hpp"
#include "drivers/win7/umd/d3d9/draw/patches/patches.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/fronts/front_m_rig.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"
#include "tests/drivers/umd/rigs/input_assembler.hpp"

#include <cmath>
#include <random>

namespace aerogpu::umd::test {

namespace {

constexpr D3DRECTPATCH_INFO plain_rect{0, 0, 4, 4, 4, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};
constexpr D3DTRIPATCH_INFO plain_tri{0, 10, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};

/// XYZRHW, DIFFUSE, TEX1 of two floats.
struct patch_vertex {
  float x, y, z, rhw;
  std::uint32_t color;
  float u, v;
};

constexpr D3DVERTEXELEMENT9 patch_position{0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0};
constexpr D3DVERTEXELEMENT9 patch_color{0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0};
constexpr D3DVERTEXELEMENT9 patch_texcoord{0, 20, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 0};

/// 4 by 4 control points, 20 pixels apart from (10, 10) on, of many colours.
[[nodiscard]] auto flat_points() -> std::vector<patch_vertex> {
  std::vector<patch_vertex> points;
  for (std::uint32_t i = 0; i < 16; ++i) {
    const auto column = static_cast<float>(i % 4), row = static_cast<float>(i / 4);
    points.push_back(
        {10 + 20 * column, 10 + 20 * row, 0.5f, 1, 0xFF000000 | i * 0x0F0B07, column / 3, row / 3});
  }
  return points;
}
[[nodiscard]] auto bytes_of_points(const std::vector<patch_vertex>& points) -> byte_vector {
  const const_bytes all = std::as_bytes(std::span{points});
  return {all.begin(), all.end()};
}

/// A device that draws patches with the fixed-function pipeline.
struct patch_rig : device_rig {
  patch_rig() {
    make_texture(*this, target);
    REQUIRE(set_render_target(device, 0, {&target, 0}) == S_OK);
    REQUIRE(set_declaration(device, layout.get()) == S_OK);
    points = &test::make(*this, buffer_of(16 * sizeof(patch_vertex)));
    write_all(*this, *points, bytes_of_points(flat_points()));
    REQUIRE(set_stream(device, 0, {points, 0, sizeof(patch_vertex)}) == S_OK);
  }
  ~patch_rig() { unbind_resource(device, target); }
  auto rect(std::uint32_t handle, const float* segments, const D3DRECTPATCH_INFO* info) -> HRESULT {
    return draw_rect_patch(device, handle, segments, info);
  }
  auto tri(std::uint32_t handle, const float* segments, const D3DTRIPATCH_INFO* info) -> HRESULT {
    return draw_tri_patch(device, handle, segments, info);
  }
  [[nodiscard]] auto drawn() -> std::vector<fetched_draw> {
    return input_assembler{*this, {{0, sizeof(patch_vertex)}}}.draws();
  }

  resource target;
  resource* points = nullptr;
  test_declaration layout{*this, {patch_position, patch_color, patch_texcoord}};
};

/// A point of a Bezier curve by De Casteljau's construction.
[[nodiscard]] auto curve_at(std::array<double, 4> p, double t) -> double {
  for (std::size_t left = 3; left > 0; --left) {
    for (std::size_t i = 0; i < left; ++i) p[i] += (p[i + 1] - p[i]) * t;
  }
  return p[0];
}
[[nodiscard]] auto rect_at(const std::array<double, 16>& p, double u, double v) -> double {
  std::array<double, 4> across{};
  for (std::size_t row = 0; row < 4; ++row) {
    across[row] = curve_at({p[row * 4], p[row * 4 + 1], p[row * 4 + 2], p[row * 4 + 3]}, u);
  }
  return curve_at(across, v);
}
/// The same for a triangle whose rows hold 4, 3, 2 and 1 points: corners u, v at the ends of the
/// first row, w below.
[[nodiscard]] auto tri_at(std::vector<double> p, double u, double v, double w) -> double {
  for (std::size_t row = 4; row > 1; --row) {
    std::vector<double> next;
    for (std::size_t r = 0, first = 0; r + 1 < row; first += row - r, ++r) {
      for (std::size_t i = 0; i + 1 < row - r; ++i) {
        next.push_back(u * p[first + i] + v * p[first + i + 1] + w * p[first + row - r + i]);
      }
    }
    p = next;
  }
  return p[0];
}

}  // namespace

TEST_CASE("numbers of segments are rounded, and lie between 1 and 64", "[umd][T198]") {
  CHECK(patch_segments(0) == 1);
  CHECK(patch_segments(-5) == 1);
  CHECK(patch_segments(std::nanf("")) == 1);
  CHECK(patch_segments(1.49f) == 1);
  CHECK(patch_segments(1.5f) == 2);
  CHECK(patch_segments(63.4f) == 63);
  CHECK(patch_segments(63.9f) == 64);
  CHECK(patch_segments(65) == 64);
  CHECK(patch_segments(INFINITY) == 64);
}

TEST_CASE("patches pass through the curve that their control points say", "[umd][T198]") {
  std::mt19937 random{7};
  std::uniform_real_distribution<float> numbers{-100, 100};
  constexpr std::array<D3DVERTEXELEMENT9, 6> elements{{
      {0, 0, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0},
      {0, 16, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
      {0, 20, D3DDECLTYPE_SHORT2, 0, D3DDECLUSAGE_TEXCOORD, 0},
      {0, 24, D3DDECLTYPE_USHORT2N, 0, D3DDECLUSAGE_TEXCOORD, 1},
      {0, 28, D3DDECLTYPE_FLOAT1, 0, D3DDECLUSAGE_TEXCOORD, 2},
      {0, 32, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_NORMAL, 0},
  }};
  constexpr std::size_t stride = 44;
  for (unsigned round = 0; round < 60; ++round) {
    const auto pick = [&] { return static_cast<std::uint32_t>(1 + random() % 9); };
    const bool is_rect = round % 2 == 0;
    const patch_shape shape{is_rect, pick(), is_rect ? pick() : 1};
    CAPTURE(round, shape.segments_u, shape.segments_v);
    const std::size_t count = shape.control_point_count();
    byte_vector control(count * stride);
    for (std::byte& each : control) each = static_cast<std::byte>(random());
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t f = 0; f < 4; ++f) store(&control[i * stride + f * 4], numbers(random));
      for (std::size_t f = 7; f < 11; ++f) store(&control[i * stride + f * 4], numbers(random));
    }
    byte_vector out(shape.vertex_count() * stride, std::byte{0xAA});
    write_patch_vertices(shape, elements, control, stride, out);
    // `read(byte of a vertex)` gives a number; each must lie where the construction has it.
    const auto check = [&](auto&& read, std::size_t at, double tolerance) {
      std::size_t vertex = 0;
      const std::uint32_t rows = shape.is_rect ? shape.segments_v : shape.segments_u;
      for (std::uint32_t row = 0; row <= rows; ++row) {
        const std::uint32_t last = shape.is_rect ? shape.segments_u : shape.segments_u - row;
        for (std::uint32_t column = 0; column <= last; ++column, ++vertex) {
          std::vector<double> p;
          for (std::size_t i = 0; i < count; ++i) p.push_back(read(&control[i * stride + at]));
          const double along = double(column) / shape.segments_u, across = double(row) / rows;
          std::array<double, 16> rect{};
          if (shape.is_rect) std::copy(p.begin(), p.end(), rect.begin());
          const double wanted = shape.is_rect ? rect_at(rect, along, across)
                                              : tri_at(p, 1 - along - across, along, across);
          CHECK(std::fabs(read(&out[vertex * stride + at]) - wanted) <= tolerance);
        }
      }
      CHECK(vertex == shape.vertex_count());
    };
    for (const std::size_t at : {0u, 4u, 8u, 12u, 28u, 32u, 36u, 40u}) {
      check([](const std::byte* from) { return double(load<float>(from)); }, at, 1e-5);
    }
    for (std::size_t at = 16; at < 20; ++at) {
      check([](const std::byte* from) { return double(load<std::uint8_t>(from)); }, at, 0.5001);
    }
    for (const std::size_t at : {20u, 22u}) {
      check([](const std::byte* from) { return double(load<std::int16_t>(from)); }, at, 0.5001);
    }
    for (const std::size_t at : {24u, 26u}) {
      check([](const std::byte* from) { return double(load<std::uint16_t>(from)); }, at, 0.5001);
    }
  }
}

TEST_CASE("triangles cover the patch once, all one way round", "[umd][T198]") {
  const bool is_rect = GENERATE(true, false);
  const std::uint32_t segments = GENERATE(1u, 2u, 5u, 64u);
  const patch_shape shape{is_rect, segments, is_rect ? segments : 1};
  std::vector<std::uint16_t> indices(shape.triangle_count() * 3u);
  write_patch_indices(shape, indices);
  // Where each vertex lies in the grid: column to the right, row down.
  std::vector<std::pair<int, int>> at;
  for (std::uint32_t row = 0; row <= segments; ++row) {
    const std::uint32_t last = is_rect ? segments : segments - row;
    for (std::uint32_t column = 0; column <= last; ++column) at.emplace_back(column, row);
  }
  REQUIRE(at.size() == shape.vertex_count());
  int doubled_area = 0;
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    REQUIRE(indices[i] < at.size());
    REQUIRE(indices[i + 1] < at.size());
    REQUIRE(indices[i + 2] < at.size());
    const auto [ax, ay] = at[indices[i]];
    const auto [bx, by] = at[indices[i + 1]];
    const auto [cx, cy] = at[indices[i + 2]];
    const int area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    CHECK(area == 1);  // Half a cell, clockwise with rows downwards.
    doubled_area += area;
  }
  const int side = static_cast<int>(segments);
  CHECK(doubled_area == (is_rect ? 2 : 1) * side * side);
}

TEST_CASE("a rectangle patch is drawn as indexed triangles in clip space",
          "[umd][T198][T184][G30]") {
  patch_rig rig;
  const std::array<float, 4> segments{3, 2, 1, 1};
  CHECK(rig.rect(0, segments.data(), &plain_rect) == S_OK);
  const input_assembler assembler{rig, {{0, sizeof(patch_vertex)}}};
  REQUIRE(assembler.draws().size() == 1);
  const fetched_draw& drawn = assembler.draws()[0];
  CHECK(drawn.is_indexed);
  CHECK(drawn.topology == D3DPT_TRIANGLELIST);
  REQUIRE(drawn.vertices.size() == 3 * 2 * 2 * 3);
  // The middle edge points of the target, 64 by 32, are those of the flat grid.
  const auto first = load<patch_vertex>(drawn.vertices[0].data());
  CHECK(first.x == Approx((10 + 0.5) / 64 * 2 - 1));
  CHECK(first.y == Approx(1 - (10 + 0.5) / 32 * 2));
  CHECK(first.u == 0);
  const auto second = load<patch_vertex>(drawn.vertices[1].data());
  CHECK(second.x == Approx((30 + 0.5) / 64 * 2 - 1));
  CHECK(second.u == Approx(1.0 / 3));
  const auto third = load<patch_vertex>(drawn.vertices[2].data());
  CHECK(third.y == Approx(1 - (40 + 0.5) / 32 * 2));
  CHECK(third.v == Approx(0.5));
  // And the application's bindings are back.
  CHECK(std::uint32_t{assembler.stream(0).buffer} == raw(rig.points->handle));
  CHECK(std::uint32_t{assembler.stream(0).stride_bytes} == sizeof(patch_vertex));
  CHECK(std::uint32_t{assembler.indices().buffer} == 0);
}

TEST_CASE("a patch that was drawn is drawn again without tessellating", "[umd][T198][G30]") {
  patch_rig rig;
  const patch_cache& cache = rig.device.patches;
  const std::array<float, 4> segments{2, 2, 2, 2};
  CHECK(rig.rect(7, segments.data(), &plain_rect) == S_OK);
  CHECK(rig.rect(7, segments.data(), &plain_rect) == S_OK);
  CHECK(cache.tessellations() == 1);
  CHECK(rig.rect(7, segments.data(), nullptr) == S_OK);
  CHECK(rig.rect(7, nullptr, nullptr) == S_OK);
  CHECK(cache.tessellations() == 1);
  const auto drawn = rig.drawn();
  REQUIRE(drawn.size() == 4);
  for (const fetched_draw& each : drawn) CHECK(each.vertices == drawn[0].vertices);
  SECTION("unless its control points are others") {
    auto points = flat_points();
    points[5].z = 0.25f;
    write_all(rig, *rig.points, bytes_of_points(points));
    CHECK(rig.rect(7, nullptr, nullptr) == S_OK);
    CHECK(cache.tessellations() == 1);  // The handle stands for what it was drawn with.
    CHECK(rig.drawn().back().vertices == drawn[0].vertices);
    CHECK(rig.rect(7, segments.data(), &plain_rect) == S_OK);
    CHECK(cache.tessellations() == 2);
    CHECK(rig.drawn().back().vertices != drawn[0].vertices);
  }
  SECTION("unless it is cut otherwise") {
    const std::array<float, 4> finer{3, 2, 2, 2};
    CHECK(rig.rect(7, finer.data(), nullptr) == S_OK);
    CHECK(cache.tessellations() == 2);
    CHECK(rig.drawn().back().vertices.size() == 3 * 2 * 2 * 3);
  }
  SECTION("unless it was deleted") {
    CHECK(delete_patch(rig.device, 7) == S_OK);
    CHECK(delete_patch(rig.device, 7) == S_OK);
    CHECK(rig.rect(7, segments.data(), nullptr) == D3DERR_INVALIDCALL);
    CHECK(rig.rect(7, segments.data(), &plain_rect) == S_OK);
    CHECK(cache.tessellations() == 2);
  }
  SECTION("unless vertices have another format now") {
    test_declaration bare{rig, {patch_position}};
    REQUIRE(set_declaration(rig.device, bare.get()) == S_OK);
    CHECK(rig.rect(7, segments.data(), nullptr) == D3DERR_INVALIDCALL);
    CHECK(rig.rect(7, segments.data(), &plain_rect) == S_OK);
    CHECK(cache.tessellations() == 2);
  }
  SECTION("and not as a triangle") {
    CHECK(rig.tri(7, segments.data(), nullptr) == D3DERR_INVALIDCALL);
  }
}

TEST_CASE("handle 0 keeps nothing", "[umd][T198]") {
  patch_rig rig;
  const std::array<float, 3> segments{2, 1, 1};
  CHECK(rig.tri(0, segments.data(), &plain_tri) == S_OK);
  CHECK(rig.tri(0, segments.data(), &plain_tri) == S_OK);
  CHECK(rig.device.patches.tessellations() == 2);
  CHECK(rig.device.patches.size() == 0);
  CHECK(rig.tri(0, segments.data(), nullptr) == D3DERR_INVALIDCALL);
  CHECK(rig.drawn().size() == 2);
}

TEST_CASE("without numbers of segments the render state counts", "[umd][T198]") {
  patch_rig rig;
  CHECK(rig.tri(0, nullptr, &plain_tri) == S_OK);
  CHECK(rig.drawn().back().vertices.size() == 3);
  REQUIRE(set_render_state(rig.device, 164, std::bit_cast<std::uint32_t>(4.0f)) == S_OK);
  CHECK(rig.tri(0, nullptr, &plain_tri) == S_OK);
  CHECK(rig.drawn().back().vertices.size() == 16 * 3);
  CHECK(rig.rect(0, nullptr, &plain_rect) == S_OK);
  CHECK(rig.drawn().back().vertices.size() == 2 * 16 * 3);
}

TEST_CASE("what is no cubic Bezier patch inside the buffer is refused", "[umd][T198][T237]") {
  patch_rig rig;
  const auto rect = [&](auto&& change) {
    D3DRECTPATCH_INFO info = plain_rect;
    change(info);
    return rig.rect(1, nullptr, &info);
  };
  const auto tri = [&](auto&& change) {
    D3DTRIPATCH_INFO info = plain_tri;
    change(info);
    return rig.tri(1, nullptr, &info);
  };
  CHECK(rect([](auto& i) { i.Basis = D3DBASIS_BSPLINE; }) == D3DERR_INVALIDCALL);
  CHECK(rect([](auto& i) { i.Degree = D3DDEGREE_LINEAR; }) == D3DERR_INVALIDCALL);
  CHECK(rect([](auto& i) { i.Width = 3; }) == D3DERR_INVALIDCALL);
  CHECK(rect([](auto& i) { i.Height = 7; }) == D3DERR_INVALIDCALL);
  CHECK(rect([](auto& i) { i.StartVertexOffsetWidth = 1; }) == D3DERR_INVALIDCALL);
  CHECK(rect([](auto& i) { i.StartVertexOffsetHeight = 1; }) == D3DERR_INVALIDCALL);
  CHECK(rect([](auto& i) { i.Stride = 5; }) == D3DERR_INVALIDCALL);
  CHECK(rect([](auto& i) { i.StartVertexOffsetHeight = i.Stride = UINT32_MAX; }) ==
        D3DERR_INVALIDCALL);
  CHECK(tri([](auto& i) { i.Basis = D3DBASIS_CATMULL_ROM; }) == D3DERR_INVALIDCALL);
  CHECK(tri([](auto& i) { i.Degree = D3DDEGREE_QUINTIC; }) == D3DERR_INVALIDCALL);
  CHECK(tri([](auto& i) { i.NumVertices = 9; }) == D3DERR_INVALIDCALL);
  CHECK(tri([](auto& i) { i.StartVertexOffset = 7; }) == D3DERR_INVALIDCALL);
  CHECK(tri([](auto& i) { i.StartVertexOffset = 0xFFFFFFFF; }) == D3DERR_INVALIDCALL);
  REQUIRE(set_stream(rig.device, 0, {rig.points, 0, sizeof(patch_vertex) - 1}) == S_OK);
  CHECK(rig.rect(1, nullptr, &plain_rect) == D3DERR_INVALIDCALL);
  CHECK(rig.drawn().empty());
  CHECK(rig.device.patches.size() == 0);
  REQUIRE(set_stream(rig.device, 0, {rig.points, 0, sizeof(patch_vertex)}) == S_OK);
  CHECK(tri([](auto& i) { i.StartVertexOffset = 6; }) == S_OK);
}

TEST_CASE("texture coordinates of each size are interpolated", "[umd][T198]") {
  const int size = GENERATE(1, 2, 3, 4);
  patch_rig rig;
  const auto type = static_cast<BYTE>(D3DDECLTYPE_FLOAT1 + size - 1);
  test_declaration sized{rig, {patch_position, {0, 16, type, 0, D3DDECLUSAGE_TEXCOORD, 0}}};
  REQUIRE(set_declaration(rig.device, sized.get()) == S_OK);
  std::vector<std::array<float, 8>> points;
  for (int i = 0; i < 10; ++i) {
    const auto k = static_cast<float>(i);
    points.push_back({0, 0, 0, 1, k, k + 100, k + 200, k + 300});
  }
  const const_bytes bytes = std::as_bytes(std::span{points});
  resource& buffer = make(rig, buffer_of(bytes.size()));
  write_all(rig, buffer, {bytes.begin(), bytes.end()});
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, 32}) == S_OK);
  CHECK(rig.tri(0, nullptr, &plain_tri) == S_OK);
  const std::size_t used = 16 + 4u * static_cast<unsigned>(size);
  const input_assembler assembler{rig, {{0, used}}};
  REQUIRE(assembler.draws().size() == 1);
  const auto& corners = assembler.draws()[0].vertices;
  REQUIRE(corners.size() == 3);
  constexpr std::array<float, 3> corner_points{0, 3, 9};
  for (std::size_t corner = 0; corner < 3; ++corner) {
    for (int i = 0; i < size; ++i) {
      const auto value = load<float>(corners[corner].data() + 16 + 4 * i);
      CHECK(value == corner_points[corner] + static_cast<float>(i) * 100);
    }
  }
}

TEST_CASE("a patch's screen positions are converted wherever they lie in a vertex", "[umd][T198]") {
  constexpr std::size_t stride = 20;
  patch_rig rig;
  test_declaration behind{rig,
                          {{0, 0, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
                           {0, 4, D3DDECLTYPE_FLOAT4, 0, D3DDECLUSAGE_POSITIONT, 0}}};
  REQUIRE(set_declaration(rig.device, behind.get()) == S_OK);
  byte_vector bytes;
  for (const patch_vertex& point : flat_points()) {
    const const_bytes all = bytes_of(point);
    bytes.insert(bytes.end(), all.begin() + 16, all.begin() + 20);
    bytes.insert(bytes.end(), all.begin(), all.begin() + 16);
  }
  resource& buffer = make(rig, buffer_of(bytes.size()));
  write_all(rig, buffer, bytes);
  REQUIRE(set_stream(rig.device, 0, {&buffer, 0, stride}) == S_OK);
  CHECK(rig.rect(0, nullptr, &plain_rect) == S_OK);
  const input_assembler assembler{rig, {{0, stride}}};
  REQUIRE(assembler.draws().size() == 1);
  const byte_vector& first = assembler.draws()[0].vertices[0];
  CHECK(load<std::uint32_t>(first.data()) == flat_points()[0].color);
  CHECK(load<float>(first.data() + 4) == Approx((10 + 0.5) / 64 * 2 - 1));
  CHECK(load<float>(first.data() + 8) == Approx(1 - (10 + 0.5) / 32 * 2));
}

TEST_CASE("patches of untransformed vertices and of shaders are drawn as they are", "[umd][T198]") {
  patch_rig rig;
  test_declaration world{rig, {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0}}};
  REQUIRE(set_declaration(rig.device, world.get()) == S_OK);
  REQUIRE(set_render_state(rig.device, D3DRS_LIGHTING, 0) == S_OK);
  CHECK(rig.rect(0, nullptr, &plain_rect) == S_OK);
  test_shader shader{rig, stage::vertex, plain_vertex_shader};
  REQUIRE(set_shader(rig.device, stage::vertex, shader.get()) == S_OK);
  CHECK(rig.rect(0, nullptr, &plain_rect) == S_OK);
  const input_assembler assembler{rig, {{0, 12}}};
  REQUIRE(assembler.draws().size() == 2);
  for (const fetched_draw& drawn : assembler.draws()) {
    CHECK(load<float>(drawn.vertices[0].data()) == 10);
    CHECK(load<float>(drawn.vertices[1].data()) == 70);
  }
  test_declaration packed{rig,
                          {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                           {0, 12, D3DDECLTYPE_FLOAT16_2, 0, D3DDECLUSAGE_TEXCOORD, 0}}};
  REQUIRE(set_declaration(rig.device, packed.get()) == S_OK);
  CHECK(rig.rect(0, nullptr, &plain_rect) == D3DERR_INVALIDCALL);
  test_declaration apart{rig,
                         {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
                          {1, 0, D3DDECLTYPE_FLOAT2, 0, D3DDECLUSAGE_TEXCOORD, 0}}};
  REQUIRE(set_declaration(rig.device, apart.get()) == S_OK);
  CHECK(rig.rect(0, nullptr, &plain_rect) == D3DERR_INVALIDCALL);
}

TEST_CASE("patches that were not drawn for the longest time are forgotten", "[umd][T198]") {
  patch_rig rig;
  const auto most = static_cast<std::uint32_t>(patch_cache::most_patches);
  for (std::uint32_t handle = 1; handle <= most; ++handle) {
    REQUIRE(rig.tri(handle, nullptr, &plain_tri) == S_OK);
  }
  CHECK(rig.device.patches.size() == most);
  REQUIRE(rig.tri(1, nullptr, nullptr) == S_OK);  // Drawn now: 2 is the oldest.
  REQUIRE(rig.tri(most + 1, nullptr, &plain_tri) == S_OK);
  CHECK(rig.device.patches.size() == most);
  CHECK(rig.tri(2, nullptr, nullptr) == D3DERR_INVALIDCALL);
  CHECK(rig.tri(1, nullptr, nullptr) == S_OK);
  CHECK(rig.tri(2, nullptr, &plain_tri) == S_OK);
}

TEST_CASE("the entries draw patches, and a render state deletes them", "[umd][T198][G30]") {
  device_m_rig rig;
  umd::device& core = rig.core();
  vertex_declaration* layout = nullptr;
  constexpr std::array elements{patch_position, patch_color, patch_texcoord};
  REQUIRE(create_declaration(core, elements, layout) == S_OK);
  resource_request target_request = target_of(64, 32);
  target_request.flags.is_lockable = false;
  resource* target = nullptr;
  REQUIRE(create_resource(core, target_request, target) == S_OK);
  resource* points = nullptr;
  REQUIRE(create_resource(core, buffer_of(16 * sizeof(patch_vertex)), points) == S_OK);
  copy_bytes(points->shadow.view(), bytes_of_points(flat_points()));
  REQUIRE(set_render_target(core, 0, {target, 0}) == S_OK);
  REQUIRE(set_declaration(core, layout) == S_OK);
  REQUIRE(set_stream(core, 0, {points, 0, sizeof(patch_vertex)}) == S_OK);

  const D3DDDIARG_DRAWRECTPATCH rect{7};
  const D3DDDIARG_DRAWTRIPATCH tri{8};
  constexpr D3DDDIRECTPATCH_INFO rect_info{0, 0, 4, 4, 4, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};
  constexpr D3DDDITRIPATCH_INFO tri_info{6, 10, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};
  constexpr std::array<float, 4> segments{4, 4, 4, 4};
  const auto draw_rect = rig.functions.pfnDrawRectPatch;
  const auto draw_tri = rig.functions.pfnDrawTriPatch;
  CHECK(draw_rect(rig.device, nullptr, &rect_info, segments.data()) == E_INVALIDARG);
  CHECK(draw_rect(rig.device, &rect, nullptr, segments.data()) == D3DERR_INVALIDCALL);
  CHECK(draw_rect(rig.device, &rect, &rect_info, segments.data()) == S_OK);
  CHECK(draw_tri(rig.device, &tri, &tri_info, nullptr) == S_OK);
  CHECK(draw_rect(rig.device, &rect, nullptr, nullptr) == S_OK);
  CHECK(draw_tri(rig.device, &tri, nullptr, segments.data()) == S_OK);
  CHECK(core.patches.tessellations() == 3);
  CHECK(core.patches.size() == 2);

  const D3DDDIARG_RENDERSTATE deleted{D3DDDIRS_DELETERTPATCH, 7};
  CHECK(rig.functions.pfnSetRenderState(rig.device, &deleted) == S_OK);
  CHECK(rig.functions.pfnSetRenderState(rig.device, &deleted) == S_OK);
  CHECK(core.patches.size() == 1);
  CHECK(draw_rect(rig.device, &rect, nullptr, nullptr) == D3DERR_INVALIDCALL);
  CHECK(destroy_declaration(core, layout) == S_OK);
}

}  // namespace aerogpu::umd::test
