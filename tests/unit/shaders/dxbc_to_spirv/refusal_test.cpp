// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/job.hpp"
#include "dxbc_to_spirv/compiler/shader_compiler.hpp"
#include "dxbc_to_spirv/program/container.hpp"
#include "tests/unit/shaders/dxbc_to_spirv/compiled_samples.hpp"

using namespace aerogpu;
using namespace aerogpu::dxbc::view;
namespace sm4 = aerogpu::test::sm4;

namespace {

using sm4::from;
using sm4::plain;
using sm4::to;
using sm4::word;

auto compute_program() -> sm4::program {
  sm4::program code{sm4::program_type::compute, 5};
  code.op(sm4::dcl_thread_group, {word(1), word(1), word(1)}).op(sm4::dcl_temps, {word(1)});
  return code;
}

auto refusal(const sm4::program& code) -> error {
  return dxbc::compile(sm4::container({{}, {}}, code)).why();
}

/// A shader of one instruction behind r0.
auto refusal_of(std::uint32_t opcode, std::initializer_list<test::token_vector> operands,
                std::uint32_t controls = 0) -> error {
  return refusal(compute_program().op(opcode, operands, controls).op(sm4::ret));
}

}  // namespace

TEST_CASE("a counter of an unordered access view is refused before the compiler sees it") {
  const auto why =
      refusal(compute_program()
                  .op(sm4::imm_atomic_alloc, {to(sm4::temp, {0}, "x"), plain(sm4::uav, {0})})
                  .op(sm4::ret));
  CHECK(why.code == error_code::unsupported);
  CHECK(std::string_view{why.what}.find("counter") != std::string_view::npos);
}

TEST_CASE("an unordered access view of a texture is refused") {
  auto code = compute_program();
  code.op(sm4::dcl_uav_typed, {plain(sm4::uav, {0}), word(sm4::returns_float)}, sm4::texture_2d)
      .op(sm4::ret);
  CHECK(refusal(code).code == error_code::unsupported);
}

TEST_CASE("doubles are refused by their name") {
  const auto opcode = GENERATE(191u /* dadd */, 202u /* ftod */, 210u /* ddiv */, 217u /* utod */);
  const auto r0 = to(sm4::temp, {0});
  const auto why = refusal_of(opcode, {r0, from(sm4::temp, {0}), from(sm4::temp, {0})});
  CHECK(why.code == error_code::unsupported);
  CHECK(std::string_view{why.what}.find("doubles") != std::string_view::npos);
}

TEST_CASE("registers beyond the tables are refused") {
  struct row {
    std::uint32_t opcode;
    test::token_vector target;
  };
  const std::vector<row> rows{{sm4::dcl_constant_buffer, from(sm4::constants, {14, 1})},
                              {sm4::dcl_constant_buffer, from(sm4::constants, {0, 4097})},
                              {sm4::dcl_constant_buffer, from(sm4::constants, {0, 0})},
                              {sm4::dcl_sampler, plain(sm4::sampler, {16})},
                              {sm4::dcl_resource_raw, plain(sm4::resource, {128})},
                              {sm4::dcl_uav_raw, plain(sm4::uav, {8})},
                              {sm4::dcl_temps, word(4097)}};
  for (const auto& [opcode, target] : rows) {
    sm4::program code{sm4::program_type::compute, 5};
    code.op(sm4::dcl_thread_group, {word(1), word(1), word(1)}).op(opcode, {target}).op(sm4::ret);
    INFO(opcode);
    CHECK(refusal(code).code == error_code::unsupported);
  }
}

TEST_CASE("operands that no declaration stands behind are refused") {
  const auto r0 = to(sm4::temp, {0});
  const auto zero = sm4::bits(0, 0, 0, 0);
  CHECK(refusal_of(sm4::mov, {to(sm4::temp, {1}), zero}).code == error_code::unsupported);
  CHECK(refusal_of(sm4::mov, {r0, from(sm4::temp, {1})}).code == error_code::unsupported);
  CHECK(refusal_of(sm4::mov, {r0, from(sm4::input, {0})}).code == error_code::unsupported);
  CHECK(refusal_of(sm4::mov, {to(sm4::output, {0}), zero}).code == error_code::unsupported);
  CHECK(refusal_of(sm4::mov, {r0, from(sm4::constants, {0, 0})}).code == error_code::unsupported);
  CHECK(refusal_of(sm4::ld_raw, {r0, from(sm4::temp, {0}, "x"), from(sm4::resource, {0})}).code ==
        error_code::unsupported);
  CHECK_FALSE(refusal_of(sm4::mov, {r0, zero}).code == error_code::unsupported);
}

