// SPDX-License-Identifier: MIT
/// \file Runs a compute shader of an attack over words that it reads and words that it writes.
#pragma once

#include "tests/hostile/session.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::hostile {

using words = std::vector<std::uint32_t>;

struct compute_run {
  error_code why = error_code::none;
  words results;  ///< u0 afterwards; empty when the guest was refused.
};

/// t0 holds `inputs`; u0 has as many words, `stale` at first, and one group runs for each
/// `threads` of them.
[[nodiscard]] auto run_compute(guest& g, const byte_vector& shader, const words& inputs,
                               std::uint32_t threads, std::uint32_t context = 0) -> compute_run;

/// What u0 holds where no thread wrote.
inline constexpr std::uint32_t stale = 0xDEADC0DE;

}  // namespace aerogpu::hostile
