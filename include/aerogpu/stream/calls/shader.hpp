// SPDX-License-Identifier: MIT
/// \file Writer calls for shaders, constant registers and input layouts.
#pragma once

#include "aerogpu/abi/cmd_input_layout.h"
#include "aerogpu/abi/cmd_shader.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/stream/stage.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace aerogpu {

/// The payload of one boolean register.
[[nodiscard]] constexpr auto bool_register(bool value) noexcept -> std::array<std::uint32_t, 4> {
  const std::uint32_t lane = value ? 1 : 0;
  return {lane, lane, lane, lane};
}

/// Mixed into `stream_writer`, which brings `write`, `bind_shaders` and states the errors.
template <class Writer>
class shader_calls {
 public:
  /// `code` is a DXBC container or a Direct3D 9 token stream.
  [[nodiscard]] auto create_shader_dxbc(shader_handle shader, shader_stage stage,
                                        const_bytes code) noexcept -> result<void> {
    const encoded_stage words = encode_stage(stage);
    return writer().write(
        aerogpu_cmd_create_shader_dxbc{{}, raw(shader), words.stage, 0, words.stage_ex}, code);
  }
  [[nodiscard]] auto destroy_shader(shader_handle shader) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_destroy_shader{{}, raw(shader), 0});
  }

  // Constant registers of Direct3D 9, four lanes each.
  [[nodiscard]] auto set_shader_constants_f(
      shader_stage stage, std::uint32_t start_register,
      std::span<const std::array<float, 4>> registers) noexcept -> result<void> {
    return constants<aerogpu_cmd_set_shader_constants_f>(stage, start_register,
                                                         std::as_bytes(registers));
  }
  [[nodiscard]] auto set_shader_constants_i(
      shader_stage stage, std::uint32_t start_register,
      std::span<const std::array<std::int32_t, 4>> registers) noexcept -> result<void> {
    return constants<aerogpu_cmd_set_shader_constants_i>(stage, start_register,
                                                         std::as_bytes(registers));
  }
  /// Registers as `bool_register` makes them.
  [[nodiscard]] auto set_shader_constants_b(
      shader_stage stage, std::uint32_t start_register,
      std::span<const std::array<std::uint32_t, 4>> registers) noexcept -> result<void> {
    return constants<aerogpu_cmd_set_shader_constants_b>(stage, start_register,
                                                         std::as_bytes(registers));
  }

  /// `blob` as from `write_ilay_blob` or `write_d3d9_declaration`.
  [[nodiscard]] auto create_input_layout(input_layout_handle layout, const_bytes blob) noexcept
      -> result<void> {
    return writer().write(aerogpu_cmd_create_input_layout{{}, raw(layout), 0, 0}, blob);
  }
  [[nodiscard]] auto destroy_input_layout(input_layout_handle layout) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_destroy_input_layout{{}, raw(layout), 0});
  }
  [[nodiscard]] auto set_input_layout(input_layout_handle layout) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_set_input_layout{{}, raw(layout), 0});
  }

 private:
  [[nodiscard]] auto writer() noexcept -> Writer& { return static_cast<Writer&>(*this); }

  template <class P>
  [[nodiscard]] auto constants(shader_stage stage, std::uint32_t start_register,
                               const_bytes registers) noexcept -> result<void> {
    const encoded_stage words = encode_stage(stage);
    return writer().write(P{{}, words.stage, start_register, 0, words.stage_ex}, registers);
  }
};

}  // namespace aerogpu
