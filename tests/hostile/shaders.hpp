// SPDX-License-Identifier: MIT
/// \file What attacks need of SM4 and SM5 programs beyond the samples: shared memory, indexable
/// registers, loops, and operands whose index a register gives.
#pragma once

#include "tests/support/byte_code/dxbc_samples.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::hostile {

using namespace test::sm4;
using test::token_vector;

// Opcodes.
inline constexpr std::uint32_t op_break = 0x02, op_breakc = 0x03, op_case = 0x06, op_endloop = 0x16,
                               op_endswitch = 0x17, op_ge = 0x1D, op_ieq = 0x20, op_ilt = 0x22,
                               op_imul = 0x26, op_ine = 0x27, op_loop = 0x30, op_custom_data = 0x35,
                               op_switch = 0x4C, op_ult = 0x4F, op_exp = 0x19, op_log = 0x2F,
                               op_sincos = 0x4D, op_dcl_index_range = 0x5B,
                               op_dcl_indexable_temp = 0x69, op_dcl_tgsm_raw = 0x9F,
                               op_dcl_tgsm_structured = 0xA0, op_atomic_iadd = 0xAD,
                               op_imm_atomic_exch = 0xB8, op_sync = 0xBE;
/// Controls of `sync`: threads and shared memory of a group.
inline constexpr std::uint32_t sync_group = 0x3;

// Register files.
inline constexpr auto indexable_temp = static_cast<file>(3);
inline constexpr auto immediate_constants = static_cast<file>(9);
inline constexpr auto group_shared = static_cast<file>(0x1F);
inline constexpr auto thread_in_group = static_cast<file>(0x22);

/// The index `base` + temp[row].`lane`.
struct register_index {
  std::uint32_t row = 0;
  char lane = 'x';
  std::uint32_t base = 0;
};

namespace parts {

[[nodiscard]] inline auto relative_tokens(const register_index& by) -> token_vector {
  token_vector tokens{by.base};
  const token_vector inner = from(temp, {by.row}, std::string_view{&by.lane, 1});
  tokens.insert(tokens.end(), inner.begin(), inner.end());
  return tokens;
}

inline constexpr std::uint32_t by_register = 3;  ///< An immediate plus a register.

}  // namespace parts

/// `what`[by]: the immediate constants.
[[nodiscard]] inline auto indexed(file what, const register_index& by) -> token_vector {
  token_vector made{2u | 1u << 2 | 0xE4u << 4 | what << 12 | 1u << 20 | parts::by_register << 22};
  const token_vector tokens = parts::relative_tokens(by);
  made.insert(made.end(), tokens.begin(), tokens.end());
  return made;
}

/// `what` number [by] with all components, as a source: x0[r], cb0[r].
[[nodiscard]] inline auto indexed(file what, std::uint32_t number, const register_index& by)
    -> token_vector {
  token_vector made{2u | 1u << 2 | 0xE4u << 4 | what << 12 | 2u << 20 | parts::by_register << 25,
                    number};
  const token_vector tokens = parts::relative_tokens(by);
  made.insert(made.end(), tokens.begin(), tokens.end());
  return made;
}

/// The same as a destination.
[[nodiscard]] inline auto indexed_to(file what, std::uint32_t number, const register_index& by)
    -> token_vector {
  token_vector made = indexed(what, number, by);
  made[0] = (made[0] & ~(0xFFu << 4 | 3u << 2)) | 0xFu << 4;
  return made;
}

/// A block of custom data with a table of constants, four words each.
class program_with_constants : public program {
 public:
  using program::program;
  [[nodiscard]] auto tokens_with(const token_vector& constants) const -> token_vector {
    token_vector all = tokens();
    token_vector block{3u << 11 | op_custom_data, static_cast<std::uint32_t>(constants.size() + 2)};
    block.insert(block.end(), constants.begin(), constants.end());
    all.insert(all.begin() + 2, block.begin(), block.end());
    all[1] = static_cast<std::uint32_t>(all.size());
    return all;
  }
};

/// A compute program that begins with t0 and u0 as raw buffers, SV_DispatchThreadID.x as
/// vThreadID, r0 to r7, and groups of `threads`. r0.x = 4 * thread, r0.y = t0[thread].
[[nodiscard]] inline auto begin_compute(std::uint32_t threads,
                                        const std::vector<token_vector>& declarations = {})
    -> program {
  program code{program_type::compute, 5};
  code.op(dcl_resource_raw, {plain(resource, {0})})
      .op(dcl_uav_raw, {plain(uav, {0})})
      .op(dcl_input, {to(thread_id, {}, "x")})
      .op(dcl_temps, {word(8)});
  for (const token_vector& each : declarations) {
    token_vector rest(each.begin() + 1, each.end());
    code.op(each[0] & 0x7FF, {rest}, each[0] >> 11);
  }
  code.op(dcl_thread_group, {word(threads), word(1), word(1)})
      .op(ishl, {to(temp, {0}, "x"), from(thread_id, {}, "x"), bits(2)})
      .op(ld_raw, {to(temp, {0}, "y"), from(temp, {0}, "x"), from(resource, {0}, "xxxx")});
  return code;
}

/// Ends it with u0[thread] = r1.x.
[[nodiscard]] inline auto end_compute(program& code) -> byte_vector {
  code.op(store_raw, {to(uav, {0}, "x"), from(temp, {0}, "x"), from(temp, {1}, "x")}).op(ret);
  return container({{}, {}}, code);
}

/// A declaration for `begin_compute`: its opcode and operands.
[[nodiscard]] inline auto declare(std::uint32_t opcode,
                                  std::initializer_list<token_vector> operands,
                                  std::uint32_t controls = 0) -> token_vector {
  token_vector made{opcode | controls << 11};
  for (const token_vector& operand : operands) {
    made.insert(made.end(), operand.begin(), operand.end());
  }
  return made;
}

}  // namespace aerogpu::hostile
