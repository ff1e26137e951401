// SPDX-License-Identifier: MIT
/// \file Shaders, layouts, samplers and contexts as a snapshot holds them.
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/hosted/snapshot_archive.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"
#include "aerogpu/processor/bindings/pipeline_creation.hpp"
#include "aerogpu/processor/bindings/pipeline_tables.hpp"
#include "aerogpu/processor/snapshot/owner_snapshot.hpp"
#include "aerogpu/processor/snapshot/slot_snapshot.hpp"
#include "aerogpu/processor/snapshot/state_snapshot.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

namespace detail {

/// Calls `save(object)` for each by rising handle, after their count, so that equal tables make
/// equal bytes.
template <class Handle, class Object, class Save>
void save_sorted(const object_table<Handle, Object>& table, snapshot_writer& out,
                 Save&& save) noexcept {
  heap_array<Handle> handles;
  table.for_each([&](Handle handle, Object&) {
    if (!handles.push_back(handle)) {
      out.fail(make_error(error_code::out_of_memory, "host memory is exhausted"));
    }
  });
  std::sort(handles.begin(), handles.end());
  out.put(static_cast<std::uint32_t>(handles.size()));
  for (const Handle handle : handles) {
    const Object& object = *table.find(handle);
    out.put(handle);
    out.put(object.owner);
    save(object);
  }
}

inline void save_blob(snapshot_writer& out, const_bytes blob) noexcept {
  out.put(static_cast<std::uint32_t>(blob.size()));
  out.put_bytes(blob);
}
[[nodiscard]] inline auto load_blob(snapshot_reader& in) noexcept -> const_bytes {
  return in.take_bytes(in.take_count(UINT32_MAX));
}

template <backend B>
void load_shader(object_factory<B> make, std::uint32_t version, snapshot_reader& in) noexcept {
  const auto handle = in.take<shader_handle>();
  make.owner = take_owner(version, in);
  const auto stage = in.take_enum(shader_stage::domain);
  const const_bytes code = load_blob(in);
  if (!in.is_good()) return;
  if (const auto free = check_creation(make.tables.shaders, handle, make.most.shaders); !free) {
    return in.fail(free.why());
  }
  if (const auto made = restore_shader(make, handle, code, stage); !made) in.fail(made.why());
}

template <backend B>
void load_layout(object_factory<B> make, std::uint32_t version, snapshot_reader& in) noexcept {
  const auto handle = in.take<input_layout_handle>();
  make.owner = take_owner(version, in);
  const const_bytes blob = load_blob(in);
  if (!in.is_good()) return;
  if (const auto free = check_creation(make.tables.layouts, handle, make.most.input_layouts);
      !free) {
    return in.fail(free.why());
  }
  if (const auto made = create_input_layout(make, handle, blob); !made) in.fail(made.why());
}

template <backend B>
void load_sampler(object_factory<B> make, std::uint32_t version, snapshot_reader& in) noexcept {
  sampler_desc desc{};
  desc.name = in.take<sampler_handle>();
  make.owner = take_owner(version, in);
  for (std::uint32_t* word : {&desc.filter, &desc.address_u, &desc.address_v, &desc.address_w}) {
    *word = in.take<std::uint32_t>();
  }
  const bool is_free = make.tables.samplers.find(desc.name) == nullptr;
  in.require(is_free && is_valid(desc), "a sampler is not valid or not free", raw(desc.name));
  if (!in.is_good()) return;
  if (const auto made = create_sampler(make, desc); !made) in.fail(made.why());
}

template <backend B, class Archive>
void exchange(Archive& a, const slot_names<B>& names, context<B>& context) noexcept {
  exchange(a, context.fixed);
  exchange(a, context.d3d9);
  for (std::size_t i = 0; i < shader_stage_count; ++i) {
    exchange(a, context.constants[i]);
    context.publish_constants(i);
  }
  exchange(a, names, context.bound);
}

template <backend B>
void save_contexts(const slot_names<B>& names, snapshot_writer& out) noexcept {
  heap_array<context<B>*> contexts;
  names.pipeline.contexts.for_each([&](context<B>& c) {
    if (!contexts.push_back(&c)) {
      out.fail(make_error(error_code::out_of_memory, "host memory is exhausted"));
    }
  });
  std::sort(contexts.begin(), contexts.end(),
            [](const context<B>* a, const context<B>* b) { return a->id < b->id; });
  out.put(static_cast<std::uint32_t>(contexts.size()));
  save_archive archive{out};
  for (context<B>* c : contexts) {
    out.put(c->id);
    exchange(archive, names, *c);
  }
}

template <backend B>
void load_context(const slot_names<B>& names, pipeline_tables<B>& tables, const limits& most,
                  snapshot_reader& in) noexcept {
  const auto id = in.take<context_id>();
  if (!in.require(tables.contexts.find(id) == nullptr, "a context is there twice", raw(id))) return;
  const auto made = tables.contexts.find_or_create(id, most);
  if (!made) return in.fail(made.why());
  load_archive archive{in};
  exchange(archive, names, **made);
}

}  // namespace detail

