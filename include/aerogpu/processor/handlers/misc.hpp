// SPDX-License-Identifier: MIT
/// \file Packets without an object: NOP, DEBUG_MARKER and FLUSH.
#pragma once

#include "aerogpu/processor/execution.hpp"
#include "aerogpu/stream/checked_packet.hpp"

namespace aerogpu {

template <backend B>
auto on_packet(execution<B>&, const checked_packet<nop_packet>&) noexcept -> error_code {
  return error_code::none;
}

template <backend B>
auto on_packet([[maybe_unused]] execution<B>& x,
               [[maybe_unused]] const checked_packet<debug_marker_packet>& p) noexcept
    -> error_code {
  if constexpr (annotated_backend<B>) {
    const const_bytes text = p.payload();
    x.backend.annotate({reinterpret_cast<const char*>(text.data()), text.size()});
  }
  return error_code::none;
}

template <backend B>
auto on_packet(execution<B>& x, const checked_packet<aerogpu_cmd_flush>&) noexcept -> error_code {
  return x.check(x.backend.flush());
}

}  // namespace aerogpu
