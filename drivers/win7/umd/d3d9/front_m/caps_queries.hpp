// SPDX-License-Identifier: MIT
/// \file GetCaps of profile M (umd-d3d9.md 2.2.2).
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"

namespace aerogpu::umd::front_m {

/// Answers into `query.pData`, which is not null. E_INVALIDARG when it is too short for an answer
/// that is never cut; D3DERR_UNSUPPORTEDOVERLAY.
[[nodiscard]] auto answer_caps(const adapter_facts& facts, const D3DDDIARG_GETCAPS& query) noexcept
    -> HRESULT;

}  // namespace aerogpu::umd::front_m
