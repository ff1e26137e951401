// SPDX-License-Identifier: MIT
/// \file How a texture format of the wire lives on a device: natively, or as what comes closest.
#pragma once

#include "aerogpu/memory/format.hpp"
#include "vulkan/device/gpu.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

/// What happens to texels between the wire and the image (host.md 3.18).
enum class texel_path : std::uint8_t {
  direct,             ///< The same bytes.
  opaque,             ///< The same bytes; the fourth of each texel is 0xFF (X8).
  rgba_565,           ///< B5G6R5 as RGBA8.
  rgba_1555,          ///< B5G5R5A1 as RGBA8.
  rgba_blocks,        ///< BC blocks decoded to RGBA8; the blocks themselves stay in host memory.
  depth_24,           ///< D24S8; the wire's bytes are depth and stencil, apart on the device.
  depth_24_as_float,  ///< The same in D32_SFLOAT_S8.
};

/// A format on one device. `srgb` equals `unorm` where there is no twin.
struct texture_format {
  const format_info* wire = nullptr;
  VkFormat unorm = VK_FORMAT_UNDEFINED;
  VkFormat srgb = VK_FORMAT_UNDEFINED;
  texel_path path = texel_path::direct;
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
  bool can_be_target = false;
  bool can_filter = false;

  /// The format in which the wire's own values are seen.
  [[nodiscard]] auto own() const noexcept -> VkFormat { return wire->is_srgb ? srgb : unorm; }
  /// Bytes of one texel or block of the image in a copy; of the depth aspect for depth formats.
  [[nodiscard]] auto image_bytes() const noexcept -> std::uint32_t {
    return is_expanded() ? 4 : wire->bytes_per_block;
  }
  /// Texels are RGBA8 on the device and something else on the wire.
  [[nodiscard]] auto is_expanded() const noexcept -> bool {
    return path == texel_path::rgba_565 || path == texel_path::rgba_1555 ||
           path == texel_path::rgba_blocks;
  }
};

/// Every format, decided once when a device is opened.
class texture_formats {
 public:
  /// `force_expansion` treats the device as if it had neither 16-bit colour nor BC nor D24S8, so
  /// that tests reach the other path.
  texture_formats(const gpu& device, bool force_expansion) noexcept;

  /// Precondition: the format is valid (host.md 2.7).
  [[nodiscard]] auto of(aerogpu_format format) const noexcept -> const texture_format&;

 private:
  std::array<texture_format, formats.size()> all_;
};

}  // namespace aerogpu::vulkan
