// SPDX-License-Identifier: MIT
#include "aerogpu/backend/d3d9_values.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace aerogpu {
namespace {

/// What `map` makes of 0 to 17 and the largest number: -1 where it makes nothing.
template <class Map>
auto mapped(Map&& map) -> std::vector<int> {
  std::vector<int> all;
  for (std::uint32_t value = 0; value < 18; ++value) {
    const auto made = map(value);
    all.push_back(made ? static_cast<int>(*made) : -1);
  }
  CHECK_FALSE(map(UINT32_MAX));
  return all;
}

template <class... Values>
auto numbers(Values... values) -> std::vector<int> {
  std::vector<int> all{static_cast<int>(values)...};
  all.resize(18, -1);
  return all;
}

}  // namespace

TEST_CASE("each D3DBLEND is one factor but for the two that are two", "[d3d9_values]") {
  using enum blend_factor;
  CHECK(mapped(blend_factor_of) == numbers(-1, zero, one, src_color, inv_src_color, src_alpha,
                                           inv_src_alpha, dest_alpha, inv_dest_alpha, dest_color,
                                           inv_dest_color, src_alpha_sat, -1, -1, constant,
                                           inv_constant));
}

TEST_CASE("D3DBLENDOP, D3DCMPFUNC and D3DSTENCILOP map value by value", "[d3d9_values]") {
  CHECK(mapped(blend_op_of) == numbers(-1, AEROGPU_BLEND_OP_ADD, AEROGPU_BLEND_OP_SUBTRACT,
                                       AEROGPU_BLEND_OP_REV_SUBTRACT, AEROGPU_BLEND_OP_MIN,
                                       AEROGPU_BLEND_OP_MAX));
  CHECK(mapped(compare_func_of) == numbers(-1, AEROGPU_COMPARE_NEVER, AEROGPU_COMPARE_LESS,
                                           AEROGPU_COMPARE_EQUAL, AEROGPU_COMPARE_LESS_EQUAL,
                                           AEROGPU_COMPARE_GREATER, AEROGPU_COMPARE_NOT_EQUAL,
                                           AEROGPU_COMPARE_GREATER_EQUAL, AEROGPU_COMPARE_ALWAYS));
  using enum stencil_op;
  CHECK(mapped(stencil_op_of) == numbers(keep, keep, zero, replace, increment_clamp,
                                         decrement_clamp, invert, increment_wrap, decrement_wrap));
}

TEST_CASE("a D3DCOLOR has alpha on top and blue at the bottom", "[d3d9_values]") {
  const vec4f color = color_of(0xFF330066);
  CHECK(color[0] == Approx(0.2));
  CHECK(color[1] == 0.0f);
  CHECK(color[2] == Approx(0.4));
  CHECK(color[3] == 1.0f);
}

}  // namespace aerogpu
