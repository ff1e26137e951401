// SPDX-License-Identifier: MIT
/// \file Entries of profile M that set states, shaders and bindings.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::umd::front_m {

/// Render, stage and sampler states, transforms, material, lights, clip planes, viewport, scissor,
/// targets; state sets; what is accepted without effect.
void add_state_entries(D3DDDI_DEVICEFUNCS& table) noexcept;
/// Textures, streams, indices, declarations, shaders and their constants.
void add_binding_entries(D3DDDI_DEVICEFUNCS& table) noexcept;

}  // namespace aerogpu::umd::front_m
