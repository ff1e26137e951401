// SPDX-License-Identifier: MIT
/// \file A few bytes of a stream with a mark under one of them.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <cstdint>

namespace aerogpu::tool {

/// Appends the sixteen bytes of the row that holds `offset`, and carets under the four bytes there.
void append_bytes_around(text& out, const_bytes bytes, std::uint64_t offset);

}  // namespace aerogpu::tool
