// SPDX-License-Identifier: MIT
/// \file Which SM4 and SM5 instructions there are, and what their operands are: one row each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace aerogpu::dxbc {

/// D3D10_SB_OPCODE_TYPE and D3D11_SB_OPCODE_TYPE, but for interfaces and calls.
enum opcode : std::uint32_t {
  op_add = 0,
  op_and = 1,
  op_break = 2,
  op_breakc = 3,
  op_case = 6,
  op_continue = 7,
  op_continuec = 8,
  op_cut = 9,
  op_default = 10,
  op_deriv_rtx = 11,
  op_deriv_rty = 12,
  op_discard = 13,
  op_div = 14,
  op_dp2 = 15,
  op_dp3 = 16,
  op_dp4 = 17,
  op_else = 18,
  op_emit = 19,
  op_emit_then_cut = 20,
  op_endif = 21,
  op_endloop = 22,
  op_endswitch = 23,
  op_eq = 24,
  op_exp = 25,
  op_frc = 26,
  op_ftoi = 27,
  op_ftou = 28,
  op_ge = 29,
  op_iadd = 30,
  op_if = 31,
  op_ieq = 32,
  op_ige = 33,
  op_ilt = 34,
  op_imad = 35,
  op_imax = 36,
  op_imin = 37,
  op_imul = 38,
  op_ine = 39,
  op_ineg = 40,
  op_ishl = 41,
  op_ishr = 42,
  op_itof = 43,
  op_ld = 45,
  op_ld_ms = 46,
  op_log = 47,
  op_loop = 48,
  op_lt = 49,
  op_mad = 50,
  op_min = 51,
  op_max = 52,
  op_custom_data = 53,
  op_mov = 54,
  op_movc = 55,
  op_mul = 56,
  op_ne = 57,
  op_nop = 58,
  op_not = 59,
  op_or = 60,
  op_resinfo = 61,
  op_ret = 62,
  op_retc = 63,
  op_round_ne = 64,
  op_round_ni = 65,
  op_round_pi = 66,
  op_round_z = 67,
  op_rsq = 68,
  op_sample = 69,
  op_sample_c = 70,
  op_sample_c_lz = 71,
  op_sample_l = 72,
  op_sample_d = 73,
  op_sample_b = 74,
  op_sqrt = 75,
  op_switch = 76,
  op_sincos = 77,
  op_udiv = 78,
  op_ult = 79,
  op_uge = 80,
  op_umul = 81,
  op_umad = 82,
  op_umax = 83,
  op_umin = 84,
  op_ushr = 85,
  op_utof = 86,
  op_xor = 87,
  op_dcl_resource = 88,
  op_dcl_constant_buffer = 89,
  op_dcl_sampler = 90,
  op_dcl_index_range = 91,
  op_dcl_gs_output_topology = 92,
  op_dcl_gs_input_primitive = 93,
  op_dcl_max_output_vertices = 94,
  op_dcl_input = 95,
  op_dcl_input_sgv = 96,
  op_dcl_input_siv = 97,
  op_dcl_input_ps = 98,
  op_dcl_input_ps_sgv = 99,
  op_dcl_input_ps_siv = 100,
  op_dcl_output = 101,
  op_dcl_output_sgv = 102,
  op_dcl_output_siv = 103,
  op_dcl_temps = 104,
  op_dcl_indexable_temp = 105,
  op_dcl_global_flags = 106,
  op_lod = 108,
  op_gather4 = 109,
  op_sample_pos = 110,
  op_sample_info = 111,
  op_hs_decls = 113,
  op_hs_control_point_phase = 114,
  op_hs_fork_phase = 115,
  op_hs_join_phase = 116,
  op_emit_stream = 117,
  op_cut_stream = 118,
  op_emit_then_cut_stream = 119,
  op_bufinfo = 121,
  op_deriv_rtx_coarse = 122,
  op_deriv_rtx_fine = 123,
  op_deriv_rty_coarse = 124,
  op_deriv_rty_fine = 125,
  op_gather4_c = 126,
  op_gather4_po = 127,
  op_gather4_po_c = 128,
  op_rcp = 129,
  op_f32tof16 = 130,
  op_f16tof32 = 131,
  op_uaddc = 132,
  op_usubb = 133,
  op_countbits = 134,
  op_firstbit_hi = 135,
  op_firstbit_lo = 136,
  op_firstbit_shi = 137,
  op_ubfe = 138,
  op_ibfe = 139,
  op_bfi = 140,
  op_bfrev = 141,
  op_swapc = 142,
  op_dcl_stream = 143,
  op_dcl_input_control_points = 147,
  op_dcl_output_control_points = 148,
  op_dcl_tess_domain = 149,
  op_dcl_tess_partitioning = 150,
  op_dcl_tess_output_primitive = 151,
  op_dcl_hs_max_tess_factor = 152,
  op_dcl_fork_instances = 153,
  op_dcl_join_instances = 154,
  op_dcl_thread_group = 155,
  op_dcl_uav_typed = 156,
  op_dcl_uav_raw = 157,
  op_dcl_uav_structured = 158,
  op_dcl_group_shared_raw = 159,
  op_dcl_group_shared_structured = 160,
  op_dcl_resource_raw = 161,
  op_dcl_resource_structured = 162,
  op_ld_uav_typed = 163,
  op_store_uav_typed = 164,
  op_ld_raw = 165,
  op_store_raw = 166,
  op_ld_structured = 167,
  op_store_structured = 168,
  op_atomic_and = 169,
  op_atomic_or = 170,
  op_atomic_xor = 171,
  op_atomic_cmp_store = 172,
  op_atomic_iadd = 173,
  op_atomic_imax = 174,
  op_atomic_imin = 175,
  op_atomic_umax = 176,
  op_atomic_umin = 177,
  op_imm_atomic_alloc = 178,
  op_imm_atomic_consume = 179,
  op_imm_atomic_iadd = 180,
  op_imm_atomic_and = 181,
  op_imm_atomic_or = 182,
  op_imm_atomic_xor = 183,
  op_imm_atomic_exch = 184,
  op_imm_atomic_cmp_exch = 185,
  op_imm_atomic_imax = 186,
  op_imm_atomic_imin = 187,
  op_imm_atomic_umax = 188,
  op_imm_atomic_umin = 189,
  op_sync = 190,
  op_dadd = 191,
  op_dmax = 192,
  op_dmin = 193,
  op_dmul = 194,
  op_deq = 195,
  op_dge = 196,
  op_dlt = 197,
  op_dne = 198,
  op_dmov = 199,
  op_dmovc = 200,
  op_dtof = 201,
  op_ftod = 202,
  op_dcl_gs_instances = 206,
  op_ddiv = 210,
  op_dfma = 211,
  op_drcp = 212,
  op_dtoi = 214,
  op_dtou = 215,
  op_itod = 216,
  op_utod = 217,
};
/// Of the first word of an instruction.
inline constexpr std::uint32_t opcode_bits = 0x7FF;
[[nodiscard]] constexpr auto code_of(std::uint32_t token) noexcept -> std::uint32_t {
  return token & opcode_bits;
}

