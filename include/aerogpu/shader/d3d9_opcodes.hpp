// SPDX-License-Identifier: MIT
/// \file The instructions of Direct3D 9 byte code: number, name and operands (shaders.md 1.9).
#pragma once

#include "aerogpu/shader/d3d9_tokens.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
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

namespace d3d9 {

/// What a token behind the instruction's own is. `to` and what begins with it, `tested` and
/// `declared` have the form of a destination, `word` and `declaration` one of their own.
enum class operand : std::uint8_t {
  to,            ///< A register that computes, as what is written.
  from,          ///< One as a source.
  label,         ///< l#
  integer,       ///< i#
  loop_counter,  ///< aL
  sampler,       ///< s#
  condition,     ///< b# or p0
  predicate,     ///< p0
  to_address,    ///< a0
  to_predicate,  ///< p0
  tested,        ///< What texkill tests.
  declaration,   ///< A word that says what `declared` is.
  declared,
  to_float,  ///< c#, i# and b# that are defined, by words of their value.
  to_integer,
  to_bool,
  word,
};

[[nodiscard]] constexpr auto is_destination(operand which) noexcept -> bool {
  using enum operand;
  switch (which) {
    case to:
    case to_address:
    case to_predicate:
    case tested:
    case declared:
    case to_float:
    case to_integer:
    case to_bool: return true;
    default: return false;
  }
}

/// How an instruction computes.
enum class opcode_class : std::uint8_t { none, arithmetic, flow, texture, definition };

/// Where an instruction has a meaning. A host reads it wherever it stands (shaders.md 1.9), and
/// translates it where it has one.
enum class availability : std::uint8_t {
  anywhere,
  vertex,
  pixel,
  ps_1_0_to_1_3,
  ps_1_4,
  sm1_pixel,
  sm2,  ///< And above.
};

/// Versions, each (major << 8) | minor.
struct version_range {
  std::uint16_t since = 0;
  std::uint16_t until = 0xFFFF;
};

inline constexpr version_range before_1_4{0, 0x0103};
inline constexpr version_range since_1_4{0x0104};
inline constexpr version_range only_1_4{0x0104, 0x01FF};
inline constexpr version_range since_2_0{0x0200};
inline constexpr version_range before_3_0{0, 0x02FF};  ///< 2_sw is 0x02FF.
inline constexpr version_range since_3_0{0x0300};

/// At most five.
class operand_list {
 public:
  constexpr operand_list(std::initializer_list<operand> kinds) noexcept {
    for (const operand each : kinds) kinds_[count_++] = each;
  }
  [[nodiscard]] constexpr auto begin() const noexcept { return kinds_.begin(); }
  [[nodiscard]] constexpr auto end() const noexcept { return kinds_.begin() + count_; }
  [[nodiscard]] constexpr auto size() const noexcept -> std::size_t { return count_; }
  [[nodiscard]] constexpr auto empty() const noexcept -> bool { return count_ == 0; }

 private:
  std::array<operand, 5> kinds_{};
  std::uint8_t count_ = 0;
};

}  // namespace d3d9

/// An instruction, or one of its forms.
struct d3d9_opcode_row {
  d3d9::opcode opcode;
  std::string_view name;
  d3d9::operand_list operands;
  d3d9::opcode_class kind;
  d3d9::availability where = d3d9::availability::anywhere;
  /// Of the matrix that the second source begins, or of which a texture stage is the last; 0 =
  /// none.
  std::uint8_t matrix_rows = 0;
  d3d9::version_range versions{};

  [[nodiscard]] constexpr auto exists_in(std::uint32_t version) const noexcept -> bool {
    return version >= versions.since && version <= versions.until;
  }
  /// Registers that the second source stands for.
  [[nodiscard]] constexpr auto second_source_rows() const noexcept -> unsigned {
    return kind == d3d9::opcode_class::arithmetic ? matrix_rows : 0u;
  }
  [[nodiscard]] constexpr auto has_destination() const noexcept -> bool {
    return std::ranges::any_of(operands, d3d9::is_destination);
  }
};

