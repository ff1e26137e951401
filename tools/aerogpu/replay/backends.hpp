// SPDX-License-Identifier: MIT
/// \file The backends of this program, and which one is best here.
#pragma once

#include "tools/aerogpu/replay/replay.hpp"

#include <array>
#include <string>
#include <string_view>

namespace aerogpu::tool {

struct backend_row {
  std::string_view name;
  replay_function* replay;  ///< Null when this program was built without it.
};

inline constexpr std::array<backend_row, 2> backends{{
    {"null", &replay_on_null},
#ifdef AEROGPU_TOOL_HAS_VULKAN
    {"vulkan", &replay_on_vulkan},
#else
    {"vulkan", nullptr},
#endif
}};

/// Null, and a sentence in `why`, when there is no such backend here.
[[nodiscard]] inline auto find_backend(std::string_view name, std::string& why)
    -> const backend_row* {
  for (const backend_row& row : backends) {
    if (row.name != name) continue;
    if (row.replay != nullptr) return &row;
    why = "this program was built without the " + std::string{name} + " backend";
    return nullptr;
  }
  why = "there is no backend '" + std::string{name} + "'; there are null and vulkan";
  return nullptr;
}

/// vulkan where a device is that it chooses by itself, else null.
[[nodiscard]] inline auto best_backend() -> const backend_row& {
#ifdef AEROGPU_TOOL_HAS_VULKAN
  if (has_vulkan_device()) return backends[1];
#endif
  return backends[0];
}

}  // namespace aerogpu::tool
