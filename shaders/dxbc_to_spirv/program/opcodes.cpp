// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/program/opcodes.hpp"

namespace aerogpu::dxbc {
namespace {

struct opcode_row {
  std::uint8_t first;
  std::uint8_t last;
  const char* operands;
};

/// Interfaces, calls and doubles are not here: the compiler behind has none.
constexpr std::array executable_rows{
    opcode_row{0, 1, "DSS"},         // add, and
    opcode_row{2, 2, ""},            // break
    opcode_row{3, 3, "N"},           // breakc
    opcode_row{6, 6, "K"},           // case
    opcode_row{7, 7, ""},            // continue
    opcode_row{8, 8, "N"},           // continuec
    opcode_row{9, 10, ""},           // cut, default
    opcode_row{11, 12, "DS"},        // deriv_rtx, deriv_rty
    opcode_row{13, 13, "N"},         // discard
    opcode_row{14, 17, "DSS"},       // div, dp2, dp3, dp4
    opcode_row{18, 23, ""},          // else, emit, emit_then_cut, endif, endloop, endswitch
    opcode_row{24, 24, "DSS"},       // eq
    opcode_row{25, 28, "DS"},        // exp, frc, ftoi, ftou
    opcode_row{29, 30, "DSS"},       // ge, iadd
    opcode_row{31, 31, "N"},         // if
    opcode_row{32, 34, "DSS"},       // ieq, ige, ilt
    opcode_row{35, 35, "DSSS"},      // imad
    opcode_row{36, 37, "DSS"},       // imax, imin
    opcode_row{38, 38, "DDSS"},      // imul
    opcode_row{39, 39, "DSS"},       // ine
    opcode_row{40, 40, "DS"},        // ineg
    opcode_row{41, 42, "DSS"},       // ishl, ishr
    opcode_row{43, 43, "DS"},        // itof
    opcode_row{45, 45, "DSL"},       // ld
    opcode_row{46, 46, "DSQS"},      // ld_ms
    opcode_row{47, 47, "DS"},        // log
    opcode_row{48, 48, ""},          // loop
    opcode_row{49, 49, "DSS"},       // lt
    opcode_row{50, 50, "DSSS"},      // mad
    opcode_row{51, 52, "DSS"},       // min, max
    opcode_row{54, 54, "DS"},        // mov
    opcode_row{55, 55, "DSSS"},      // movc
    opcode_row{56, 57, "DSS"},       // mul, ne
    opcode_row{58, 58, ""},          // nop
    opcode_row{59, 59, "DS"},        // not
    opcode_row{60, 60, "DSS"},       // or
    opcode_row{61, 61, "DSE"},       // resinfo
    opcode_row{62, 62, ""},          // ret
    opcode_row{63, 63, "N"},         // retc
    opcode_row{64, 68, "DS"},        // round_ne, round_ni, round_pi, round_z, rsq
    opcode_row{69, 69, "DSTP"},      // sample
    opcode_row{70, 72, "DSTPS"},     // sample_c, sample_c_lz, sample_l
    opcode_row{73, 73, "DSTPSS"},    // sample_d
    opcode_row{74, 74, "DSTPS"},     // sample_b
    opcode_row{75, 75, "DS"},        // sqrt
    opcode_row{76, 76, "N"},         // switch
    opcode_row{77, 77, "DDS"},       // sincos
    opcode_row{78, 78, "DDSS"},      // udiv
    opcode_row{79, 80, "DSS"},       // ult, uge
    opcode_row{81, 81, "DDSS"},      // umul: see `simplify`
    opcode_row{82, 82, "DSSS"},      // umad: see `simplify`
    opcode_row{83, 85, "DSS"},       // umax, umin, ushr
    opcode_row{86, 86, "DS"},        // utof
    opcode_row{87, 87, "DSS"},       // xor
    opcode_row{108, 109, "DSTP"},    // lod, gather4
    opcode_row{110, 110, "DRS"},     // samplepos
    opcode_row{111, 111, "DR"},      // sampleinfo
    opcode_row{117, 119, "M"},       // emit_stream, cut_stream, emit_then_cut_stream
    opcode_row{121, 121, "DB"},      // bufinfo
    opcode_row{122, 125, "DS"},      // deriv_rtx_coarse and _fine, deriv_rty_coarse and _fine
    opcode_row{126, 126, "DSTPS"},   // gather4_c
    opcode_row{127, 127, "DSSTP"},   // gather4_po
    opcode_row{128, 128, "DSSTPS"},  // gather4_po_c
    opcode_row{129, 131, "DS"},      // rcp, f32tof16, f16tof32
    opcode_row{134, 137, "DS"},      // countbits, firstbit_hi, firstbit_lo, firstbit_shi
    opcode_row{138, 139, "DSSS"},    // ubfe, ibfe
    opcode_row{140, 140, "DSSSS"},   // bfi
    opcode_row{141, 141, "DS"},      // bfrev
    opcode_row{142, 142, "DDSSS"},   // swapc
    opcode_row{163, 163, "DSU"},     // ld_uav_typed
    opcode_row{164, 164, "ZSS"},     // store_uav_typed
    opcode_row{165, 165, "DSH"},     // ld_raw
    opcode_row{166, 166, "YSS"},     // store_raw
    opcode_row{167, 167, "DSSJ"},    // ld_structured
    opcode_row{168, 168, "VSSS"},    // store_structured
    opcode_row{169, 171, "GSS"},     // atomic_and, atomic_or, atomic_xor
    opcode_row{172, 172, "GSSS"},    // atomic_cmp_store
    opcode_row{173, 177, "GSS"},     // atomic_iadd, _imax, _imin, _umax, _umin
    opcode_row{178, 179, "DC"},      // imm_atomic_alloc, imm_atomic_consume
    opcode_row{180, 184, "DGSS"},    // imm_atomic_iadd, _and, _or, _xor, _exch
    opcode_row{185, 185, "DGSSS"},   // imm_atomic_cmp_exch
    opcode_row{186, 189, "DGSS"},    // imm_atomic_imax, _imin, _umax, _umin
    opcode_row{190, 190, ""},        // sync
};

constexpr std::array declaration_rows{
    opcode_row{88, 88, "XW"},     // resource
    opcode_row{89, 89, "X"},      // constant buffer, whose size is in the operand
    opcode_row{90, 90, "X"},      // sampler
    opcode_row{91, 91, "XW"},     // index range
    opcode_row{92, 93, ""},       // output topology, input primitive
    opcode_row{94, 94, "W"},      // max output vertices
    opcode_row{95, 95, "X"},      // input
    opcode_row{96, 97, "XW"},     // input_sgv, input_siv
    opcode_row{98, 98, "X"},      // input_ps
    opcode_row{99, 100, "XW"},    // input_ps_sgv, input_ps_siv
    opcode_row{101, 101, "X"},    // output
    opcode_row{102, 103, "XW"},   // output_sgv, output_siv
    opcode_row{104, 104, "W"},    // temps
    opcode_row{105, 105, "WWW"},  // indexable temp
    opcode_row{106, 106, ""},     // global flags
    opcode_row{113, 116, ""},     // hull phases
    opcode_row{143, 143, "M"},    // stream
    opcode_row{147, 151, ""},     // control points, domain, partitioning, output primitive
    opcode_row{152, 154, "W"},    // max tessellation factor, instances of fork and join phases
    opcode_row{155, 155, "WWW"},  // thread group
    opcode_row{156, 156, "XW"},   // typed uav
    opcode_row{157, 157, "X"},    // raw uav
    opcode_row{158, 158, "XW"},   // structured uav
    opcode_row{159, 159, "XW"},   // raw group-shared memory
    opcode_row{160, 160, "XWW"},  // structured group-shared memory
    opcode_row{161, 161, "X"},    // raw resource
    opcode_row{162, 162, "XW"},   // structured resource
    opcode_row{206, 206, "W"},    // geometry instances
};

constexpr auto forms = [] {
  std::array<opcode_form, opcode_count> all{};
  for (const opcode_row& row : executable_rows) {
    for (std::size_t i = row.first; i <= row.last; ++i) all[i] = {row.operands, false};
  }
  for (const opcode_row& row : declaration_rows) {
    for (std::size_t i = row.first; i <= row.last; ++i) all[i] = {row.operands, true};
  }
  return all;
}();

constexpr opcode_form unknown{};

}  // namespace

auto controls_of(std::uint32_t opcode) noexcept -> std::uint32_t {
  constexpr std::uint32_t saturate = 1u << 13, when_not_zero = 1u << 18, precise = 0xFu << 19;
  switch (opcode) {
    case op_sync: return 0xFu << 11;
    case op_resinfo: return 3u << 11;
    case op_sample_info: return 1u << 11;
    case op_case:
    case op_switch: return 0;
    default: break;
  }
  const char* operands = form_of(opcode).operands;
  if (operands == nullptr) return 0;
  if (*operands == 'N') return when_not_zero;
  return *operands == 'D' ? saturate | precise : 0;
}

auto form_of(std::uint32_t opcode) noexcept -> const opcode_form& {
  return opcode < forms.size() ? forms[opcode] : unknown;
}

}  // namespace aerogpu::dxbc
