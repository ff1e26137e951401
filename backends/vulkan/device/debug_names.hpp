// SPDX-License-Identifier: MIT
/// \file Names of objects and labels of command buffers, for RenderDoc and the validation layers.
#pragma once

#include "vulkan/device/gpu.hpp"

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace aerogpu::vulkan {

/// Text of bounded length that is made of strings and numbers; what does not fit is cut off.
class debug_text {
 public:
  static constexpr std::size_t longest = 127;

  template <class... Parts>
  explicit debug_text(const Parts&... parts) noexcept {
    (append(parts), ...);
  }
  [[nodiscard]] auto c_str() const noexcept -> const char* { return text_.data(); }

 private:
  void append(std::string_view part) noexcept {
    const std::size_t count = part.copy(text_.data() + size_, longest - size_);
    size_ += count;
  }
  template <std::unsigned_integral Number>
  void append(Number number) noexcept {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    append(std::string_view{digits.data(), static_cast<std::size_t>(end - digits.data())});
  }
  template <class Id>
  requires std::is_enum_v<Id>
  void append(Id id) noexcept { append(static_cast<std::uint64_t>(id)); }

  std::array<char, longest + 1> text_{};
  std::size_t size_ = 0;
};

namespace detail {

void set_name(const gpu& device, VkObjectType type, std::uint64_t handle,
              const debug_text& name) noexcept;
void begin_label(const gpu& device, VkCommandBuffer commands, const debug_text& text) noexcept;
void insert_label(const gpu& device, VkCommandBuffer commands, const debug_text& text) noexcept;

}  // namespace detail

/// Names an object: `set_name(gpu, VK_OBJECT_TYPE_IMAGE, image, "texture ", handle)`. Parts are
/// text, unsigned numbers and ids. This and the labels do nothing when debug_utils is off.
template <class Handle, class... Parts>
void set_name(const gpu& device, VkObjectType type, Handle handle, const Parts&... parts) noexcept {
  if (device.debug.set_name == nullptr || handle == Handle{}) return;
  std::uint64_t bits = 0;  // A handle is a pointer, or on some platforms a 64-bit number.
  static_assert(sizeof handle <= sizeof bits);
  std::memcpy(&bits, &handle, sizeof handle);
  detail::set_name(device, type, bits, debug_text{parts...});
}

/// Opens a group of commands; `end_label` closes it.
template <class... Parts>
void begin_label(const gpu& device, VkCommandBuffer commands, const Parts&... parts) noexcept {
  if (device.debug.begin_label != nullptr)
    detail::begin_label(device, commands, debug_text{parts...});
}

/// Marks a place between commands.
template <class... Parts>
void insert_label(const gpu& device, VkCommandBuffer commands, const Parts&... parts) noexcept {
  if (device.debug.insert_label != nullptr)
    detail::insert_label(device, commands, debug_text{parts...});
}

void end_label(const gpu& device, VkCommandBuffer commands) noexcept;

}  // namespace aerogpu::vulkan
