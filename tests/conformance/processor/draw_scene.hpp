// SPDX-License-Identifier: MIT
/// \file The least that a draw needs, and what a backend gets to see of it.
#pragma once

#include "tests/conformance/processor/processor_host.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu::conformance {

using namespace test;

/// Handles of `draw_scene`.
namespace scene {
inline constexpr std::uint32_t target = 900, vs = 900, ps = 901, cs = 902;
inline constexpr texture_spec target_spec{
    .width = 8,
    .height = 8,
    .usage = AEROGPU_RESOURCE_USAGE_TEXTURE | AEROGPU_RESOURCE_USAGE_RENDER_TARGET};
}  // namespace scene

/// Creates a target and SM4 shaders that read no vertices.
[[nodiscard]] inline auto draw_scene() -> stream_builder {
  return stream_builder{}
      .create_texture(scene::target, scene::target_spec)
      .create_shader(scene::vs, wire_vs, vs_4_0_origin())
      .create_shader(scene::ps, wire_ps, ps_4_0_white())
      .create_shader(scene::cs, wire_cs, cs_5_0_nothing());
}

/// Binds what `draw_scene` created, so that a draw and a dispatch succeed.
[[nodiscard]] inline auto bound_scene() -> stream_builder {
  return stream_builder{}.bind_shaders(scene::vs, scene::ps, scene::cs).targets({scene::target});
}

/// Runs a stream and hands each draw to `see`, as the backend gets it.
template <class Host, class See>
auto run_seeing_draws(Host& host, const stream_builder& stream, See&& see,
                      std::uint32_t context = 0) -> error_code {
  host.rig().backend().observe_draws(std::forward<See>(see));
  const error_code code = host.run(stream, context);
  host.rig().backend().observe_draws({});
  return code;
}

/// The same for dispatches.
template <class Host, class See>
auto run_seeing_dispatches(Host& host, const stream_builder& stream, See&& see,
                           std::uint32_t context = 0) -> error_code {
  host.rig().backend().observe_dispatches(std::forward<See>(see));
  const error_code code = host.run(stream, context);
  host.rig().backend().observe_dispatches({});
  return code;
}

/// The guest's name of what a t slot holds as a texture; 0 = none.
template <class B>
[[nodiscard]] auto texture_name(const shader_resource_ref<B>& slot) -> std::uint32_t {
  return slot.texture.texture == nullptr ? 0 : raw(slot.texture.desc->name);
}

/// Index of a stage in per-stage tables.
[[nodiscard]] constexpr auto index_of(shader_stage stage) -> std::size_t {
  return static_cast<std::size_t>(stage);
}

}  // namespace aerogpu::conformance
