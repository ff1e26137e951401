// SPDX-License-Identifier: MIT
/// \file The entries of an adapter in profile M.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <string_view>

namespace aerogpu::umd::front_m {

auto APIENTRY get_caps(HANDLE adapter, const D3DDDIARG_GETCAPS* query) noexcept -> HRESULT;
auto APIENTRY create_device(HANDLE adapter, D3DDDIARG_CREATEDEVICE* create) noexcept -> HRESULT;
auto APIENTRY close_adapter_entry(HANDLE adapter) noexcept -> HRESULT;

inline constexpr UINT direct3d_9 = 9;
/// Numbers above that of Direct3D 9 mean it, too: what Direct3D 10 passes is not published. The log
/// has them, with who was called.
void log_newer_interface(std::string_view called, UINT number) noexcept;

/// The table of an adapter, behind the tracer.
[[nodiscard]] auto adapter_table() noexcept -> D3DDDI_ADAPTERFUNCS;

}  // namespace aerogpu::umd::front_m
