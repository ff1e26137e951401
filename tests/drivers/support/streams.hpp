// SPDX-License-Identifier: MIT
/// \file Command streams whose result a test can see in guest memory.
#pragma once

#include "tests/support/stream_builder.hpp"

#include <cstdint>

namespace aerogpu::test {

/// The host copies one allocation to another, through its own objects and back to guest memory.
[[nodiscard]] inline auto host_copy(std::uint32_t from_alloc_id, std::uint32_t to_alloc_id,
                                    std::uint32_t size_bytes) -> stream_builder {
  stream_builder stream;
  stream.create_buffer(1, size_bytes, {from_alloc_id})
      .create_buffer(2, size_bytes, {to_alloc_id})
      .dirty(1, 0, size_bytes)
      .copy_buffer(2, 0, 1, 0, size_bytes, AEROGPU_COPY_FLAG_WRITEBACK_DST)
      .destroy(1)
      .destroy(2);
  return stream;
}

}  // namespace aerogpu::test
