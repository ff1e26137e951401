// SPDX-License-Identifier: MIT
/// \file Shaders, layouts, samplers, contexts and presents: what a draw needs besides resources.
#pragma once

#include "aerogpu/core/error.hpp"
#include "aerogpu/hosted/object_table.hpp"
#include "aerogpu/processor/bindings/pipeline_objects.hpp"
#include "aerogpu/processor/context_table.hpp"
#include "aerogpu/processor/present_log.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu {

/// Shaders that were accepted and cannot run, for logs: their packets succeed.
struct poisoned_shaders {
  std::uint64_t count = 0;  ///< Since reset.
  error last;               ///< Why the last one cannot run.
};

template <backend B>
struct pipeline_tables {
  explicit pipeline_tables(hash_key key = {}) noexcept
      : shaders(key), layouts(key), samplers(key), contexts(key) {}

  object_table<shader_handle, shader_object<B>> shaders;
  object_table<input_layout_handle, layout_object<B>> layouts;
  object_table<sampler_handle, sampler_object<B>> samplers;
  context_table<B> contexts;
  present_log presents;
  poisoned_shaders poisoned;
  std::uint64_t blob_bytes = 0;  ///< Copies of byte code and layouts (limits: shader_bytes).

  /// Rises whenever an object comes, goes or is replaced.
  [[nodiscard]] auto revision() const noexcept -> std::uint64_t {
    return shaders.revision() + layouts.revision() + samplers.revision();
  }

  /// Hands every object back to the backend and forgets all state.
  void clear(B& to) noexcept {
    shaders.for_each([&](shader_handle, shader_object<B>& shader) {
      if (shader.native) to.destroy(*std::move(shader.native));
    });
    layouts.for_each([&](input_layout_handle, layout_object<B>& layout) {
      to.destroy(std::move(layout.native));
    });
    samplers.for_each(
        [&](sampler_handle, sampler_object<B>& sampler) { to.destroy(std::move(sampler.native)); });
    shaders.clear();
    layouts.clear();
    samplers.clear();
    contexts.clear();
    presents = {};
    poisoned = {};
    blob_bytes = 0;
  }
};

}  // namespace aerogpu
