// SPDX-License-Identifier: MIT
/// \file The instructions of Direct3D 9 byte code: number, name and operands (shaders.md 1.9).
#pragma once

#include "aerogpu/shader/d3d9_tokens.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu {

namespace d3d9 {

enum class opcode : std::uint16_t {
  nop = 0x00,
  mov = 0x01,
  add = 0x02,
  sub = 0x03,
  mad = 0x04,
  mul = 0x05,
  rcp = 0x06,
  rsq = 0x07,
  dp3 = 0x08,
  dp4 = 0x09,
  min = 0x0A,
  max = 0x0B,
  slt = 0x0C,
  sge = 0x0D,
  exp = 0x0E,
  log = 0x0F,
  lit = 0x10,
  dst = 0x11,
  lrp = 0x12,
  frc = 0x13,
  m4x4 = 0x14,
  m4x3 = 0x15,
  m3x4 = 0x16,
  m3x3 = 0x17,
  m3x2 = 0x18,
  call = 0x19,
  callnz = 0x1A,
  loop = 0x1B,
  ret = 0x1C,
  endloop = 0x1D,
  label = 0x1E,
  dcl = 0x1F,
  pow = 0x20,
  crs = 0x21,
  sgn = 0x22,
  abs = 0x23,
  nrm = 0x24,
  sincos = 0x25,
  rep = 0x26,
  endrep = 0x27,
  if_ = 0x28,
  ifc = 0x29,
  else_ = 0x2A,
  endif = 0x2B,
  break_ = 0x2C,
  breakc = 0x2D,
  mova = 0x2E,
  defb = 0x2F,
  defi = 0x30,
  texcoord = 0x40,
  texkill = 0x41,
  tex = 0x42,
  texbem = 0x43,
  texbeml = 0x44,
  texreg2ar = 0x45,
  texreg2gb = 0x46,
  texm3x2pad = 0x47,
  texm3x2tex = 0x48,
  texm3x3pad = 0x49,
  texm3x3tex = 0x4A,
  texm3x3spec = 0x4C,
  texm3x3vspec = 0x4D,
  expp = 0x4E,
  logp = 0x4F,
  cnd = 0x50,
  def = 0x51,
  texreg2rgb = 0x52,
  texdp3tex = 0x53,
  texm3x2depth = 0x54,
  texdp3 = 0x55,
  texm3x3 = 0x56,
  texdepth = 0x57,
  cmp = 0x58,
  bem = 0x59,
  dp2add = 0x5A,
  dsx = 0x5B,
  dsy = 0x5C,
  texldd = 0x5D,
  setp = 0x5E,
  texldl = 0x5F,
  breakp = 0x60,
  phase = 0xFFFD,
  comment = 0xFFFE,
  end = 0xFFFF,
};

}  // namespace d3d9

/// An instruction in the versions [since, until], each (major << 8) | minor.
///
/// `operands` has a letter for each token that follows the instruction's own. A small letter is a
/// source, and a capital letter or `d` a destination:
///
/// | letter | token |
/// |---|---|
/// | `d`, `s` | a register that computes |
/// | `l`, `n`, `a`, `t` | a label, an integer constant, aL, a sampler |
/// | `b`, `p` | a bool constant or p0, p0 |
/// | `A`, `P`, `K` | a0, p0, the register that `texkill` tests |
/// | `c`, `V` | a declaration and the register it declares |
/// | `F`, `N`, `B`, `i` | a float, integer or bool constant that is defined, and a word of its
/// value |
struct d3d9_opcode_row {
  d3d9::opcode opcode;
  std::string_view name;
  std::string_view operands;
  std::uint16_t since = 0;
  std::uint16_t until = 0xFFFF;

  [[nodiscard]] constexpr auto exists_in(std::uint32_t version) const noexcept -> bool {
    return version >= since && version <= until;
  }
};

