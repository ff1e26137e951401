/// \file The few x64 instructions with which a compiler touches registers of a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace aerogpu::run_sys {

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

/// Empty for whatever else lies at `code`, of which 15 bytes can be read.
[[nodiscard]] auto decode(const std::uint8_t* code) noexcept -> std::optional<instruction>;

}  // namespace aerogpu::run_sys
