// SPDX-License-Identifier: MIT
#include "tests/property/shader_library.hpp"

#include "tests/support/byte_code/d3d9_samples.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/byte_code/shaders.hpp"

#include <span>
#include <string_view>

namespace aerogpu::property {

namespace {

using test::wire_stage;

struct stage_row {
  std::string_view prefix;
  object_kind kind;
  wire_stage stage;
};
constexpr stage_row stage_rows[]{
    {"vs", object_kind::vertex_shader, test::wire_vs},
    {"ps", object_kind::pixel_shader, test::wire_ps},
    {"gs", object_kind::geometry_shader, test::wire_gs},
    {"hs", object_kind::hull_shader, {AEROGPU_SHADER_STAGE_COMPUTE, AEROGPU_SHADER_STAGE_EX_HULL}},
    {"ds",
     object_kind::domain_shader,
     {AEROGPU_SHADER_STAGE_COMPUTE, AEROGPU_SHADER_STAGE_EX_DOMAIN}},
    {"cs", object_kind::compute_shader, test::wire_cs}};

void add(std::vector<library_shader>& to, std::string_view name, bool is_d3d9,
         const test::byte_vector& code) {
  for (const stage_row& row : stage_rows) {
    if (name.starts_with(row.prefix)) to.push_back({row.kind, row.stage, is_d3d9, code});
  }
}

auto make_library() -> std::vector<library_shader> {
  std::vector<library_shader> all;
  for (const std::string& text : test::make_d3d9_shaders()) {
    const auto words = d3d9::assemble(text);
    if (!words) continue;
    const const_bytes bytes = std::as_bytes(std::span{*words});
    add(all, text, true, {bytes.begin(), bytes.end()});
  }
  // Those of Direct3D 10 and 11 are few: each as often as they are together many.
  for (int i = 0; i < 8; ++i) {
    for (const test::sm4::sample_shader& sample : test::sm4::samples()) {
      add(all, sample.name, false, sample.bytes);
    }
  }
  add(all, "cs", false, test::cs_5_0_nothing());
  return all;
}

}  // namespace

auto shader_library() -> const std::vector<library_shader>& {
  static const std::vector<library_shader> all = make_library();
  return all;
}

}  // namespace aerogpu::property