[[nodiscard]] constexpr auto is_d3d9_destination(char operand) noexcept -> bool {
  return operand == 'd' || (operand >= 'A' && operand <= 'Z');
}

/// By rising opcode. An opcode without a row does not exist; comments and the end have none.
/// Versions matter to name and shape only: whether an instruction is legal in a version is not
/// checked, since guests ignore it too.
inline constexpr std::array<d3d9_opcode_row, 87> d3d9_opcode_rows{{
    {d3d9::opcode::nop, "nop", ""},
    {d3d9::opcode::mov, "mov", "ds"},
    {d3d9::opcode::add, "add", "dss"},
    {d3d9::opcode::sub, "sub", "dss"},
    {d3d9::opcode::mad, "mad", "dsss"},
    {d3d9::opcode::mul, "mul", "dss"},
    {d3d9::opcode::rcp, "rcp", "ds"},
    {d3d9::opcode::rsq, "rsq", "ds"},
    {d3d9::opcode::dp3, "dp3", "dss"},
    {d3d9::opcode::dp4, "dp4", "dss"},
    {d3d9::opcode::min, "min", "dss"},
    {d3d9::opcode::max, "max", "dss"},
    {d3d9::opcode::slt, "slt", "dss"},
    {d3d9::opcode::sge, "sge", "dss"},
    {d3d9::opcode::exp, "exp", "ds"},
    {d3d9::opcode::log, "log", "ds"},
    {d3d9::opcode::lit, "lit", "ds"},
    {d3d9::opcode::dst, "dst", "dss"},
    {d3d9::opcode::lrp, "lrp", "dsss"},
    {d3d9::opcode::frc, "frc", "ds"},
    {d3d9::opcode::m4x4, "m4x4", "dss"},
    {d3d9::opcode::m4x3, "m4x3", "dss"},
    {d3d9::opcode::m3x4, "m3x4", "dss"},
    {d3d9::opcode::m3x3, "m3x3", "dss"},
    {d3d9::opcode::m3x2, "m3x2", "dss"},
    {d3d9::opcode::call, "call", "l"},
    {d3d9::opcode::callnz, "callnz", "lb"},
    {d3d9::opcode::loop, "loop", "an"},
    {d3d9::opcode::ret, "ret", ""},
    {d3d9::opcode::endloop, "endloop", ""},
    {d3d9::opcode::label, "label", "l"},
    {d3d9::opcode::dcl, "dcl", "cV"},
    {d3d9::opcode::pow, "pow", "dss"},
    {d3d9::opcode::crs, "crs", "dss"},
    {d3d9::opcode::sgn, "sgn", "dsss", 0, 0x02FF},
    {d3d9::opcode::sgn, "sgn", "ds", 0x0300},
    {d3d9::opcode::abs, "abs", "ds"},
    {d3d9::opcode::nrm, "nrm", "ds"},
    {d3d9::opcode::sincos, "sincos", "dsss", 0, 0x02FF},
    {d3d9::opcode::sincos, "sincos", "ds", 0x0300},
    {d3d9::opcode::rep, "rep", "n"},
    {d3d9::opcode::endrep, "endrep", ""},
    {d3d9::opcode::if_, "if", "b"},
    {d3d9::opcode::ifc, "if", "ss"},
    {d3d9::opcode::else_, "else", ""},
    {d3d9::opcode::endif, "endif", ""},
    {d3d9::opcode::break_, "break", ""},
    {d3d9::opcode::breakc, "break", "ss"},
    {d3d9::opcode::mova, "mova", "As"},
    {d3d9::opcode::defb, "defb", "Bi"},
    {d3d9::opcode::defi, "defi", "Niiii"},
    {d3d9::opcode::texcoord, "texcoord", "d", 0, 0x0103},
    {d3d9::opcode::texcoord, "texcrd", "ds", 0x0104},
    {d3d9::opcode::texkill, "texkill", "K"},
    {d3d9::opcode::tex, "tex", "d", 0, 0x0103},
    {d3d9::opcode::tex, "texld", "ds", 0x0104, 0x01FF},
    {d3d9::opcode::tex, "texld", "dst", 0x0200},
    {d3d9::opcode::texbem, "texbem", "ds"},
    {d3d9::opcode::texbeml, "texbeml", "ds"},
    {d3d9::opcode::texreg2ar, "texreg2ar", "ds"},
    {d3d9::opcode::texreg2gb, "texreg2gb", "ds"},
    {d3d9::opcode::texm3x2pad, "texm3x2pad", "ds"},
    {d3d9::opcode::texm3x2tex, "texm3x2tex", "ds"},
    {d3d9::opcode::texm3x3pad, "texm3x3pad", "ds"},
    {d3d9::opcode::texm3x3tex, "texm3x3tex", "ds"},
    {d3d9::opcode::texm3x3spec, "texm3x3spec", "dss"},
    {d3d9::opcode::texm3x3vspec, "texm3x3vspec", "ds"},
    {d3d9::opcode::expp, "expp", "ds"},
    {d3d9::opcode::logp, "logp", "ds"},
    {d3d9::opcode::cnd, "cnd", "dsss"},
    {d3d9::opcode::def, "def", "Fiiii"},
    {d3d9::opcode::texreg2rgb, "texreg2rgb", "ds"},
    {d3d9::opcode::texdp3tex, "texdp3tex", "ds"},
    {d3d9::opcode::texm3x2depth, "texm3x2depth", "ds"},
    {d3d9::opcode::texdp3, "texdp3", "ds"},
    {d3d9::opcode::texm3x3, "texm3x3", "ds"},
    {d3d9::opcode::texdepth, "texdepth", "d"},
    {d3d9::opcode::cmp, "cmp", "dsss"},
    {d3d9::opcode::bem, "bem", "dss"},
    {d3d9::opcode::dp2add, "dp2add", "dsss"},
    {d3d9::opcode::dsx, "dsx", "ds"},
    {d3d9::opcode::dsy, "dsy", "ds"},
    {d3d9::opcode::texldd, "texldd", "dstss"},
    {d3d9::opcode::setp, "setp", "Pss"},
    {d3d9::opcode::texldl, "texldl", "dst"},
    {d3d9::opcode::breakp, "break", "p"},
    {d3d9::opcode::phase, "phase", ""},
}};