namespace detail {

[[nodiscard]] consteval auto list_d3d9_opcodes() noexcept -> std::array<d3d9_opcode_row, 87> {
  using d3d9::opcode;
  using enum d3d9::operand;
  using enum d3d9::opcode_class;
  using enum d3d9::availability;
  return {{
      {opcode::nop, "nop", {}, none},
      {opcode::mov, "mov", {to, from}, arithmetic},
      {opcode::add, "add", {to, from, from}, arithmetic},
      {opcode::sub, "sub", {to, from, from}, arithmetic},
      {opcode::mad, "mad", {to, from, from, from}, arithmetic},
      {opcode::mul, "mul", {to, from, from}, arithmetic},
      {opcode::rcp, "rcp", {to, from}, arithmetic},
      {opcode::rsq, "rsq", {to, from}, arithmetic},
      {opcode::dp3, "dp3", {to, from, from}, arithmetic},
      {opcode::dp4, "dp4", {to, from, from}, arithmetic},
      {opcode::min, "min", {to, from, from}, arithmetic},
      {opcode::max, "max", {to, from, from}, arithmetic},
      {opcode::slt, "slt", {to, from, from}, arithmetic},
      {opcode::sge, "sge", {to, from, from}, arithmetic},
      {opcode::exp, "exp", {to, from}, arithmetic},
      {opcode::log, "log", {to, from}, arithmetic},
      {opcode::lit, "lit", {to, from}, arithmetic},
      {opcode::dst, "dst", {to, from, from}, arithmetic},
      {opcode::lrp, "lrp", {to, from, from, from}, arithmetic},
      {opcode::frc, "frc", {to, from}, arithmetic},
      {opcode::m4x4, "m4x4", {to, from, from}, arithmetic, anywhere, 4},
      {opcode::m4x3, "m4x3", {to, from, from}, arithmetic, anywhere, 3},
      {opcode::m3x4, "m3x4", {to, from, from}, arithmetic, anywhere, 4},
      {opcode::m3x3, "m3x3", {to, from, from}, arithmetic, anywhere, 3},
      {opcode::m3x2, "m3x2", {to, from, from}, arithmetic, anywhere, 2},
      {opcode::call, "call", {label}, flow},
      {opcode::callnz, "callnz", {label, condition}, flow},
      {opcode::loop, "loop", {loop_counter, integer}, flow},
      {opcode::ret, "ret", {}, flow},
      {opcode::endloop, "endloop", {}, flow},
      {opcode::label, "label", {label}, flow},
      {opcode::dcl, "dcl", {declaration, declared}, definition},
      {opcode::pow, "pow", {to, from, from}, arithmetic},
      {opcode::crs, "crs", {to, from, from}, arithmetic},
      {opcode::sgn, "sgn", {to, from, from, from}, arithmetic, anywhere, 0, d3d9::before_3_0},
      {opcode::sgn, "sgn", {to, from}, arithmetic, anywhere, 0, d3d9::since_3_0},
      {opcode::abs, "abs", {to, from}, arithmetic},
      {opcode::nrm, "nrm", {to, from}, arithmetic},
      {opcode::sincos, "sincos", {to, from, from, from}, arithmetic, anywhere, 0, d3d9::before_3_0},
      {opcode::sincos, "sincos", {to, from}, arithmetic, anywhere, 0, d3d9::since_3_0},
      {opcode::rep, "rep", {integer}, flow},
      {opcode::endrep, "endrep", {}, flow},
      {opcode::if_, "if", {condition}, flow},
      {opcode::ifc, "if", {from, from}, flow},
      {opcode::else_, "else", {}, flow},
      {opcode::endif, "endif", {}, flow},
      {opcode::break_, "break", {}, flow},
      {opcode::breakc, "break", {from, from}, flow},
      {opcode::mova, "mova", {to_address, from}, arithmetic, vertex},
      {opcode::defb, "defb", {to_bool, word}, definition},
      {opcode::defi, "defi", {to_integer, word, word, word, word}, definition},
      {opcode::texcoord, "texcoord", {to}, texture, sm1_pixel, 0, d3d9::before_1_4},
      {opcode::texcoord, "texcrd", {to, from}, texture, sm1_pixel, 0, d3d9::since_1_4},
      {opcode::texkill, "texkill", {tested}, texture, pixel},
      {opcode::tex, "tex", {to}, texture, sm1_pixel, 0, d3d9::before_1_4},
      {opcode::tex, "texld", {to, from}, texture, sm1_pixel, 0, d3d9::only_1_4},
      {opcode::tex, "texld", {to, from, sampler}, texture, anywhere, 0, d3d9::since_2_0},
      {opcode::texbem, "texbem", {to, from}, texture, ps_1_0_to_1_3},
      {opcode::texbeml, "texbeml", {to, from}, texture, ps_1_0_to_1_3},
      {opcode::texreg2ar, "texreg2ar", {to, from}, texture, ps_1_0_to_1_3},
      {opcode::texreg2gb, "texreg2gb", {to, from}, texture, ps_1_0_to_1_3},
      {opcode::texm3x2pad, "texm3x2pad", {to, from}, texture, ps_1_0_to_1_3},
      {opcode::texm3x2tex, "texm3x2tex", {to, from}, texture, ps_1_0_to_1_3, 2},
      {opcode::texm3x3pad, "texm3x3pad", {to, from}, texture, ps_1_0_to_1_3},
      {opcode::texm3x3tex, "texm3x3tex", {to, from}, texture, ps_1_0_to_1_3, 3},
      {opcode::texm3x3spec, "texm3x3spec", {to, from, from}, texture, ps_1_0_to_1_3, 3},
      {opcode::texm3x3vspec, "texm3x3vspec", {to, from}, texture, ps_1_0_to_1_3, 3},
      {opcode::expp, "expp", {to, from}, arithmetic},
      {opcode::logp, "logp", {to, from}, arithmetic},
      {opcode::cnd, "cnd", {to, from, from, from}, arithmetic},
      {opcode::def, "def", {to_float, word, word, word, word}, definition},
      {opcode::texreg2rgb, "texreg2rgb", {to, from}, texture, ps_1_0_to_1_3},
      {opcode::texdp3tex, "texdp3tex", {to, from}, texture, ps_1_0_to_1_3},
      {opcode::texm3x2depth, "texm3x2depth", {to, from}, texture, ps_1_0_to_1_3, 2},
      {opcode::texdp3, "texdp3", {to, from}, texture, ps_1_0_to_1_3},
      {opcode::texm3x3, "texm3x3", {to, from}, texture, ps_1_0_to_1_3, 3},
      {opcode::texdepth, "texdepth", {to}, texture, ps_1_4},
      {opcode::cmp, "cmp", {to, from, from, from}, arithmetic},
      {opcode::bem, "bem", {to, from, from}, arithmetic},
      {opcode::dp2add, "dp2add", {to, from, from, from}, arithmetic},
      {opcode::dsx, "dsx", {to, from}, arithmetic, pixel},
      {opcode::dsy, "dsy", {to, from}, arithmetic, pixel},
      {opcode::texldd, "texldd", {to, from, sampler, from, from}, texture, sm2},
      {opcode::setp, "setp", {to_predicate, from, from}, arithmetic},
      {opcode::texldl, "texldl", {to, from, sampler}, texture, sm2},
      {opcode::breakp, "break", {predicate}, flow},
      {opcode::phase, "phase", {}, none},
  }};
}

}  // namespace detail

/// By rising opcode. An opcode without a row does not exist; comments and the end have none.
inline constexpr auto d3d9_opcode_rows = detail::list_d3d9_opcodes();

/// Above all opcodes but `phase`.
inline constexpr std::uint32_t d3d9_opcode_limit = 0x61;

namespace detail {

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
  if (number >= d3d9_opcode_limit) return nullptr;
  for (std::size_t i = detail::d3d9_opcode_index[number]; i != 0; ++i) {
    const d3d9_opcode_row& row = d3d9_opcode_rows[i - 1];
    if (static_cast<std::uint32_t>(row.opcode) != number) return nullptr;
    if (row.exists_in(version)) return &row;
  }
  return nullptr;
}

namespace d3d9 {

/// Whether bits 18:16 of an instruction name a comparison.
[[nodiscard]] constexpr auto is_comparing(opcode op) noexcept -> bool {
  return op == opcode::ifc || op == opcode::breakc || op == opcode::setp;
}

}  // namespace d3d9

}  // namespace aerogpu
