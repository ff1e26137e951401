// SPDX-License-Identifier: MIT
// The conversion of XYZRHW vertices: umd-d3d9.md 3.9.
#include "drivers/win7/umd/d3d9/fixed/vertex/pretransformed.hpp"
#include "tests/catch.hpp"

#include <cstring>
#include <limits>
#include <vector>

namespace aerogpu::test {

namespace {

using umd::fixed::clip_position_of;
using umd::fixed::float4;

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr umd::viewport screen{0, 0, 200, 100, 0, 1};

/// Four bytes of something, then the position.
struct screen_vertex {
  std::uint32_t color;
  float4 position;
};

auto view_of(const std::vector<screen_vertex>& vertices) -> umd::fixed::pretransformed_vertices {
  return {{std::as_bytes(std::span{vertices}), sizeof(screen_vertex), sizeof(screen_vertex)}, 4};
}

auto some_vertices(std::size_t count) -> std::vector<screen_vertex> {
  std::vector<screen_vertex> out;
  for (std::size_t i = 0; i < count; ++i) {
    const auto n = static_cast<float>(i);
    out.push_back({0xAABB0000u + static_cast<std::uint32_t>(i), {n, n * 2, 0.5f, 1}});
  }
  return out;
}

}  // namespace

TEST_CASE("a pixel's centre becomes that of the host's pixel", "[umd][fixed][T184]") {
  CHECK(clip_position_of({99.5f, 49.5f, 0.25f, 1}, screen) == float4{0, 0, 0.25f, 1});
  CHECK(clip_position_of({-0.5f, -0.5f, 0, 1}, screen) == float4{-1, 1, 0, 1});
  CHECK(clip_position_of({199.5f, 99.5f, 1, 1}, screen) == float4{1, -1, 1, 1});
}

TEST_CASE("1 / w scales all of the position", "[umd][fixed][T184]") {
  CHECK(clip_position_of({-0.5f, 99.5f, 0.5f, 0.25f}, screen) == float4{-4, -4, 2, 4});
}

TEST_CASE("the viewport's corner is subtracted, its depths do not count", "[umd][fixed][T184]") {
  const umd::viewport viewport{50, 20, 200, 100, 0.25f, 0.5f};
  CHECK(clip_position_of({149.5f, 69.5f, 0.75f, 1}, viewport) == float4{0, 0, 0.75f, 1});
}

TEST_CASE("positions that are not finite have a place", "[umd][fixed][T184]") {
  const auto [rhw, w] = GENERATE(table<float, float>({{0.0f, 1.0f},
                                                      {no_number, 1.0f},
                                                      {infinite, 1.0f},
                                                      {-infinite, 1.0f},
                                                      {1e-45f, 1.0f},
                                                      {0.5f, 2.0f}}));
  CHECK(clip_position_of({99.5f, 49.5f, 1, rhw}, screen) == float4{0, 0, w, w});
  CHECK(clip_position_of({no_number, infinite, no_number, rhw}, screen) == float4{0, 0, 0, w});
}

TEST_CASE("a range of vertices is converted, everything else in them stays", "[umd][fixed][T184]") {
  const auto vertices = some_vertices(5);
  const auto before = vertices;
  std::vector<screen_vertex> out(3);
  REQUIRE(umd::fixed::convert_vertices(view_of(vertices), 2, 3, screen,
                                       std::as_writable_bytes(std::span{out})) == S_OK);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(out[i].color == 0xAABB0000u + 2 + i);
    CHECK(out[i].position == clip_position_of(before[2 + i].position, screen));
  }
  CHECK(std::memcmp(vertices.data(), before.data(), 5 * sizeof(screen_vertex)) == 0);
}

TEST_CASE("vertices that are not all there are refused", "[umd][fixed][T184]") {
  const auto vertices = some_vertices(5);
  const auto [first, count] = GENERATE(table<std::uint32_t, std::uint32_t>(
      {{0, 6}, {5, 1}, {4, 2}, {UINT32_MAX, 1}, {1, UINT32_MAX}, {UINT32_MAX, UINT32_MAX}}));
  std::vector<screen_vertex> out(6);
  CHECK(umd::fixed::convert_vertices(view_of(vertices), first, count, screen,
                                     std::as_writable_bytes(std::span{out})) == D3DERR_INVALIDCALL);
}

TEST_CASE("a stride that does not hold the position is refused", "[umd][fixed][T167]") {
  const auto [stride, offset, result] = GENERATE(
      table<std::uint32_t, std::uint32_t, HRESULT>({{0, 0, D3DERR_INVALIDCALL},
                                                    {15, 0, D3DERR_INVALIDCALL},
                                                    {16, 0, S_OK},
                                                    {16, 1, D3DERR_INVALIDCALL},
                                                    {20, 4, S_OK},
                                                    {20, UINT32_MAX, D3DERR_INVALIDCALL}}));
  const std::vector<std::byte> bytes(40);
  std::vector<std::byte> out(40);
  CHECK(umd::fixed::convert_vertices({{bytes, stride, 0}, offset}, 0, 1, screen, out) == result);
}

