// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/patch.hpp"
#include "tests/unit/shaders/dxbc_to_spirv/compiled_samples.hpp"

using namespace aerogpu;
using namespace aerogpu::dxbc::view;
namespace sm4 = aerogpu::test::sm4;

namespace {

using sm4::from;
using sm4::plain;
using sm4::to;
using sm4::word;

constexpr std::uint32_t ftou = 28, movc = 55, lod = 108, sample_pos = 110, sample_info = 111,
                        gather4_po = 127, firstbit_hi = 135, firstbit_shi = 137, ibfe = 139;
constexpr std::uint32_t texture_2d_ms = 4;

/// v1, o0, s0, t0 of two dimensions and t1 of many samples; temporaries are left out.
auto textured_program() -> sm4::program {
  sm4::program code{sm4::program_type::pixel, 5};
  code.op(sm4::dcl_sampler, {plain(sm4::sampler, {0})})
      .op(sm4::dcl_resource, {plain(sm4::resource, {0}), word(sm4::returns_float)}, sm4::texture_2d)
      .op(sm4::dcl_resource, {plain(sm4::resource, {1}), word(sm4::returns_float)},
          texture_2d_ms | 4u << 5)
      .op(sm4::dcl_input_ps, {to(sm4::input, {1})}, sm4::linear)
      .op(sm4::dcl_output, {to(sm4::output, {0})});
  return code;
}

auto contained(const sm4::program& code) -> test::byte_vector {
  return sm4::container({{sm4::position_out, sm4::texcoord(1, 0xF)}, {sm4::target_out}}, code);
}

/// The module of one instruction that writes o0.
auto module_of(std::uint32_t opcode, std::initializer_list<test::token_vector> operands) -> words {
  const auto made = compiled_of(contained(textured_program().op(opcode, operands).op(sm4::ret)));
  return {made.words.begin(), made.words.end()};
}

/// Counts of the declarations of temporaries.
auto temporaries(const dxbc::shader_parts& parts) -> words {
  words found;
  for (std::size_t at = 2; at < parts.tokens.size(); at += parts.tokens[at] >> 24 & 0x7F) {
    if ((parts.tokens[at] & 0x7FF) == sm4::dcl_temps) found.push_back(parts.tokens[at + 1]);
  }
  return found;
}

}  // namespace

TEST_CASE("a texture of one component is one whose lanes are all that component") {
  const auto x = to(sm4::output, {0}, "x");
  for (const std::string_view component : {"x", "y"}) {
    const std::string all(4, component[0]);
    const auto one = from(sm4::resource, {1}, component), four = from(sm4::resource, {1}, all);
    CHECK(module_of(sample_info, {x, one}) == module_of(sample_info, {x, four}));
    CHECK(module_of(lod, {x, from(sm4::input, {1}), from(sm4::resource, {0}, component),
                          plain(sm4::sampler, {0})}) ==
          module_of(lod, {x, from(sm4::input, {1}), from(sm4::resource, {0}, all),
                          plain(sm4::sampler, {0})}));
  }
}

TEST_CASE("a level of detail has two components") {
  const auto refusal = [](std::string_view mask, std::string_view swizzle) {
    auto code = textured_program();
    code.op(lod, {to(sm4::output, {0}, mask), from(sm4::input, {1}),
                  from(sm4::resource, {0}, swizzle), plain(sm4::sampler, {0})})
        .op(sm4::ret);
    return dxbc::compile(contained(code)).why().code;
  };
  CHECK(refusal("xy", "xyzw") == error_code::none);
  CHECK(refusal("zw", "xyyx") == error_code::none);
  CHECK(refusal("xyz", "xyzw") == error_code::unsupported);
  CHECK(refusal("x", "w") == error_code::unsupported);
}

TEST_CASE("one component of a texture is still the one that a comparison delivers") {
  constexpr std::uint32_t comparing = 1;
  const auto refusal = [](std::string_view component) {
    sm4::program code{sm4::program_type::pixel, 5};
    code.op(sm4::dcl_sampler, {plain(sm4::sampler, {0})}, comparing)
        .op(sm4::dcl_resource, {plain(sm4::resource, {0}), word(sm4::returns_float)},
            sm4::texture_2d)
        .op(sm4::dcl_input_ps, {to(sm4::input, {1})}, sm4::linear)
        .op(sm4::dcl_output, {to(sm4::output, {0})})
        .op(sm4::sample_c_lz,
            {to(sm4::output, {0}, "x"), from(sm4::input, {1}), from(sm4::resource, {0}, component),
             plain(sm4::sampler, {0}), from(sm4::input, {1}, "z")})
        .op(sm4::ret);
    return dxbc::compile(contained(code)).why().code;
  };
  CHECK(refusal("x") == error_code::none);
  CHECK(refusal("y") == error_code::unsupported);
}

