/// \file CREATE, DESTROY and BIND of shaders, input layouts and sampler objects (host.md 2.12).
#pragma once

#include "aerogpu/abi/cmd_binding.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/pipeline_tables.hpp"
#include "aerogpu/processor/shader_program.hpp"
#include "aerogpu/processor/world.hpp"
#include "aerogpu/stream/packet.hpp"
#include "aerogpu/stream/resolve.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

namespace detail {

/// A private copy of guest bytes, within the quota that shaders and layouts share.
/// Errors: out_of_memory. The quota is charged by `charge_blob` once the object lives.
template <backend B>
[[nodiscard]] auto copy_blob(const execution<B>& x, const_bytes from) noexcept
    -> result<heap_array<std::byte>> {
  const std::uint64_t limit = x.limits.shader_bytes;
  if (from.size() > limit || x.world.pipeline.blob_bytes > limit - from.size()) {
    return make_error(error_code::out_of_memory, "byte code of live shaders reaches its limit",
                      from.size(), limit);
  }
  heap_array<std::byte> copy;
  if (!copy.resize(from.size())) {
    return make_error(error_code::out_of_memory, "host memory for byte code is exhausted",
                      from.size());
  }
  copy_bytes(copy.view(), from);
  return copy;
}

/// Whether a new object of that handle fits its table.
/// Errors: invalid_handle, handle_in_use, out_of_memory.
template <class Handle, class Object>
[[nodiscard]] auto check_creation(object_table<Handle, Object>& table, Handle handle,
                                  std::uint32_t limit) noexcept -> result<void> {
  if (handle == Handle{}) return make_error(error_code::invalid_handle, "handle is zero");
  if (table.find(handle) != nullptr) {
    return make_error(error_code::handle_in_use, "handle names a live object", raw(handle));
  }
  if (table.size() >= limit) {
    return make_error(error_code::out_of_memory, "objects of this kind reach their limit",
                      table.size(), limit);
  }
  if (!table.reserve_one()) {
    return make_error(error_code::out_of_memory, "host memory for an object is exhausted");
  }
  return {};
}

/// Notes why a shader cannot run; its packet succeeds all the same.
template <backend B>
void poison(execution<B>& x, shader_object<B>& shader, const char* why) noexcept {
  shader.why_poisoned = why;
  ++x.world.pipeline.poisoned.count;
  x.world.pipeline.poisoned.last =
      make_error(error_code::unsupported, why, static_cast<std::uint64_t>(shader.program.stage));
}

/// Gives the backend's object to a shader that already owns its bytes. One that the backend does
/// not support, or that nobody can run, is poisoned. Errors: those of the backend.
template <backend B>
[[nodiscard]] auto realize_shader(execution<B>& x, shader_handle handle,
                                  shader_object<B>& shader) noexcept -> result<void> {
  const shader_program& program = shader.program;
  if (program.unsupported != nullptr) {
    poison(x, shader, program.unsupported);
    return {};
  }
  auto native =
      x.backend.create_shader(shader_desc{handle, program.stage, program.language, program.code});
  if (native) {
    shader.native.emplace(*std::move(native));
    return {};
  }
  const error why = native.why();
  if (why.code != error_code::unsupported) return why;
  poison(x, shader, why.what);
  return {};
}

/// Classifies, copies and creates. Errors: those of `classify_shader`, the quota and the backend.
template <backend B>
[[nodiscard]] auto make_shader(execution<B>& x, shader_handle handle, const_bytes bytes,
                               shader_stage stage) noexcept -> result<shader_object<B>> {
  const auto program = classify_shader(bytes, stage, x.limits);
  if (!program) return program.why();
  auto copy = copy_blob(x, program->code);
  if (!copy) return copy.why();
  shader_object<B> shader{.native = {}, .bytes = *std::move(copy), .program = *program};
  shader.program.code = shader.bytes.view();
  if (const auto made = realize_shader(x, handle, shader); !made) return made.why();
  return shader;
}

}  // namespace detail

template <backend B>
auto on_packet(execution<B>& x, const packet<aerogpu_cmd_create_shader_dxbc>& p) noexcept
    -> error_code {
  const auto handle = static_cast<shader_handle>(p.fields().shader_handle);
  auto& tables = x.world.pipeline;
  if (handle == shader_handle{}) {
    return x.fail(error_code::invalid_handle, "shader_handle is zero");
  }
  if (p.payload().empty()) {
    return x.fail(error_code::invalid_parameter, "dxbc_size_bytes is zero");
  }
  const auto free = detail::check_creation(tables.shaders, handle, x.limits.shaders);
  if (!free) return x.fail(free.why());
  const auto stage = stage_of(p, x.abi_minor);
  if (!stage) return x.fail(stage.why());
  auto shader = detail::make_shader(x, handle, p.payload(), *stage);
  if (!shader) return x.fail(shader.why());
  tables.blob_bytes += shader->bytes.size();
  tables.shaders.insert(handle, *std::move(shader));
  ++x.world.binding_epoch;
  return error_code::none;
}

/// Slots keep naming the handle: a draw that needs it fails with unknown_handle (host.md 2.3).
template <backend B>
auto on_packet(execution<B>& x, const packet<aerogpu_cmd_destroy_shader>& p) noexcept
    -> error_code {
  const auto handle = static_cast<shader_handle>(p.fields().shader_handle);
  auto& tables = x.world.pipeline;
  if (tables.shaders.find(handle) == nullptr) return error_code::none;
  shader_object<B> shader = tables.shaders.extract(handle);
  tables.blob_bytes -= shader.bytes.size();
  if (shader.native) x.backend.destroy(*std::move(shader.native));
  ++x.world.binding_epoch;
  return error_code::none;
}

