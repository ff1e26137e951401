// SPDX-License-Identifier: MIT
/// \file GetCaps and QueryAdapterInfo of profile U (umd-d3d9.md 2.2.1).
#pragma once

#include "drivers/win7/ddi/portable/portable_ddi.hpp"
#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"

namespace aerogpu::umd::front_u {

/// D3D9DDIARG_GETCAPS::Type.
inline constexpr std::uint32_t caps_d3d9 = 1;
inline constexpr std::uint32_t caps_format_count = 2;
inline constexpr std::uint32_t caps_format = 3;
inline constexpr std::uint32_t caps_multisample_levels = 4;

/// D3D9DDIARG_QUERYADAPTERINFO::Type.
inline constexpr std::uint32_t info_identifier = 1;
inline constexpr std::uint32_t info_luid = 2;

/// Operations of a format: GETFORMAT's second word.
inline constexpr std::uint32_t operation_render_target = 1;
inline constexpr std::uint32_t operation_depth_stencil = 2;

/// E_INVALIDARG without a buffer, for one that is too short, and for an index out of range.
[[nodiscard]] auto answer_caps(const adapter_facts& facts,
                               const d3d9ddi_u::D3D9DDIARG_GETCAPS& query) noexcept -> HRESULT;
/// Unknown types: the device's GUID where it fits exactly, zeros elsewhere. E_INVALIDARG as above.
[[nodiscard]] auto answer_info(const adapter& of,
                               const d3d9ddi_u::D3D9DDIARG_QUERYADAPTERINFO& query) noexcept
    -> HRESULT;

}  // namespace aerogpu::umd::front_u
