// SPDX-License-Identifier: MIT
/// \file Who made a name, as snapshots hold it (docs/extensions.md).
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"

#include <cstdint>

namespace aerogpu::detail {

/// Snapshots know it from version 3 on; of others it is context 0.
[[nodiscard]] inline auto take_owner(std::uint32_t version, snapshot_reader& in) noexcept
    -> context_id {
  return version >= 3 ? in.take<context_id>() : context_id{};
}

}  // namespace aerogpu::detail
