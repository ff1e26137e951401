// SPDX-License-Identifier: MIT
#include "tests/golden/guests/dxbc_guest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace aerogpu::golden {
namespace {

using words = std::vector<std::uint32_t>;

constexpr std::uint32_t ftou = 28, ishr = 42, sincos = 77, udiv = 78, ushr = 85, swapc = 142,
                        uaddc = 132, usubb = 133, firstbit_hi = 135, firstbit_lo = 136,
                        firstbit_shi = 137, ubfe = 138, ibfe = 139, bfi = 140;
constexpr std::uint32_t without_bit = 0xFFFFFFFF;

/// One instruction that makes r0 of r0.
[[nodiscard]] auto cs_around(std::uint32_t opcode,
                             std::initializer_list<test::token_vector> operands,
                             std::uint32_t controls = 0) -> byte_vector {
  return words_shader(words_program().op(opcode, operands, controls));
}

/// u0 = op(t0): the words of `mask` through `source`, the others as they are.
[[nodiscard]] auto cs_of(std::uint32_t opcode, std::string_view mask,
                         const test::token_vector& source) -> byte_vector {
  return cs_around(opcode, {sm4::to(sm4::temp, {0}, mask), source});
}

[[nodiscard]] auto negated(test::token_vector operand) -> test::token_vector {
  constexpr std::uint32_t is_extended = 0x80000000, negation = 0x41;
  operand[0] |= is_extended;
  operand.insert(operand.begin() + 1, negation);
  return operand;
}

/// Direct3D 11's conversion: rounded to zero, held in what fits, NaN is 0.
[[nodiscard]] auto to_unsigned(float value) -> std::uint32_t {
  if (!(value > 0)) return 0;
  return value >= 4294967296.0f ? 0xFFFFFFFF : static_cast<std::uint32_t>(value);
}

/// Counted from the highest bit, as Direct3D 11 does it.
[[nodiscard]] auto first_high(std::uint32_t value) -> std::uint32_t {
  return value == 0 ? without_bit : static_cast<std::uint32_t>(std::countl_zero(value));
}
/// The first bit that differs from the sign.
[[nodiscard]] auto first_signed(std::uint32_t value) -> std::uint32_t {
  return first_high(value >> 31 != 0 ? ~value : value);
}
[[nodiscard]] auto first_low(std::uint32_t value) -> std::uint32_t {
  return value == 0 ? without_bit : static_cast<std::uint32_t>(std::countr_zero(value));
}

TEST_CASE("ftou of what no unsigned integer holds is the nearest one, and of NaN it is 0",
          "[golden][dxbc][results]") {
  const std::vector<float> numbers{-1.5f,
                                   -0.0f,
                                   3.75f,
                                   -std::numeric_limits<float>::infinity(),
                                   std::numeric_limits<float>::quiet_NaN(),
                                   0.99f,
                                   4294967040.0f,
                                   4294967296.0f,
                                   std::numeric_limits<float>::infinity(),
                                   1e20f,
                                   -1e20f,
                                   2147483648.0f};
  words values, expected;
  for (const float each : numbers) {
    values.push_back(as_bits(each));
    expected.push_back(to_unsigned(each));
  }
  dxbc_scene s;
  const auto made = s.run_words(cs_of(ftou, "xyzw", sm4::from(sm4::temp, {0})), values);
  if (s.g.renders()) CHECK(made == expected);
}

TEST_CASE("ftou takes modifiers, swizzles and masks", "[golden][dxbc][results]") {
  // r0.yw = ftou(-r0.wzyx)
  const auto source = negated(sm4::from(sm4::temp, {0}, "wzyx"));
  const words values{as_bits(-5.5f), as_bits(1.0f), as_bits(7.0f), as_bits(-2.0f)};
  dxbc_scene s;
  const auto made = s.run_words(cs_of(ftou, "yw", source), values);
  if (s.g.renders()) CHECK(made == words{values[0], 0, values[2], 5});
}

TEST_CASE("the place of a bit that is not there is -1", "[golden][dxbc][results]") {
  struct row {
    std::uint32_t opcode;
    std::uint32_t (*place)(std::uint32_t);
  };
  const auto [opcode, place] = GENERATE(values<row>(
      {{firstbit_hi, first_high}, {firstbit_shi, first_signed}, {firstbit_lo, first_low}}));
  INFO("opcode " << opcode);
  const words values{0,          1,          0x80000000, 0x00012345, 0xFFFFFFFF, 0xFFFF0000,
                     0x7FFFFFFF, 0x40000000, 2,          0,          0xFFFFFFFE, 3};
  words expected;
  for (const std::uint32_t each : values) expected.push_back(place(each));
  dxbc_scene s;
  const auto made = s.run_words(cs_of(opcode, "xyzw", sm4::from(sm4::temp, {0})), values);
  if (s.g.renders()) CHECK(made == expected);
}

TEST_CASE("the place of a bit goes to the components that are asked for",
          "[golden][dxbc][results]") {
  const words values{0, 0x100, 0, 0x1};
  dxbc_scene s;
  const auto made =
      s.run_words(cs_of(firstbit_hi, "zw", sm4::from(sm4::temp, {0}, "xxyx")), values);
  if (s.g.renders()) CHECK(made == words{0, 0x100, 23, without_bit});
}

/// Direct3D 11's shifts.
[[nodiscard]] auto shifted(std::uint32_t opcode, std::uint32_t value, std::uint32_t amount)
    -> std::uint32_t {
  const std::uint32_t bits = amount & 31u;
  if (opcode == sm4::ishl) return value << bits;
  if (opcode == ushr) return value >> bits;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value) >> bits);
}

