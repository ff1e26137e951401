// SPDX-License-Identifier: MIT
/// \file Writer calls that bind textures, samplers and buffer views, and set raw D3D9 states.
#pragma once

#include "aerogpu/abi/cmd_binding.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/stream/stage.hpp"

#include <cstdint>
#include <span>

namespace aerogpu {

struct create_sampler_args {
  sampler_handle sampler{};
  aerogpu_sampler_filter filter = AEROGPU_SAMPLER_FILTER_NEAREST;
  aerogpu_sampler_address_mode address_u = AEROGPU_SAMPLER_ADDRESS_CLAMP_TO_EDGE;
  aerogpu_sampler_address_mode address_v = AEROGPU_SAMPLER_ADDRESS_CLAMP_TO_EDGE;
  aerogpu_sampler_address_mode address_w = AEROGPU_SAMPLER_ADDRESS_CLAMP_TO_EDGE;
};

/// Mixed into `stream_writer`, which brings `write` and states the errors.
template <class Writer>
class binding_calls {
 public:
  /// A texture, view or buffer; 0 unbinds.
  [[nodiscard]] auto set_texture(shader_stage stage, std::uint32_t slot,
                                 resource_handle texture) noexcept -> result<void> {
    const encoded_stage words = encode_stage(stage);
    return writer().write(
        aerogpu_cmd_set_texture{{}, words.stage, slot, raw(texture), words.stage_ex});
  }

  /// A D3DSAMP state. The packet cannot name hull and domain: they are refused.
  [[nodiscard]] auto set_sampler_state(shader_stage stage, std::uint32_t slot, std::uint32_t state,
                                       std::uint32_t value) noexcept -> result<void> {
    const auto base = static_cast<std::uint32_t>(stage);  // The four base stages share numbers.
    return writer().write(aerogpu_cmd_set_sampler_state{{}, base, slot, state, value});
  }
  /// A D3DRS state.
  [[nodiscard]] auto set_render_state(std::uint32_t state, std::uint32_t value) noexcept
      -> result<void> {
    return writer().write(aerogpu_cmd_set_render_state{{}, state, value});
  }

  [[nodiscard]] auto create_sampler(const create_sampler_args& a) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_create_sampler{{},
                                                     raw(a.sampler),
                                                     static_cast<std::uint32_t>(a.filter),
                                                     static_cast<std::uint32_t>(a.address_u),
                                                     static_cast<std::uint32_t>(a.address_v),
                                                     static_cast<std::uint32_t>(a.address_w)});
  }
  [[nodiscard]] auto destroy_sampler(sampler_handle sampler) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_destroy_sampler{{}, raw(sampler), 0});
  }

  // Runs of slots; handle 0 unbinds one.
  [[nodiscard]] auto set_samplers(shader_stage stage, std::uint32_t start_slot,
                                  std::span<const sampler_handle> samplers) noexcept
      -> result<void> {
    return bind<aerogpu_cmd_set_samplers>(stage, start_slot, std::as_bytes(samplers));
  }
  [[nodiscard]] auto set_constant_buffers(
      shader_stage stage, std::uint32_t start_slot,
      std::span<const aerogpu_constant_buffer_binding> buffers) noexcept -> result<void> {
    return bind<aerogpu_cmd_set_constant_buffers>(stage, start_slot, std::as_bytes(buffers));
  }
  [[nodiscard]] auto set_shader_resource_buffers(
      shader_stage stage, std::uint32_t start_slot,
      std::span<const aerogpu_shader_resource_buffer_binding> buffers) noexcept -> result<void> {
    return bind<aerogpu_cmd_set_shader_resource_buffers>(stage, start_slot, std::as_bytes(buffers));
  }
  [[nodiscard]] auto set_unordered_access_buffers(
      shader_stage stage, std::uint32_t start_slot,
      std::span<const aerogpu_unordered_access_buffer_binding> buffers) noexcept -> result<void> {
    return bind<aerogpu_cmd_set_unordered_access_buffers>(stage, start_slot,
                                                          std::as_bytes(buffers));
  }

 private:
  [[nodiscard]] auto writer() noexcept -> Writer& { return static_cast<Writer&>(*this); }

  template <class P>
  [[nodiscard]] auto bind(shader_stage stage, std::uint32_t start_slot,
                          const_bytes bindings) noexcept -> result<void> {
    const encoded_stage words = encode_stage(stage);
    return writer().write(P{{}, words.stage, start_slot, 0, words.stage_ex}, bindings);
  }
};

}  // namespace aerogpu
