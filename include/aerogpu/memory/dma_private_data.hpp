// SPDX-License-Identifier: MIT
/// \file Private data of a Windows 7 DMA buffer: what kind of work it holds.
#pragma once

#include "aerogpu/abi/win7_dma.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"

#include <cstdint>

namespace aerogpu {

enum class dma_work : std::uint32_t {
  render = AEROGPU_SUBMIT_RENDER,
  present = AEROGPU_SUBMIT_PRESENT,
  paging = AEROGPU_SUBMIT_PAGING,
};

/// Copies the 16-byte prefix out of private data; what follows is the driver's (wire.md 12.2).
/// Errors: out_of_bounds when the bytes are too few; invalid_parameter for an unknown type.
[[nodiscard]] inline auto parse_dma_private_data(const_bytes bytes) noexcept
    -> result<AEROGPU_DMA_PRIV> {
  if (bytes.size() < sizeof(AEROGPU_DMA_PRIV)) {
    return make_error(error_code::out_of_bounds, "DMA private data is too short", bytes.size(),
                      sizeof(AEROGPU_DMA_PRIV));
  }
  const auto data = load<AEROGPU_DMA_PRIV>(bytes.data());
  if (data.Type < AEROGPU_SUBMIT_RENDER || data.Type > AEROGPU_SUBMIT_PAGING) {
    return make_error(error_code::invalid_parameter, "DMA buffer type is unknown", data.Type);
  }
  return data;
}

}  // namespace aerogpu