TEST_CASE("a shift goes by the lowest five bits of its amount", "[golden][dxbc][results]") {
  using namespace sm4;
  const std::uint32_t opcode = GENERATE(as<std::uint32_t>{}, ishl, ishr, ushr);
  const bool is_negated = GENERATE(false, true), is_immediate = GENERATE(false, true);
  const auto amount = GENERATE(as<std::uint32_t>{}, 0, 5, 31, 32, 37, 0xFFFFFFFF, 0x80000004);
  if (is_negated && is_immediate) return;  // No compiler negates a number.
  INFO("opcode " << opcode << ", amount " << amount << ", negated " << is_negated << ", immediate "
                 << is_immediate);
  // r0.xyz = op(r0, r0.w)
  auto by = is_immediate ? bits(amount) : from(temp, {0}, "w");
  if (is_negated) by = negated(by);
  const words values{1, 0x80000081, 0x7FFFFFFF, amount};
  words expected = values;
  for (std::size_t i = 0; i < 3; ++i) {
    expected[i] = shifted(opcode, values[i], is_negated ? 0u - amount : amount);
  }
  dxbc_scene s;
  const auto made =
      s.run_words(cs_around(opcode, {to(temp, {0}, "xyz"), from(temp, {0}), by}), values);
  if (s.g.renders()) CHECK(made == expected);
}

/// Direct3D 11's ubfe and ibfe, and bfi over a word of `under`.
[[nodiscard]] auto field(std::uint32_t opcode, std::uint32_t width, std::uint32_t offset,
                         std::uint32_t value, std::uint32_t under) -> std::uint32_t {
  const std::uint32_t at = offset & 31u, bits = std::min(width & 31u, 32u - at);
  const std::uint32_t low = bits == 32 ? 0xFFFFFFFFu : (1u << bits) - 1u;
  if (opcode == bfi) return (value << at & low << at) | (under & ~(low << at));
  const std::uint32_t made = value >> at & low;
  const bool is_negative = opcode == ibfe && bits != 0 && (made >> (bits - 1u) & 1u) != 0;
  return is_negative ? made | ~low : made;
}

