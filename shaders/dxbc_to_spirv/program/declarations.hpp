// SPDX-License-Identifier: MIT
/// \file Declarations of SM4 and SM5 programs.
#pragma once

#include "dxbc_to_spirv/compile.hpp"
#include "dxbc_to_spirv/program/container.hpp"
#include "dxbc_to_spirv/program/registers.hpp"

#include <cstdint>

namespace aerogpu::dxbc {

/// One declaration, parsed by its form.
struct declaration {
  std::uint32_t token = 0;  ///< Opcode and controls.
  operand target;           ///< Where the form has one.
  token_span words;         ///< What follows it.

  [[nodiscard]] auto opcode() const noexcept -> std::uint32_t { return token & 0x7FFu; }
  /// `count` bits of the controls.
  [[nodiscard]] auto control(std::uint32_t count) const noexcept -> std::uint32_t {
    return token >> 11 & ((1u << count) - 1);
  }
};

/// Takes declarations in: registers for the check of what follows, facts for the pipeline.
class declaration_reader {
 public:
  declaration_reader(const shader_parts& parts, compiled& facts) noexcept
      : parts_(parts), facts_(facts) {
    registers.stage = parts.stage;
  }

  /// Null, or why not: a static sentence.
  [[nodiscard]] auto read(const declaration& what) -> const char*;
  /// An immediate constant buffer of so many words.
  [[nodiscard]] auto read_immediate_constants(std::size_t words) noexcept -> const char*;

  /// Whether there was no memory for a binding: the facts lack it.
  [[nodiscard]] auto is_exhausted() const noexcept -> bool { return is_exhausted_; }

  declared_registers registers;

 private:
  auto read_constant_buffer(const operand& target) -> const char*;
  auto read_sampler(const declaration& what) -> const char*;
  auto read_typed(const declaration& what) -> const char*;
  auto read_buffer(const declaration& what) -> const char*;
  auto read_group_shared(const declaration& what) noexcept -> const char*;
  auto read_input(const declaration& what) -> const char*;
  auto read_output(const declaration& what) -> const char*;
  auto read_index_range(const declaration& what) noexcept -> const char*;
  auto read_temps(const declaration& what) noexcept -> const char*;
  auto read_indexable_temp(const declaration& what) noexcept -> const char*;
  auto read_geometry(const declaration& what) noexcept -> const char*;
  auto read_tessellation(const declaration& what) noexcept -> const char*;
  auto read_thread_group(const declaration& what) noexcept -> const char*;
  auto read_hull_phase(std::uint32_t opcode) noexcept -> const char*;

  /// A row of v#, o# and their like, that the signature must have.
  auto read_interface(const declaration& what, const signature& rows, interface_registers* facts)
      -> const char*;
  void add(binding made, register_file file, std::uint32_t index) noexcept;

  const shader_parts& parts_;
  compiled& facts_;
  std::uint32_t indexable_words_ = 0;
  std::uint32_t hull_phases_ = 0;
  bool is_in_patch_phase_ = false;  ///< Fork and join phases of hull shaders.
  bool is_exhausted_ = false;
};

}  // namespace aerogpu::dxbc
