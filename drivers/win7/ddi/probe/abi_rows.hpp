// SPDX-License-Identifier: MIT
/// \file The layout of the user-mode DDI as this compiler has it, as data (umd-d3d9.md 1.6).
#pragma once

#include <cstddef>
#include <cstdint>

namespace aerogpu::ddi {

/// "size TYPE", "offset TYPE.MEMBER" or "stack TABLE.ENTRY", and its bytes.
///
/// scripts/abi_probe.py reads these out of an object file too: the shape is its shape.
struct abi_row {
  char text[116];
  std::uint32_t value;
};

extern const abi_row abi_rows[];
extern const std::size_t abi_row_count;

}  // namespace aerogpu::ddi
