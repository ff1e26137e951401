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

constexpr std::uint32_t op_sync = 190, op_break = 2, breakc = 3, op_case = 6, endloop = 22,
                        endswitch = 23, loop = 48, op_switch = 76;
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

namespace {

/// A compute shader with u0 and one `sync`.
auto synchronized(std::uint32_t flags) -> test::byte_vector {
  sm4::program code{sm4::program_type::compute, 5};
  code.op(sm4::dcl_uav_raw, {plain(sm4::uav, {0})})
      .op(sm4::dcl_input, {to(sm4::thread_id, {}, "x")})
      .op(sm4::dcl_thread_group, {word(4), word(1), word(1)})
      .op(sm4::store_raw,
          {to(sm4::uav, {0}, "x"), from(sm4::thread_id, {}, "x"), from(sm4::thread_id, {}, "x")})
      .op(op_sync, {}, flags)
      .op(sm4::ret);
  return sm4::container({{}, {}}, code);
}

struct barrier {
  std::uint32_t scope = 0;
  std::uint32_t semantics = 0;

  friend auto operator==(const barrier&, const barrier&) -> bool = default;
};

/// Of the one OpMemoryBarrier.
auto memory_barrier(std::span<const std::uint32_t> module) -> barrier {
  REQUIRE(count(module, spv::Op::OpMemoryBarrier) == 1);
  std::array<std::uint32_t, 2> ids{};
  for_each_spirv(module, [&](spv::Op op, std::span<const std::uint32_t> operands) {
    if (op == spv::Op::OpMemoryBarrier) ids = {operands[0], operands[1]};
  });
  barrier made;
  for_each_spirv(module, [&](spv::Op op, std::span<const std::uint32_t> operands) {
    if (op != spv::Op::OpConstant) return;
    if (operands[1] == ids[0]) made.scope = operands[2];
    if (operands[1] == ids[1]) made.semantics = operands[2];
  });
  return made;
}

constexpr std::uint32_t device_scope = 1, group_scope = 2, acquire_release = 0x8, uniform = 0x40,
                        workgroup = 0x100, image = 0x800;

}  // namespace

TEST_CASE("a barrier of memory alone waits for no other thread") {
  const auto flags = GENERATE(4u, 6u, 8u, 0xAu);
  INFO("flags " << flags);
  const auto made = compiled_of(synchronized(flags));
  CHECK(count(made.words, spv::Op::OpControlBarrier) == 0);
  CHECK(memory_barrier(made.words) ==
        barrier{device_scope, acquire_release | uniform | workgroup | image});
}

TEST_CASE("a barrier of group-shared memory is one of the group") {
  const auto made = compiled_of(synchronized(2));
  CHECK(count(made.words, spv::Op::OpControlBarrier) == 0);
  CHECK(memory_barrier(made.words) == barrier{group_scope, acquire_release | workgroup});
}

TEST_CASE("a barrier of threads stays one") {
  const auto flags = GENERATE(1u, 3u, 5u, 9u, 0xBu);
  const auto made = compiled_of(synchronized(flags));
  CHECK(count(made.words, spv::Op::OpControlBarrier) == 1);
  CHECK(count(made.words, spv::Op::OpMemoryBarrier) == 0);
}

TEST_CASE("a pixel shader has no memory to put a barrier around") {
  const auto flags = GENERATE(4u, 8u);
  sm4::program code{sm4::program_type::pixel, 5};
  code.op(sm4::dcl_output, {to(sm4::output, {0})})
      .op(op_sync, {}, flags)
      .op(sm4::mov, {to(sm4::output, {0}), sm4::number(1, 1, 1, 1)})
      .op(sm4::ret);
  const auto made = compiled_of(sm4::container({{sm4::position_out}, {sm4::target_out}}, code));
  CHECK(count(made.words, spv::Op::OpControlBarrier) == 0);
  CHECK(count(made.words, spv::Op::OpMemoryBarrier) == 0);
}

