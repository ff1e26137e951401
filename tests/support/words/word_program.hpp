// SPDX-License-Identifier: MIT
/// \file Random programs over words: what they are as Direct3D 10/11 byte code, and what they
/// compute.
#pragma once

#include "tests/support/byte_patterns.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace aerogpu::test {

using word4 = std::array<std::uint32_t, 4>;

/// Where a random program runs. All but compute have registers and constants alone; compute
/// programs reach group-shared memory and buffers as well.
enum class word_stage : std::uint8_t { compute, pixel, vertex, geometry };

// What every program has.
inline constexpr std::uint32_t word_temps = 6;          ///< r0 on; the others count and address.
inline constexpr std::uint32_t word_indexables = 8;     ///< Rows of x0.
inline constexpr std::uint32_t word_constants = 8;      ///< Rows of b0, and as many immediate ones.
inline constexpr std::uint32_t word_raw_words = 16;     ///< Of g0.
inline constexpr std::uint32_t word_structures = 4;     ///< Of g1, one row each.
inline constexpr std::uint32_t word_source_words = 32;  ///< Of t0.
inline constexpr std::uint32_t word_scratch_words = 16;  ///< Of u0 for each group.

/// A register, a constant or a literal, with a swizzle.
struct word_source {
  enum class kind : std::uint8_t { temp, literal, constant, immediate_constant, indexable };
  kind what = kind::temp;
  std::uint8_t number = 0;
  bool is_relative = false;  ///< Adds `index_temp`.`index_lane` to `number`.
  std::uint8_t index_temp = 0;
  std::uint8_t index_lane = 0;
  std::array<std::uint8_t, 4> swizzle{0, 1, 2, 3};
  word4 literal{};
};

struct word_target {
  bool is_indexable = false;
  std::uint8_t number = 0;
  bool is_relative = false;
  std::uint8_t index_temp = 0;
  std::uint8_t index_lane = 0;
  std::uint8_t mask = 0xF;
};

/// One instruction, or a block with the instructions in it.
struct word_instruction {
  enum class action : std::uint8_t {
    compute,           ///< Row `operation` of the table, component by component.
    if_not_zero,       ///< `body`, else `other`.
    loop,              ///< `body` as often as `count` says.
    load_raw,          ///< From g0, t0 or this group's part of u0.
    store_raw,         ///< To g0 or u0.
    load_structured,   ///< From g1.
    store_structured,  ///< To g1.
    atomic,            ///< On g0 or g1: row `operation` of the table of atomics.
  };
  enum class memory : std::uint8_t { group_raw, group_structured, source, scratch };

  action what = action::compute;
  std::uint8_t operation = 0;
  memory on = memory::group_raw;
  std::uint8_t count = 0;
  bool is_wild = false;  ///< Of u0: the address lies far outside.
  word_target to{};
  std::array<word_source, 3> from{};
  std::vector<word_instruction> body;
  std::vector<word_instruction> other;
};

struct word_program {
  word_stage stage = word_stage::compute;
  std::vector<word_instruction> code;
  std::array<word4, word_constants> immediate_constants{};
};

/// Numbers that choose: of a seed, or of a fuzzer's input. Zeros are the simplest choice.
using word_choices = std::function<std::uint32_t()>;

[[nodiscard]] auto make_word_program(word_stage stage, const word_choices& choose) -> word_program;

/// A container. Compute programs have groups of one thread and write all they hold to u0; the
/// others show `word_color` of it: pixel programs in SV_Target, the others in COLOR 2.
/// r0.x begins as the number of the group, vertex or primitive, and r0.xy as the place of the
/// pixel.
[[nodiscard]] auto assemble(const word_program& program) -> byte_vector;

/// What a program reads, the same for each of its runs.
struct word_inputs {
  std::array<word4, word_constants> constants{};          ///< b0.
  std::array<std::uint32_t, word_source_words> source{};  ///< t0.
  std::uint32_t id_x = 0;
  std::uint32_t id_y = 0;
};

/// Everything that a run holds at its end.
struct word_state {
  std::array<word4, word_temps> temps{};
  std::array<word4, word_indexables> indexables{};
  std::array<std::uint32_t, word_raw_words> raw{};
  std::array<word4, word_structures> structures{};
  std::array<std::uint32_t, word_scratch_words> scratch{};
};

/// Words of one group in u0: what `assemble` writes there.
inline constexpr std::uint32_t word_state_words = sizeof(word_state) / 4;

/// Runs a program once on the host.
[[nodiscard]] auto run(const word_program& program, const word_inputs& inputs) -> word_state;

/// What a program that cannot write memory shows of its registers: a byte for each channel.
[[nodiscard]] auto word_color(const word_state& state) -> std::array<std::uint8_t, 4>;

}  // namespace aerogpu::test
