// SPDX-License-Identifier: MIT
/// \file Private data of a WDDM allocation: what the drivers tell each other through the OS.
#pragma once

#include "aerogpu/abi/wddm_alloc.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu {

/// A Direct3D 9 surface as the blob's reserved0 describes it (wire.md 12.1).
struct d3d9_description {
  std::uint32_t format;  ///< D3DFORMAT.
  std::uint32_t width;   ///< Texels, at most 65535.
  std::uint32_t height;  ///< Texels, at most 32767.

  friend constexpr auto operator==(const d3d9_description&, const d3d9_description&)
      -> bool = default;
};

/// Packs a description into reserved0. Error: invalid_parameter when a size does not fit, where
/// the bare macro would cut it.
[[nodiscard]] constexpr auto pack_description(const d3d9_description& surface) noexcept
    -> result<std::uint64_t> {
  if (surface.width > AEROGPU_WDDM_ALLOC_PRIV_DESC_MAX_WIDTH) {
    return make_error(error_code::invalid_parameter, "width does not fit the description",
                      surface.width, AEROGPU_WDDM_ALLOC_PRIV_DESC_MAX_WIDTH);
  }
  if (surface.height > AEROGPU_WDDM_ALLOC_PRIV_DESC_MAX_HEIGHT) {
    return make_error(error_code::invalid_parameter, "height does not fit the description",
                      surface.height, AEROGPU_WDDM_ALLOC_PRIV_DESC_MAX_HEIGHT);
  }
  return AEROGPU_WDDM_ALLOC_PRIV_DESC_PACK(surface.format, surface.width, surface.height);
}

/// Whether reserved0 holds a description; it may be all zero and still be there.
[[nodiscard]] constexpr auto has_description(std::uint64_t reserved0) noexcept -> bool {
  return AEROGPU_WDDM_ALLOC_PRIV_DESC_PRESENT(reserved0);
}

/// The description in reserved0. Precondition: has_description(reserved0).
[[nodiscard]] constexpr auto unpack_description(std::uint64_t reserved0) noexcept
    -> d3d9_description {
  return {AEROGPU_WDDM_ALLOC_PRIV_DESC_FORMAT(reserved0),
          AEROGPU_WDDM_ALLOC_PRIV_DESC_WIDTH(reserved0),
          AEROGPU_WDDM_ALLOC_PRIV_DESC_HEIGHT(reserved0)};
}

/// Private data of any version; an older one has zeros where a later one adds fields.
using alloc_private_data = aerogpu_wddm_alloc_priv_v3;

/// Bytes that a version of the blob takes; 0 for an unknown version.
[[nodiscard]] constexpr auto alloc_private_data_bytes(std::uint32_t version) noexcept
    -> std::size_t {
  switch (version) {
    case AEROGPU_WDDM_ALLOC_PRIV_VERSION: return sizeof(aerogpu_wddm_alloc_priv);
    case AEROGPU_WDDM_ALLOC_PRIV_VERSION_2: return sizeof(aerogpu_wddm_alloc_priv_v2);
    case AEROGPU_WDDM_ALLOC_PRIV_VERSION_3: return sizeof(aerogpu_wddm_alloc_priv_v3);
    default: return 0;
  }
}

/// Copies a blob out of untrusted bytes; what follows it is ignored (kmd.md 3.4, rows 1 to 3).
/// Errors: out_of_bounds when the bytes are too few for a blob or its version; invalid_parameter
/// for a wrong magic or an unknown version.
[[nodiscard]] inline auto parse_alloc_private_data(const_bytes bytes) noexcept
    -> result<alloc_private_data> {
  alloc_private_data data{};
  const auto too_short = [&](std::size_t needed) {
    return make_error(error_code::out_of_bounds, "private data is shorter than its version",
                      bytes.size(), needed);
  };
  if (bytes.size() < sizeof(aerogpu_wddm_alloc_priv)) {
    return too_short(sizeof(aerogpu_wddm_alloc_priv));
  }
  std::memcpy(&data, bytes.data(), sizeof(aerogpu_wddm_alloc_priv));
  if (data.magic != AEROGPU_WDDM_ALLOC_PRIV_MAGIC) {
    return make_error(error_code::invalid_parameter, "private data magic is wrong", data.magic,
                      AEROGPU_WDDM_ALLOC_PRIV_MAGIC);
  }
  const std::size_t needed = alloc_private_data_bytes(data.version);
  if (needed == 0) {
    return make_error(error_code::invalid_parameter, "private data version is unknown",
                      data.version);
  }
  if (bytes.size() < needed) return too_short(needed);
  std::memcpy(reinterpret_cast<std::byte*>(&data) + sizeof(aerogpu_wddm_alloc_priv),
              bytes.data() + sizeof(aerogpu_wddm_alloc_priv),
              needed - sizeof(aerogpu_wddm_alloc_priv));
  return data;
}