TEST_CASE("a field of bits ends at bit 31, and its place and width are their lowest five bits",
          "[golden][dxbc][results][values]") {
  using namespace sm4;
  const std::uint32_t opcode = GENERATE(as<std::uint32_t>{}, ubfe, ibfe, bfi);
  const auto width = GENERATE(as<std::uint32_t>{}, 0, 1, 8, 31, 32, 40, 0xFFFFFFFF);
  const auto offset = GENERATE(as<std::uint32_t>{}, 0, 8, 25, 31, 32, 57, 0xFFFFFFF0);
  const bool is_immediate = GENERATE(false, true);
  INFO("opcode " << opcode << ", width " << width << ", offset " << offset << ", immediate "
                 << is_immediate);
  const words values{width, offset, 0x8ABCDEF1, 0x12345678};
  test::token_vector wide = from(temp, {0}, "x"), at = from(temp, {0}, "y");
  if (is_immediate) wide = bits(width), at = bits(offset);
  // r0.zw = op(r0.x, r0.y, r0.zw [, r0.wz])
  const auto container = opcode == bfi
                             ? cs_around(opcode, {to(temp, {0}, "zw"), wide, at, from(temp, {0}),
                                                  from(temp, {0}, "xxwz")})
                             : cs_around(opcode, {to(temp, {0}, "zw"), wide, at, from(temp, {0})});
  const words expected{width, offset, field(opcode, width, offset, values[2], values[3]),
                       field(opcode, width, offset, values[3], values[2])};
  dxbc_scene s;
  const auto made = s.run_words(container, values);
  if (s.g.renders()) CHECK(made == expected);
}

TEST_CASE("a sum tells its carry and a difference its borrow", "[golden][dxbc][results]") {
  using namespace sm4;
  const std::uint32_t opcode = GENERATE(as<std::uint32_t>{}, uaddc, usubb);
  const auto [left, right] = GENERATE(table<std::uint32_t, std::uint32_t>({
      {0, 0},
      {1, 2},
      {0xFFFFFFFF, 1},
      {1, 0xFFFFFFFF},
      {0xFFFFFFFF, 0xFFFFFFFF},
      {0x80000000, 0x80000000},
      {7, 7},
  }));
  const bool is_result_wanted = GENERATE(true, false), is_carry_wanted = GENERATE(true, false);
  INFO("opcode " << opcode << ", " << left << " and " << right);
  // r0.z, r0.w = op(r0.x, r0.y)
  const auto container = cs_around(opcode, {is_result_wanted ? to(temp, {0}, "z") : plain(null),
                                            is_carry_wanted ? to(temp, {0}, "w") : plain(null),
                                            from(temp, {0}, "xxxx"), from(temp, {0}, "yyyy")});
  const bool is_sum = opcode == uaddc;
  const std::uint32_t result = is_sum ? left + right : left - right;
  const bool carries = is_sum ? result < left : left < right;
  const words values{left, right, 9, 9};
  const words expected{left, right, is_result_wanted ? result : 9,
                       is_carry_wanted ? (carries ? 1u : 0u) : 9};
  dxbc_scene s;
  const auto made = s.run_words(container, values);
  if (s.g.renders()) CHECK(made == expected);
}

TEST_CASE("two results of an instruction go to components of their own",
          "[golden][dxbc][results]") {
  using namespace sm4;
  // The first result is what the second is made of.
  const words values{17, 5, 9, 3};
  dxbc_scene s;
  // r0.xy = r0.xz / r0.yw, r0.w = r0.w % r0.w by lanes of its own
  const auto divided =
      s.run_words(cs_around(udiv, {to(temp, {0}, "xy"), to(temp, {0}, "w"), from(temp, {0}, "xzxx"),
                                   from(temp, {0}, "ywxy")}),
                  values);
  // r0.x = r0.y and r0.yz = (r0.x, r0.z), because r0.w is not 0
  const auto swapped = s.run_words(
      cs_around(swapc, {to(temp, {0}, "x"), to(temp, {0}, "yz"), from(temp, {0}, "wwww"),
                        from(temp, {0}, "xxzz"), from(temp, {0}, "yyww")}),
      values);
  constexpr std::uint32_t saturated = 4;
  const auto turned = s.run_words(
      cs_around(sincos, {to(temp, {0}, "x"), to(temp, {0}, "yz"), from(temp, {0})}, saturated),
      {as_bits(-1.0f), as_bits(4.0f), 0, 7});
  if (!s.g.renders()) return;
  CHECK(divided == words{3, 3, 9, 2});
  CHECK(swapped == words{5, 17, 9, 3});
  CHECK(turned == words{0, 0, as_bits(1.0f), 7});
}

