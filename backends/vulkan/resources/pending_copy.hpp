// SPDX-License-Identifier: MIT
/// \file A copy between textures that the next operation may make unnecessary.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/memory/texture_rectangle.hpp"
#include "vulkan/resources/texture_transfer.hpp"

#include <optional>
#include <utility>

namespace aerogpu::vulkan {

struct image_copy {
  image_record* to = nullptr;
  image_record* from = nullptr;
  texture_copy how{};
};

/// The operation before, if it was such a copy: nothing is recorded of it. Who records something
/// else makes it first.
class pending_copy {
 public:
  /// `textures` outlives it.
  explicit pending_copy(texture_transfer& textures) noexcept : textures_(textures) {}

  /// Preconditions: none waits; `texture_transfer::can_put_off`.
  void put_off(const image_copy& copy) noexcept { copy_ = copy; }
  /// The copy, if `rows` of `of` are what it brings; it waits no more.
  [[nodiscard]] auto take(const image_record& of, const texture_rows& rows) noexcept
      -> std::optional<image_copy> {
    if (copy_.to != &of || !is_whole_subresource(of.layout, rows)) return std::nullopt;
    return std::exchange(copy_, {});
  }
  /// Records it. Precondition: a batch is open, or none waits. Copies that can be put off need no
  /// memory: they cannot fail.
  void make() {
    const image_copy made = std::exchange(copy_, {});
    if (made.to != nullptr) AEROGPU_CHECK(textures_.copy(*made.to, *made.from, made.how));
  }
  /// An image is about to go: what it brings is recorded, and nothing is brought to it.
  void forget(const image_record& image) {
    if (copy_.from == &image) make();
    if (copy_.to == &image) drop();
  }
  void drop() noexcept { copy_ = {}; }

 private:
  texture_transfer& textures_;
  image_copy copy_;  ///< Without images where none waits.
};

}  // namespace aerogpu::vulkan