/// Writes a blob as its version lays it out; bytes after it stay as they are. Errors:
/// invalid_parameter for an unknown version; no_space, and nothing is written.
[[nodiscard]] inline auto write_alloc_private_data(mutable_bytes out,
                                                   const alloc_private_data& data) noexcept
    -> result<void> {
  const std::size_t needed = alloc_private_data_bytes(data.version);
  if (needed == 0) {
    return make_error(error_code::invalid_parameter, "private data version is unknown",
                      data.version);
  }
  if (out.size() < needed) {
    return make_error(error_code::no_space, "private data does not fit", needed, out.size());
  }
  std::memcpy(out.data(), &data, needed);
  return {};
}

/// Whether the blob has the fields of a surface, which version 2 brought.
[[nodiscard]] constexpr auto describes_surface(const alloc_private_data& data) noexcept -> bool {
  return data.version == AEROGPU_WDDM_ALLOC_PRIV_VERSION_2 ||
         data.version == AEROGPU_WDDM_ALLOC_PRIV_VERSION_3;
}

/// What the creator's stream calls the resource; 0 = unknown, as in versions before 3
/// (kmd.md K-22). Whoever uses it asks the host: user mode may have written any number.
[[nodiscard]] constexpr auto resource_handle_of(const alloc_private_data& data) noexcept
    -> resource_handle {
  const bool has_handle = data.version == AEROGPU_WDDM_ALLOC_PRIV_VERSION_3;
  return has_handle ? static_cast<resource_handle>(data.resource_handle) : resource_handle{};
}

[[nodiscard]] constexpr auto is_shared(const alloc_private_data& data) noexcept -> bool {
  return (data.flags & AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED) != 0;
}

/// Whether the kernel driver made the blob for a standard allocation such as the shared primary:
/// version 2 or later, a texture, never with a token, and an id that it has yet to choose (0) or
/// chose from its own range (kmd.md 2.5).
[[nodiscard]] constexpr auto is_standard_allocation(const alloc_private_data& data) noexcept
    -> bool {
  return describes_surface(data) && data.kind == AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D &&
         !is_shared(data) && data.share_token == 0 &&
         (data.alloc_id == 0 || data.alloc_id >= AEROGPU_WDDM_ALLOC_ID_KMD_MIN);
}

/// Bytes from row to row, 0 = unknown. The field that version 2 brought wins over reserved0's.
[[nodiscard]] constexpr auto row_pitch_bytes(const alloc_private_data& data) noexcept
    -> std::uint32_t {
  if (describes_surface(data) && data.row_pitch_bytes != 0) return data.row_pitch_bytes;
  return has_description(data.reserved0) ? 0 : static_cast<std::uint32_t>(data.reserved0);
}

/// Bytes that the allocation needs, unrounded: the blob's size_bytes, or pitch times height for a
/// standard allocation that has none.
[[nodiscard]] constexpr auto allocation_bytes(const alloc_private_data& data) noexcept
    -> std::uint64_t {
  if (data.size_bytes == 0 && is_standard_allocation(data)) {
    return std::uint64_t{data.row_pitch_bytes} * data.height;  // 32 bits times 32 bits
  }
  return data.size_bytes;
}

}  // namespace aerogpu
