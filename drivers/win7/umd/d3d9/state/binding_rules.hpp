// SPDX-License-Identifier: MIT
/// \file What may be bound where. The runtime checks most of it; the host rejects the rest, and
/// with it everything else in the submission.
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_enums.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_flags.hpp"
#include "drivers/win7/umd/d3d9/adapter/caps.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <cstdint>

namespace aerogpu::umd {

[[nodiscard]] inline auto can_be_sampled(const resource& of) noexcept -> bool {
  return of.layout() != nullptr;
}
[[nodiscard]] inline auto can_be_read_by_draws(const resource& of) noexcept -> bool {
  return of.kind == resource_kind::buffer;
}
/// The host refuses draws from a stream that begins behind its buffer, and from one whose vertices
/// are further apart than the caps offer.
[[nodiscard]] inline auto can_be_drawn_from(const stream_source& stream) noexcept -> bool {
  return stream.buffer == nullptr || (stream.offset_bytes <= stream.buffer->size_bytes &&
                                      stream.stride_bytes <= max_stream_stride_bytes);
}
[[nodiscard]] inline auto can_be_drawn_to(const resource& of, std::uint32_t subresource) noexcept
    -> bool {
  return of.handle != resource_handle{} && of.flags.is_render_target &&
         subresource < of.subresource_count();
}
[[nodiscard]] inline auto can_be_depth_stencil(const resource& of,
                                               std::uint32_t subresource) noexcept -> bool {
  return of.handle != resource_handle{} && of.flags.is_depth_stencil &&
         subresource < of.subresource_count();
}

/// Whether stencil tests count: D16 and D24X8 have none, though the host's surface has.
[[nodiscard]] inline auto may_have_stencil(const surface_ref& depth) noexcept -> bool {
  return depth.resource == nullptr ||
         depth.resource->format == static_cast<std::uint32_t>(D3DFMT_D24S8);
}

/// What of COLORWRITEENABLE counts for a target whose alpha stays 1.
inline constexpr std::uint32_t color_channels =
    D3DCOLORWRITEENABLE_RED | D3DCOLORWRITEENABLE_GREEN | D3DCOLORWRITEENABLE_BLUE;
[[nodiscard]] inline auto takes_alpha(const surface_ref& target) noexcept -> bool {
  return target.resource == nullptr || !target.resource->reads_opaque_alpha;
}

}  // namespace aerogpu::umd
