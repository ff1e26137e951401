// SPDX-License-Identifier: MIT
/// \file Samplers of a device, one for each meaning that the guest asks for.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/backend/sampler_state.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/bounded_cache.hpp"
#include "vulkan/device_parts.hpp"
#include "vulkan/memory/record_list.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::vulkan {

/// Everything a sampler depends on; equal keys share one. What has no effect is left at its
/// default, so that it makes no difference (shaders.md 2.8).
struct sampler_key {
  VkFilter mag = VK_FILTER_NEAREST;
  VkFilter min = VK_FILTER_NEAREST;
  VkSamplerMipmapMode mip = VK_SAMPLER_MIPMAP_MODE_NEAREST;
  std::array<VkSamplerAddressMode, 3> address{VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                              VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                              VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
  float lod_bias = 0;
  float min_lod = 0;
  float max_lod = VK_LOD_CLAMP_NONE;
  float anisotropy = 1;
  bool compares = false;  ///< LESS_OR_EQUAL against depth (shaders.md 2.10).
  vec4f border{};

  /// All of it, as bits: a NaN is the same as itself.
  [[nodiscard]] auto words() const noexcept -> std::array<std::uint64_t, 8>;
  void hash_into(keyed_hash& hash) const noexcept {
    for (const std::uint64_t word : words()) hash.add(word);
  }
  friend auto operator==(const sampler_key& a, const sampler_key& b) noexcept -> bool {
    return a.words() == b.words();
  }
};

/// A slot's D3D9 sampler states (host.md 3.12). `can_filter` false: linear becomes point.
[[nodiscard]] auto sampler_key_of(const sampler_state_values& raw, const gpu& device,
                                  bool can_filter) noexcept -> sampler_key;
/// A sampler object.
[[nodiscard]] auto sampler_key_of(const sampler_desc& desc) noexcept -> sampler_key;

/// What a sampler handle names.
struct sampler_record {
  sampler_desc desc{};
  std::size_t place = 0;
};

class sampler_cache {
 public:
  sampler_cache(device_parts& device, const backend_options& options) noexcept;

  /// Holds for the open batch. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto resolve(const sampler_key& key) -> result<VkSampler>;

  /// Of the device, as far as they are kept.
  [[nodiscard]] auto kept() const noexcept -> std::size_t { return known_.size(); }

 private:
  [[nodiscard]] auto create(const sampler_key& key) -> result<VkSampler>;

  device_parts& device_;
  bounded_cache<sampler_key, VkSampler> known_;
};

}  // namespace aerogpu::vulkan