TEST_CASE("a place that is too small is refused", "[umd][fixed][T184]") {
  const auto vertices = some_vertices(2);
  std::vector<std::byte> out(2 * sizeof(screen_vertex) - 1);
  CHECK(umd::fixed::convert_vertices(view_of(vertices), 0, 2, screen, out) == D3DERR_INVALIDCALL);
  CHECK(umd::fixed::convert_vertices(view_of(vertices), 0, 1, screen, out) == S_OK);
}

TEMPLATE_TEST_CASE("indexed vertices are laid out one by one, from the base on",
                   "[umd][fixed][T184]", std::uint16_t, std::uint32_t) {
  const auto vertices = some_vertices(8);
  const std::vector<TestType> indices{9, 3, 1, 3, 5};
  const std::span<const TestType> behind_first = std::span{indices}.subspan(1);
  const umd::fixed::vertex_indices from{std::as_bytes(behind_first), sizeof(TestType) == 4, 2};
  std::vector<screen_vertex> out(4);
  REQUIRE(umd::fixed::expand_vertices(view_of(vertices), from, 4, screen,
                                      std::as_writable_bytes(std::span{out})) == S_OK);
  CHECK(out[0].color == 0xAABB0005u);
  CHECK(out[1].color == 0xAABB0003u);
  CHECK(out[2].color == 0xAABB0005u);
  CHECK(out[3].color == 0xAABB0007u);
  CHECK(out[1].position == clip_position_of(vertices[3].position, screen));
}

TEST_CASE("indices that name no vertex are refused", "[umd][fixed][T184]") {
  const auto vertices = some_vertices(4);
  const auto [index, base, result] =
      GENERATE(table<std::uint32_t, std::int32_t, HRESULT>({{3, 0, S_OK},
                                                            {4, 0, D3DERR_INVALIDCALL},
                                                            {4, -1, S_OK},
                                                            {0, -1, D3DERR_INVALIDCALL},
                                                            {UINT32_MAX, 0, D3DERR_INVALIDCALL},
                                                            {UINT32_MAX, -1, D3DERR_INVALIDCALL},
                                                            {3, INT32_MAX, D3DERR_INVALIDCALL},
                                                            {0, INT32_MIN, D3DERR_INVALIDCALL}}));
  const std::vector<std::uint32_t> indices{index};
  std::vector<screen_vertex> out(1);
  CHECK(umd::fixed::expand_vertices(view_of(vertices),
                                    {std::as_bytes(std::span{indices}), true, base}, 1, screen,
                                    std::as_writable_bytes(std::span{out})) == result);
}

TEST_CASE("more indices than there are, are refused", "[umd][fixed][T184]") {
  const auto vertices = some_vertices(4);
  const std::vector<std::uint16_t> indices{0, 1};
  std::vector<screen_vertex> out(3);
  CHECK(umd::fixed::expand_vertices(view_of(vertices), {std::as_bytes(std::span{indices})}, 3,
                                    screen,
                                    std::as_writable_bytes(std::span{out})) == D3DERR_INVALIDCALL);
}

TEST_CASE("of the last vertex, what no element reads may be missing", "[umd][fixed][T184]") {
  struct padded_vertex {
    float4 position;
    std::uint32_t unread;
  };
  constexpr std::uint32_t stride = sizeof(padded_vertex), extent = sizeof(float4);
  const std::vector<padded_vertex> vertices{{{}, 1}, {{1, 1, 1, 1}, 2}, {{2, 2, 1, 1}, 3}};
  const const_bytes all = std::as_bytes(std::span{vertices});
  const auto missing = GENERATE(4u, 5u);
  const umd::fixed::pretransformed_vertices from{{all.first(all.size() - missing), stride, extent},
                                                 0};
  const HRESULT expected = missing == 4 ? S_OK : D3DERR_INVALIDCALL;
  std::vector<padded_vertex> out(2, padded_vertex{{}, 0xFFFFFFFF});
  const auto bytes = std::as_writable_bytes(std::span{out});
  CHECK(umd::fixed::convert_vertices(from, 1, 2, screen, bytes) == expected);
  const std::vector<std::uint16_t> indices{1, 2};
  const umd::fixed::vertex_indices named{std::as_bytes(std::span{indices})};
  CHECK(umd::fixed::expand_vertices(from, named, 2, screen, bytes) == expected);
  if (expected == S_OK) {
    CHECK(out[0].unread == 2);
    CHECK(out[1].unread == 0);
    CHECK(out[1].position == clip_position_of(vertices[2].position, screen));
  }
  CHECK(umd::fixed::gather_vertices(from, named, 2, bytes) == expected);
}

}  // namespace aerogpu::test
