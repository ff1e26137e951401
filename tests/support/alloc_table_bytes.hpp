// SPDX-License-Identifier: MIT
/// \file Allocation tables as their wire bytes, made without the library's builder.
#pragma once

#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/core/bytes.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::test {

/// A table of the current version with these entries.
[[nodiscard]] inline auto make_table(const std::vector<aerogpu_alloc_entry>& entries)
    -> byte_vector {
  byte_vector bytes(sizeof(aerogpu_alloc_table_header));
  for (const aerogpu_alloc_entry& entry : entries) {
    const const_bytes one = bytes_of(entry);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  store(bytes.data(), aerogpu_alloc_table_header{AEROGPU_ALLOC_TABLE_MAGIC, AEROGPU_ABI_VERSION_U32,
                                                 static_cast<std::uint32_t>(bytes.size()),
                                                 static_cast<std::uint32_t>(entries.size()),
                                                 sizeof(aerogpu_alloc_entry), 0});
  return bytes;
}

}  // namespace aerogpu::test
