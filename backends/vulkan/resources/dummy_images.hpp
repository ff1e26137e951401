// SPDX-License-Identifier: MIT
/// \file What shaders read where nothing fits is bound (host.md 3.13, note on unbound textures).
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/device_parts.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

/// `depth` is zero, and can be compared with a reference; of flat shapes and cubes only.
enum class dummy_color : std::uint8_t { white, opaque_black, depth };
enum class dummy_shape : std::uint8_t {
  image_2d,
  cube,
  volume,
  array_2d,
  cube_array,
  image_1d,
  array_1d,
  multisampled,
  array_multisampled,
};
inline constexpr std::size_t dummy_shape_count = 9;

/// One texel of each colour, as every type of view.
class dummy_images {
 public:
  explicit dummy_images(device_parts& device) noexcept : device_(device) {}
  ~dummy_images();
  dummy_images(const dummy_images&) = delete;
  auto operator=(const dummy_images&) -> dummy_images& = delete;

  /// Makes and fills them in the open batch. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto initialize() -> result<void>;

  /// In SHADER_READ_ONLY_OPTIMAL layout.
  [[nodiscard]] auto view(dummy_color color, dummy_shape shape) const noexcept -> VkImageView {
    return all_[static_cast<std::size_t>(color)].views[static_cast<std::size_t>(shape)];
  }

 private:
  static constexpr std::size_t image_count = 4;  ///< 2D, 3D, 1D, multisampled.
  struct dummy {
    std::array<VkImage, image_count> images{};
    std::array<allocation, image_count> memory{};
    std::array<VkImageView, dummy_shape_count> views{};
  };

  [[nodiscard]] auto create(dummy& made, dummy_color color) -> result<void>;
  [[nodiscard]] auto create_image(dummy& made, std::size_t kind, dummy_color color) -> result<void>;
  void fill(VkImage image, dummy_color color) noexcept;

  device_parts& device_;
  std::array<dummy, 3> all_;  ///< By dummy_color.
};

}  // namespace aerogpu::vulkan
