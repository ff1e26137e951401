// SPDX-License-Identifier: MIT
/// \file Making shaders, input layouts and samplers, for packets and for snapshots alike.
#pragma once

#include "aerogpu/abi/cmd_binding.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/processor/bindings/pipeline_tables.hpp"
#include "aerogpu/shader/shader_program.hpp"
#include "aerogpu/stream/value_set.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

/// Where objects are made, and what bounds them.
template <backend B>
struct object_factory {
  B& backend;
  pipeline_tables<B>& tables;
  const limits& most;
  context_id owner{};  ///< Of what is made.
};

namespace detail {

/// A private copy of guest bytes, within the quota that shaders and layouts share. The quota is
/// charged when the object lives. Errors: out_of_memory.
template <backend B>
[[nodiscard]] auto copy_blob(const object_factory<B>& make, const_bytes from) noexcept
    -> result<heap_array<std::byte>> {
  const std::uint64_t limit = make.most.shader_bytes;
  if (from.size() > limit || make.tables.blob_bytes > limit - from.size()) {
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

/// Notes why a shader cannot run; its packet succeeds all the same.
template <backend B>
void poison(pipeline_tables<B>& tables, shader_object<B>& shader, const char* why) noexcept {
  shader.why_poisoned = why;
  shader.is_untried = false;
  ++tables.poisoned.count;
  tables.poisoned.last =
      make_error(error_code::unsupported, why, static_cast<std::uint64_t>(shader.program.stage));
}

/// Gives the backend's object to a shader that already owns its bytes. One that the backend does
/// not support, or that nobody can run, is poisoned. Errors: those of the backend.
template <backend B>
[[nodiscard]] auto realize_shader(const object_factory<B>& make, shader_handle handle,
                                  shader_object<B>& shader) noexcept -> result<void> {
  const shader_program& program = shader.program;
  if (program.unsupported != nullptr) {
    poison(make.tables, shader, program.unsupported);
    return {};
  }
  auto native = make.backend.create_shader(
      shader_desc{handle, program.stage, program.language, program.code});
  if (native) {
    shader.native.emplace(*std::move(native));
    shader.is_untried = false;
    return {};
  }
  const error why = native.why();
  if (why.code != error_code::unsupported) return why;
  poison(make.tables, shader, why.what);
  return {};
}

}  // namespace detail

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

namespace detail {

/// A shader that owns its bytes and that no backend knows. Errors: those of `classify_shader` and
/// the quota.
template <backend B>
[[nodiscard]] auto read_shader(const object_factory<B>& make, const_bytes bytes,
                               shader_stage stage) noexcept -> result<shader_object<B>> {
  const auto program = classify_shader(bytes, stage, make.most);
  if (!program) return program.why();
  auto copy = copy_blob(make, program->code);
  if (!copy) return copy.why();
  shader_object<B> shader{
      .native = {}, .bytes = *std::move(copy), .program = *program, .owner = make.owner};
  shader.program.code = shader.bytes.view();
  return shader;
}

template <backend B>
void keep_shader(const object_factory<B>& make, shader_handle handle,
                 shader_object<B>&& shader) noexcept {
  make.tables.blob_bytes += shader.bytes.size();
  make.tables.shaders.insert(handle, std::move(shader));
}

}  // namespace detail

/// Classifies, copies and creates. Precondition: `check_creation`.
/// Errors: those of `classify_shader`, the quota and the backend.
template <backend B>
[[nodiscard]] auto create_shader(const object_factory<B>& make, shader_handle handle,
                                 const_bytes bytes, shader_stage stage) noexcept -> result<void> {
  auto shader = detail::read_shader(make, bytes, stage);
  if (!shader) return shader.why();
  if (const auto made = detail::realize_shader(make, handle, *shader); !made) return made.why();
  detail::keep_shader(make, handle, *std::move(shader));
  return {};
}

/// The same without the backend, for snapshots: it gets the shader at its first use, within the
/// bounds of a submission. Errors: those of `classify_shader` and the quota.
template <backend B>
[[nodiscard]] auto restore_shader(const object_factory<B>& make, shader_handle handle,
                                  const_bytes bytes, shader_stage stage) noexcept -> result<void> {
  auto shader = detail::read_shader(make, bytes, stage);
  if (!shader) return shader.why();
  if (shader->program.unsupported != nullptr) {
    detail::poison(make.tables, *shader, shader->program.unsupported);
  } else {
    shader->is_untried = true;
  }
  detail::keep_shader(make, handle, *std::move(shader));
  return {};
}

/// Precondition: the handle is live.
template <backend B>
void destroy_shader(const object_factory<B>& make, shader_handle handle) noexcept {
  shader_object<B> shader = make.tables.shaders.extract(handle);
  make.tables.blob_bytes -= shader.bytes.size();
  if (shader.native) make.backend.destroy(*std::move(shader.native));
}

/// Parses, copies and creates. Precondition: `check_creation`.
/// Errors: invalid_parameter, out_of_memory and those of the backend.
template <backend B>
[[nodiscard]] auto create_input_layout(const object_factory<B>& make, input_layout_handle handle,
                                       const_bytes blob) noexcept -> result<void> {
  auto layout = parse_input_layout(blob);
  if (!layout) return layout.why();
  auto copy = detail::copy_blob(make, blob.first(layout->blob_size_bytes));
  if (!copy) return copy.why();
  auto native = make.backend.create_input_layout(input_layout_desc{handle, copy->view()});
  if (!native) return native.why();
  make.tables.blob_bytes += copy->size();
  make.tables.layouts.insert(
      handle, {*std::move(native), *std::move(copy), *std::move(layout), 0, make.owner});
  return {};
}

/// Precondition: the handle is live.
template <backend B>
void destroy_input_layout(const object_factory<B>& make, input_layout_handle handle) noexcept {
  layout_object<B> layout = make.tables.layouts.extract(handle);
  make.tables.blob_bytes -= layout.bytes.size();
  make.backend.destroy(std::move(layout.native));
}

/// Whether a sampler's handle and enumerators are valid: what the row of CREATE_SAMPLER asks, for
/// those of a snapshot.
[[nodiscard]] constexpr auto is_valid(const sampler_desc& desc) noexcept -> bool {
  const value_set_row& modes = row_of(value_set::sampler_address_mode);
  return desc.name != sampler_handle{} && row_of(value_set::sampler_filter).contains(desc.filter) &&
         modes.contains(desc.address_u) && modes.contains(desc.address_v) &&
         modes.contains(desc.address_w);
}

/// Creates a sampler, or replaces what a live handle names, in every slot. Precondition:
/// `is_valid`. Errors: out_of_memory and those of the backend.
template <backend B>
[[nodiscard]] auto create_sampler(const object_factory<B>& make, const sampler_desc& desc) noexcept
    -> result<void> {
  auto& samplers = make.tables.samplers;
  sampler_object<B>* live = samplers.find(desc.name);
  if (live == nullptr) {
    const auto free = check_creation(samplers, desc.name, make.most.samplers);
    if (!free) return free.why();
  }
  auto native = make.backend.create_sampler(desc);
  if (!native) return native.why();
  if (live == nullptr) {
    samplers.insert(desc.name, {*std::move(native), desc, 0, samplers.take_serial(), make.owner});
    return {};
  }
  std::swap(live->native, *native);
  live->desc = desc;
  live->revision = samplers.take_serial();
  make.backend.destroy(*std::move(native));
  return {};
}

/// Precondition: the handle is live.
template <backend B>
void destroy_sampler(const object_factory<B>& make, sampler_handle handle) noexcept {
  make.backend.destroy(std::move(make.tables.samplers.extract(handle).native));
}

}  // namespace aerogpu