/// Bytes that `save_pipeline` appends, or some more.
template <backend B>
[[nodiscard]] auto expected_bytes(const pipeline_tables<B>& tables) noexcept -> std::uint64_t {
  constexpr std::uint64_t most_bytes = 32;  ///< Of an object, without its blob.
  constexpr std::uint64_t most_context_bytes = sizeof(context<B>);
  std::uint64_t sum =
      tables.blob_bytes +
      most_bytes * (1 + tables.shaders.size() + tables.layouts.size() + tables.samplers.size());
  tables.contexts.for_each([&](const context<B>& c) {
    sum += most_context_bytes;
    for (const constant_file& file : c.constants) {
      sum += std::as_bytes(file.view().floats).size() + std::as_bytes(file.view().ints).size();
    }
  });
  return sum;
}

/// Appends shaders, layouts, samplers and contexts. Failures are in `out`: out_of_memory.
template <backend B>
void save_pipeline(const pipeline_tables<B>& tables, const resource_table<B>& resources,
                   snapshot_writer& out) noexcept {
  detail::save_sorted(tables.shaders, out, [&](const shader_object<B>& shader) {
    out.put(shader.program.stage);
    detail::save_blob(out, shader.bytes.view());
  });
  detail::save_sorted(tables.layouts, out, [&](const layout_object<B>& layout) {
    detail::save_blob(out, layout.bytes.view());
  });
  detail::save_sorted(tables.samplers, out, [&](const sampler_object<B>& sampler) {
    const sampler_desc& desc = sampler.desc;
    for (const std::uint32_t word : {desc.filter, desc.address_u, desc.address_v, desc.address_w}) {
      out.put(word);
    }
  });
  detail::save_contexts(detail::slot_names<B>{resources, tables}, out);
  out.put(tables.presents.count());
}

/// Fills empty tables, after the resources were loaded. Shaders are classified anew, and created at
/// their first use, so another backend may run other ones. Failures are in `in`: corrupt,
/// out_of_memory, those of creating the objects; the tables then hold objects to destroy.
template <backend B>
void load_pipeline(B& to, pipeline_tables<B>& tables, const resource_table<B>& resources,
                   const limits& most, std::uint32_t version, snapshot_reader& in) noexcept {
  const object_factory<B> make{to, tables, most, {}};
  for (auto left = in.take_count(most.shaders); left != 0 && in.is_good(); --left) {
    detail::load_shader(make, version, in);
  }
  for (auto left = in.take_count(most.input_layouts); left != 0 && in.is_good(); --left) {
    detail::load_layout(make, version, in);
  }
  for (auto left = in.take_count(most.samplers); left != 0 && in.is_good(); --left) {
    detail::load_sampler(make, version, in);
  }
  const detail::slot_names<B> names{resources, tables};
  for (auto left = in.take_count(most.contexts); left != 0 && in.is_good(); --left) {
    detail::load_context(names, tables, most, in);
  }
  const auto presents = in.take<std::uint64_t>();
  if (in.is_good()) tables.presents.set_count(presents);
}

}  // namespace aerogpu
