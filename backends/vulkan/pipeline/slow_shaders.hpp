// SPDX-License-Identifier: MIT
/// \file Shaders that a driver took too long for. Remembered when the device is replaced, too.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/bounded_cache.hpp"
#include "vulkan/backend_options.hpp"
#include "vulkan/pipeline/pipeline_key.hpp"

#include <array>
#include <chrono>
#include <cstdint>

namespace aerogpu::vulkan {

/// The shaders of a pipeline, by the ids of their variants: those stay the same on another device.
struct shader_ids {
  std::array<std::uint64_t, graphics_stage_count> of{};

  void hash_into(keyed_hash& hash) const noexcept {
    for (const std::uint64_t id : of) hash.add(id);
  }
  friend auto operator==(const shader_ids&, const shader_ids&) -> bool = default;
};

class slow_shaders {
 public:
  explicit slow_shaders(const backend_options& options) noexcept
      : options_(options),
        known_(options.hash_seed, {options.bounds.graphics_pipelines},
               {nullptr, [](void*, clock::time_point&) noexcept {}}) {}

  /// Errors: unsupported while they rest.
  [[nodiscard]] auto check(const shader_ids& shaders) -> result<void> {
    auto* const known = known_.find(shaders);
    if (known == nullptr) return {};
    const std::uint64_t rest_ms = options_.bounds.pipeline_rest_ms;
    if (clock::now() - known->value < std::chrono::milliseconds{rest_ms}) {
      return make_error(error_code::unsupported,
                        "the driver took too long for these shaders and is not asked again yet", 0,
                        rest_ms);
    }
    known_.erase(*known);
    return {};
  }
  /// Forgotten when there is no memory for it: then the driver is asked again.
  void add(const shader_ids& shaders) noexcept {
    static_cast<void>(known_.insert(shaders, clock::now()));
  }

 private:
  using clock = std::chrono::steady_clock;

  const backend_options& options_;
  bounded_cache<shader_ids, clock::time_point> known_;
};

}  // namespace aerogpu::vulkan
