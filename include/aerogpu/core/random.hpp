// SPDX-License-Identifier: MIT
/// \file Where numbers come from that nobody chooses.
#pragma once

#include "aerogpu/core/language.hpp"

#include <concepts>
#include <cstdint>

namespace aerogpu {

/// A source of 64-bit numbers. Whoever takes one says whether they have to be unpredictable.
template <class R>
concept random_source = requires(R& random) {
  { random() }
  noexcept->std::same_as<std::uint64_t>;
};

}  // namespace aerogpu
