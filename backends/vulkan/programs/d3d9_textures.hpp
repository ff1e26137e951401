// SPDX-License-Identifier: MIT
/// \file Textures and samplers of SM1-3 programs: what stands in their slots, and the set of
/// descriptors for it.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "aerogpu/hosted/bounded_cache.hpp"
#include "vulkan/programs/program_sources.hpp"
#include "vulkan/resources/dummy_images.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

inline constexpr std::uint32_t d3d9_image_slots =
    d3d9::vertex_sampler_binding + d3d9::vertex_sampler_count;

/// Slots by binding: 0..15 of the pixel shader, 16..19 of the vertex shader. Those that are not
/// used hold nothing.
struct d3d9_images {
  std::uint32_t used = 0;  ///< A bit for each binding that a program reads.
  std::array<image_record*, d3d9_image_slots> images{};  ///< Null = a dummy.
  std::array<VkImageView, d3d9_image_slots> views{};
  std::array<VkSampler, d3d9_image_slots> samplers{};
};

/// A set of descriptors by what it holds, wherever that is described.
struct d3d9_set_probe {
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  const d3d9_images& images;

  void hash_into(handle_hash& hash) const noexcept;
};
/// The same with its own description.
struct d3d9_set_key {
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  d3d9_images images;

  void hash_into(handle_hash& hash) const noexcept {
    d3d9_set_probe{layout, images}.hash_into(hash);
  }
  friend auto operator==(const d3d9_set_key& a, const d3d9_set_probe& b) noexcept -> bool;
};

/// What translation must know of the slots of the pixel shader.
struct d3d9_slot_kinds {
  std::array<d3d9::sampler_dimension, d3d9::sampler_count> dimensions{};
  std::uint16_t depth = 0;  ///< Slots with a depth texture.

  friend auto operator==(const d3d9_slot_kinds&, const d3d9_slot_kinds&) -> bool = default;
};
/// Whether samplers are looked up, or stay as they are in the slots.
enum class sampler_lookup : std::uint8_t { find, keep };

[[nodiscard]] auto find_slot_kinds(const stage_bindings<vulkan_backend>& stage) noexcept
    -> d3d9_slot_kinds;

class d3d9_texture_binder {
 public:
  explicit d3d9_texture_binder(const program_sources& from) noexcept
      : from_(from),
        sets_(from.options.hash_seed, {from.options.bounds.texture_sets_per_batch},
              {nullptr, [](void*, VkDescriptorSet&) noexcept {}}) {}

  /// Fills the slots that `shader` reads. With `keep`, they were filled for the same program and
  /// the same sampler states. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto resolve(const draw_state<vulkan_backend>& state, shader_stage stage,
                             const d3d9::translation& shader, sampler_lookup lookup,
                             d3d9_images& to) -> result<void>;

  /// A set of the open batch with these images, made once for each batch. Errors: as above.
  [[nodiscard]] auto resolve_set(const d3d9_images& images, VkDescriptorSetLayout layout)
      -> result<VkDescriptorSet>;
  /// An image changed its layout for good: no set that was written before holds any more.
  void forget_sets() noexcept { sets_.clear(); }

 private:
  /// What a slot takes its sampler from, beside its texture.
  struct sampler_source {
    const sampler_state_values& raw;
    bool compares;
    sampler_lookup lookup;
    dummy_color missing;  ///< What is read where no texture fits.
  };

  [[nodiscard]] auto resolve_slot(const shader_resource_ref<vulkan_backend>& from,
                                  const sampler_source& sampler, d3d9::sampler_dimension shape,
                                  std::uint32_t slot, d3d9_images& to) -> result<void>;
  void write(const d3d9_images& images, VkDescriptorSet set) noexcept;

  program_sources from_;
  std::uint64_t batch_ = 0;  ///< Whose sets are known.
  bounded_cache<d3d9_set_key, VkDescriptorSet, handle_hash>
      sets_;  ///< Of that batch, which owns them.
};

}  // namespace aerogpu::vulkan
