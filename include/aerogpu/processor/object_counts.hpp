// SPDX-License-Identifier: MIT
/// \file How many objects of each kind live, so that a test or a log can see what stayed behind.
#pragma once

#include "aerogpu/core/language.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

struct object_counts {
  std::size_t buffers = 0;
  std::size_t textures = 0;
  std::size_t views = 0;
  std::size_t resource_names = 0;  ///< Handles: originals, aliases, views, reserved.
  std::size_t shaders = 0;
  std::size_t input_layouts = 0;
  std::size_t samplers = 0;
  std::size_t contexts = 0;
  std::size_t share_tokens = 0;    ///< Bound ones.
  std::size_t retired_tokens = 0;  ///< Kept until reset.
  std::uint64_t resource_bytes = 0;

  friend constexpr auto operator==(const object_counts&, const object_counts&) -> bool = default;
};

}  // namespace aerogpu