TEST_CASE("operands that do not fit their instruction are refused") {
  const auto r0 = to(sm4::temp, {0});
  CHECK(refusal_of(sm4::mov, {r0}).code == error_code::unsupported);
  CHECK(refusal_of(sm4::mov, {r0, sm4::number(1), sm4::number(1)}).code == error_code::unsupported);
  CHECK(refusal_of(sm4::mov, {to(sm4::temp, {0}, ""), sm4::number(1)}).code ==
        error_code::unsupported);
  CHECK(refusal_of(sm4::mov, {r0, sm4::number(1)}, 1).code == error_code::unsupported);
}

TEST_CASE("blocks that do not nest are refused") {
  constexpr std::uint32_t loop = 48, endloop = 22, op_break = 2, op_switch = 76, endswitch = 23,
                          op_default = 10;
  const std::vector<std::vector<std::uint32_t>> bodies{
      {loop},       {endloop},    {op_break},        {sm4::op_else},
      {sm4::endif}, {op_default}, {loop, sm4::endif}};
  for (const auto& body : bodies) {
    auto code = compute_program();
    for (const std::uint32_t opcode : body) code.op(opcode);
    CHECK(refusal(code.op(sm4::ret)).code == error_code::unsupported);
  }
  auto empty = compute_program();
  empty.op(op_switch, {from(sm4::temp, {0}, "x")}).op(endswitch).op(sm4::ret);
  CHECK(refusal(empty).code == error_code::unsupported);
  auto twice = compute_program();
  twice.op(op_switch, {from(sm4::temp, {0}, "x")}).op(op_default).op(op_default).op(endswitch);
  CHECK(refusal(twice.op(sm4::ret)).code == error_code::unsupported);
}

TEST_CASE("a program without its return is refused") {
  CHECK(refusal(compute_program()).code == error_code::unsupported);
}

TEST_CASE("a declaration that its stage needs must be there") {
  sm4::program compute{sm4::program_type::compute, 5};
  sm4::program geometry{sm4::program_type::geometry, 4};
  CHECK(refusal(compute.op(sm4::ret)).code == error_code::unsupported);
  CHECK(refusal(geometry.op(sm4::ret)).code == error_code::unsupported);
}

TEST_CASE("an interface register must be in the signature") {
  sm4::program code{sm4::program_type::vertex, 4};
  code.op(sm4::dcl_output, {to(sm4::output, {0})}).op(sm4::ret);
  CHECK(refusal(code).code == error_code::unsupported);
}

TEST_CASE("what the compiler says of a missing binding is handed on") {
  auto parts = dxbc::parse_container(sm4::ps_textured());
  REQUIRE(parts);
  dxbc::compiled facts;
  facts.stage = shader_stage::pixel;
  std::string log;
  const dxbc::compile_options options;
  // Not even a shader that gets no bindings falls back to ones of the compiler's own.
  const auto compile = [&] {
    const auto whole = dxbc::put_together(*parts);
    REQUIRE(whole);
    const auto job = dxbc::write_job(whole->view(), facts, options);
    REQUIRE(job);
    return dxbc::compile_in_process(job->view(), &log).why();
  };
  CHECK(compile().code == error_code::unsupported);
  CHECK(log.find("binding") != std::string::npos);
  // A sampler that is mapped like a buffer is not found.
  REQUIRE(facts.bindings.push_back({.kind = dxbc::binding_kind::texture, .set = 1, .slot = 32}));
  REQUIRE(facts.bindings.push_back(
      {.kind = dxbc::binding_kind::constant_buffer, .set = 1, .slot = 160}));
  log.clear();
  CHECK(compile().code == error_code::unsupported);
  CHECK(log.find("E2000") != std::string::npos);
}

TEST_CASE("a refusal names the byte and the opcode of the instruction") {
  const auto why = refusal_of(0x7FF, {});
  CHECK(why.detail == 0x7FF);
  CHECK(why.offset == 4 * (2 + 4 + 2));
}

TEST_CASE("what the compiler has no code for is refused instead of compiled wrongly") {
  const auto r0 = to(sm4::temp, {0});
  const auto zero = sm4::bits(0, 0, 0, 0);
  constexpr std::uint32_t imul = 38;
  CHECK(refusal_of(imul, {r0, r0, zero, zero}).code == error_code::unsupported);
  // v[r0.x + 1]
  sm4::program code{sm4::program_type::pixel, 4};
  code.op(sm4::dcl_input_ps, {to(sm4::input, {1})}, sm4::linear)
      .op(sm4::dcl_temps, {word(1)})
      .op(sm4::mov, {r0, {0x00D01E46, 1, 0x0010000A, 0}})
      .op(sm4::ret);
  const auto bytes =
      sm4::container({{sm4::position_out, sm4::texcoord(1, 0xF)}, {sm4::target_out}}, code);
  CHECK(dxbc::compile(bytes).why().code == error_code::unsupported);
}