TEST_CASE("a swap of which one result goes nowhere has the other", "[golden][dxbc][results]") {
  using namespace sm4;
  const bool is_first = GENERATE(false, true);
  const auto condition = GENERATE(0u, 1u);
  INFO("first " << is_first << ", condition " << condition);
  // r0.xy = r0.w ? r0.yx : r0.zz, or the other way round.
  const auto kept = to(temp, {0}, "xy"), nowhere = plain(null);
  const auto container =
      cs_around(swapc, {is_first ? kept : nowhere, is_first ? nowhere : kept,
                        from(temp, {0}, "wwww"), from(temp, {0}, "zzzz"), from(temp, {0}, "yxyx")});
  const bool takes_second = is_first == (condition != 0);
  const words expected = takes_second ? words{20, 10, 30, condition} : words{30, 30, 30, condition};
  dxbc_scene s;
  const auto made = s.run_words(container, {10, 20, 30, condition});
  if (s.g.renders()) CHECK(made == expected);
}

/// Green with a coverage: oMask is declared as compilers do it, without components.
[[nodiscard]] auto ps_covering(std::uint32_t coverage) -> byte_vector {
  using namespace sm4;
  constexpr std::uint32_t bare = 0xF000, of_one_component = 0xF001;
  program code{program_type::pixel, 4, 1};
  code.op(dcl_output, {to(output, {0})})
      .op(dcl_output, {word(bare)})
      .op(mov, {to(output, {0}), number(0, 1, 0, 1)})
      .op(mov, {word(of_one_component), bits(coverage)})
      .op(ret);
  return container(
      {{position_out}, {target_out, {"SV_Coverage", 0, sv_none, is_uint, no_register, 1, 0xE}}},
      code);
}

TEST_CASE("a pixel is drawn where its coverage has the one sample of a target",
          "[golden][dxbc][results]") {
  const auto coverage = GENERATE(0u, 1u, 2u, 0xFu);
  INFO("coverage " << coverage);
  dxbc_scene s;
  s.draw_whole(s.shader(wire_ps, ps_covering(coverage)));
  s.expect((coverage & 1u) != 0 ? green : black);
}

TEST_CASE("a depth that a pixel shader writes is held in the range of the viewport",
          "[golden][dxbc][results]") {
  using namespace sm4;
  const auto [written, held] = GENERATE(table<float, float>({{0.9f, 0.5f}, {0.1f, 0.25f}}));
  INFO("depth " << written);
  program code{program_type::pixel, 5};
  code.op(dcl_output, {to(output, {0})})
      .op(dcl_output, {scalar(output_depth)})
      .op(mov, {to(output, {0}), number(1, 0, 0, 1)})
      .op(mov, {scalar(output_depth), number(written)})
      .op(ret);
  const auto bytes = container(
      {{position_out}, {target_out, {"SV_Depth", 0, sv_none, is_float, no_register, 0x1, 0xE}}},
      code);
  dxbc_scene s(8, 8);
  s.g.bind_targets({s.target}, s.g.make_target(8, 8, AEROGPU_FORMAT_D32_FLOAT));
  s.g.stream()
      .clear(AEROGPU_CLEAR_DEPTH, {}, 1)
      .depth_stencil({1, 1, AEROGPU_COMPARE_ALWAYS, 0, 0xFF, 0xFF, {}})
      .viewport({0, 0, 8, 8, 0.25f, 0.5f});
  s.draw_whole(s.shader(wire_ps, bytes));
  // What comes in behind the viewport's end is clipped nonetheless.
  auto behind = s.quad(s.whole(), {0, 0, 1, 1});
  for (dxbc_vertex& v : behind) v.z = 1.5f;
  s.draw(behind);
  s.expect(red);
  s.g.stream()
      .viewport({0, 0, 8, 8, 0, 1})
      .depth_stencil({1, 0, AEROGPU_COMPARE_EQUAL, 0, 0xFF, 0xFF, {}});
  s.g.stream().bind_shaders(s.passing_vs(), s.color_ps());
  auto equal = s.quad(s.whole(), {0, 1, 0, 1});
  for (dxbc_vertex& v : equal) v.z = held;
  s.draw(equal);
  s.expect(green);
}

