// SPDX-License-Identifier: MIT
/// \file What the backend presented, as RGBA8.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/device/display_format.hpp"
#include "aerogpu/device/rgba8_image.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Whether the backend has an image for scanout 0 that a display can show.
template <class Processor>
[[nodiscard]] auto has_presented_image(const Processor& processor) noexcept -> bool {
  const auto* const shown = processor.presented();
  return shown != nullptr && find_display_format(shown->format) != nullptr;
}

/// Reads that image, after all work so far. Errors: out_of_memory above `limit_bytes`; those of
/// the backend. Precondition: has_presented_image(processor).
template <class Processor>
[[nodiscard]] auto read_presented_image(Processor& processor, std::uint64_t limit_bytes,
                                        rgba8_image& image) noexcept -> result<void> {
  const texture_desc desc = *processor.presented();
  const display_format& format = *find_display_format(desc.format);
  if (const auto sized = image.resize(desc.width, desc.height, limit_bytes); !sized) {
    return sized.why();
  }
  const auto texels = std::size_t{desc.width} * desc.height;
  const auto native = image.pixels().last(texels * format.bytes_per_pixel);
  if (const auto read = processor.read_presented(native); !read) {
    image.clear();
    return read.why();
  }
  format.to_rgba8(image.pixels().data(), native.data(), texels);
  return {};
}

}  // namespace aerogpu
