// SPDX-License-Identifier: MIT
/// \file Calls of one backend handed on to another with the same associated types.
#pragma once

#include "aerogpu/backend/backend.hpp"

#include <bit>
#include <concepts>

namespace aerogpu::test {

/// A backend that wraps `Inner` and shares its object types.
template <class Outer, class Inner>
concept wraps_backend = std::same_as<typename Outer::buffer, typename Inner::buffer> &&
    std::same_as<typename Outer::texture, typename Inner::texture> &&
    std::same_as<typename Outer::texture_view, typename Inner::texture_view> &&
    std::same_as<typename Outer::shader, typename Inner::shader> &&
    std::same_as<typename Outer::input_layout, typename Inner::input_layout> &&
    std::same_as<typename Outer::sampler, typename Inner::sampler>;

template <class Inner, class Outer>
requires wraps_backend<Outer, Inner>
auto forward_clear(Inner& inner, const clear_call<Outer>& call) noexcept -> result<void> {
  const auto targets = std::bit_cast<target_set<Inner>>(call.targets);
  return inner.clear({targets, call.has_scissor, call.scissor, call.flags, call.color,
                      call.srgb_write, call.depth, call.stencil});
}

template <class Inner, class Outer>
requires wraps_backend<Outer, Inner>
auto forward_draw(Inner& inner, const draw_call<Outer>& call) noexcept -> result<void> {
  const auto state = std::bit_cast<draw_state<Inner>>(call.state);
  return inner.draw({state, call.changes, call.is_indexed, call.count, call.instance_count,
                     call.first, call.base_vertex, call.first_instance});
}

template <class Inner, class Outer>
requires wraps_backend<Outer, Inner>
auto forward_dispatch(Inner& inner, const dispatch_call<Outer>& call) noexcept -> result<void> {
  const auto state = std::bit_cast<draw_state<Inner>>(call.state);
  return inner.dispatch({state, call.changes, call.stage, call.x, call.y, call.z});
}

template <class Inner, class Outer>
requires wraps_backend<Outer, Inner>
auto forward_present(Inner& inner, const present_call<Outer>& call) noexcept -> result<void> {
  return inner.present({call.scanout_id, call.flags, call.texture, call.desc});
}

}  // namespace aerogpu::test
