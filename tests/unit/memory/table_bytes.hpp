// SPDX-License-Identifier: MIT
// Allocation tables as a guest writes them, for tests.
#pragma once

#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aerogpu::test {

/// A good header for `entries` entries of `stride` bytes.
inline auto table_header(std::uint32_t entries, std::uint32_t stride = sizeof(aerogpu_alloc_entry))
    -> aerogpu_alloc_table_header {
  return {AEROGPU_ALLOC_TABLE_MAGIC,
          AEROGPU_ABI_VERSION_U32,
          static_cast<std::uint32_t>(sizeof(aerogpu_alloc_table_header)) + entries * stride,
          entries,
          stride,
          0};
}

/// The bytes of a table; what lies between entries of a larger stride is filled with 0xCD.
inline auto table_bytes(const aerogpu_alloc_table_header& header,
                        const std::vector<aerogpu_alloc_entry>& entries) -> std::vector<std::byte> {
  const std::size_t used = sizeof header + entries.size() * header.entry_stride_bytes;
  std::vector<std::byte> bytes(used, std::byte{0xCD});
  store(bytes.data(), header);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    store(bytes.data() + sizeof header + i * header.entry_stride_bytes, entries[i]);
  }
  return bytes;
}

inline auto table_bytes(const std::vector<aerogpu_alloc_entry>& entries) -> std::vector<std::byte> {
  return table_bytes(table_header(static_cast<std::uint32_t>(entries.size())), entries);
}

}  // namespace aerogpu::test
