// SPDX-License-Identifier: MIT
/// \file Writer calls that clear, draw and dispatch.
#pragma once

#include "aerogpu/abi/cmd_draw.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/stream/stage.hpp"

#include <array>
#include <cstdint>

namespace aerogpu {

struct clear_args {
  std::uint32_t flags = AEROGPU_CLEAR_COLOR;  ///< aerogpu_clear_flags.
  std::array<float, 4> color{};               ///< R G B A, of every color target.
  float depth = 1;
  std::uint8_t stencil = 0;
};

struct draw_indexed_args {
  std::uint32_t index_count = 0;
  std::uint32_t instance_count = 1;
  std::uint32_t first_index = 0;
  std::int32_t base_vertex = 0;
  std::uint32_t first_instance = 0;
};

/// Mixed into `stream_writer`, which brings `write` and states the errors.
template <class Writer>
class draw_calls {
 public:
  [[nodiscard]] auto clear(const clear_args& a) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_clear{
        {},
        a.flags,
        {as_bits(a.color[0]), as_bits(a.color[1]), as_bits(a.color[2]), as_bits(a.color[3])},
        as_bits(a.depth),
        a.stencil});
  }
  [[nodiscard]] auto draw(std::uint32_t vertex_count, std::uint32_t instance_count = 1,
                          std::uint32_t first_vertex = 0, std::uint32_t first_instance = 0) noexcept
      -> result<void> {
    return writer().write(
        aerogpu_cmd_draw{{}, vertex_count, instance_count, first_vertex, first_instance});
  }
  [[nodiscard]] auto draw_indexed(const draw_indexed_args& a) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_draw_indexed{
        {}, a.index_count, a.instance_count, a.first_index, a.base_vertex, a.first_instance});
  }

  /// Runs the shader of `stage` as a compute pass: compute, or geometry, hull and domain where a
  /// driver emulates them. Vertex and pixel are refused.
  [[nodiscard]] auto dispatch(std::uint32_t x, std::uint32_t y, std::uint32_t z,
                              shader_stage stage = shader_stage::compute) noexcept -> result<void> {
    constexpr std::uint32_t unencodable = 1;  // DXBC's vertex: readers and `write` refuse it.
    constexpr std::array<std::uint32_t, shader_stage_count> stage_ex{
        unencodable,
        unencodable,
        AEROGPU_SHADER_STAGE_EX_NONE,
        AEROGPU_SHADER_STAGE_EX_GEOMETRY,
        AEROGPU_SHADER_STAGE_EX_HULL,
        AEROGPU_SHADER_STAGE_EX_DOMAIN};
    return writer().write(
        aerogpu_cmd_dispatch{{}, x, y, z, stage_ex[static_cast<std::size_t>(stage)]});
  }

 private:
  [[nodiscard]] auto writer() noexcept -> Writer& { return static_cast<Writer&>(*this); }
};

}  // namespace aerogpu
