// SPDX-License-Identifier: MIT
/// \file DRAW, DRAW_INDEXED and DISPATCH (host.md 3.15 and 3.16).
#pragma once

#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/draw/resolve_draw.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/stream/checked_packet.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

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

template <backend B>
[[nodiscard]] inline auto call_of(const draw_cache<B>& cache,
                                  const aerogpu_cmd_draw& fields) noexcept -> draw_call<B> {
  return {.state = cache.state(),
          .changes = cache.changes(),
          .is_indexed = false,
          .count = fields.vertex_count,
          .instance_count = fields.instance_count,
          .first = fields.first_vertex,
          .base_vertex = 0,
          .first_instance = fields.first_instance};
}
template <backend B>
[[nodiscard]] inline auto call_of(const draw_cache<B>& cache,
                                  const aerogpu_cmd_draw_indexed& fields) noexcept -> draw_call<B> {
  return {.state = cache.state(),
          .changes = cache.changes(),
          .is_indexed = true,
          .count = fields.index_count,
          .instance_count = fields.instance_count,
          .first = fields.first_index,
          .base_vertex = fields.base_vertex,
          .first_instance = fields.first_instance};
}
template <wire_packet P>
inline constexpr bool is_indexed_draw = std::is_same_v<P, aerogpu_cmd_draw_indexed>;

/// Hands a draw on whose state is resolved. The changes count as taken before the call, because a
/// failure has everything handed on again.
template <backend B, wire_packet P>
[[nodiscard, gnu::always_inline]] inline auto draw_resolved(execution<B>& x,
                                                            const packet<P>& p) noexcept
    -> error_code {
  draw_cache<B>& cache = x.context.cache;
  if (cache.draws_nothing()) return error_code::none;
  const draw_call<B> call = call_of(cache, p.fields());
  cache.took_draw_changes();
  return hand_on(x, x.backend.draw(call));
}

/// A draw for which something must be looked up or checked. Not inlined, so that draws between
/// which only values and textures change keep no registers for it.
template <backend B, wire_packet P>
[[nodiscard, gnu::noinline]] auto resolve_and_draw(execution<B>& x, packet<P> p) noexcept
    -> error_code {
  auto code = resolve_draw(x, is_indexed_draw<P>);
  if (code == error_code::none) code = draw_resolved(x, p);
  if (code == error_code::none) settle_draw(x, is_indexed_draw<P>);
  return settle_uploads(x, code);
}

/// A draw of some vertices and instances.
template <backend B, wire_packet P>
[[nodiscard]] inline auto draw(execution<B>& x, const packet<P>& p) noexcept -> error_code {
  return is_draw_resolved(x, is_indexed_draw<P>) ? draw_resolved(x, p) : resolve_and_draw(x, p);
}

/// The shader of a dispatch, then the group counts. Errors: missing_binding, unknown_handle,
/// wrong_kind, unsupported, invalid_parameter, and those of the backend.
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
  return detail::draw<B, aerogpu_cmd_draw>(x, p);
}

template <backend B>
inline auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_draw_indexed>& p) noexcept
    -> error_code {
  return detail::draw<B, aerogpu_cmd_draw_indexed>(x, p);
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
