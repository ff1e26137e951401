// SPDX-License-Identifier: MIT
/// \file Ids that a guest would choose to make a table slow, if it knew the table's key.
#pragma once

#include "aerogpu/core/hash.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aerogpu::test {

/// `count` ids from `first` on whose place is one of the first `window` of `slots`, a power of two.
[[nodiscard]] inline auto ids_that_meet(const hash_key& key, std::size_t slots, std::size_t window,
                                        std::size_t count, std::uint32_t first = 1)
    -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = first; ids.size() < count; ++id) {
    if ((key.mix(id) & (slots - 1)) < window) ids.push_back(id);
  }
  return ids;
}

}  // namespace aerogpu::test
