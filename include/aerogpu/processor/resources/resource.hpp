// SPDX-License-Identifier: MIT
/// \file Buffers, textures and views as the processor holds them, and what a handle names.
#pragma once

#include "aerogpu/backend/backend.hpp"
#include "aerogpu/backend/objects.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/memory/texture_layout.hpp"
#include "aerogpu/processor/resources/dirty_set.hpp"

#include <cstdint>

namespace aerogpu {

/// Where a resource's content comes from: an allocation of whatever table the submission brings,
/// never an address (host.md 2.5).
struct guest_backing {
  alloc_id id{};  ///< 0 = host-owned.
  std::uint32_t offset_bytes = 0;

  [[nodiscard]] explicit operator bool() const noexcept { return id != alloc_id{}; }
};

/// Whether texel bytes mean something outside the GPU. Those of D24S8 do not: uploads and dirty
/// ranges are checked and have no effect (host.md 3.18).
[[nodiscard]] constexpr auto has_defined_bytes(const format_info& format) noexcept -> bool {
  return format.kind != format_class::depth_stencil;
}

/// The texels of a texture without padding. Fits because the padded layout does.
[[nodiscard]] constexpr auto content_bytes_of(const texture_layout& layout) noexcept
    -> std::uint64_t {
  texture_shape tight = layout.shape();
  tight.row_pitch_bytes = 0;
  return texture_layout::create(tight)->total_bytes();
}

/// A live buffer. The address is stable until its handle dies.
template <backend B>
struct buffer_object {
  typename B::buffer native;
  buffer_desc desc;
  guest_backing backing;
  context_id creator{};  ///< Whose quota it uses.
  dirty_ranges dirty;
  std::uint64_t charged_bytes = 0;  ///< To its creator.
  std::uint64_t serial = 0;         ///< No other object of its table ever has it.
  bool is_uploaded = false;         ///< By the packet that runs; clean when that succeeds.
  buffer_object* next_uploaded = nullptr;
};

/// A live texture with one or more handles or views. `desc.name` is its original handle. The
/// address is stable until the last handle and the last view died.
template <backend B>
struct texture_object {
  typename B::texture native;
  texture_desc desc;
  texture_layout layout;
  guest_backing backing;
  context_id creator{};
  dirty_subresources dirty;
  std::uint64_t charged_bytes = 0;
  std::uint64_t serial = 0;        ///< No other object of its table ever has it.
  std::uint32_t handle_count = 0;  ///< Original and aliases that live (host.md 2.8).
  std::uint32_t view_count = 0;    ///< Views, each of which keeps the content (host.md 2.9).
  share_token first_token{};       ///< Head of the list of its tokens; 0 = none.
  bool is_uploaded = false;        ///< By the packet that runs; clean when that succeeds.
  bool was_target = false;         ///< Of some context; most textures never are.
  texture_object* next_uploaded = nullptr;
  std::uint32_t snapshot_index = 0;  ///< Place in the snapshot that is being written.
};

/// A live texture view; it keeps its texture.
template <backend B>
struct view_object {
  typename B::texture_view native;
  texture_view_desc desc;
  texture_object<B>* texture;
};

enum class resource_kind : std::uint8_t {
  none,  ///< No live object.
  buffer,
  texture,  ///< An original or an alias.
  view,
  reserved,  ///< A destroyed original whose aliases live (host.md 2.8).
};

/// What a resource handle names. `kind` says which pointers hold; the others are null.
template <backend B>
struct named_resource {
  resource_kind kind = resource_kind::none;
  context_id owner{};        ///< Who made the name; it goes with that context.
  std::uint64_t serial = 0;  ///< Of this naming: another one for each create and import; 0 = none.
  buffer_object<B>* buffer = nullptr;
  texture_object<B>* texture = nullptr;  ///< Of a texture; what a view views; what is reserved.
  view_object<B>* view = nullptr;
};

/// Whether it is a live texture or a view of one.
template <backend B>
[[nodiscard]] constexpr auto has_texture(const named_resource<B>& named) noexcept -> bool {
  return named.kind == resource_kind::texture || named.kind == resource_kind::view;
}

/// What a handle names that names nothing.
template <backend B>
inline constexpr named_resource<B> no_resource{};

}  // namespace aerogpu