TEST_CASE("a register of one component is asked for no other") {
  sm4::program code{sm4::program_type::vertex, 4};
  code.op(sm4::dcl_input, {to(sm4::input, {0}, "x")})
      .op(sm4::dcl_temps, {word(1)})
      .op(sm4::mov, {to(sm4::temp, {0}), from(sm4::input, {0})})
      .op(sm4::ret);
  const auto bytes = sm4::container(
      {{{"DEPTH", 0, sm4::sv_none, sm4::is_float, 0, 0x1, 0x1}}, {sm4::position_out}}, code);
  CHECK(dxbc::compile(bytes).why().code == error_code::unsupported);
}

namespace {

constexpr std::uint32_t dcl_input_ps_siv = 0x64, sv_clip = 2, sv_cull = 3;

/// The first word of an instruction with a texel offset of (1, 1, 1) behind it.
auto with_offset(std::uint32_t opcode, std::initializer_list<test::token_vector> operands)
    -> test::token_vector {
  test::token_vector made{opcode | 0x80000000u, 1u | 1u << 9 | 1u << 13 | 1u << 17};
  for (const auto& operand : operands) made.insert(made.end(), operand.begin(), operand.end());
  made[0] |= static_cast<std::uint32_t>(made.size()) << 24;
  return made;
}

/// A ps_5_0 with t0 of a dimension, s0, s1 that compares, r0 and o0, around one instruction.
auto textured(std::uint32_t dimension, const test::token_vector& instruction) -> error {
  sm4::program code{sm4::program_type::pixel, 5};
  code.op(sm4::dcl_sampler, {plain(sm4::sampler, {0})})
      .op(sm4::dcl_sampler, {plain(sm4::sampler, {1})}, 1)
      .op(sm4::dcl_resource, {plain(sm4::resource, {0}), word(sm4::returns_float)}, dimension)
      .op(sm4::dcl_output, {to(sm4::output, {0})})
      .op(sm4::dcl_temps, {word(1)})
      .op(sm4::mov, {to(sm4::temp, {0}), sm4::number(0, 0, 0, 0)});
  test::token_vector tokens = code.tokens();
  tokens.insert(tokens.end(), instruction.begin(), instruction.end());
  tokens.push_back(1u << 24 | sm4::ret);
  tokens[1] = static_cast<std::uint32_t>(tokens.size());
  const auto bytes = test::make_dxbc({{"ISGN", test::make_signature({sm4::position_out})},
                                      {"OSGN", test::make_signature({sm4::target_out})},
                                      {"SHEX", test::token_bytes(tokens)}});
  return dxbc::compile(bytes).why();
}

auto plain_instruction(std::uint32_t opcode, std::initializer_list<test::token_vector> operands)
    -> test::token_vector {
  test::token_vector made{opcode};
  for (const auto& operand : operands) made.insert(made.end(), operand.begin(), operand.end());
  made[0] |= static_cast<std::uint32_t>(made.size()) << 24;
  return made;
}

constexpr std::uint32_t as_buffer = 1, as_2d = 3, as_cube = 6, as_cube_array = 10;

}  // namespace

TEST_CASE("clip and cull distances are not read by a stage: the compiler would abort") {
  const auto reader = [](std::uint32_t second, const char* name) {
    sm4::program code{sm4::program_type::pixel, 4};
    code.op(dcl_input_ps_siv, {to(sm4::input, {1}, "xy"), word(sv_clip)}, sm4::linear)
        .op(dcl_input_ps_siv, {to(sm4::input, {1}, "zw"), word(second)}, sm4::linear)
        .op(sm4::dcl_output, {to(sm4::output, {0})})
        .op(sm4::mov, {to(sm4::output, {0}), from(sm4::input, {1})})
        .op(sm4::ret);
    return dxbc::compile(
               sm4::container({{sm4::position_out,
                                {"SV_ClipDistance", 0, sv_clip, sm4::is_float, 1, 0x3, 0x3},
                                {name, 0, second, sm4::is_float, 1, 0xC, 0xC}},
                               {sm4::target_out}},
                              code))
        .why();
  };
  for (const error& why : {reader(sv_cull, "SV_CullDistance"), reader(0, "TEXCOORD")}) {
    CHECK(why.code == error_code::unsupported);
    CHECK(std::string_view{why.what}.find("clip or cull distance") != std::string_view::npos);
  }
}

