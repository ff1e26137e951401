// SPDX-License-Identifier: MIT
/// \file The fixed-function pipeline of a device: which shaders and constants stand for the state
/// that a draw has (umd-d3d9.md 3).
///
/// Before each draw that lacks one of the application's shaders:
///   `prepare`, bind `plan.vertex_shader` and `plan.pixel_shader` where they are not 0, write the
///   uploads of `plan` as SET_SHADER_CONSTANTS_F, then `note_sent` them in the constant files.
/// Whatever changes state calls `invalidate`. The device's mutex guards it all.
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "drivers/win7/umd/d3d9/fixed/constant_file.hpp"
#include "drivers/win7/umd/d3d9/fixed/constants.hpp"
#include "drivers/win7/umd/d3d9/fixed/draw_inputs.hpp"
#include "drivers/win7/umd/d3d9/fixed/pixel/pixel_program.hpp"
#include "drivers/win7/umd/d3d9/fixed/shader_cache.hpp"
#include "drivers/win7/umd/d3d9/fixed/shader_factory.hpp"
#include "drivers/win7/umd/d3d9/fixed/state_keys.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_program.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::umd::fixed {

/// Generated shaders that are kept (umd-d3d9.md 3.1).
inline constexpr std::size_t max_pixel_shaders = 100;
inline constexpr std::size_t max_vertex_shaders = 100;

/// Registers to send, at most one range of each block.
struct constant_upload {
  std::uint16_t first = 0;
  std::span<const float4> values;
};
template <std::size_t Count>
struct upload_list {
  std::array<constant_upload, Count> items{};
  std::size_t count = 0;

  [[nodiscard]] auto view() const noexcept -> std::span<const constant_upload> {
    return std::span{items}.first(count);
  }
};

/// What a draw needs. Values of uploads hold until the next `prepare`.
struct draw_plan {
  shader_handle vertex_shader{};   ///< 0: the application's.
  shader_handle pixel_shader{};    ///< 0: the application's.
  bool is_pretransformed = false;  ///< Vertices go through `pretransformed.hpp` first.
  upload_list<vertex_row_count> vertex_uploads;
  upload_list<pixel_row_count> pixel_uploads;
};

class pipeline {
 public:
  explicit pipeline(shader_factory& factory) noexcept : factory_(&factory) {}
  pipeline(const pipeline&) = delete;
  auto operator=(const pipeline&) -> pipeline& = delete;

  /// Errors: D3DERR_INVALIDCALL for what no shader can do, E_OUTOFMEMORY, the factory's. Nothing
  /// is allocated when the shaders are there.
  [[nodiscard]] auto prepare(const draw_inputs& draw, const constant_file& vertex_constants,
                             const constant_file& pixel_constants, draw_plan& out) noexcept
      -> HRESULT;

  /// The one upload that SetTransform makes itself while the last draw had neither of the
  /// application's shaders (umd-d3d9.md 3.3): c240..c243, or nothing.
  [[nodiscard]] auto prepare_transform(const draw_inputs& draw,
                                       const constant_file& vertex_constants) noexcept
      -> constant_upload;

  /// Some state, binding or matrix has changed since the last `prepare`.
  void invalidate() noexcept { is_valid_ = false; }

  /// Destroys all shaders, as the device is destroyed.
  void clear() noexcept;
  /// The host has lost them, as it does with the device.
  void forget() noexcept;

 private:
  [[nodiscard]] auto find_shaders(const draw_inputs& draw) noexcept -> HRESULT;
  template <class Key, class Make>
  [[nodiscard]] auto find_shader(shader_cache<Key>& cache, const Key& key, Make make,
                                 shader_handle& out) noexcept -> HRESULT;
  [[nodiscard]] auto reserve() noexcept -> bool;
  [[nodiscard]] auto is_as_before(const draw_inputs& draw, const constant_file& vertex_constants,
                                  const constant_file& pixel_constants) const noexcept -> bool;

  shader_factory* factory_;
  shader_cache<vertex_key> vertex_shaders_{shader_stage::vertex, max_vertex_shaders};
  shader_cache<pixel_key> pixel_shaders_{shader_stage::pixel, max_pixel_shaders};
  heap_array<std::uint32_t> tokens_;
  heap_array<float4> vertex_values_;
  heap_array<float4> pixel_values_;

  // Of the last plan.
  bool is_valid_ = false;
  draw_inputs draw_;
  shader_keys keys_;
  draw_plan plan_;
  std::uint64_t vertex_generation_ = 0;
  std::uint64_t pixel_generation_ = 0;
};

}  // namespace aerogpu::umd::fixed
