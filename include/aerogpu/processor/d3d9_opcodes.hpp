/// \file The operands of every Direct3D 9 shader instruction (shaders.md 1.9).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu {

/// An instruction in the versions [since, until], each (major << 8) | minor.
///
/// `operands` has a letter for each token: d destination, s source, i immediate, c declaration.
struct d3d9_opcode_row {
  std::uint16_t opcode;
  std::string_view operands;
  std::uint16_t since = 0;
  std::uint16_t until = 0xFFFF;
};

inline constexpr std::uint16_t d3d9_op_def = 0x51;
inline constexpr std::uint16_t d3d9_op_dcl = 0x1F;
inline constexpr std::uint16_t d3d9_op_phase = 0xFFFD;
inline constexpr std::uint16_t d3d9_op_comment = 0xFFFE;
inline constexpr std::uint16_t d3d9_op_end = 0xFFFF;

/// By rising opcode. An opcode without a row does not exist. Versions matter to the shape only:
/// whether an instruction is legal in a version is not checked, since guests ignore it too.
inline constexpr std::array<d3d9_opcode_row, 87> d3d9_opcode_rows{{
    {0x00, ""},                 // nop
    {0x01, "ds"},               // mov
    {0x02, "dss"},              // add
    {0x03, "dss"},              // sub
    {0x04, "dsss"},             // mad
    {0x05, "dss"},              // mul
    {0x06, "ds"},               // rcp
    {0x07, "ds"},               // rsq
    {0x08, "dss"},              // dp3
    {0x09, "dss"},              // dp4
    {0x0A, "dss"},              // min
    {0x0B, "dss"},              // max
    {0x0C, "dss"},              // slt
    {0x0D, "dss"},              // sge
    {0x0E, "ds"},               // exp
    {0x0F, "ds"},               // log
    {0x10, "ds"},               // lit
    {0x11, "dss"},              // dst
    {0x12, "dsss"},             // lrp
    {0x13, "ds"},               // frc
    {0x14, "dss"},              // m4x4
    {0x15, "dss"},              // m4x3
    {0x16, "dss"},              // m3x4
    {0x17, "dss"},              // m3x3
    {0x18, "dss"},              // m3x2
    {0x19, "s"},                // call
    {0x1A, "ss"},               // callnz
    {0x1B, "ss"},               // loop
    {0x1C, ""},                 // ret
    {0x1D, ""},                 // endloop
    {0x1E, "s"},                // label
    {0x1F, "cd"},               // dcl
    {0x20, "dss"},              // pow
    {0x21, "dss"},              // crs
    {0x22, "dsss", 0, 0x02FF},  // sgn
    {0x22, "ds", 0x0300},
    {0x23, "ds"},               // abs
    {0x24, "ds"},               // nrm
    {0x25, "dsss", 0, 0x02FF},  // sincos
    {0x25, "ds", 0x0300},
    {0x26, "s"},                   // rep
    {0x27, ""},                    // endrep
    {0x28, "s"},                   // if
    {0x29, "ss"},                  // ifc
    {0x2A, ""},                    // else
    {0x2B, ""},                    // endif
    {0x2C, ""},                    // break
    {0x2D, "ss"},                  // breakc
    {0x2E, "ds"},                  // mova
    {0x2F, "di"},                  // defb
    {0x30, "diiii"},               // defi
    {0x40, "d", 0, 0x0103},        // texcoord
    {0x40, "ds", 0x0104},          // texcrd
    {0x41, "d"},                   // texkill
    {0x42, "d", 0, 0x0103},        // tex
    {0x42, "ds", 0x0104, 0x01FF},  // texld
    {0x42, "dss", 0x0200},
    {0x43, "ds"},     // texbem
    {0x44, "ds"},     // texbeml
    {0x45, "ds"},     // texreg2ar
    {0x46, "ds"},     // texreg2gb
    {0x47, "ds"},     // texm3x2pad
    {0x48, "ds"},     // texm3x2tex
    {0x49, "ds"},     // texm3x3pad
    {0x4A, "ds"},     // texm3x3tex
    {0x4C, "dss"},    // texm3x3spec
    {0x4D, "ds"},     // texm3x3vspec
    {0x4E, "ds"},     // expp
    {0x4F, "ds"},     // logp
    {0x50, "dsss"},   // cnd
    {0x51, "diiii"},  // def
    {0x52, "ds"},     // texreg2rgb
    {0x53, "ds"},     // texdp3tex
    {0x54, "ds"},     // texm3x2depth
    {0x55, "ds"},     // texdp3
    {0x56, "ds"},     // texm3x3
    {0x57, "d"},      // texdepth
    {0x58, "dsss"},   // cmp
    {0x59, "dss"},    // bem
    {0x5A, "dsss"},   // dp2add
    {0x5B, "ds"},     // dsx
    {0x5C, "ds"},     // dsy
    {0x5D, "dssss"},  // texldd
    {0x5E, "dss"},    // setp
    {0x5F, "dss"},    // texldl
    {0x60, "s"},      // breakp
    {d3d9_op_phase, ""},
}};

namespace detail {

inline constexpr std::uint16_t d3d9_opcode_limit = 0x61;

/// opcode -> 1 + first row; 0 = no such instruction.
[[nodiscard]] consteval auto index_d3d9_opcodes() noexcept {
  std::array<std::uint8_t, d3d9_opcode_limit> index{};
  for (std::size_t i = d3d9_opcode_rows.size(); i-- > 0;) {
    const std::uint16_t opcode = d3d9_opcode_rows[i].opcode;
    if (opcode < index.size()) index[opcode] = static_cast<std::uint8_t>(i + 1);
  }
  return index;
}
inline constexpr auto d3d9_opcode_index = index_d3d9_opcodes();

}  // namespace detail

/// The row of an opcode in a version, or null. Comment and end have none.
[[nodiscard]] constexpr auto find_d3d9_opcode(std::uint32_t opcode, std::uint32_t version) noexcept
    -> const d3d9_opcode_row* {
  if (opcode == d3d9_op_phase) return &d3d9_opcode_rows.back();
  if (opcode >= detail::d3d9_opcode_limit) return nullptr;
  for (std::size_t i = detail::d3d9_opcode_index[opcode]; i != 0; ++i) {
    const d3d9_opcode_row& row = d3d9_opcode_rows[i - 1];
    if (row.opcode != opcode) return nullptr;
    if (version >= row.since && version <= row.until) return &row;
  }
  return nullptr;
}

}  // namespace aerogpu
