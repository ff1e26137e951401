// SPDX-License-Identifier: MIT
/// \file How a resource goes, and how everything goes that a context made (docs/extensions.md).
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/processor/bindings/pipeline_creation.hpp"
#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu {

/// Ends what a handle names, if it is live; slots that hold it read as unbound from now on, because
/// its serial is gone. The last handle of a texture takes its tokens and the presented image along,
/// and the last view what was presented through it since.
template <backend B>
void destroy_resource(B& backend, processor_tables<B>& tables, resource_handle handle) noexcept {
  const named_resource<B> named = tables.resources.find(handle);
  if (named.kind == resource_kind::none || named.kind == resource_kind::reserved) return;
  texture_object<B>* const texture = named.texture;
  const bool is_last_handle = named.kind == resource_kind::texture && texture->handle_count == 1;
  const bool is_last_view =
      named.kind == resource_kind::view && texture->handle_count == 0 && texture->view_count == 1;
  if (is_last_handle) tables.shares.retire_all(*texture);
  if (is_last_handle || is_last_view) tables.scanout.forget(*texture);
  tables.resources.destroy(backend, handle);
}

namespace detail {

/// Calls `destroy(handle)` for each entry of a table that `is_meant(entry)`, some at a time: a
/// table changes under whoever walks it, and a list of all would take memory. O(slots): a walk goes
/// on where it stopped, and what moved back across that place is few enough for another walk.
/// Returns how many slots it looked at.
template <class Handle, class Table, class Meant, class Destroy>
auto destroy_each(const Table& table, Meant&& is_meant, Destroy&& destroy) noexcept
    -> std::uint64_t {
  std::array<Handle, 256> some;
  std::uint64_t slots = 0;
  for (bool was_one_found = true; was_one_found;) {
    was_one_found = false;
    for (std::size_t at = 0; at < table.capacity();) {
      std::size_t listed = 0;
      at = table.for_each_from(at, [&](Handle handle, const auto& entry) {
        if (is_meant(entry)) some[listed++] = handle;
        return listed < some.size();
      });
      for (const Handle handle : std::span{some}.first(listed)) destroy(handle);
      was_one_found |= listed != 0;
    }
    slots += table.capacity();
  }
  return slots;
}

}  // namespace detail

/// Whether the guest asked for the context's end.
template <backend B>
[[nodiscard]] auto is_at_its_end(const context<B>& which) noexcept -> bool {
  return which.d3d9.render_states[aerogpurs_end_of_context] == 1;
}

/// Destroys what a context made, and then the context: `most` are the processor's limits. Returns
/// how many slots of tables it looked at, most of which may be others'.
template <backend B>
auto end_context(B& backend, processor_tables<B>& tables, const limits& most,
                 context_id owner) noexcept -> std::uint64_t {
  std::uint64_t slots = detail::destroy_each<resource_handle>(
      tables.resources.names(),
      [&](const named_resource<B>& named) {
        return named.owner == owner && named.kind != resource_kind::reserved;
      },
      [&](resource_handle handle) { destroy_resource(backend, tables, handle); });
  const object_factory<B> made{backend, tables.pipeline, most, owner};
  const auto is_of_it = [&](const auto& object) { return object.owner == owner; };
  slots += detail::destroy_each<shader_handle>(
      tables.pipeline.shaders, is_of_it,
      [&](shader_handle handle) { destroy_shader(made, handle); });
  slots += detail::destroy_each<input_layout_handle>(
      tables.pipeline.layouts, is_of_it,
      [&](input_layout_handle handle) { destroy_input_layout(made, handle); });
  slots += detail::destroy_each<sampler_handle>(
      tables.pipeline.samplers, is_of_it,
      [&](sampler_handle handle) { destroy_sampler(made, handle); });
  tables.pipeline.contexts.destroy(owner);
  return slots;
}

}  // namespace aerogpu
