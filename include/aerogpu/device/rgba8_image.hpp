// SPDX-License-Identifier: MIT
/// \file An image of RGBA8 pixels that keeps its memory from one frame to the next.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace aerogpu {

inline constexpr std::uint32_t rgba8_bytes_per_pixel = 4;

/// Tightly packed rows, top row first; bytes R, G, B, A with straight alpha.
class rgba8_image {
 public:
  /// Takes the size; new content is indeterminate. out_of_memory beyond `limit_bytes` or the
  /// host's memory; nothing is allocated beyond the limit.
  [[nodiscard]] auto resize(std::uint32_t width, std::uint32_t height,
                            std::uint64_t limit_bytes) noexcept -> result<void> {
    const auto texels = std::uint64_t{width} * height;
    if (texels > limit_bytes / rgba8_bytes_per_pixel) {
      return make_error(error_code::out_of_memory, "image exceeds the read-back limit", texels,
                        limit_bytes / rgba8_bytes_per_pixel);
    }
    const auto size_bytes = texels * rgba8_bytes_per_pixel;
    if (size_bytes > capacity_) {
      if (!fits<std::size_t>(size_bytes)) return no_memory(size_bytes);
      bytes_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(size_bytes)]);
      capacity_ = bytes_ != nullptr ? static_cast<std::size_t>(size_bytes) : 0;
      width_ = height_ = 0;
      if (bytes_ == nullptr) return no_memory(size_bytes);
    }
    width_ = width;
    height_ = height;
    return {};
  }

  void clear() noexcept { width_ = height_ = 0; }

  [[nodiscard]] auto width() const noexcept -> std::uint32_t { return width_; }
  [[nodiscard]] auto height() const noexcept -> std::uint32_t { return height_; }
  [[nodiscard]] auto empty() const noexcept -> bool { return width_ == 0 || height_ == 0; }
  [[nodiscard]] auto row_size_bytes() const noexcept -> std::size_t {
    return std::size_t{width_} * rgba8_bytes_per_pixel;
  }
  [[nodiscard]] auto pixels() noexcept -> mutable_bytes {
    return {bytes_.get(), row_size_bytes() * height_};
  }
  [[nodiscard]] auto pixels() const noexcept -> const_bytes {
    return {bytes_.get(), row_size_bytes() * height_};
  }
  [[nodiscard]] auto row(std::uint32_t y) noexcept -> mutable_bytes {
    return pixels().subspan(y * row_size_bytes(), row_size_bytes());
  }
  [[nodiscard]] auto row(std::uint32_t y) const noexcept -> const_bytes {
    return pixels().subspan(y * row_size_bytes(), row_size_bytes());
  }

 private:
  [[nodiscard]] static auto no_memory(std::uint64_t size_bytes) noexcept -> error {
    return make_error(error_code::out_of_memory, "image cannot be allocated", size_bytes);
  }

  std::unique_ptr<std::byte[]> bytes_;
  std::size_t capacity_ = 0;
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
};

}  // namespace aerogpu
