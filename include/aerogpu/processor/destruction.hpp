// SPDX-License-Identifier: MIT
/// \file How a resource goes, and how everything goes that a context made (docs/extensions.md).
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/processor/bindings/pipeline_creation.hpp"
#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
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

/// Calls `destroy(handle)` for each handle that `list(take)` hands to `take`, some at a time: a
/// table changes under whoever walks it, and a list of all would take memory.
template <class Handle, class List, class Destroy>
void destroy_listed(List&& list, Destroy&& destroy) noexcept {
  std::array<Handle, 256> some;
  std::size_t listed = 0;
  do {
    listed = 0;
    list([&](Handle handle) {
      if (listed < some.size()) some[listed] = handle;
      ++listed;
    });
    for (const Handle handle : std::span{some}.first(std::min(listed, some.size()))) {
      destroy(handle);
    }
  } while (listed > some.size());
}

/// The same of the objects of a table that a context made.
template <class Handle, class Object, class Destroy>
void destroy_owned(const object_table<Handle, Object>& table, context_id owner,
                   Destroy&& destroy) noexcept {
  destroy_listed<Handle>(
      [&](auto&& take) {
        table.for_each([&](Handle handle, const Object& object) {
          if (object.owner == owner) take(handle);
        });
      },
      destroy);
}

}  // namespace detail

/// Whether the guest asked for the context's end.
template <backend B>
[[nodiscard]] auto is_at_its_end(const context<B>& which) noexcept -> bool {
  return which.d3d9.render_states[aerogpurs_end_of_context] == 1;
}

/// Destroys what a context made, and then the context: `most` are the processor's limits.
template <backend B>
void end_context(B& backend, processor_tables<B>& tables, const limits& most,
                 context_id owner) noexcept {
  detail::destroy_listed<resource_handle>(
      [&](auto&& take) {
        tables.resources.for_each_name([&](resource_handle handle, const named_resource<B>& named) {
          if (named.owner == owner && named.kind != resource_kind::reserved) take(handle);
        });
      },
      [&](resource_handle handle) { destroy_resource(backend, tables, handle); });
  const object_factory<B> made{backend, tables.pipeline, most, owner};
  detail::destroy_owned(tables.pipeline.shaders, owner,
                        [&](shader_handle handle) { destroy_shader(made, handle); });
  detail::destroy_owned(tables.pipeline.layouts, owner,
                        [&](input_layout_handle handle) { destroy_input_layout(made, handle); });
  detail::destroy_owned(tables.pipeline.samplers, owner,
                        [&](sampler_handle handle) { destroy_sampler(made, handle); });
  tables.pipeline.contexts.destroy(owner);
}

}  // namespace aerogpu