/// What an instruction has as an operand. Names without `to` are read; those of views are rows of
/// `resource_classes`.
enum class operand_kind : std::uint8_t {
  to,        ///< A register that is written, or null.
  from,      ///< A source.
  from_one,  ///< A source of one component.
  literal,   ///< An immediate word.
  sampler,   ///< s#
  stream,    ///< m#
  declared,  ///< The register of a declaration.
  word,      ///< A word that is no operand.
  sampled,
  loaded,
  multisampled,
  sample_source,  ///< A multisampled t#, or the rasterizer.
  described,
  buffer,
  raw,
  structured,
  typed_uav,
  to_typed_uav,
  to_raw,
  to_structured,
  atomic,
  counter,
};

/// At most six.
class operand_kinds {
 public:
  constexpr operand_kinds(std::initializer_list<operand_kind> kinds) noexcept {
    for (const operand_kind each : kinds) kinds_[count_++] = each;
  }
  [[nodiscard]] constexpr auto begin() const noexcept { return kinds_.begin(); }
  [[nodiscard]] constexpr auto end() const noexcept { return kinds_.begin() + count_; }
  [[nodiscard]] constexpr auto size() const noexcept -> std::size_t { return count_; }
  [[nodiscard]] constexpr auto operator[](std::size_t i) const noexcept -> operand_kind {
    return kinds_[i];
  }
  [[nodiscard]] constexpr auto begins_with(operand_kind kind) const noexcept -> bool {
    return count_ != 0 && kinds_[0] == kind;
  }

 private:
  std::array<operand_kind, 6> kinds_{};
  std::uint8_t count_ = 0;
};

/// What else an instruction is, as bits.
enum instruction_trait : std::uint16_t {
  declares = 1,
  of_phase = 2,  ///< A declaration of registers that each phase of a hull shader has for itself.
  begins_phase = 4,  ///< Of a hull shader.
  reads_all = 8,     ///< All lanes of its sources, whichever it writes.
  offsets = 16,      ///< Takes texels that an offset can move.
  moves = 32,        ///< Always moves them.
  gathers = 64,
  compares = 128,  ///< With a reference.
  doubles = 256,   ///< Computes with them, which is refused.
};

struct opcode_row {
  opcode code{};
  operand_kinds operands{};
  std::uint16_t traits = 0;  ///< instruction_trait

  [[nodiscard]] constexpr auto is(instruction_trait trait) const noexcept -> bool {
    return (traits & trait) != 0;
  }
};

/// Controls that an instruction may have set, as bits of its first word.
[[nodiscard]] auto controls_of(const opcode_row& row) noexcept -> std::uint32_t;

/// Null for what does not exist, and for interfaces and calls, which the compiler behind has not.
[[nodiscard]] auto find_opcode(std::uint32_t number) noexcept -> const opcode_row*;

/// Whether an instruction with that first word stands in front of those that are executed.
[[nodiscard]] inline auto is_declaration(std::uint32_t token) noexcept -> bool {
  const opcode_row* row = find_opcode(code_of(token));
  return code_of(token) == op_custom_data || (row != nullptr && row->is(declares));
}

/// Whether some lane of a result is to be computed as it is written.
[[nodiscard]] inline auto is_precise(std::uint32_t token) noexcept -> bool {
  constexpr std::uint32_t precise = 0xFu << 19;
  return !is_declaration(token) && (token & precise) != 0;
}

/// Whether it is a barrier that orders what views hold and holds no thread up.
[[nodiscard]] constexpr auto is_view_barrier(std::uint32_t token) noexcept -> bool {
  constexpr std::uint32_t threads = 1u << 11, views = 0xCu << 11;
  return code_of(token) == op_sync && (token & threads) == 0 && (token & views) != 0;
}

}  // namespace aerogpu::dxbc