template <backend B>
auto on_packet(execution<B>& x, const packet<aerogpu_cmd_bind_shaders>& p) noexcept -> error_code {
  const shader_handles handles = resolve_bind_shaders(p);
  if (handles == x.context.bound.shaders) return error_code::none;
  x.context.bound.shaders = handles;
  x.context.cache.stale.insert(draw_part::shaders);
  return error_code::none;
}

template <backend B>
auto on_packet(execution<B>& x, const packet<aerogpu_cmd_create_input_layout>& p) noexcept
    -> error_code {
  const auto handle = static_cast<input_layout_handle>(p.fields().input_layout_handle);
  auto& tables = x.world.pipeline;
  const auto free = detail::check_creation(tables.layouts, handle, x.limits.input_layouts);
  if (!free) return x.fail(free.why());
  auto layout = parse_input_layout(p.payload());
  if (!layout) return x.fail(layout.why());
  auto copy = detail::copy_blob(x, p.payload().first(layout->blob_size_bytes));
  if (!copy) return x.fail(copy.why());
  auto native = x.backend.create_input_layout(input_layout_desc{handle, copy->view()});
  if (!native) return x.fail(native.why());
  tables.blob_bytes += copy->size();
  tables.layouts.insert(handle, {*std::move(native), *std::move(copy), *std::move(layout), 0});
  ++x.world.binding_epoch;
  return error_code::none;
}

/// As for shaders: slots keep naming the handle (host.md 2.3).
template <backend B>
auto on_packet(execution<B>& x, const packet<aerogpu_cmd_destroy_input_layout>& p) noexcept
    -> error_code {
  const auto handle = static_cast<input_layout_handle>(p.fields().input_layout_handle);
  auto& tables = x.world.pipeline;
  if (tables.layouts.find(handle) == nullptr) return error_code::none;
  layout_object<B> layout = tables.layouts.extract(handle);
  tables.blob_bytes -= layout.bytes.size();
  x.backend.destroy(std::move(layout.native));
  ++x.world.binding_epoch;
  return error_code::none;
}

template <backend B>
auto on_packet(execution<B>& x, const packet<aerogpu_cmd_set_input_layout>& p) noexcept
    -> error_code {
  const auto handle = static_cast<input_layout_handle>(p.fields().input_layout_handle);
  if (handle == x.context.bound.input_layout) return error_code::none;
  x.context.bound.input_layout = handle;
  x.context.cache.stale.insert(draw_part::layout);
  return error_code::none;
}

namespace detail {

/// Errors: invalid_handle, invalid_parameter.
[[nodiscard]] constexpr auto check_sampler(const aerogpu_cmd_create_sampler& p) noexcept
    -> result<sampler_desc> {
  if (p.sampler_handle == 0) {
    return make_error(error_code::invalid_handle, "sampler_handle is zero");
  }
  if (p.filter > AEROGPU_SAMPLER_FILTER_LINEAR) {
    return make_error(error_code::invalid_parameter, "filter is unknown", p.filter);
  }
  for (const std::uint32_t address : {p.address_u, p.address_v, p.address_w}) {
    if (address > AEROGPU_SAMPLER_ADDRESS_MIRROR_REPEAT) {
      return make_error(error_code::invalid_parameter, "an address mode is unknown", address);
    }
  }
  return sampler_desc{static_cast<sampler_handle>(p.sampler_handle), p.filter, p.address_u,
                      p.address_v, p.address_w};
}

}  // namespace detail

/// On a live handle the new object takes the place of the old one in every slot.
template <backend B>
auto on_packet(execution<B>& x, const packet<aerogpu_cmd_create_sampler>& p) noexcept
    -> error_code {
  const auto desc = detail::check_sampler(p.fields());
  if (!desc) return x.fail(desc.why());
  auto& samplers = x.world.pipeline.samplers;
  sampler_object<B>* live = samplers.find(desc->name);
  if (live == nullptr) {
    const auto free = detail::check_creation(samplers, desc->name, x.limits.samplers);
    if (!free) return x.fail(free.why());
  }
  auto native = x.backend.create_sampler(*desc);
  if (!native) return x.fail(native.why());
  ++x.world.binding_epoch;
  if (live == nullptr) {
    samplers.insert(desc->name, {*std::move(native), *desc, 0, samplers.take_serial()});
    return error_code::none;
  }
  std::swap(live->native, *native);
  live->desc = *desc;
  live->revision = samplers.take_serial();
  x.backend.destroy(*std::move(native));
  return error_code::none;
}

/// Slots that hold it become unbound, because its serial is gone (host.md 2.3).
template <backend B>
auto on_packet(execution<B>& x, const packet<aerogpu_cmd_destroy_sampler>& p) noexcept
    -> error_code {
  const auto handle = static_cast<sampler_handle>(p.fields().sampler_handle);
  auto& samplers = x.world.pipeline.samplers;
  if (samplers.find(handle) == nullptr) return error_code::none;
  x.backend.destroy(std::move(samplers.extract(handle).native));
  ++x.world.binding_epoch;
  return error_code::none;
}

}  // namespace aerogpu
