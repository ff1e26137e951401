// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/patch.hpp"

#include "tests/unit/shaders/dxbc_to_spirv/compiled_samples.hpp"

using namespace aerogpu;
using namespace aerogpu::dxbc::view;
namespace sm4 = aerogpu::test::sm4;

namespace {

using sm4::from;
using sm4::to;

/// A pixel shader around one instruction; v1, r0, r1 and o0 are there.
auto pixel_shader(const sm4::program& code) -> test::byte_vector {
  return sm4::container({{sm4::position_out, sm4::texcoord(1, 0xF)}, {sm4::target_out}}, code);
}

auto pixel_program() -> sm4::program {
  sm4::program code{sm4::program_type::pixel, 5};
  code.op(sm4::dcl_input_ps, {to(sm4::input, {1})}, sm4::linear)
      .op(sm4::dcl_output, {to(sm4::output, {0})})
      .op(sm4::dcl_temps, {sm4::word(2)});
  return code;
}

}  // namespace

TEST_CASE(
    "a partial mov with the identity swizzle keeps the lanes it writes and repeats the first") {
  const auto [mask, swizzle] = GENERATE(table<std::string_view, std::string_view>(
      {{"x", "xxxx"}, {"xy", "xyxx"}, {"zw", "zzzw"}, {"yw", "yyyw"}, {"xyz", "xyzx"}}));
  const auto written = [&mask = mask](std::string_view lanes) {
    return pixel_shader(
        pixel_program()
            .op(sm4::mov, {to(sm4::output, {0}, mask), from(sm4::input, {1}, lanes)})
            .op(sm4::ret));
  };
  auto parts = parts_of(written("xyzw"));
  dxbc::fix_partial_moves(parts);
  CHECK(parts.tokens == parts_of(written(swizzle)).tokens);
}

TEST_CASE("other movs stay as they are") {
  auto parts = parts_of(
      pixel_shader(pixel_program()
                       .op(sm4::mov, {to(sm4::output, {0}), from(sm4::input, {1})})
                       .op(sm4::mov, {to(sm4::output, {0}, "xy"), from(sm4::input, {1}, "yxyx")})
                       .op(sm4::mov, {to(sm4::output, {0}, "xy"), sm4::number(0, 0, 0, 0)})
                       .op(sm4::ret)));
  const std::vector<std::uint32_t> before(parts.tokens.begin(), parts.tokens.end());
  dxbc::fix_partial_moves(parts);
  CHECK(std::ranges::equal(parts.tokens, before));
}

TEST_CASE("a partial mov leaves the other components of its register alone") {
  const auto made = compiled_of(
      pixel_shader(pixel_program()
                       .op(sm4::mov, {to(sm4::output, {0}), sm4::number(1, 1, 1, 1)})
                       .op(sm4::mov, {to(sm4::output, {0}, "xy"), from(sm4::input, {1})})
                       .op(sm4::ret)));
  // Two components are picked and put in, instead of one copy of all four.
  CHECK(count(made.words, spv::Op::OpVectorShuffle) >= 1);
}

TEST_CASE("a target without alpha gets alpha 1") {
  const auto made = compiled_of(sm4::ps_without_alpha());
  CHECK(made.outputs[0].mask == 0xF);
  CHECK(has_constant(made.words, as_bits(1.0f)));
}

TEST_CASE("a target begins as (0, 0, 0, 1), whatever the shader writes") {
  auto parts = parts_of(sm4::ps_color());
  const int before = count_op(parts, sm4::mov);
  REQUIRE(dxbc::complete_targets(parts));
  CHECK(count_op(parts, sm4::mov) == before + 1);
  // Written on one way through the shader only.
  const auto made = compiled_of(
      pixel_shader(pixel_program()
                       .op(sm4::op_if, {from(sm4::input, {1}, "x")}, 1u << 7)
                       .op(sm4::mov, {to(sm4::output, {0}, "x"), sm4::number(1, 1, 1, 1)})
                       .op(sm4::endif)
                       .op(sm4::ret)));
  CHECK(made.outputs[0].mask == 0xF);
  CHECK(has_constant(made.words, as_bits(1.0f)));
}

