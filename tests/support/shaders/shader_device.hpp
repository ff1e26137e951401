// SPDX-License-Identifier: MIT
/// \file Runs vertex and pixel shaders on a Vulkan device and hands back every bit they compute.
#pragma once

#include "d3d9_to_spirv/translate.hpp"
#include "tests/support/shaders/float4.hpp"
#include "tests/support/vulkan/vulkan_device.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace aerogpu::test {

inline constexpr std::uint32_t location_count = 16;
using attributes = std::array<float4, location_count>;  ///< By location; 0 is the position.
using varyings = std::array<float4, location_count>;    ///< By location.
inline constexpr std::uint32_t target_count = 4;

/// A SPIR-V module with entry point `main`, and the bytes of its uniform buffer.
struct shader_code {
  std::vector<std::uint32_t> words;
  std::vector<std::byte> constants;
};

/// A translated shader with its constants.
[[nodiscard]] auto code_of(const d3d9::translation& from,
                           const d3d9::constant_block& constants = {}) -> shader_code;
[[nodiscard]] auto bytes_of_block(const d3d9::constant_block& constants) -> std::vector<std::byte>;

/// A texture of RGBA floats, or of depth in the first component, and its sampler: nearest texel and
/// level, held at the edge.
struct shader_texture {
  std::uint32_t binding = 0;  ///< In set 1.
  VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
  VkExtent3D size{1, 1, 1};
  /// Texels of each level, the largest first; the six faces of a cube lie one behind the other.
  std::vector<std::vector<float4>> levels;
  bool compares = false;  ///< A depth texture and a sampler with LESS_OR_EQUAL.
  float level_bias = 0;
};

struct shader_draw {
  shader_code vertex;
  shader_code pixel;
  std::vector<attributes> vertices;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::vector<shader_texture> textures;
  d3d9::push_constants pushed{.clip_planes = {},
                              .point_size = 1,
                              .point_size_min = 1,
                              .point_size_max = 64,
                              .alpha_reference = 0,
                              .fog_color = 0,
                              .fog_end = 0,
                              .fog_inverse_range = 0,
                              .fog_density = 0};
  std::uint32_t alpha_function = d3d9::alpha_always;
  std::uint8_t color_outputs = 1;  ///< Targets that are written.
};

inline constexpr float unwritten_color = -99;  ///< In all components, and of the depth 0.

/// Row by row from the top left.
struct shader_pixels {
  std::array<std::vector<float4>, target_count> colors;
  std::vector<float> depth;
  std::vector<std::uint8_t> is_kept;  ///< 1 where a fragment was not given up.
  std::vector<varyings> captured;     ///< Of `run_vertex` alone.
};

class shader_device {
 public:
  /// The device of this program, opened at the first call; null where there is none.
  /// AEROGPU_TEST_VALIDATION=0 in the environment leaves out the validation layer; else it throws
  /// without one.
  [[nodiscard]] static auto find() -> shader_device*;

  [[nodiscard]] auto draw(const shader_draw& what) -> shader_pixels;
  /// What a vertex shader writes to the varyings of `locations`, for each of `inputs`. It must copy
  /// attribute 0 to its position.
  [[nodiscard]] auto run_vertex(const shader_code& shader, std::span<const attributes> inputs,
                                std::uint32_t locations,
                                std::span<const shader_texture> textures = {})
      -> std::vector<varyings>;
  /// What a pixel shader makes of each of `inputs`, of locations 0..14, in a row of points.
  [[nodiscard]] auto run_pixel(const shader_code& shader, std::span<const varyings> inputs,
                               std::uint8_t color_outputs = 1,
                               std::span<const shader_texture> textures = {}) -> shader_pixels;

  /// A vertex shader that copies attribute 0 to the position and attribute n + 1 to varying n.
  [[nodiscard]] auto feeding_vertex_shader() -> const shader_code&;
  [[nodiscard]] auto vulkan() noexcept -> vulkan_device& { return *device_; }

 private:
  explicit shader_device(std::unique_ptr<vulkan_device> device) : device_(std::move(device)) {}
  [[nodiscard]] auto capturing_pixel_shader(std::uint32_t locations) -> const shader_code&;

  std::unique_ptr<vulkan_device> device_;
  shader_code feeding_;
  std::map<std::uint32_t, shader_code> capturing_;
};

/// Clip position of the centre of pixel `index` in a row of `width`.
[[nodiscard]] auto place_in_row(std::size_t index, std::size_t width) -> float4;
/// A triangle that covers the whole target, clockwise; its varyings are those of the corners, in
/// the attributes behind the position.
[[nodiscard]] auto covering_triangle(const std::array<attributes, 3>& corners)
    -> std::vector<attributes>;

}  // namespace aerogpu::test
