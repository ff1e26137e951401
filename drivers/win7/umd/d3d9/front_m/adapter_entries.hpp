// SPDX-License-Identifier: MIT
/// \file The entries of an adapter in profile M.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::umd::front_m {

auto APIENTRY get_caps(HANDLE adapter, const D3DDDIARG_GETCAPS* query) noexcept -> HRESULT;
auto APIENTRY create_device(HANDLE adapter, D3DDDIARG_CREATEDEVICE* create) noexcept -> HRESULT;
auto APIENTRY close_adapter_entry(HANDLE adapter) noexcept -> HRESULT;

/// The table of an adapter, behind the tracer.
[[nodiscard]] auto adapter_table() noexcept -> D3DDDI_ADAPTERFUNCS;

}  // namespace aerogpu::umd::front_m