/// White times the count of samples of the rasterizer, where sample 0 is in the middle.
[[nodiscard]] auto ps_sample_facts() -> byte_vector {
  using namespace sm4;
  constexpr auto rasterizer = static_cast<file>(14);
  constexpr std::uint32_t sample_info = 111, sample_pos = 110, as_uint = 1, zero = 0;
  program code{program_type::pixel, 4, 1};
  code.op(dcl_output, {to(output, {0})})
      .op(dcl_temps, {word(1)})
      .op(sample_info, {to(temp, {0}, "x"), from(rasterizer, {}, "x")}, as_uint)
      .op(utof, {to(temp, {0}, "x"), from(temp, {0}, "x")})
      .op(sample_pos, {to(temp, {0}, "yz"), from(rasterizer, {}, "xxyx"), bits(0), word(zero)})
      .op(add, {to(output, {0}), from(temp, {0}, "xyzx"), number(0, 0.5f, 0.5f, 0)})
      .op(ret);
  return container({{position_out}, {target_out}}, code);
}

TEST_CASE("the rasterizer has one sample, in the middle of its pixel", "[golden][dxbc][results]") {
  dxbc_scene s;
  s.draw_whole(s.shader(wire_ps, ps_sample_facts()));
  s.expect({255, 128, 128, 255}, rounding);
}

/// POSITION goes through; a layer and a viewport are chosen as well.
[[nodiscard]] auto vs_choosing(std::uint32_t layer, std::uint32_t viewport) -> byte_vector {
  using namespace sm4;
  constexpr std::uint32_t name_layer = 4, name_viewport = 5;
  program code{program_type::vertex, 5};
  code.op(dcl_input, {to(input, {0})})
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_output_siv, {to(output, {1}, "x"), word(name_layer)})
      .op(dcl_output_siv, {to(output, {1}, "y"), word(name_viewport)})
      .op(mov, {to(output, {0}), from(input, {0})})
      .op(mov, {to(output, {1}, "x"), bits(layer)})
      .op(mov, {to(output, {1}, "y"), bits(viewport)})
      .op(ret);
  return container({{position_in},
                    {position_out,
                     {"SV_RenderTargetArrayIndex", 0, name_layer, is_uint, 1, 0x1, 0xE},
                     {"SV_ViewportArrayIndex", 0, name_viewport, is_uint, 1, 0x2, 0xD}}},
                   code);
}

TEST_CASE("a target has one layer and one viewport, whichever a vertex shader chooses",
          "[golden][dxbc][results]") {
  const auto layer = GENERATE(0u, 1u, 0xFFFFFFFFu), viewport = GENERATE(0u, 3u);
  INFO("layer " << layer << ", viewport " << viewport);
  dxbc_scene s;
  const auto vs = s.shader(wire_vs, vs_choosing(layer, viewport));
  const auto ps = s.shader(wire_ps, sm4::ps_without_alpha());
  s.g.stream().bind_shaders(vs, ps);
  s.draw(s.quad({1, 0, 2, 4}));
  s.expect(image(4, 4, black).fill({1, 0, 2, 4}, {64, 128, 191, 255}), rounding);
}

}  // namespace
}  // namespace aerogpu::golden
