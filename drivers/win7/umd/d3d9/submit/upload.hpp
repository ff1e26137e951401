// SPDX-License-Identifier: MIT
/// \file Bytes into a resource that lives on the host, in pieces that submissions hold.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"
#include "drivers/win7/umd/d3d9/submit/recorder.hpp"

#include <cstdint>

namespace aerogpu::umd {

/// UPLOAD_RESOURCE of `bytes` at `offset_bytes`, in as many packets and submissions as it takes.
/// A piece is a multiple of `unit_bytes`: 4 for buffers, a row for textures. Errors of
/// `recorder::reserve`; E_OUTOFMEMORY when not one unit fits into an empty submission; what was
/// sent before stays.
[[nodiscard]] auto upload_bytes(recorder& commands, resource_handle to, std::uint64_t offset_bytes,
                                const_bytes bytes, std::uint32_t unit_bytes) noexcept -> HRESULT;

}  // namespace aerogpu::umd
