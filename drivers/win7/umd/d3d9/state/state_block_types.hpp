// SPDX-License-Identifier: MIT
/// \file Which states a state block of each type captures (umd-d3d9.md 2.12).
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"

namespace aerogpu::umd {

class state_block;
struct device_state;

/// Adds the states of a type with their values; any other type than PIXELSTATE and VERTEXSTATE is
/// ALL. False without memory.
[[nodiscard]] auto add_states_of(state_block& block, const device_state& state,
                                 D3DSTATEBLOCKTYPE type) noexcept -> bool;

}  // namespace aerogpu::umd
