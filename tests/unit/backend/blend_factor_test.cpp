// SPDX-License-Identifier: MIT
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/stream/text/d3d9_state_names.hpp"
#include "aerogpu/stream/value_set.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <string>

namespace aerogpu {
namespace {

/// Direct3D 9 writes the same names without underscores, but for the constant ones.
auto d3d9_name(const blend_factor_row& row) -> std::string {
  if (row.factor == blend_factor::constant) return "BLENDFACTOR";
  if (row.factor == blend_factor::inv_constant) return "INVBLENDFACTOR";
  std::string name{row.name};
  std::erase(name, '_');
  return name;
}

auto name_of(std::span<const named_value> names, std::uint32_t value) -> std::string_view {
  const auto at = std::ranges::find(names, value, &named_value::value);
  return at != names.end() ? at->name : std::string_view{};
}

}  // namespace

TEST_CASE("each name of a blend factor leads back to its row", "[pipeline_state]") {
  for (const blend_factor_row& row : blend_factor_rows) {
    CAPTURE(row.name);
    CHECK(find_blend_factor(&blend_factor_row::factor, row.factor) == &row);
    CHECK(find_blend_factor(&blend_factor_row::name, row.name) == &row);
    if (row.packet) CHECK(find_blend_factor(&blend_factor_row::packet, row.packet) == &row);
    if (row.d3dblend) CHECK(find_blend_factor(&blend_factor_row::d3dblend, row.d3dblend) == &row);
  }
}

TEST_CASE("a blend factor is called the same in packets, in Direct3D 9 and in reports",
          "[pipeline_state]") {
  for (const blend_factor_row& row : blend_factor_rows) {
    CAPTURE(row.name);
    if (row.packet) CHECK(name_of(row_of(value_set::blend_factor).values, *row.packet) == row.name);
    const auto& d3dblends = find_d3d9_state(d3d9_render_states, d3drs_srcblend)->values;
    if (row.d3dblend) CHECK(name_of(d3dblends, *row.d3dblend) == d3d9_name(row));
  }
}

TEST_CASE("each blend factor that a packet can carry has a row", "[pipeline_state]") {
  for (const named_value& value : row_of(value_set::blend_factor).values) {
    CAPTURE(value.name);
    CHECK(find_blend_factor(&blend_factor_row::packet, {value.value}) != nullptr);
  }
}

}  // namespace aerogpu
