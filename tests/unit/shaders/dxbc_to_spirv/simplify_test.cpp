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

constexpr std::uint32_t op_break = 2, breakc = 3, op_case = 6, endloop = 22, endswitch = 23,
                        loop = 48, op_switch = 76;
constexpr std::uint32_t when_zero = 0;

auto simplified(const test::byte_vector& container) -> dxbc::shader_parts {
  auto parts = parts_of(container);
  REQUIRE(dxbc::simplify(parts));
  return parts;
}

}  // namespace

TEST_CASE("a break with a condition stays one in a loop and becomes an if in a switch") {
  sm4::program code{sm4::program_type::pixel, 5};
  const auto v1 = from(sm4::input, {1}, "x");
  code.op(sm4::dcl_input_ps, {to(sm4::input, {1})}, sm4::linear)
      .op(sm4::dcl_output, {to(sm4::output, {0})})
      .op(op_switch, {v1})
      .op(op_case, {sm4::bits(1)})
      .op(loop)
      .op(breakc, {v1}, when_zero)
      .op(endloop)
      .op(breakc, {v1}, when_zero)
      .op(op_break)
      .op(endswitch)
      .op(sm4::mov, {to(sm4::output, {0}), from(sm4::input, {1})})
      .op(sm4::ret);
  const auto bytes =
      sm4::container({{sm4::position_out, sm4::texcoord(1, 0xF)}, {sm4::target_out}}, code);
  const auto parts = simplified(bytes);
  CHECK(count_op(parts, breakc) == 1);
  CHECK(count_op(parts, op_break) == 2);
  CHECK(count_op(parts, sm4::op_if) == 1);
  CHECK(compiled_of(bytes).stage == shader_stage::pixel);
}
