// SPDX-License-Identifier: MIT
/// \file The packets whose meaning depends on their size: BIND_SHADERS, SET_BLEND_STATE and
/// SET_SHADER_CONSTANTS_B.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/stream/packet.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu {

/// The tail of BIND_SHADERS in packets of 36 bytes and more.
struct bind_shaders_extension {
  aerogpu_handle_t gs;
  aerogpu_handle_t hs;
  aerogpu_handle_t ds;
};

inline constexpr std::uint32_t bind_shaders_extended_size =
    sizeof(aerogpu_cmd_bind_shaders) + sizeof(bind_shaders_extension);

/// One shader for each stage, indexed by `shader_stage`; 0 = none.
using shader_handles = std::array<shader_handle, shader_stage_count>;

/// What BIND_SHADERS binds, by its size alone (wire.md 10.5): of 24 bytes `reserved0` is the
/// geometry shader; of 28 and 32 bytes there is none; from 36 on gs, hs and ds follow.
[[nodiscard]] inline auto resolve_bind_shaders(
    const packet<aerogpu_cmd_bind_shaders>& from) noexcept -> shader_handles {
  const auto fields = from.fields();
  bind_shaders_extension tail{};
  if (from.size() == sizeof fields) tail.gs = fields.reserved0;
  if (from.size() >= bind_shaders_extended_size) {
    tail = load<bind_shaders_extension>(from.bytes().data() + sizeof fields);
  }
  shader_handles handles{};
  const auto set = [&](shader_stage stage, aerogpu_handle_t handle) {
    handles[static_cast<std::size_t>(stage)] = static_cast<shader_handle>(handle);
  };
  set(shader_stage::vertex, fields.vs);
  set(shader_stage::pixel, fields.ps);
  set(shader_stage::compute, fields.cs);
  set(shader_stage::geometry, tail.gs);
  set(shader_stage::hull, tail.hs);
  set(shader_stage::domain, tail.ds);
  return handles;
}

/// The registers of SET_SHADER_CONSTANTS_B in either form: four u32 each, of which any nonzero one
/// makes true, or one u32 each.
class bool_registers {
 public:
  explicit bool_registers(const packet<aerogpu_cmd_set_shader_constants_b>& from) noexcept
      : words_(from.payload()), lanes_(from.is_compact() ? 1 : 4) {}

  [[nodiscard]] auto size() const noexcept -> std::size_t { return words_.size() / lanes_; }
  /// Precondition: i < size().
  [[nodiscard]] auto operator[](std::size_t i) const noexcept -> bool {
    std::uint32_t any = 0;
    for (std::size_t lane = 0; lane < lanes_; ++lane) any |= words_[i * lanes_ + lane];
    return any != 0;
  }

 private:
  packed_array<std::uint32_t> words_;
  std::size_t lanes_;
};

/// The whole state of a SET_BLEND_STATE packet of 28 bytes or more (host.md 2.12): a field counts
/// when all its bytes are there; the alpha equation defaults to that of color, the constants to
/// 1.0, the sample mask to all ones.
[[nodiscard]] inline auto resolve_blend_state(
    const packet<aerogpu_cmd_set_blend_state>& from) noexcept -> aerogpu_blend_state {
  using state = aerogpu_blend_state;
  constexpr std::uint32_t one = as_bits(1.0f);
  const std::size_t present = from.size() - sizeof(aerogpu_cmd_hdr);
  state s = from.fields().state;
  const auto is_missing = [present](std::size_t offset) {
    return offset + sizeof(std::uint32_t) > present;
  };
  if (is_missing(offsetof(state, src_factor_alpha))) s.src_factor_alpha = s.src_factor;
  if (is_missing(offsetof(state, dst_factor_alpha))) s.dst_factor_alpha = s.dst_factor;
  if (is_missing(offsetof(state, blend_op_alpha))) s.blend_op_alpha = s.blend_op;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t offset = offsetof(state, blend_constant_rgba_f32) + i * sizeof one;
    if (is_missing(offset)) s.blend_constant_rgba_f32[i] = one;
  }
  if (is_missing(offsetof(state, sample_mask))) s.sample_mask = 0xFFFFFFFF;
  return s;
}

}  // namespace aerogpu
