// SPDX-License-Identifier: MIT
/// \file Input layout blobs built from lists (wire.md 11).
#pragma once

#include "aerogpu/abi/cmd_input_layout.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/hash.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace aerogpu::test {

inline constexpr std::uint32_t dxgi_float4 = 2;
inline constexpr std::uint32_t append_offset = 0xFFFFFFFF;

/// One element of an ILAY blob.
struct ilay_element {
  std::string_view name = "POSITION";
  std::uint32_t index = 0;
  std::uint32_t format = dxgi_float4;
  std::uint32_t slot = 0;
  std::uint32_t offset = append_offset;
  std::uint32_t input_class = 0;
  std::uint32_t step_rate = 0;
};

[[nodiscard]] inline auto ilay_blob(const std::vector<ilay_element>& elements,
                                    std::uint32_t version = 1) -> byte_vector {
  byte_vector blob;
  const auto append = [&](const_bytes bytes) {
    blob.insert(blob.end(), bytes.begin(), bytes.end());
  };
  append(bytes_of(aerogpu_input_layout_blob_header{
      AEROGPU_INPUT_LAYOUT_BLOB_MAGIC, version, static_cast<std::uint32_t>(elements.size()), 0}));
  for (const ilay_element& e : elements) {
    append(
        bytes_of(aerogpu_input_layout_element_dxgi{semantic_name_hash(e.name), e.index, e.format,
                                                   e.slot, e.offset, e.input_class, e.step_rate}));
  }
  return blob;
}

/// One element of a D3D9 vertex declaration.
struct declaration_element {
  std::uint16_t stream = 0;
  std::uint16_t offset = 0;
  std::uint8_t type = 3;  ///< FLOAT4.
  std::uint8_t method = 0;
  std::uint8_t usage = 0;  ///< POSITION.
  std::uint8_t usage_index = 0;
};

/// The element that ends every declaration.
inline constexpr declaration_element declaration_end{0xFF, 0, 17, 0, 0, 0};

/// The elements as they are; a valid declaration ends with `declaration_end`.
[[nodiscard]] inline auto declaration_blob(const std::vector<declaration_element>& elements)
    -> byte_vector {
  static_assert(sizeof(declaration_element) == 8);
  const const_bytes bytes = std::as_bytes(std::span{elements});
  return {bytes.begin(), bytes.end()};
}

}  // namespace aerogpu::test
