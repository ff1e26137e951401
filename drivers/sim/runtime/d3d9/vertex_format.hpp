// SPDX-License-Identifier: MIT
/// \file Flexible vertex formats as declarations, which is all that the DDI knows.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <vector>

namespace aerogpu::sim {

/// Whether each part of the format is one that exists; a position may be missing.
[[nodiscard]] auto is_vertex_format(DWORD format) noexcept -> bool;

/// The elements of a flexible vertex format, all in stream 0, without an end mark. Empty for a
/// format without a position, and for what is none.
[[nodiscard]] auto elements_of(DWORD format) -> std::vector<D3DDDIVERTEXELEMENT>;

/// The same as elements of the API; those of a format without a position as well. Precondition:
/// `is_vertex_format`.
[[nodiscard]] auto api_elements_of(DWORD format) -> std::vector<D3DVERTEXELEMENT9>;

/// An API declaration without its end mark.
[[nodiscard]] auto to_ddi(const std::vector<D3DVERTEXELEMENT9>& elements)
    -> std::vector<D3DDDIVERTEXELEMENT>;

}  // namespace aerogpu::sim
