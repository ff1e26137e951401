// SPDX-License-Identifier: MIT
/// \file Input layout, vertex buffers and index buffer of a draw (host.md 3.3, 3.4 and 3.15).
#pragma once

#include "aerogpu/backend/vertex_fetch.hpp"
#include "aerogpu/processor/bindings/slot_lookup.hpp"
#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/resources/residency.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

namespace detail {

inline constexpr vertex_fetch no_vertex_fetch{};

/// A buffer for one slot that the layout reads. Errors: unknown_handle, wrong_kind,
/// missing_binding, invalid_parameter.
template <backend B>
[[nodiscard]] auto resolve_vertex_buffer(execution<B>& x, std::size_t i) noexcept -> error_code {
  const vertex_fetch& fetch = *x.context.cache.state().fetch;
  vertex_buffer_slot& slot = x.context.bound.vertex_buffers[i];
  const auto found = resolve_bound_buffer(x, slot.name);
  if (!found) return x.fail(found.why());
  buffer_object<B>* const buffer = *found;
  const bool is_declaration = fetch.kind == input_layout_kind::d3d9_declaration;
  if (is_declaration && (buffer == nullptr || slot.stride_bytes == 0)) {
    return x.fail(error_code::missing_binding, "a vertex stream has no buffer or no stride", i);
  }
  if (buffer != nullptr && slot.offset_bytes > buffer->desc.size_bytes) {
    return x.fail(error_code::invalid_parameter, "vertex buffer offset exceeds the buffer",
                  slot.offset_bytes, buffer->desc.size_bytes);
  }
  const bool ends_early = slot.stride_bytes != 0 && fetch.ends[i] > slot.stride_bytes;
  if (buffer != nullptr && !is_declaration && ends_early) {
    return x.fail(error_code::invalid_parameter, "a vertex element ends past the stride",
                  fetch.ends[i], slot.stride_bytes);
  }
  x.context.cache.set_vertex_buffer(i, buffer, slot);
  return error_code::none;
}

/// Calls `visit(slot)` for each set bit.
template <class Visit>
[[nodiscard]] auto for_each_slot(std::uint32_t slots, Visit&& visit) noexcept -> error_code {
  for (; slots != 0; slots &= slots - 1) {
    const auto code = visit(static_cast<std::size_t>(std::countr_zero(slots)));
    if (code != error_code::none) return code;
  }
  return error_code::none;
}

}  // namespace detail

/// Matches the layout with the vertex shader, into the cache; the slots to read may then be others.
/// SM4+ shaders do without a layout, shaders without inputs need none. Errors: missing_binding,
/// unknown_handle, unsupported_format, invalid_parameter, out_of_memory.
template <backend B>
[[nodiscard]] auto resolve_layout(execution<B>& x) noexcept -> error_code {
  draw_cache<B>& cache = x.context.cache;
  const shader_object<B>& vertex = *cache.shader(shader_stage::vertex);
  const input_layout_handle handle = x.context.bound.input_layout;
  const bool has_inputs = !vertex.program.inputs.empty();
  if (has_inputs && handle == input_layout_handle{} && vertex.program.is_d3d9()) {
    return x.fail(error_code::missing_binding, "no input layout is bound");
  }
  if (!has_inputs || handle == input_layout_handle{}) {
    cache.set_layout(nullptr, detail::no_vertex_fetch);
    return error_code::none;
  }
  layout_object<B>* layout = x.tables.pipeline.layouts.find(handle);
  if (layout == nullptr) {
    return x.fail(error_code::unknown_handle, "bound input layout is not live", raw(handle));
  }
  const auto fetch = cache.resolve_fetch(*layout, vertex);
  if (!fetch) return x.fail(fetch.why());
  cache.set_layout(layout, **fetch);
  return error_code::none;
}

/// Looks the buffers up that the layout reads, into the cache. Errors: unknown_handle, wrong_kind,
/// missing_binding, invalid_parameter.
template <backend B>
[[nodiscard]] auto resolve_vertex_buffers(execution<B>& x) noexcept -> error_code {
  const std::uint32_t slots = x.context.cache.state().fetch->slots;
  x.context.cache.set_vertex_slots(slots);
  return detail::for_each_slot(slots,
                               [&](std::size_t i) { return detail::resolve_vertex_buffer(x, i); });
}

/// Looks the index buffer up. Errors: missing_binding, unknown_handle, wrong_kind,
/// invalid_parameter.
template <backend B>
[[nodiscard]] auto resolve_index_buffer(execution<B>& x) noexcept -> error_code {
  index_buffer_slot& slot = x.context.bound.index_buffer;
  const auto found = resolve_bound_buffer(x, slot.name);
  if (!found) return x.fail(found.why());
  buffer_object<B>* const buffer = *found;
  if (buffer == nullptr) return x.fail(error_code::missing_binding, "no index buffer is bound");
  const std::uint32_t index_size = slot.format == AEROGPU_INDEX_FORMAT_UINT16 ? 2 : 4;
  if (slot.offset_bytes % index_size != 0) {
    return x.fail(error_code::invalid_parameter,
                  "index buffer offset is not a multiple of the index size", slot.offset_bytes,
                  index_size);
  }
  x.context.cache.set_index_buffer(*buffer, slot);
  return error_code::none;
}

/// Brings the vertex buffers that a draw fetches from up to date.
template <backend B>
[[nodiscard]] auto make_vertex_buffers_current(execution<B>& x) noexcept -> error_code {
  const draw_cache<B>& cache = x.context.cache;
  return detail::for_each_slot(cache.state().fetch->slots, [&](std::size_t i) {
    buffer_object<B>* buffer = cache.vertex_buffer(i);
    return buffer != nullptr ? make_current(x, *buffer) : error_code::none;
  });
}

}  // namespace aerogpu