TEST_CASE("a word of zero behind samplepos is no operand, and no other word may stand there") {
  const auto o0 = to(sm4::output, {0}, "xy");
  const auto texture = from(sm4::resource, {1}, "xyxx");
  CHECK(module_of(sample_pos, {o0, texture, sm4::bits(0), word(0)}) ==
        module_of(sample_pos, {o0, texture, sm4::bits(0)}));
  for (const auto& surplus : {word(1), test::token_vector{0, 0}}) {
    const auto bytes = contained(
        textured_program().op(sample_pos, {o0, texture, sm4::bits(0), surplus}).op(sm4::ret));
    CHECK(dxbc::compile(bytes).why().code == error_code::unsupported);
  }
  const auto other = contained(
      textured_program().op(sample_info, {o0, from(sm4::resource, {1}), word(0)}).op(sm4::ret));
  CHECK(dxbc::compile(other).why().code == error_code::unsupported);
}

TEST_CASE("oMask is declared with its component or without, and depth only with") {
  const auto covering = [](std::uint32_t form, std::uint32_t type) {
    sm4::program code{sm4::program_type::pixel, 5};
    code.op(sm4::dcl_output, {to(sm4::output, {0})})
        .op(sm4::dcl_output, {word(form | type << 12)})
        .op(sm4::mov, {to(sm4::output, {0}), sm4::number(1, 1, 1, 1)})
        .op(sm4::mov, {word(1u | type << 12), sm4::bits(1)})
        .op(sm4::ret);
    return sm4::container(
        {{sm4::position_out},
         {sm4::target_out, {"SV_Coverage", 0, 0, sm4::is_uint, sm4::no_register, 1, 0xE}}},
        code);
  };
  constexpr std::uint32_t coverage = 15, depth = 12;
  CHECK(compiled_of(covering(0, coverage)).words == compiled_of(covering(1, coverage)).words);
  CHECK(dxbc::compile(covering(0, depth)).why().code == error_code::unsupported);
  CHECK(dxbc::compile(covering(2, coverage)).why().code == error_code::unsupported);
}

TEST_CASE("what is computed for a result stands in registers behind those of the program") {
  const auto opcode = GENERATE(ftou, firstbit_hi, firstbit_shi);
  const std::uint32_t declared = GENERATE(0u, 3u);
  auto code = textured_program();
  if (declared != 0) code.op(sm4::dcl_temps, {word(declared)});
  code.op(opcode, {to(sm4::output, {0}), from(sm4::input, {1})}).op(sm4::ret);
  auto parts = parts_of(contained(code));
  REQUIRE(dxbc::define_results(parts));
  CHECK(temporaries(parts) == words{declared + 2});
  CHECK(count_op(parts, movc) == 1);
  CHECK(compiled_of(contained(code)).outputs[0].mask == 0xF);
}

TEST_CASE("offsets of a gather are cut to their bits, and the extensions of the gather stay") {
  auto code = textured_program();
  code.op(gather4_po, {to(sm4::output, {0}), from(sm4::input, {1}), from(sm4::input, {1}, "zwzw"),
                       from(sm4::resource, {0}), from(sm4::sampler, {0}, "z")})
      .op(sm4::ret);
  auto parts = parts_of(contained(code));
  REQUIRE(dxbc::define_results(parts));
  CHECK(temporaries(parts) == words{1});
  CHECK(count_op(parts, ibfe) == 1);
  const auto made = compiled_of(contained(code));
  CHECK(count(made.words, spv::Op::OpImageGather) == 1);
  CHECK(count(made.words, spv::Op::OpBitFieldSExtract) >= 1);
}

TEST_CASE("shifts and fields by numbers that every device takes stay as they are") {
  constexpr std::uint32_t ushr = 85, ubfe = 138;
  const auto o0 = to(sm4::output, {0}), v1 = from(sm4::input, {1});
  const auto is_kept = [](std::uint32_t opcode,
                          std::initializer_list<test::token_vector> operands) {
    auto parts = parts_of(contained(textured_program().op(opcode, operands).op(sm4::ret)));
    const words before(parts.tokens.begin(), parts.tokens.end());
    REQUIRE(dxbc::define_results(parts));
    return std::ranges::equal(parts.tokens, before);
  };
  CHECK(is_kept(ushr, {o0, v1, sm4::bits(31)}));
  CHECK_FALSE(is_kept(ushr, {o0, v1, sm4::bits(32)}));
  CHECK_FALSE(is_kept(ushr, {o0, v1, v1}));
  CHECK(is_kept(ubfe, {o0, sm4::bits(8), sm4::bits(24), v1}));
  CHECK_FALSE(is_kept(ubfe, {o0, sm4::bits(9), sm4::bits(24), v1}));
  CHECK_FALSE(is_kept(ubfe, {o0, sm4::bits(8), v1, v1}));
  CHECK_FALSE(is_kept(ubfe, {o0, v1, sm4::bits(8), v1}));
}

TEST_CASE("a result that goes nowhere is not computed") {
  auto code = textured_program();
  code.op(ftou, {plain(sm4::null), from(sm4::input, {1})}).op(sm4::ret);
  auto parts = parts_of(contained(code));
  const words before(parts.tokens.begin(), parts.tokens.end());
  REQUIRE(dxbc::define_results(parts));
  CHECK(std::ranges::equal(parts.tokens, before));
}

