/// \file Textures and samplers of SM1-3 programs: what stands in their slots, and the set of
/// descriptors for it.
#pragma once

#include "aerogpu/processor/draw.hpp"
#include "vulkan/dummy_images.hpp"
#include "vulkan/resource_store.hpp"
#include "vulkan/sampler_store.hpp"
#include "vulkan/shader_store.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>

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
  d3d9_texture_binder(device_parts*& device, resource_store& resources, sampler_store& samplers,
                      dummy_images& dummies) noexcept
      : device_(device), resources_(resources), samplers_(samplers), dummies_(dummies) {}

  /// Fills the slots that `shader` reads. With `keep`, they were filled for the same program and
  /// the same sampler states. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto resolve(const draw_state<vulkan_backend>& state, shader_stage stage,
                             const d3d9::translation& shader, sampler_lookup lookup,
                             d3d9_images& to) -> result<void>;

  /// A set of the open batch with these images, made once for each batch. Errors: as above.
  [[nodiscard]] auto find_set(const d3d9_images& images, VkDescriptorSetLayout layout)
      -> result<VkDescriptorSet>;
  /// An image changed its layout for good: no set that was written before holds any more.
  void forget_sets() noexcept { sets_.clear(); }

 private:
  struct known_set {
    VkDescriptorSetLayout layout;
    d3d9_images images;
    VkDescriptorSet handle;
  };

  /// What a slot takes its sampler from, beside its texture.
  struct sampler_source {
    const sampler_state_values& raw;
    bool compares;
    sampler_lookup lookup;
  };

  [[nodiscard]] auto resolve_slot(const shader_resource_ref<vulkan_backend>& from,
                                  const sampler_source& sampler, d3d9::sampler_dimension shape,
                                  std::uint32_t slot, d3d9_images& to) -> result<void>;
  void write(const d3d9_images& images, VkDescriptorSet set) noexcept;

  device_parts*& device_;
  resource_store& resources_;
  sampler_store& samplers_;
  dummy_images& dummies_;
  std::uint64_t batch_ = 0;  ///< Whose sets are known.
  std::unordered_multimap<std::uint64_t, known_set> sets_;
};

}  // namespace aerogpu::vulkan
