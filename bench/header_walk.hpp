// SPDX-License-Identifier: MIT
// The floor of decoding: a walk over packet headers with bounds checks and nothing else.
#pragma once

#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::bench {

[[gnu::noinline]] inline auto walk(const_bytes stream) -> std::uint64_t {
  const std::byte* at = stream.data() + sizeof(aerogpu_cmd_stream_header);
  const std::byte* const end = stream.data() + stream.size();
  std::uint64_t sum = 0;
  while (at != end) {
    const auto left = static_cast<std::size_t>(end - at);
    if (left < sizeof(aerogpu_cmd_hdr)) return 0;
    const auto size = load<std::uint32_t>(at + 4);
    if (size < sizeof(aerogpu_cmd_hdr) || size % 4 != 0 || size > left) return 0;
    sum += load<std::uint32_t>(at);
    at += size;
  }
  return sum;
}

}  // namespace aerogpu::bench
