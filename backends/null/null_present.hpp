// SPDX-License-Identifier: MIT
/// \file What a null backend was last asked to show, with its image.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "null/null_bytes.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// The last PRESENT or PRESENT_EX that the backend received. `image` is mip 0 of layer 0 at that
/// moment, in `desc.format` with tight rows; empty when the guest frame buffer is shown.
struct null_present {
  std::uint64_t number = 0;  ///< 1 for the first; 0 = nothing presented.
  std::uint32_t scanout_id = 0;
  std::uint32_t flags = 0;
  texture_desc desc{};
  null_bytes image;

  /// Takes over what `call` shows. `content` is another number after any texture was made, written
  /// or destroyed: an image that is still the same is not copied again.
  /// Errors: out_of_memory, and nothing changes then.
  template <class B>
  [[nodiscard]] auto record(const present_call<B>& call, std::uint64_t content) noexcept
      -> result<void> {
    if (number == 0 || call.texture != shown_ || content != shown_content_) {
      if (auto copied = copy_image(call.texture); !copied) return copied.why();
      desc = call.texture != nullptr ? *call.desc : texture_desc{};
      shown_ = call.texture;
      shown_content_ = content;
    }
    ++number;
    scanout_id = call.scanout_id;
    flags = call.flags;
    return {};
  }

 private:
  /// Keeps the memory of an image of the same size.
  template <class Texture>
  [[nodiscard]] auto copy_image(const Texture* texture) noexcept -> result<void> {
    const std::size_t size = texture != nullptr ? texture->size_of({0, 0}) : 0;
    if (image.size() != size) {
      auto resized = null_bytes::create(size);
      if (!resized) return resized.why();
      image = *std::move(resized);
    }
    if (texture == nullptr) return {};
    return texture->save({0, 0}, image.view());
  }

  const void* shown_ = nullptr;  ///< Compared, never followed.
  std::uint64_t shown_content_ = 0;
};

}  // namespace aerogpu
