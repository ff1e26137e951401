// SPDX-License-Identifier: MIT
/// \file Writes Direct3D 9 shader tokens into a bounded buffer (umd-d3d9.md 3.2).
#pragma once

#include "drivers/win7/umd/d3d9/fixed/shader_tokens.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::umd::fixed {

/// Standard dialect: lengths count operand tokens, bit 31 is set in each of them. Once a token does
/// not fit nothing more is written, and `finish` returns nothing.
class shader_assembler {
 public:
  shader_assembler(std::span<std::uint32_t> out, std::uint32_t version) noexcept : out_(out) {
    put(version);
  }

  void declare(usage what, unsigned index, destination reg) noexcept {
    instruction(opcode::dcl, 2);
    put(d3d9::parameter_bit | static_cast<std::uint32_t>(what) | index << 16);
    put(token_of(reg));
  }
  /// `dimension` is the sampler type: 2D 2, cube 3, volume 4.
  void declare_sampler(unsigned number, unsigned dimension) noexcept {
    instruction(opcode::dcl, 2);
    put(d3d9::parameter_bit | dimension << 27);
    put(token_of(destination{register_file::sampler, static_cast<std::uint16_t>(number)}));
  }
  void define(unsigned number, const std::array<float, 4>& values) noexcept {
    instruction(opcode::def, 5);
    put(token_of(destination{register_file::constant, static_cast<std::uint16_t>(number)}));
    for (const float value : values) put(std::bit_cast<std::uint32_t>(value));
  }

  template <class... Sources>
  void emit(opcode op, destination to, const Sources&... from) noexcept {
    const std::array<source, sizeof...(Sources)> sources{static_cast<source>(from)...};
    std::uint32_t length = 1;
    for (const source& s : sources) length += s.address_component == not_relative ? 1 : 2;
    instruction(op, length);
    put(token_of(to));
    for (const source& s : sources) put_source(s);
  }
  /// texld, or texldp when `is_projected`.
  void sample(destination to, source coordinate, unsigned stage, bool is_projected) noexcept {
    put(static_cast<std::uint32_t>(opcode::tex) | (is_projected ? 1u << 16 : 0u) | 3u << 24);
    put(token_of(to));
    put_source(coordinate);
    put_source(sampler(stage));
  }

  /// Ends the shader: all its tokens, or none when they did not fit.
  [[nodiscard]] auto finish() noexcept -> std::span<const std::uint32_t> {
    put(d3d9::end_token);
    return is_full_ ? std::span<const std::uint32_t>{} : out_.first(size_);
  }

 private:
  void put(std::uint32_t token) noexcept {
    if (is_full_ || size_ == out_.size()) {
      is_full_ = true;
      return;
    }
    out_[size_++] = token;
  }
  void instruction(opcode op, std::uint32_t length) noexcept {
    put(static_cast<std::uint32_t>(op) | length << 24);
  }
  [[nodiscard]] static constexpr auto register_bits(register_file file,
                                                    std::uint32_t number) noexcept
      -> std::uint32_t {
    return d3d9::parameter_bit | number | d3d9::encode_type(static_cast<d3d9::register_type>(file));
  }
  [[nodiscard]] static constexpr auto token_of(const destination& to) noexcept -> std::uint32_t {
    return register_bits(to.file, to.number) | std::uint32_t{to.mask} << 16 |
           (to.is_saturated ? 1u << 20 : 0u);
  }
  void put_source(const source& s) noexcept {
    const bool is_relative = s.address_component != not_relative;
    put(register_bits(s.file, s.number) | std::uint32_t{s.swizzle} << 16 |
        (s.is_negated ? 1u << 24 : 0u) | (is_relative ? d3d9::relative_bit : 0u));
    if (!is_relative) return;
    put(register_bits(register_file::address, 0) | std::uint32_t{replicate(s.address_component)}
                                                       << 16);
  }

  std::span<std::uint32_t> out_;
  std::size_t size_ = 0;
  bool is_full_ = false;
};

}  // namespace aerogpu::umd::fixed