TEST_CASE("what the next stage reads and this one does not write becomes zero") {
  const auto reader = compiled_of(sm4::ps_color());
  const auto writer = compiled_of(sm4::vs_position_only());
  dxbc::compile_options options;
  options.extra_outputs = dxbc::missing_outputs(writer.outputs, reader.inputs);
  CHECK(options.extra_outputs[2].mask == 0xF);
  CHECK(options.extra_outputs[1].mask == 0);
  const auto linked = compiled_of(sm4::vs_position_only(), options);
  CHECK(linked.outputs[2].mask == 0xF);
  CHECK(dxbc::missing_outputs(linked.outputs, reader.inputs) == dxbc::interface_registers{});
  CHECK(decorations(linked.words, spv::Decoration::Location) == words{0, 2});
}

TEST_CASE("a register that is written in part is widened") {
  dxbc::compile_options options;
  options.extra_outputs[1] = {0xF, dxbc::component_class::floating};
  const auto made = compiled_of(sm4::vs_passing(), options);
  CHECK(made.outputs[1].mask == 0xF);
  CHECK(decorations(made.words, spv::Decoration::Location).size() ==
        decorations(compiled_of(sm4::vs_passing()).words, spv::Decoration::Location).size());
}

TEST_CASE("an output that is added has the class that is read") {
  dxbc::compile_options options;
  options.extra_outputs[3] = {0x1, dxbc::component_class::unsigned_integer};
  CHECK(compiled_of(sm4::vs_passing(), options).outputs[3] ==
        dxbc::interface_register{0x1, dxbc::component_class::unsigned_integer});
}

TEST_CASE("a geometry shader writes its added outputs for every vertex") {
  auto parts = parts_of(sm4::gs_point_to_quad());
  const int before = count_op(parts, sm4::mov);
  dxbc::interface_registers extra{};
  extra[5] = {0xF, dxbc::component_class::floating};
  REQUIRE(dxbc::add_outputs(parts, extra));
  CHECK(count_op(parts, sm4::mov) == before + 4);
  dxbc::compile_options options;
  options.extra_outputs = extra;
  CHECK(compiled_of(sm4::gs_point_to_quad(), options).outputs[5].mask == 0xF);
}

TEST_CASE("stages that end in no rasterizer take no outputs") {
  dxbc::compile_options options;
  options.extra_outputs[2] = {0xF, dxbc::component_class::floating};
  CHECK(dxbc::compile(sm4::hs_triangle(), options).why().code == error_code::invalid_parameter);
  CHECK(dxbc::compile(sm4::ps_color(), options).why().code == error_code::invalid_parameter);
}

TEST_CASE("comments go and code behind a jump goes") {
  auto code = pixel_program();
  code.op(sm4::op_if, {from(sm4::input, {1}, "x")})
      .op(sm4::ret)
      .op(sm4::mov, {to(sm4::temp, {0}), from(sm4::input, {1})})
      .op(sm4::op_if, {from(sm4::temp, {0}, "x")})
      .op(sm4::endif)
      .op(sm4::endif)
      .op(sm4::mov, {to(sm4::output, {0}), from(sm4::input, {1})})
      .op(sm4::ret);
  auto parts = parts_of(pixel_shader(code));
  for (const std::uint32_t word : {0xDEADu, 3u, 0x35u}) REQUIRE(parts.tokens.insert(2, word));
  parts.tokens[1] += 3;
  REQUIRE(dxbc::simplify(parts));
  CHECK(count_op(parts, 0x35) == 0);
  CHECK(count_op(parts, sm4::mov) == 1);
  CHECK(count_op(parts, sm4::op_if) == 1);
  CHECK(compiled_of(pixel_shader(code)).stage == shader_stage::pixel);
}

TEST_CASE("a jump at the end of a loop compiles") {
  constexpr std::uint32_t loop = 48, endloop = 22;
  const std::uint32_t jump = GENERATE(2u /* break */, 7u /* continue */, 62u /* ret */);
  auto code = pixel_program();
  code.op(loop).op(sm4::mov, {to(sm4::output, {0}), from(sm4::input, {1})});
  if (jump == 7) code.op(3, {from(sm4::input, {1}, "x")}, 1u << 7);  // breakc_nz
  code.op(jump).op(endloop).op(sm4::ret);
  CHECK(count(compiled_of(pixel_shader(code)).words, spv::Op::OpLoopMerge) == 1);
}

