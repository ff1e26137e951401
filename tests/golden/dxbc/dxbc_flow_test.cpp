// SPDX-License-Identifier: MIT
#include "tests/golden/guests/dxbc_guest.hpp"

namespace aerogpu::golden {
namespace {

using words = std::vector<std::uint32_t>;

constexpr std::uint32_t op_break = 2, breakc = 3, op_case = 6, op_default = 10, endloop = 22,
                        endswitch = 23, uge = 80, loop = 48, op_switch = 76;
constexpr std::uint32_t when_not_zero = 1u << 7;

TEST_CASE("a break with a condition leaves the switch that it stands in", "[golden][dxbc][flow]") {
  using namespace sm4;
  const bool is_looped = GENERATE(false, true);
  auto code = words_program();
  // Up to three times: r0.z counts what runs behind the break, r0.w what runs behind the switch.
  if (is_looped) code.op(loop);
  code.op(op_switch, {from(temp, {0}, "x")})
      .op(op_case, {bits(1)})
      .op(breakc, {from(temp, {0}, "y")}, when_not_zero)
      .op(iadd, {to(temp, {0}, "z"), from(temp, {0}, "z"), bits(5)})
      .op(op_break)
      .op(op_default)
      .op(op_break)
      .op(endswitch)
      .op(iadd, {to(temp, {0}, "w"), from(temp, {0}, "w"), bits(1)});
  if (is_looped) {
    code.op(uge, {to(temp, {2}, "x"), from(temp, {0}, "w"), bits(3)})
        .op(breakc, {from(temp, {2}, "x")}, when_not_zero)
        .op(endloop);
  }
  dxbc_scene s;
  const auto made = s.run_words(words_shader(code), {1, 1, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0});
  const std::uint32_t rounds = is_looped ? 3 : 1;
  if (s.g.renders())
    CHECK(made == words{1, 1, 0, rounds, 1, 0, 5 * rounds, rounds, 2, 1, 0, rounds});
}

}  // namespace
}  // namespace aerogpu::golden