TEST_CASE("a swap whose results go nowhere swaps nothing") {
  constexpr std::uint32_t swapc = 142;
  const auto v1 = from(sm4::input, {1});
  const auto bytes = contained(
      textured_program().op(swapc, {plain(sm4::null), plain(sm4::null), v1, v1, v1}).op(sm4::ret));
  auto parts = parts_of(bytes);
  REQUIRE(dxbc::define_results(parts));
  CHECK(count_op(parts, swapc) == 0);
  CHECK(count_op(parts, movc) == 0);
  CHECK(compiled_of(bytes).stage == shader_stage::pixel);
}

TEST_CASE("each phase of a hull shader gets registers of its own") {
  auto parts = parts_of(sm4::hs_triangle());
  const words before = temporaries(parts);
  // The constants of the patch are converted.
  bool is_fork = false;
  for (std::size_t at = 2; at < parts.tokens.size(); at += parts.tokens[at] >> 24 & 0x7F) {
    const std::uint32_t code = parts.tokens[at] & 0x7FF;
    is_fork |= code == sm4::hs_fork_phase;
    if (is_fork && code == sm4::mov) parts.tokens[at] = (parts.tokens[at] & ~0x7FFu) | ftou;
  }
  const auto whole = dxbc::put_together(parts);
  REQUIRE(whole);
  REQUIRE(dxbc::define_results(parts));
  words expected = before;
  expected.push_back(2);
  CHECK(temporaries(parts) == expected);
  CHECK(compiled_of(whole->view()).stage == shader_stage::hull);
}

TEST_CASE("a program whose registers are used up gets none for results") {
  constexpr std::uint32_t most = 4096;
  const auto refusal = [](std::uint32_t count) {
    auto code = textured_program();
    code.op(sm4::dcl_temps, {word(count)})
        .op(ftou, {to(sm4::output, {0}), from(sm4::input, {1})})
        .op(sm4::ret);
    return dxbc::compile(contained(code)).why().code;
  };
  CHECK(refusal(most - 2) == error_code::none);
  CHECK(refusal(most - 1) == error_code::unsupported);
}

TEST_CASE("a layer or viewport that a stage chooses is an output like others") {
  const std::uint32_t value = GENERATE(4u, 5u);
  sm4::program code{sm4::program_type::vertex, 5};
  code.op(sm4::dcl_input, {to(sm4::input, {0})})
      .op(sm4::dcl_output_siv, {to(sm4::output, {0}), word(sm4::name_position)})
      .op(sm4::dcl_output_siv, {to(sm4::output, {1}, "x"), word(value)})
      .op(sm4::mov, {to(sm4::output, {0}), from(sm4::input, {0})})
      .op(sm4::mov, {to(sm4::output, {1}, "x"), sm4::bits(1)})
      .op(sm4::ret);
  const auto made = compiled_of(sm4::container(
      {{sm4::position_in}, {sm4::position_out, {"INDEX", 0, value, sm4::is_uint, 1, 1, 0xE}}},
      code));
  CHECK(decorations(made.words, spv::Decoration::BuiltIn) ==
        words{static_cast<std::uint32_t>(spv::BuiltIn::Position)});
  CHECK(made.outputs[1] == dxbc::interface_register{0x1, dxbc::component_class::unsigned_integer});
}

TEST_CASE("only sizes of a texture have reciprocals") {
  constexpr std::uint32_t resinfo = 61, rcp = 129, as_reciprocals = 1;
  struct shape {
    std::uint32_t dimension;
    std::uint32_t sizes;
  };
  // D3D10_SB_RESOURCE_DIMENSION, and the components that are sizes.
  const auto [dimension, sizes] = GENERATE(values<shape>(
      {{2, 0x1}, {3, 0x3}, {4, 0x3}, {5, 0x7}, {6, 0x3}, {7, 0x1}, {8, 0x3}, {9, 0x3}, {10, 0x3}}));
  INFO("dimension " << dimension);
  sm4::program code{sm4::program_type::pixel, 5};
  code.op(sm4::dcl_resource, {plain(sm4::resource, {0}), word(sm4::returns_float)}, dimension)
      .op(sm4::dcl_output, {to(sm4::output, {0})})
      .op(resinfo, {to(sm4::output, {0}), sm4::bits(0), from(sm4::resource, {0})}, as_reciprocals)
      .op(sm4::ret);
  const auto bytes = sm4::container({{sm4::position_out}, {sm4::target_out}}, code);
  auto parts = parts_of(bytes);
  REQUIRE(dxbc::define_results(parts));
  std::uint32_t written = 0;
  for (std::size_t at = 2; at < parts.tokens.size(); at += parts.tokens[at] >> 24 & 0x7F) {
    if ((parts.tokens[at] & 0x7FF) == rcp) written |= parts.tokens[at + 1] >> 4 & 0xF;
  }
  CHECK(written == sizes);
  CHECK(compiled_of(bytes).outputs[0].mask == 0xF);
}