TEST_CASE("emit_then_cut becomes an emit and a cut") {
  sm4::program code{sm4::program_type::geometry, 4};
  code.op(sm4::dcl_input, {to(sm4::input, {1, 0})})
      .op(sm4::dcl_input_primitive, {}, 1)
      .op(sm4::dcl_output_topology, {}, 1)
      .op(sm4::dcl_output_siv, {to(sm4::output, {0}), sm4::word(sm4::name_position)})
      .op(sm4::dcl_max_output_vertices, {sm4::word(1)})
      .op(sm4::mov, {to(sm4::output, {0}), from(sm4::input, {0, 0})})
      .op(sm4::emit_then_cut)
      .op(sm4::ret);
  const auto made = compiled_of(sm4::container({{sm4::position_read}, {sm4::position_out}}, code));
  CHECK(count(made.words, spv::Op::OpEmitVertex) == 1);
  CHECK(count(made.words, spv::Op::OpEndPrimitive) == 1);
}

TEST_CASE("the lower half of an unsigned product is that of a signed one") {
  constexpr std::uint32_t umul = 81, umad = 82;
  auto code = pixel_program();
  code.op(umul,
          {sm4::plain(sm4::null), to(sm4::temp, {0}), from(sm4::input, {1}), from(sm4::input, {1})})
      .op(umad,
          {to(sm4::temp, {1}), from(sm4::temp, {0}), from(sm4::temp, {0}), from(sm4::temp, {0})})
      .op(sm4::mov, {to(sm4::output, {0}), from(sm4::temp, {1})})
      .op(sm4::ret);
  CHECK(count(compiled_of(pixel_shader(code)).words, spv::Op::OpIMul) == 2);
}

TEST_CASE("a register of one component can be written to any lane") {
  sm4::program code{sm4::program_type::geometry, 4};
  code.op(sm4::dcl_input, {sm4::scalar(sm4::primitive_id)})
      .op(sm4::dcl_input_primitive, {}, 1)
      .op(sm4::dcl_output_topology, {}, 1)
      .op(sm4::dcl_output_siv, {to(sm4::output, {0}), sm4::word(sm4::name_position)})
      .op(sm4::dcl_max_output_vertices, {sm4::word(1)})
      .op(sm4::mov, {to(sm4::output, {0}, "yw"), sm4::scalar(sm4::primitive_id)})
      .op(sm4::emit)
      .op(sm4::ret);
  const auto made = compiled_of(sm4::container(
      {{{"SV_PrimitiveID", 0, sm4::sv_primitive_id, sm4::is_uint, sm4::no_register, 1, 1}},
       {sm4::position_out}},
      code));
  CHECK(made.geometry.max_vertices == 1);
}

TEST_CASE("arithmetic of a program that asks for precision is not contracted") {
  constexpr std::uint32_t precise_lanes = 0xFu << 8;
  const auto module_of_controls = [](std::uint32_t controls) {
    auto code = pixel_program();
    const auto v1 = from(sm4::input, {1});
    code.op(sm4::mul, {to(sm4::temp, {0}), v1, v1}, controls)
        .op(sm4::add, {to(sm4::temp, {0}), from(sm4::temp, {0}), v1}, controls)
        .op(sm4::dp4, {to(sm4::output, {0}), from(sm4::temp, {0}), v1}, controls)
        .op(sm4::ret);
    return compiled_of(pixel_shader(code));
  };
  const auto precise = module_of_controls(precise_lanes), fast = module_of_controls(0);
  int arithmetic = 0, decorated = 0;
  for_each_spirv(precise.words, [&](spv::Op op, std::span<const std::uint32_t> operands) {
    const bool computes = op == spv::Op::OpFMul || op == spv::Op::OpFAdd || op == spv::Op::OpDot;
    arithmetic += computes ? 1 : 0;
    const bool is_kept = op == spv::Op::OpDecorate &&
                         operands[1] == static_cast<std::uint32_t>(spv::Decoration::NoContraction);
    decorated += is_kept ? 1 : 0;
  });
  CHECK(arithmetic == 3);
  CHECK(decorated == 3);
  CHECK(precise.words.size() == fast.words.size() + 9);
}
