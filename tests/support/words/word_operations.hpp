// SPDX-License-Identifier: MIT
/// \file Instructions over words that random programs use: their opcodes beside what they compute.
#pragma once

#include "tests/support/words/word_program.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace aerogpu::test {

using word_function = std::uint32_t (*)(std::uint32_t, std::uint32_t, std::uint32_t);

/// Component by component (Direct3D's SM4 instructions of integers and bits).
struct word_operation {
  std::uint32_t opcode;
  unsigned sources;
  word_function compute;
};

namespace parts {

[[nodiscard]] constexpr auto truth(bool claim) -> std::uint32_t {
  return claim ? 0xFFFFFFFF : 0;
}
[[nodiscard]] constexpr auto as_signed(std::uint32_t word) -> std::int32_t {
  return static_cast<std::int32_t>(word);
}
[[nodiscard]] constexpr auto reverse(std::uint32_t word) -> std::uint32_t {
  std::uint32_t made = 0;
  for (unsigned i = 0; i < 32; ++i) made |= (word >> i & 1u) << (31 - i);
  return made;
}
using w = std::uint32_t;

}  // namespace parts

inline constexpr std::array word_operations{
    word_operation{54, 1, [](parts::w a, parts::w, parts::w) { return a; }},              // mov
    word_operation{1, 2, [](parts::w a, parts::w b, parts::w) { return a & b; }},         // and
    word_operation{60, 2, [](parts::w a, parts::w b, parts::w) { return a | b; }},        // or
    word_operation{87, 2, [](parts::w a, parts::w b, parts::w) { return a ^ b; }},        // xor
    word_operation{59, 1, [](parts::w a, parts::w, parts::w) { return ~a; }},             // not
    word_operation{30, 2, [](parts::w a, parts::w b, parts::w) { return a + b; }},        // iadd
    word_operation{40, 1, [](parts::w a, parts::w, parts::w) { return 0u - a; }},         // ineg
    word_operation{35, 3, [](parts::w a, parts::w b, parts::w c) { return a * b + c; }},  // imad
    word_operation{36, 2,
                   [](parts::w a, parts::w b, parts::w) {  // imax
                     return parts::as_signed(a) > parts::as_signed(b) ? a : b;
                   }},
    word_operation{37, 2,
                   [](parts::w a, parts::w b, parts::w) {  // imin
                     return parts::as_signed(a) < parts::as_signed(b) ? a : b;
                   }},
    word_operation{83, 2, [](parts::w a, parts::w b, parts::w) { return std::max(a, b); }},  // umax
    word_operation{84, 2, [](parts::w a, parts::w b, parts::w) { return std::min(a, b); }},  // umin
    word_operation{41, 2, [](parts::w a, parts::w b, parts::w) { return a << (b & 31); }},   // ishl
    word_operation{85, 2, [](parts::w a, parts::w b, parts::w) { return a >> (b & 31); }},   // ushr
    word_operation{42, 2,
                   [](parts::w a, parts::w b, parts::w) {  // ishr
                     return static_cast<parts::w>(parts::as_signed(a) >> (b & 31));
                   }},
    word_operation{32, 2, [](parts::w a, parts::w b, parts::w) { return parts::truth(a == b); }},
    word_operation{39, 2, [](parts::w a, parts::w b, parts::w) { return parts::truth(a != b); }},
    word_operation{33, 2,
                   [](parts::w a, parts::w b, parts::w) {  // ige
                     return parts::truth(parts::as_signed(a) >= parts::as_signed(b));
                   }},
    word_operation{34, 2,
                   [](parts::w a, parts::w b, parts::w) {  // ilt
                     return parts::truth(parts::as_signed(a) < parts::as_signed(b));
                   }},
    word_operation{79, 2, [](parts::w a, parts::w b, parts::w) { return parts::truth(a < b); }},
    word_operation{80, 2, [](parts::w a, parts::w b, parts::w) { return parts::truth(a >= b); }},
    word_operation{55, 3, [](parts::w a, parts::w b, parts::w c) { return a != 0 ? b : c; }},
    word_operation{134, 1,
                   [](parts::w a, parts::w, parts::w) {  // countbits
                     return static_cast<parts::w>(std::popcount(a));
                   }},
    word_operation{141, 1, [](parts::w a, parts::w, parts::w) { return parts::reverse(a); }},
};

/// imm_atomic_*: what becomes of the word; the old one is handed back.
inline constexpr std::array word_atomics{
    word_operation{180, 1, [](parts::w a, parts::w b, parts::w) { return a + b; }},
    word_operation{181, 1, [](parts::w a, parts::w b, parts::w) { return a & b; }},
    word_operation{182, 1, [](parts::w a, parts::w b, parts::w) { return a | b; }},
    word_operation{183, 1, [](parts::w a, parts::w b, parts::w) { return a ^ b; }},
    word_operation{184, 1, [](parts::w, parts::w b, parts::w) { return b; }},
    word_operation{186, 1,
                   [](parts::w a, parts::w b, parts::w) {
                     return parts::as_signed(a) > parts::as_signed(b) ? a : b;
                   }},
    word_operation{187, 1,
                   [](parts::w a, parts::w b, parts::w) {
                     return parts::as_signed(a) < parts::as_signed(b) ? a : b;
                   }},
    word_operation{188, 1, [](parts::w a, parts::w b, parts::w) { return std::max(a, b); }},
    word_operation{189, 1, [](parts::w a, parts::w b, parts::w) { return std::min(a, b); }},
};

/// Addresses of u0 that a group may use: four rows of its own, or far outside.
inline constexpr std::uint32_t scratch_mask = 48, wild_bit = 0x80000000;

}  // namespace aerogpu::test
