// SPDX-License-Identifier: MIT
/// \file Writer calls for pipeline state and the input assembler.
#pragma once

#include "aerogpu/abi/cmd_input_assembler.h"
#include "aerogpu/abi/cmd_state.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu {

struct viewport_args {
  float x = 0, y = 0, width = 0, height = 0;
  float min_depth = 0, max_depth = 1;
};

/// Mixed into `stream_writer`, which brings `write` and states the errors.
template <class Writer>
class state_calls {
 public:
  [[nodiscard]] auto set_blend_state(const aerogpu_blend_state& state) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_set_blend_state{{}, state});
  }
  [[nodiscard]] auto set_depth_stencil_state(const aerogpu_depth_stencil_state& state) noexcept
      -> result<void> {
    return writer().write(aerogpu_cmd_set_depth_stencil_state{{}, state});
  }
  [[nodiscard]] auto set_rasterizer_state(const aerogpu_rasterizer_state& state) noexcept
      -> result<void> {
    return writer().write(aerogpu_cmd_set_rasterizer_state{{}, state});
  }

  /// At most 8 colors, 0 = none; the slots behind them are unbound.
  [[nodiscard]] auto set_render_targets(std::span<const resource_handle> colors,
                                        resource_handle depth_stencil) noexcept -> result<void> {
    aerogpu_cmd_set_render_targets packet{};
    packet.color_count = static_cast<std::uint32_t>(colors.size());
    packet.depth_stencil = raw(depth_stencil);
    const std::size_t count =
        colors.size() < AEROGPU_MAX_RENDER_TARGETS ? colors.size() : AEROGPU_MAX_RENDER_TARGETS;
    for (std::size_t i = 0; i < count; ++i) packet.colors[i] = raw(colors[i]);
    return writer().write(packet);
  }
  [[nodiscard]] auto set_viewport(const viewport_args& a) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_set_viewport{{},
                                                   as_bits(a.x),
                                                   as_bits(a.y),
                                                   as_bits(a.width),
                                                   as_bits(a.height),
                                                   as_bits(a.min_depth),
                                                   as_bits(a.max_depth)});
  }
  [[nodiscard]] auto set_scissor(std::int32_t x, std::int32_t y, std::int32_t width,
                                 std::int32_t height) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_set_scissor{{}, x, y, width, height});
  }

  [[nodiscard]] auto set_vertex_buffers(
      std::uint32_t start_slot, std::span<const aerogpu_vertex_buffer_binding> buffers) noexcept
      -> result<void> {
    return writer().write(aerogpu_cmd_set_vertex_buffers{{}, start_slot, 0},
                          std::as_bytes(buffers));
  }
  [[nodiscard]] auto set_index_buffer(resource_handle buffer, aerogpu_index_format format,
                                      std::uint32_t offset_bytes) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_set_index_buffer{
        {}, raw(buffer), static_cast<std::uint32_t>(format), offset_bytes, 0});
  }
  [[nodiscard]] auto set_primitive_topology(aerogpu_primitive_topology topology) noexcept
      -> result<void> {
    return writer().write(aerogpu_cmd_set_primitive_topology{{}, topology, 0});
  }

 private:
  [[nodiscard]] auto writer() noexcept -> Writer& { return static_cast<Writer&>(*this); }
};

}  // namespace aerogpu
