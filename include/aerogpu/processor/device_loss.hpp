// SPDX-License-Identifier: MIT
/// \file What a lost device leaves to do (backend.hpp, "Loss").
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/processor/processor_tables.hpp"

namespace aerogpu {

namespace detail {

template <backend B>
void mark_lost(resource_table<B>& table, buffer_object<B>& buffer) noexcept {
  if (!buffer.backing) return;
  // One range takes the place of all: no memory is needed.
  AEROGPU_CHECK(table.mark_dirty(buffer, {0, buffer.desc.size_bytes}));
}
template <backend B>
void mark_lost(resource_table<B>& table, texture_object<B>& texture) noexcept {
  if (!texture.backing || !has_defined_bytes(texture.layout.format())) return;
  table.mark_dirty(texture, {0, texture.layout.subresource_count()});
}

}  // namespace detail

/// The backend's objects are as new. What guest memory backs is wholly dirty, as after its CREATE,
/// and the next draw or dispatch of each context binds everything again. Other content is gone; no
/// flip shows it until it is presented anew.
template <backend B>
void restore_after_device_loss(processor_tables<B>& tables) noexcept {
  resource_table<B>& table = tables.resources;
  table.for_each_buffer([&](buffer_object<B>& buffer) { detail::mark_lost(table, buffer); });
  table.for_each_texture([&](texture_object<B>& texture) { detail::mark_lost(table, texture); });
  tables.scanout.forget_contents();
  tables.pipeline.contexts.for_each([](context<B>& c) { c.cache.hand_on_everything(); });
}

}  // namespace aerogpu