TEST_CASE("an input keeps its perspective or goes without, wherever in the pixel it is taken") {
  constexpr std::uint32_t constant = 1, linear_centroid = 3, noperspective = 4,
                          noperspective_centroid = 5, linear_sample = 6, noperspective_sample = 7;
  const auto mode = GENERATE_COPY(constant, sm4::linear, linear_centroid, noperspective,
                                  noperspective_centroid, linear_sample, noperspective_sample);
  INFO("interpolation mode " << mode);
  sm4::program code{sm4::program_type::pixel, 5};
  code.op(sm4::dcl_input_ps, {to(sm4::input, {1})}, mode)
      .op(sm4::dcl_output, {to(sm4::output, {0})})
      .op(sm4::mov, {to(sm4::output, {0}), from(sm4::input, {1})})
      .op(sm4::ret);
  const auto made = compiled_of(
      sm4::container({{sm4::position_out, sm4::texcoord(1, 0xF)}, {sm4::target_out}}, code));
  CHECK(is_decorated(made.words, spv::Decoration::Flat) == (mode == constant));
  CHECK(is_decorated(made.words, spv::Decoration::NoPerspective) ==
        (mode == noperspective || mode == noperspective_centroid || mode == noperspective_sample));
  CHECK_FALSE(is_decorated(made.words, spv::Decoration::Centroid));
  CHECK_FALSE(is_decorated(made.words, spv::Decoration::Sample));
}

namespace {

/// A first word followed by modifiers: 1 negates, 2 is absolute; a precision has numbers of its
/// own.
auto extended(test::token_vector operand, std::uint32_t modifier, std::uint32_t precision)
    -> test::token_vector {
  operand[0] |= 0x80000000u;
  operand.insert(operand.begin() + 1, 1u | modifier << 6 | precision << 14);
  return operand;
}
auto negated(test::token_vector operand) -> test::token_vector {
  return extended(std::move(operand), 1, 0);
}

/// o0 = v1 * -v1, with operands of a precision.
auto multiplied(const test::token_vector& declared, const test::token_vector& target,
                const test::token_vector& left, const test::token_vector& right)
    -> test::byte_vector {
  sm4::program code{sm4::program_type::pixel, 5};
  constexpr std::uint32_t dcl_global_flags = 106, allows_minimum_precision = 1u << 5;
  code.op(dcl_global_flags, {}, allows_minimum_precision)
      .op(sm4::dcl_input_ps, {declared}, sm4::linear)
      .op(sm4::dcl_output, {to(sm4::output, {0})})
      .op(sm4::mul, {target, left, right})
      .op(sm4::ret);
  return sm4::container({{sm4::position_out, sm4::texcoord(1, 0xF)}, {sm4::target_out}}, code);
}

}  // namespace

TEST_CASE("a precision that an operand needs at least is more than it needs") {
  const auto precision = GENERATE(1u, 2u, 4u, 5u);
  const auto o0 = to(sm4::output, {0}), v1 = from(sm4::input, {1}), dcl = to(sm4::input, {1});
  const auto full = multiplied(dcl, o0, v1, negated(v1));
  const auto least = multiplied(extended(dcl, 0, precision), extended(o0, 0, precision),
                                extended(v1, 0, precision), extended(v1, 1, precision));
  CHECK(simplified(least).tokens == simplified(full).tokens);
  CHECK(compiled_of(least).words == compiled_of(full).words);
}

TEST_CASE("a precision that there is not is refused") {
  const auto precision = GENERATE(3u, 6u, 7u, 8u);
  const auto o0 = to(sm4::output, {0}), v1 = from(sm4::input, {1}), dcl = to(sm4::input, {1});
  CHECK(dxbc::compile(multiplied(dcl, o0, v1, extended(v1, 0, precision))).why().code ==
        error_code::unsupported);
}
