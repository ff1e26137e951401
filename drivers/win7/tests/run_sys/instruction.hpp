// SPDX-License-Identifier: MIT
/// \file The few instructions of x86 and x64 with which a compiler touches registers of a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace aerogpu::run_sys {

enum class processor { x86, x64 };
/// What this program is compiled for.
inline constexpr processor this_processor = sizeof(void*) == 8 ? processor::x64 : processor::x86;

enum class operation { load, store, read_irql };

/// One access: between memory and a general register, or of an immediate to memory.
struct instruction {
  operation what = operation::load;
  std::uint8_t length = 0;         ///< Bytes of the instruction.
  std::uint8_t size = 4;           ///< Bytes of memory.
  std::uint8_t register_size = 4;  ///< Bytes of the register that a load changes.
  std::uint8_t register_index = 0;
  bool is_high_byte = false;  ///< AH, CH, DH, BH.
  bool has_immediate = false;
  std::uint64_t immediate = 0;
};

/// The bytes that `decode` may read: no instruction is longer.
inline constexpr std::size_t longest_instruction = 15;

/// MOV between memory and a general register, an immediate to memory, MOVZX from memory, and on x64
/// MOV from CR8, with at most one operand-size prefix and one REX. Empty for whatever else lies at
/// `code`.
[[nodiscard]] auto decode(const std::uint8_t* code, processor on = this_processor) noexcept
    -> std::optional<instruction>;

}  // namespace aerogpu::run_sys