TEST_CASE("clip and cull distances are not read by a geometry shader") {
  sm4::program code{sm4::program_type::geometry, 4};
  code.op(sm4::dcl_input_siv, {to(sm4::input, {1, 0}, "xy"), word(sv_clip)})
      .op(sm4::dcl_input_siv, {to(sm4::input, {1, 0}, "zw"), word(sv_cull)})
      .op(sm4::dcl_input_primitive, {}, 1)
      .op(sm4::dcl_output_topology, {}, 1)
      .op(sm4::dcl_output_siv, {to(sm4::output, {0}), word(sm4::name_position)})
      .op(sm4::dcl_max_output_vertices, {word(1)})
      .op(sm4::mov, {to(sm4::output, {0}), from(sm4::input, {0, 0})})
      .op(sm4::emit)
      .op(sm4::ret);
  const auto why =
      dxbc::compile(sm4::container({{{"SV_ClipDistance", 0, sv_clip, sm4::is_float, 0, 0x3, 0x3},
                                     {"SV_CullDistance", 0, sv_cull, sm4::is_float, 0, 0xC, 0xC}},
                                    {sm4::position_out}},
                                   code))
          .why();
  CHECK(std::string_view{why.what}.find("clip or cull distance") != std::string_view::npos);
}

TEST_CASE("a texel offset on a buffer or a cube is refused, and elsewhere it is not") {
  const auto o0 = to(sm4::output, {0});
  const auto place = from(sm4::temp, {0}), texture = from(sm4::resource, {0});
  const auto state = plain(sm4::sampler, {0}), comparing = plain(sm4::sampler, {1});
  const auto scalar = from(sm4::temp, {0}, "x");
  constexpr std::uint32_t sample_b = 74, sample_d = 73, gather4 = 109, gather4_po = 127;
  const std::string_view sentence = "a texel offset is applied to a buffer or a cube";
  CHECK(textured(as_buffer, with_offset(sm4::ld, {o0, place, texture})).what == sentence);
  for (const std::uint32_t dimension : {as_cube, as_cube_array}) {
    for (const auto& instruction :
         {with_offset(sm4::ld, {o0, place, texture}),
          with_offset(sm4::sample, {o0, place, texture, state}),
          with_offset(sm4::sample_l, {o0, place, texture, state, scalar}),
          with_offset(sample_b, {o0, place, texture, state, scalar}),
          with_offset(sample_d, {o0, place, texture, state, place, place}),
          with_offset(sm4::sample_c_lz, {to(sm4::output, {0}, "x"), place,
                                         from(sm4::resource, {0}, "xxxx"), comparing, scalar}),
          with_offset(gather4, {o0, place, texture, state}),
          plain_instruction(gather4_po, {o0, place, place, texture, state})}) {
      CHECK(textured(dimension, instruction).what == sentence);
    }
  }
  for (const auto& instruction :
       {with_offset(sm4::ld, {o0, place, texture}),
        with_offset(sm4::sample, {o0, place, texture, state}),
        with_offset(gather4, {o0, place, texture, state}),
        plain_instruction(gather4_po, {o0, place, place, texture, state})}) {
    const error why = textured(as_2d, instruction);
    INFO(why.what);
    CHECK(why.code == error_code::none);
  }
}

TEST_CASE("an instruction that is extended twice in one way is refused") {
  constexpr std::uint32_t gather4_po = 127, goes_on = 0x80000000u;
  const auto texture = from(sm4::resource, {0}), state = plain(sm4::sampler, {0});
  const auto instruction = plain_instruction(
      gather4_po,
      {to(sm4::output, {0}), from(sm4::temp, {0}), from(sm4::temp, {0}), texture, state});
  // As long as an instruction can be, and with a word more once its offset has a register.
  for (const std::size_t words : {std::size_t{2}, 127 - instruction.size()}) {
    test::token_vector extended = instruction;
    extended.insert(extended.begin() + 1, words, 2u | goes_on);
    extended[words] &= ~goes_on;
    const auto length = static_cast<std::uint32_t>(extended.size());
    extended[0] = gather4_po | goes_on | length << 24;
    const error why = textured(as_2d, extended);
    CHECK(why.code != error_code::none);
    CHECK(std::string_view{why.what}.find("extended twice") != std::string_view::npos);
  }
}

TEST_CASE("gradients on a cube are refused: the compiler would abort") {
  constexpr std::uint32_t sample_d = 73;
  const auto instruction = plain_instruction(
      sample_d, {to(sm4::output, {0}), from(sm4::temp, {0}), from(sm4::resource, {0}),
                 plain(sm4::sampler, {0}), from(sm4::temp, {0}), from(sm4::temp, {0})});
  CHECK(textured(as_cube, instruction).what ==
        std::string_view{"a cube is sampled with gradients"});
  CHECK(textured(as_cube_array, instruction).code == error_code::unsupported);
  CHECK(textured(as_2d, instruction).code == error_code::none);
}

TEST_CASE("a gather names its component with the sampler, as compilers write it") {
  constexpr std::uint32_t gather4 = 109;
  const auto instruction =
      plain_instruction(gather4, {to(sm4::output, {0}), from(sm4::temp, {0}),
                                  from(sm4::resource, {0}), from(sm4::sampler, {0}, "y")});
  CHECK(textured(as_2d, instruction).code == error_code::none);
}
