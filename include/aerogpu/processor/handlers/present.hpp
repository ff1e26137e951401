// SPDX-License-Identifier: MIT
/// \file PRESENT and PRESENT_EX (host.md 3.17).
#pragma once

#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/backend/clear_color.hpp"
#include "aerogpu/processor/bindings/slot_lookup.hpp"
#include "aerogpu/processor/context.hpp"
#include "aerogpu/processor/execution.hpp"
#include "aerogpu/processor/present_log.hpp"
#include "aerogpu/processor/processor_tables.hpp"
#include "aerogpu/processor/resources/residency.hpp"
#include "aerogpu/processor/resources/transfer_budget.hpp"
#include "aerogpu/stream/checked_packet.hpp"

#include <cstdint>

namespace aerogpu {

namespace detail {

inline constexpr std::uint32_t shown_scanout = 0;

/// What the context presents: the first colour target that is bound. Null when there is none, or
/// when that one names nothing live or nothing that a display can show (D-43).
template <backend B>
[[nodiscard]] auto find_presented(const execution<B>& x, resource_handle& handle) noexcept
    -> texture_object<B>* {
  for (resource_slot& slot : x.context.bound.targets.colors) {
    const named_resource<B>& named = find_bound(x, slot);
    if (named.texture == nullptr && !names_nothing_yet(slot)) continue;
    if (named.texture == nullptr || !is_color_format(named.texture->desc.format)) return nullptr;
    handle = slot.handle;
    return named.texture;
  }
  return nullptr;
}

/// Makes the image current, hands it to scanout 0 and notes the event.
template <backend B>
[[nodiscard]] auto present(execution<B>& x, std::uint32_t scanout_id, std::uint32_t flags) noexcept
    -> error_code {
  present_event event{.scanout_id = scanout_id, .flags = flags};
  texture_object<B>* texture = find_presented(x, event.handle);
  if (texture != nullptr) {
    const subresource_layout image = texture->layout.locate({0, 0});
    const auto cost = transfer_cost(image.row_size_bytes, image.row_count);
    if (const auto code = spend_transfer(x, cost); code != error_code::none) return code;
    if (const auto code = make_current(x, *texture); code != error_code::none) return code;
    event.width = texture->desc.width;
    event.height = texture->desc.height;
    event.format = texture->desc.format;
  }
  const bool is_shown = scanout_id == shown_scanout;
  const present_call<B> call{scanout_id, flags, texture != nullptr ? &texture->native : nullptr,
                             texture != nullptr ? &texture->desc : nullptr};
  const auto done = x.check(is_shown ? x.backend.present(call) : x.backend.flush());
  if (done != error_code::none) return done;
  if (is_shown) x.tables.scanout.present(texture, x.table);
  x.tables.pipeline.presents.add(event);
  return error_code::none;
}

}  // namespace detail

template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_present>& p) noexcept
    -> error_code {
  return detail::present(x, p.fields().scanout_id, p.fields().flags);
}

template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_present_ex>& p) noexcept
    -> error_code {
  return detail::present(x, p.fields().scanout_id, p.fields().flags);
}

}  // namespace aerogpu