namespace detail {

inline constexpr std::uint32_t d3d9_opcode_limit = 0x61;

/// opcode -> 1 + first row; 0 = no such instruction.
[[nodiscard]] consteval auto index_d3d9_opcodes() noexcept {
  std::array<std::uint8_t, d3d9_opcode_limit> index{};
  for (std::size_t i = d3d9_opcode_rows.size(); i-- > 0;) {
    const auto opcode = static_cast<std::size_t>(d3d9_opcode_rows[i].opcode);
    if (opcode < index.size()) index[opcode] = static_cast<std::uint8_t>(i + 1);
  }
  return index;
}
inline constexpr auto d3d9_opcode_index = index_d3d9_opcodes();

}  // namespace detail

/// The row of an opcode number in a version, or null.
[[nodiscard]] constexpr auto find_d3d9_opcode(std::uint32_t number, std::uint32_t version) noexcept
    -> const d3d9_opcode_row* {
  if (number == static_cast<std::uint32_t>(d3d9::opcode::phase)) return &d3d9_opcode_rows.back();
  if (number >= detail::d3d9_opcode_limit) return nullptr;
  for (std::size_t i = detail::d3d9_opcode_index[number]; i != 0; ++i) {
    const d3d9_opcode_row& row = d3d9_opcode_rows[i - 1];
    if (static_cast<std::uint32_t>(row.opcode) != number) return nullptr;
    if (row.exists_in(version)) return &row;
  }
  return nullptr;
}

}  // namespace aerogpu
