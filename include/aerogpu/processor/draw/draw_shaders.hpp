// SPDX-License-Identifier: MIT
/// \file The shaders of a draw or dispatch, looked up and checked (host.md 3.15 and 3.16).
#pragma once

#include "aerogpu/processor/bindings/pipeline_creation.hpp"
#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/processor/state/state_packets.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// The stages that a draw runs, in the order in which their shaders are checked.
inline constexpr std::array graphics_stages{shader_stage::vertex, shader_stage::pixel,
                                            shader_stage::geometry, shader_stage::hull,
                                            shader_stage::domain};
inline constexpr stage_mask graphics_stage_mask = mask_of_stages(graphics_stages);

namespace detail {

/// Takes a stage's shader into the cache; null = none.
template <backend B>
void use_shader(context<B>& context, shader_stage stage, shader_object<B>* shader) noexcept {
  context.cache.set_shader(stage, shader, context.bound.stages[static_cast<std::size_t>(stage)]);
}

/// The shader bound to a stage; null when there is none. One of a snapshot is created at its first
/// use. Errors: unknown_handle, wrong_kind, unsupported, and those of the backend.
template <backend B>
[[nodiscard]] auto resolve_shader(execution<B>& x, shader_stage stage) noexcept
    -> result<shader_object<B>*> {
  const shader_handle handle = x.context.bound.shaders[static_cast<std::size_t>(stage)];
  if (handle == shader_handle{}) return nullptr;
  shader_object<B>* shader = x.tables.pipeline.shaders.find(handle);
  if (shader == nullptr) {
    return make_error(error_code::unknown_handle, "bound shader is not live", raw(handle));
  }
  if (shader->program.stage != stage) {
    return make_error(error_code::wrong_kind, "bound shader is of another stage", raw(handle));
  }
  if (shader->is_untried) {
    const object_factory<B> make{x.backend, x.tables.pipeline, x.limits, shader->owner};
    if (const auto made = realize_shader(make, handle, *shader); !made) return made.why();
  }
  if (shader->is_poisoned()) {
    return make_error(error_code::unsupported, shader->why_poisoned, raw(handle));
  }
  return shader;
}

/// A pixel shader may be missing with SM4+ vertex shaders, and where no colour is written.
template <backend B>
[[nodiscard]] auto needs_pixel_shader(const context<B>& context,
                                      const shader_object<B>& vertex) noexcept -> bool {
  return vertex.program.is_d3d9() && context.cache.state().targets.color_count != 0;
}

/// Hull and domain shaders run for patch lists only, and those need both; the control points must
/// be as many as the hull shader declares. Errors: missing_binding, invalid_parameter.
template <backend B>
[[nodiscard]] auto check_patches(execution<B>& x) noexcept -> error_code {
  const std::uint32_t points = control_points_of(x.context.fixed.topology);
  if (points == 0) return error_code::none;
  const draw_cache<B>& cache = x.context.cache;
  const shader_object<B>* hull = cache.shader(shader_stage::hull);
  if (hull == nullptr || cache.shader(shader_stage::domain) == nullptr) {
    return x.fail(error_code::missing_binding,
                  "a patch list is drawn without hull and domain shaders", points);
  }
  const std::uint32_t declared = hull->program.input_control_points;
  if (declared != 0 && declared != points) {
    return x.fail(error_code::invalid_parameter,
                  "the topology has other control points than the hull shader", points, declared);
  }
  return error_code::none;
}

}  // namespace detail

/// Looks the shaders of a draw up, into the cache. Targets were looked up before.
/// Errors: missing_binding, unknown_handle, wrong_kind, unsupported, and those of the backend.
template <backend B>
[[nodiscard]] auto resolve_draw_shaders(execution<B>& x) noexcept -> error_code {
  const bool is_patch = control_points_of(x.context.fixed.topology) != 0;
  for (const shader_stage stage : graphics_stages) {
    const bool is_tessellation = stage == shader_stage::hull || stage == shader_stage::domain;
    if (is_tessellation && !is_patch) {
      detail::use_shader<B>(x.context, stage, nullptr);
      continue;
    }
    const auto shader = detail::resolve_shader(x, stage);
    if (!shader) return x.fail(shader.why());
    if (*shader == nullptr && stage == shader_stage::vertex) {
      return x.fail(error_code::missing_binding, "no vertex shader is bound");
    }
    if (*shader == nullptr && stage == shader_stage::pixel &&
        detail::needs_pixel_shader(x.context, *x.context.cache.shader(shader_stage::vertex))) {
      return x.fail(error_code::missing_binding, "no pixel shader is bound");
    }
    detail::use_shader(x.context, stage, *shader);
  }
  return error_code::none;
}

}  // namespace aerogpu
