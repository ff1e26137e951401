// SPDX-License-Identifier: MIT
/// \file Writer calls for resources, and for markers and FLUSH.
#pragma once

#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/abi/cmd_resource.h"
#include "aerogpu/abi/format.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/stream/packet_traits.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu {

/// Guest memory behind a resource; the default is memory of the device.
struct resource_backing {
  alloc_id allocation{};
  std::uint32_t offset_bytes = 0;
};

struct create_buffer_args {
  resource_handle buffer{};
  std::uint32_t usage_flags = AEROGPU_RESOURCE_USAGE_NONE;
  std::uint64_t size_bytes = 0;  ///< Multiple of 4.
  resource_backing backing{};
};

struct create_texture2d_args {
  resource_handle texture{};
  std::uint32_t usage_flags = AEROGPU_RESOURCE_USAGE_NONE;
  aerogpu_format format = AEROGPU_FORMAT_INVALID;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t mip_levels = 1;
  std::uint32_t array_layers = 1;
  std::uint32_t row_pitch_bytes = 0;  ///< Of mip 0; required with a backing.
  resource_backing backing{};
};

struct create_texture_view_args {
  resource_handle view{};
  resource_handle texture{};
  aerogpu_format format = AEROGPU_FORMAT_INVALID;
  std::uint32_t base_mip_level = 0;
  std::uint32_t mip_level_count = 1;
  std::uint32_t base_array_layer = 0;
  std::uint32_t array_layer_count = 1;
};

/// All in bytes and multiples of 4.
struct copy_buffer_args {
  resource_handle destination{};
  resource_handle source{};
  std::uint64_t destination_offset = 0;
  std::uint64_t source_offset = 0;
  std::uint64_t size = 0;
  std::uint32_t flags = AEROGPU_COPY_FLAG_NONE;
};

/// A corner in one subresource, in texels.
struct texture_place {
  resource_handle texture{};
  std::uint32_t mip_level = 0;
  std::uint32_t array_layer = 0;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
};

struct copy_texture2d_args {
  texture_place destination{};
  texture_place source{};
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t flags = AEROGPU_COPY_FLAG_NONE;
};

/// Mixed into `stream_writer`, which brings `write` and states the errors.
template <class Writer>
class resource_calls {
 public:
  [[nodiscard]] auto create_buffer(const create_buffer_args& a) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_create_buffer{{},
                                                    raw(a.buffer),
                                                    a.usage_flags,
                                                    a.size_bytes,
                                                    raw(a.backing.allocation),
                                                    a.backing.offset_bytes,
                                                    0});
  }
  [[nodiscard]] auto create_texture2d(const create_texture2d_args& a) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_create_texture2d{{},
                                                       raw(a.texture),
                                                       a.usage_flags,
                                                       a.format,
                                                       a.width,
                                                       a.height,
                                                       a.mip_levels,
                                                       a.array_layers,
                                                       a.row_pitch_bytes,
                                                       raw(a.backing.allocation),
                                                       a.backing.offset_bytes,
                                                       0});
  }
  [[nodiscard]] auto destroy_resource(resource_handle resource) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_destroy_resource{{}, raw(resource), 0});
  }
  [[nodiscard]] auto create_texture_view(const create_texture_view_args& a) noexcept
      -> result<void> {
    return writer().write(aerogpu_cmd_create_texture_view{{},
                                                          raw(a.view),
                                                          raw(a.texture),
                                                          a.format,
                                                          a.base_mip_level,
                                                          a.mip_level_count,
                                                          a.base_array_layer,
                                                          a.array_layer_count,
                                                          0});
  }
  [[nodiscard]] auto destroy_texture_view(resource_handle view) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_destroy_texture_view{{}, raw(view), 0});
  }

  /// The guest CPU changed these bytes of a guest-backed resource.
  [[nodiscard]] auto resource_dirty_range(resource_handle resource, std::uint64_t offset_bytes,
                                          std::uint64_t size_bytes) noexcept -> result<void> {
    return writer().write(
        aerogpu_cmd_resource_dirty_range{{}, raw(resource), 0, offset_bytes, size_bytes});
  }
  [[nodiscard]] auto upload_resource(resource_handle resource, std::uint64_t offset_bytes,
                                     const_bytes data) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_upload_resource{{}, raw(resource), 0, offset_bytes, 0}, data);
  }
  [[nodiscard]] auto copy_buffer(const copy_buffer_args& a) noexcept -> result<void> {
    return writer().write(aerogpu_cmd_copy_buffer{{},
                                                  raw(a.destination),
                                                  raw(a.source),
                                                  a.destination_offset,
                                                  a.source_offset,
                                                  a.size,
                                                  a.flags,
                                                  0});
  }
  [[nodiscard]] auto copy_texture2d(const copy_texture2d_args& a) noexcept -> result<void> {
    const texture_place& to = a.destination;
    const texture_place& from = a.source;
    return writer().write(aerogpu_cmd_copy_texture2d{{},
                                                     raw(to.texture),
                                                     raw(from.texture),
                                                     to.mip_level,
                                                     to.array_layer,
                                                     from.mip_level,
                                                     from.array_layer,
                                                     to.x,
                                                     to.y,
                                                     from.x,
                                                     from.y,
                                                     a.width,
                                                     a.height,
                                                     a.flags,
                                                     0});
  }

  /// Text for logs and captures. Trailing zeros are lost.
  [[nodiscard]] auto debug_marker(std::string_view text) noexcept -> result<void> {
    return writer().write(debug_marker_packet{}, std::as_bytes(std::span{text}));
  }
  [[nodiscard]] auto flush() noexcept -> result<void> {
    return writer().write(aerogpu_cmd_flush{});
  }

 private:
  [[nodiscard]] auto writer() noexcept -> Writer& { return static_cast<Writer&>(*this); }
};

}  // namespace aerogpu
