/// \file What a null backend was last asked to show, with its image.
#pragma once

#include "aerogpu/processor/draw.hpp"
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

  /// Takes over what `call` shows; keeps the memory of an image of the same size.
  /// Errors: out_of_memory, and nothing changes then.
  template <class B>
  [[nodiscard]] auto record(const present_call<B>& call) noexcept -> result<void> {
    const bool has_image = call.texture != nullptr;
    const std::size_t size = has_image ? call.texture->size_of({0, 0}) : 0;
    if (image.size() != size) {
      auto resized = null_bytes::create(size);
      if (!resized) return resized.why();
      image = *std::move(resized);
    }
    if (has_image) {
      if (auto saved = call.texture->save({0, 0}, image.view()); !saved) return saved.why();
    }
    ++number;
    scanout_id = call.scanout_id;
    flags = call.flags;
    desc = has_image ? *call.desc : texture_desc{};
    return {};
  }
};

}  // namespace aerogpu
