// SPDX-License-Identifier: MIT
#include "d3d9_to_spirv/translate.hpp"
#include "tests/support/byte_code/d3d9_samples.hpp"
#include "tests/unit/shaders/d3d9_to_spirv/spirv_view.hpp"

#include <set>

namespace aerogpu::d3d9::test {
namespace {

using aerogpu::test::d3d9_samples;
using aerogpu::test::d3d9_version_names;
using aerogpu::test::make_d3d9_shader;
using aerogpu::test::make_d3d9_shaders;

/// Options as unlike the default ones as they get.
auto other_options() -> translate_options {
  translate_options options;
  options.rules = float_rules::fast;
  options.wants_names = true;
  options.undeclared_samplers.fill(sampler_dimension::cube);
  options.unwritten = unwritten_varyings::direct3d9;
  options.clip_planes = max_clip_planes;
  options.inputs_with_w_one = 0xFFFF;
  options.unsigned_inputs = 0x5555;
  options.signed_inputs = 0xAAAA;
  options.is_flat_shaded = true;
  options.is_point_sprite = true;
  options.fog = fog_mode::linear;
  return options;
}

}  // namespace

TEST_CASE("every instruction becomes valid SPIR-V in every version that has it",
          "[d3d9][translate]") {
  const translate_options options = GENERATE(translate_options{}, other_options());
  std::size_t count = 0;
  for (const std::string& text : make_d3d9_shaders()) {
    CAPTURE(text);
    CHECK(!translated(text, options).words.empty());
    ++count;
  }
  CHECK(count >= 700);
}

TEST_CASE("the samples hold every opcode", "[d3d9][translate]") {
  std::set<opcode> seen{opcode::dcl, opcode::def, opcode::defi, opcode::defb};
  for (const std::string& text : make_d3d9_shaders()) {
    for (const instruction& in : program_of(text).instructions) seen.insert(in.op);
  }
  for (const d3d9_opcode_row& row : d3d9_opcode_rows) {
    CAPTURE(row.name);
    // `ret` and `label` are structure that the parser takes away or keeps in `routines`.
    CHECK((seen.contains(row.opcode) || row.opcode == opcode::ret || row.opcode == opcode::label));
  }
}

TEST_CASE("an instruction outside its versions is refused or becomes valid SPIR-V",
          "[d3d9][translate]") {
  std::size_t refused = 0;
  for (const auto& version : d3d9_version_names) {
    for (const auto& sample : d3d9_samples) {
      const auto tokens = assemble(make_d3d9_shader(version, sample.body));
      if (!tokens) continue;
      const auto shader = parse(std::as_bytes(std::span{*tokens}));
      if (!shader) continue;
      CAPTURE(version.name, sample.body);
      const auto made = translate(*shader);
      if (made) {
        CHECK(complaints(made->words) == "");
      } else {
        ++refused;
        const error why = made.why();
        CHECK(why.offset != 0);
        const auto known = [&](const instruction& in) { return in.offset == why.offset; };
        CHECK(std::ranges::any_of(shader->instructions, known));
      }
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("shaders of the guest's driver translate: no declarations, definitions at the end",
          "[d3d9][translate]") {
  const words tokens{0xFFFF0200, 0x04000042, 0x000F0000, 0x30E40000, 0x20E40800,
                     0x04000005, 0x000F0000, 0x00E40000, 0x22E400FF, 0x03000001,
                     0x000F0800, 0x00E40000, 0x06000051, 0x200F0003, 0x3F800000,
                     0,          0,          0,          0x0000FFFF};
  const translate_options options;
  // [translate]
  const auto shader = parse(std::as_bytes(std::span{tokens}));  // Checks structure and operands.
  REQUIRE(shader);
  const auto made = translate(*shader, options);  // One module, whose entry point is `main`.
  REQUIRE(made);
  // [/translate]
  CHECK(shader->lengths == dialect::guest);
  CHECK(complaints(made->words) == "");
  CHECK(made->samplers == 1);
  CHECK(made->uses_constants);
}

TEST_CASE("translation is the same every time", "[d3d9][translate]") {
  const auto shaders = make_d3d9_shaders();
  for (std::size_t i = 0; i < shaders.size(); i += 50) {
    CHECK(translated(shaders[i]).words == translated(shaders[i]).words);
  }
}

}  // namespace aerogpu::d3d9::test
