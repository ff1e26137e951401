/// \file Which SM4 and SM5 instructions there are, and what their operands are: one row each.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::dxbc {

/// D3D10_SB_OPCODE_TYPE and D3D11_SB_OPCODE_TYPE, as far as the code names them.
enum opcode : std::uint32_t {
  op_break = 2,
  op_breakc = 3,
  op_case = 6,
  op_continue = 7,
  op_continuec = 8,
  op_cut = 9,
  op_default = 10,
  op_dp2 = 15,
  op_dp4 = 17,
  op_else = 18,
  op_emit = 19,
  op_emit_then_cut = 20,
  op_endif = 21,
  op_endloop = 22,
  op_endswitch = 23,
  op_ftou = 28,
  op_ge = 29,
  op_iadd = 30,
  op_if = 31,
  op_ieq = 32,
  op_imad = 35,
  op_imul = 38,
  op_ld = 45,
  op_ld_ms = 46,
  op_loop = 48,
  op_min = 51,
  op_max = 52,
  op_custom_data = 53,
  op_mov = 54,
  op_movc = 55,
  op_resinfo = 61,
  op_ret = 62,
  op_retc = 63,
  op_sample = 69,
  op_sample_c = 70,
  op_sample_c_lz = 71,
  op_sample_d = 73,
  op_sample_b = 74,
  op_switch = 76,
  op_umul = 81,
  op_umad = 82,
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
  op_gather4_c = 126,
  op_gather4_po = 127,
  op_gather4_po_c = 128,
  op_firstbit_hi = 135,
  op_firstbit_shi = 137,
  op_ibfe = 139,
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
  op_imm_atomic_alloc = 178,
  op_imm_atomic_consume = 179,
  op_sync = 190,
  op_dcl_gs_instances = 206,
};
inline constexpr std::size_t opcode_count = 207;

/// Of the first word of an instruction.
inline constexpr std::uint32_t opcode_bits = 0x7FF;
[[nodiscard]] constexpr auto code_of(std::uint32_t token) noexcept -> std::uint32_t {
  return token & opcode_bits;
}

/// Operands in their order, a letter each: D destination, S source, N source of one component,
/// K one immediate word, P s#, R multisampled t# or the rasterizer, M stream m#, X declared
/// register, W literal word, and the letters of `resource_classes` for what is read and written
/// through views.
struct opcode_form {
  const char* operands = nullptr;  ///< Null where no instruction, or none that can be translated.
  bool is_declaration = false;
};

/// Controls that an instruction may have set, as bits of its first word.
[[nodiscard]] auto controls_of(std::uint32_t opcode) noexcept -> std::uint32_t;

[[nodiscard]] auto form_of(std::uint32_t opcode) noexcept -> const opcode_form&;

/// Whether an instruction with that first word stands in front of those that are executed.
[[nodiscard]] inline auto is_declaration(std::uint32_t token) noexcept -> bool {
  return code_of(token) == op_custom_data || form_of(code_of(token)).is_declaration;
}

}  // namespace aerogpu::dxbc
