// SPDX-License-Identifier: MIT
/// \file CREATE_BUFFER, CREATE_TEXTURE2D and CREATE_TEXTURE_VIEW (host.md 2.7, 2.9, 2.12).
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/memory/texture_layout.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/processor/resources/lookup.hpp"
#include "aerogpu/processor/resources/resource.hpp"
#include "aerogpu/processor/resources/resource_rules.hpp"
#include "aerogpu/processor/resources/transfer_budget.hpp"
#include "aerogpu/stream/checked_packet.hpp"

#include <cstdint>

namespace aerogpu {

namespace detail {

/// Whether a backing holds a resource of that size.
/// Errors: missing_alloc_table, unknown_alloc_id, size_overflow, alloc_out_of_bounds.
template <backend B>
[[nodiscard]] auto check_backing(const execution<B>& x, const guest_backing& backing,
                                 std::uint64_t size_bytes) noexcept -> result<void> {
  if (!backing) return {};
  const auto found = x.table.resolve(backing.id, backing.offset_bytes, size_bytes);
  if (!found) return found.why();
  return {};
}

template <backend B>
auto fail_in_use(execution<B>& x, resource_handle handle) noexcept -> error_code {
  return x.fail(error_code::handle_in_use, "handle names something else that lives", raw(handle));
}
template <backend B>
auto fail_rebind(execution<B>& x, resource_handle handle) noexcept -> error_code {
  return x.fail(error_code::rebind_mismatch, "live resource has other immutable properties",
                raw(handle));
}

/// CREATE on an equal live original moves only its backing: content and dirty ranges stay
/// (host.md 2.7).
template <backend B, class Object>
auto rebind(execution<B>& x, Object& object, const guest_backing& backing) noexcept -> error_code {
  x.tables.resources.rebind(object, backing);
  return error_code::none;
}

[[nodiscard]] constexpr auto shape_of(const aerogpu_cmd_create_texture2d& p) noexcept
    -> texture_shape {
  return {p.format, p.width, p.height, p.mip_levels, p.array_layers, p.row_pitch_bytes};
}

/// What the zeros of a new texture cost: each subresource is filled by itself.
[[nodiscard]] inline auto cost_of_zeros(const texture_layout& layout) noexcept
    -> result<std::uint64_t> {
  const auto places = checked_mul(layout.subresource_count(), transfer_cost(0));
  if (!places) return places.why();
  return checked_add(*places, content_bytes_of(layout));
}

template <backend B>
auto create_new_texture(execution<B>& x, const aerogpu_cmd_create_texture2d& p,
                        const guest_backing& backing) noexcept -> error_code {
  const auto layout = plan_layout(shape_of(p), p.usage_flags);
  if (!layout) return x.fail(layout.why());
  if (const auto ok = check_backing(x, backing, layout->total_bytes()); !ok) {
    return x.fail(ok.why());
  }
  if (const auto ok = check_api_limits(layout->shape(), x.limits); !ok) return x.fail(ok.why());
  const auto cost = cost_of_zeros(*layout);
  if (!cost) return x.fail(cost.why());
  if (const auto code = spend_transfer(x, *cost); code != error_code::none) return code;
  const texture_desc desc{.name = static_cast<resource_handle>(p.texture_handle),
                          .usage_flags = p.usage_flags,
                          .format = static_cast<aerogpu_format>(p.format),
                          .width = p.width,
                          .height = p.height,
                          .mip_levels = p.mip_levels,
                          .array_layers = p.array_layers};
  const auto made =
      x.tables.resources.create_texture(x.backend, {desc, *layout, backing, x.submission.context});
  return made ? error_code::none : x.fail(made.why());
}

}  // namespace detail

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_create_buffer>& from_guest) noexcept -> error_code {
  const aerogpu_cmd_create_buffer p = from_guest.fields();
  const auto handle = static_cast<resource_handle>(p.buffer_handle);
  const named_resource<B> named = x.tables.resources.find(handle);
  if (named.kind != resource_kind::none && named.kind != resource_kind::buffer) {
    return detail::fail_in_use(x, handle);
  }
  if (const auto ok = check_buffer_size(p.size_bytes); !ok) return x.fail(ok.why());
  const guest_backing backing{static_cast<alloc_id>(p.backing_alloc_id), p.backing_offset_bytes};
  if (const auto ok = detail::check_backing(x, backing, p.size_bytes); !ok) {
    return x.fail(ok.why());
  }
  if (named.kind == resource_kind::buffer) {
    const buffer_desc& live = named.buffer->desc;
    if (live.size_bytes != p.size_bytes || live.usage_flags != p.usage_flags) {
      return detail::fail_rebind(x, handle);
    }
    return detail::rebind(x, *named.buffer, backing);
  }
  if (p.size_bytes > x.limits.buffer_bytes) {
    return x.fail(error_code::out_of_memory, "size_bytes exceeds the host's limit", p.size_bytes,
                  x.limits.buffer_bytes);
  }
  const auto cost = detail::transfer_cost(p.size_bytes);  // Of its zeros.
  if (const auto code = detail::spend_transfer(x, cost); code != error_code::none) return code;
  const auto made = x.tables.resources.create_buffer(
      x.backend, {handle, p.usage_flags, p.size_bytes}, backing, x.submission.context);
  return made ? error_code::none : x.fail(made.why());
}

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_create_texture2d>& from_guest) noexcept
    -> error_code {
  const aerogpu_cmd_create_texture2d p = from_guest.fields();
  const auto handle = static_cast<resource_handle>(p.texture_handle);
  const named_resource<B> named = x.tables.resources.find(handle);
  const bool is_original =
      named.kind == resource_kind::texture && named.texture->desc.name == handle;
  if (named.kind != resource_kind::none && !is_original) return detail::fail_in_use(x, handle);

  const texture_shape shape = detail::shape_of(p);
  if (const auto ok = texture_layout::check_counts(shape); !ok) return x.fail(ok.why());
  const guest_backing backing{static_cast<alloc_id>(p.backing_alloc_id), p.backing_offset_bytes};
  if (backing && p.row_pitch_bytes == 0) {
    return x.fail(error_code::invalid_parameter, "row_pitch_bytes of a backed texture is zero");
  }
  if (!is_original) return detail::create_new_texture(x, p, backing);

  texture_object<B>& live = *named.texture;
  if (live.layout.shape() != shape || live.desc.usage_flags != p.usage_flags) {
    return detail::fail_rebind(x, handle);
  }
  if (const auto ok = detail::check_backing(x, backing, live.layout.total_bytes()); !ok) {
    return x.fail(ok.why());
  }
  if (live.backing.id != backing.id || live.backing.offset_bytes != backing.offset_bytes) {
    x.tables.scanout.forget_address(live);
  }
  return detail::rebind(x, live, backing);
}

template <backend B>
auto on_packet(execution<B>& x,
               const checked_packet<aerogpu_cmd_create_texture_view>& from_guest) noexcept
    -> error_code {
  const aerogpu_cmd_create_texture_view p = from_guest.fields();
  const auto handle = static_cast<resource_handle>(p.view_handle);
  if (x.tables.resources.find(handle).kind != resource_kind::none) {
    return detail::fail_in_use(x, handle);
  }
  const auto texture = require_texture(x, static_cast<resource_handle>(p.texture_handle));
  if (!texture) return x.fail(texture.why());
  const view_shape shape{p.format, p.base_mip_level, p.mip_level_count, p.base_array_layer,
                         p.array_layer_count};
  if (const auto ok = check_view(shape, (*texture)->layout); !ok) return x.fail(ok.why());
  const auto made = x.tables.resources.create_view(x.backend, **texture, desc_of(handle, shape),
                                                   x.submission.context);
  return made ? error_code::none : x.fail(made.why());
}

}  // namespace aerogpu
