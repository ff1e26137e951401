// SPDX-License-Identifier: MIT
/// \file Fences by number.
#pragma once

#include "aerogpu/core/ids.hpp"

#include <cstdint>

namespace aerogpu::test {

inline auto fence(std::uint64_t value) -> fence_value {
  return static_cast<fence_value>(value);
}

}  // namespace aerogpu::test
