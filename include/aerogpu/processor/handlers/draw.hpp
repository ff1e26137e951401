// SPDX-License-Identifier: MIT
/// \file DRAW, DRAW_INDEXED and DISPATCH (host.md 3.15 and 3.16).
#pragma once

#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/draw/resolve_draw.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/stream/checked_packet.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

inline constexpr std::uint32_t dispatch_group_limit = 65'535;  ///< In each dimension.

namespace detail {

/// Hands a resolved call on. After a failure the backend may have taken in any part of the changes,
/// and all that was looked up for it stays stale, since what it uploaded is dirty again.
template <backend B>
[[nodiscard]] auto hand_on(execution<B>& x, const result<void>& done) noexcept -> error_code {
  if (done) [[likely]]
    return error_code::none;
  x.context.cache.hand_on_everything();
  return x.fail(done.why());
}

/// Resolves and hands on a draw of some vertices and instances.
template <backend B>
[[nodiscard]] auto draw(execution<B>& x, draw_call<B>&& call) noexcept -> error_code {
  if (const auto code = resolve_draw(x, call.is_indexed); code != error_code::none) return code;
  draw_cache<B>& cache = x.context.cache;
  if (!cache.draws_nothing()) {
    call.changes = cache.changes();
    const auto code = hand_on(x, x.backend.draw(call));
    if (code != error_code::none) return code;
    cache.took_draw_changes();
  }
  settle_draw(x, call.is_indexed);
  return error_code::none;
}

/// The shader of a dispatch, then the group counts. Errors: missing_binding, unknown_handle,
/// wrong_kind, unsupported, invalid_parameter.
template <backend B>
[[nodiscard]] auto check_dispatch_call(execution<B>& x, shader_stage stage,
                                       const aerogpu_cmd_dispatch& p) noexcept
    -> result<shader_object<B>*> {
  const auto shader = resolve_shader(x, stage);
  if (!shader) return shader.why();
  if (*shader == nullptr) {
    return make_error(error_code::missing_binding, "no shader is bound to the dispatched stage",
                      static_cast<std::uint64_t>(stage));
  }
  for (const std::uint32_t count : {p.group_count_x, p.group_count_y, p.group_count_z}) {
    if (count > dispatch_group_limit) {
      return make_error(error_code::invalid_parameter, "a group count exceeds its limit", count,
                        dispatch_group_limit);
    }
  }
  return *shader;
}

}  // namespace detail

template <backend B>
inline auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_draw>& p) noexcept
    -> error_code {
  const auto& fields = p.fields();
  return detail::draw(x, draw_call<B>{.state = x.context.cache.state(),
                                      .changes = 0,
                                      .is_indexed = false,
                                      .count = fields.vertex_count,
                                      .instance_count = fields.instance_count,
                                      .first = fields.first_vertex,
                                      .base_vertex = 0,
                                      .first_instance = fields.first_instance});
}

template <backend B>
inline auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_draw_indexed>& p) noexcept
    -> error_code {
  const auto& fields = p.fields();
  return detail::draw(x, draw_call<B>{.state = x.context.cache.state(),
                                      .changes = 0,
                                      .is_indexed = true,
                                      .count = fields.index_count,
                                      .instance_count = fields.instance_count,
                                      .first = fields.first_index,
                                      .base_vertex = fields.base_vertex,
                                      .first_instance = fields.first_instance});
}

template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_dispatch>& p) noexcept
    -> error_code {
  const auto& fields = p.fields();
  const shader_stage stage = p.stage();
  if (fields.group_count_x == 0 || fields.group_count_y == 0 || fields.group_count_z == 0) {
    return error_code::none;
  }
  const auto shader = detail::check_dispatch_call(x, stage, fields);
  if (!shader) return x.fail(shader.why());
  if (const auto code = resolve_dispatch(x, stage, **shader); code != error_code::none) {
    return code;
  }
  draw_cache<B>& cache = x.context.cache;
  const dispatch_call<B> call{cache.state(),        cache.changes(),      stage,
                              fields.group_count_x, fields.group_count_y, fields.group_count_z};
  const auto code = detail::hand_on(x, x.backend.dispatch(call));
  if (code != error_code::none) return code;
  cache.took_dispatch_changes(stage);
  settle_dispatch(x, stage);
  return error_code::none;
}

}  // namespace aerogpu
