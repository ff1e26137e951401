// SPDX-License-Identifier: MIT
/// \file The Vulkan devices of this machine, for an embedder's user to choose from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aerogpu::vulkan {

/// A line for people: what `--list-devices` prints.
struct device_entry {
  std::string name;
  std::string kind;    ///< "discrete", "integrated", "virtual", "cpu" or "other".
  std::string driver;  ///< Name and version.
  std::uint32_t api_version = 0;
  std::string missing;  ///< Empty, or the sentence that says what the backend lacks here.
  /// Empty, or the sentence that says why no guest should be let on it: it takes
  /// `backend_options::allow_unsafe_device`.
  std::string unsafe;
};

/// All devices of this machine, best first. Empty without a Vulkan loader. For people: unlike all
/// else here it takes memory in ways that cannot be reported.
[[nodiscard]] auto list_devices() -> std::vector<device_entry>;

}  // namespace aerogpu::vulkan
