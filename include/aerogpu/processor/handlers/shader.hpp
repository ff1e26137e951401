// SPDX-License-Identifier: MIT
/// \file CREATE, DESTROY and BIND of shaders, input layouts and sampler objects (host.md 2.12).
#pragma once

#include "aerogpu/processor/bindings/pipeline_creation.hpp"
#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/stream/checked_packet.hpp"
#include "aerogpu/stream/resolve.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu {

namespace detail {

template <backend B>
[[nodiscard]] auto factory_of(execution<B>& x) noexcept -> object_factory<B> {
  return {x.backend, x.tables.pipeline, x.limits, x.submission.context};
}

}  // namespace detail

template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_create_shader_dxbc>& p) noexcept
    -> error_code {
  const auto handle = static_cast<shader_handle>(p.fields().shader_handle);
  const auto free = check_creation(x.tables.pipeline.shaders, handle, x.limits.shaders);
  if (!free) return x.fail(free.why());
  const auto stage = stage_of(p, x.abi_minor);
  if (!stage) return x.fail(stage.why());
  return x.check(create_shader(detail::factory_of(x), handle, p.payload(), *stage));
}

/// Slots keep naming the handle: a draw that needs it fails with unknown_handle (host.md 2.3).
template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_destroy_shader>& p) noexcept
    -> error_code {
  const auto handle = static_cast<shader_handle>(p.fields().shader_handle);
  if (x.tables.pipeline.shaders.find(handle) == nullptr) return error_code::none;
  destroy_shader(detail::factory_of(x), handle);
  return error_code::none;
}

template <backend B>
inline auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_bind_shaders>& p) noexcept
    -> error_code {
  const shader_handles handles = resolve_bind_shaders(p);
  if (handles == x.context.bound.shaders) return error_code::none;
  x.context.bound.shaders = handles;
  x.context.cache.shaders_bound();
  return error_code::none;
}

template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_create_input_layout>& p) noexcept
    -> error_code {
  const auto handle = static_cast<input_layout_handle>(p.fields().input_layout_handle);
  const auto free = check_creation(x.tables.pipeline.layouts, handle, x.limits.input_layouts);
  if (!free) return x.fail(free.why());
  return x.check(create_input_layout(detail::factory_of(x), handle, p.payload()));
}

/// As for shaders: slots keep naming the handle (host.md 2.3).
template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_destroy_input_layout>& p) noexcept
    -> error_code {
  const auto handle = static_cast<input_layout_handle>(p.fields().input_layout_handle);
  if (x.tables.pipeline.layouts.find(handle) == nullptr) return error_code::none;
  destroy_input_layout(detail::factory_of(x), handle);
  return error_code::none;
}

template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_set_input_layout>& p) noexcept
    -> error_code {
  const auto handle = static_cast<input_layout_handle>(p.fields().input_layout_handle);
  if (handle == x.context.bound.input_layout) return error_code::none;
  x.context.bound.input_layout = handle;
  x.context.cache.layout_bound();
  return error_code::none;
}

/// On a live handle the new object takes the place of the old one in every slot.
template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_create_sampler>& p) noexcept
    -> error_code {
  const auto& fields = p.fields();
  const sampler_desc desc{static_cast<sampler_handle>(fields.sampler_handle), fields.filter,
                          fields.address_u, fields.address_v, fields.address_w};
  return x.check(create_sampler(detail::factory_of(x), desc));
}

/// Slots that hold it become unbound, because its serial is gone (host.md 2.3).
template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_destroy_sampler>& p) noexcept
    -> error_code {
  const auto handle = static_cast<sampler_handle>(p.fields().sampler_handle);
  if (x.tables.pipeline.samplers.find(handle) == nullptr) return error_code::none;
  destroy_sampler(detail::factory_of(x), handle);
  return error_code::none;
}

}  // namespace aerogpu
