/// \file Descriptor and pipeline layouts: one for each set of registers that programs use.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/device_parts.hpp"
#include "vulkan/shader_store.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace aerogpu::vulkan {

inline constexpr std::size_t most_descriptor_sets = dxbc::descriptor_set_count;

/// A pipeline layout with the sets that it is made of. Set numbers follow dxbc::descriptor_set_of
/// for SM4+ programs; SM1-3 ones have constants in set 0 and samplers in set 1.
struct pipeline_layout {
  std::uint32_t id = 0;
  VkPipelineLayout handle = VK_NULL_HANDLE;
  std::array<VkDescriptorSetLayout, most_descriptor_sets> sets{};
  std::uint32_t set_count = 0;
};

/// One binding of a set.
struct set_binding {
  std::uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  VkShaderStageFlags stages = 0;

  friend auto operator==(const set_binding&, const set_binding&) -> bool = default;
};

class pipeline_layouts {
 public:
  explicit pipeline_layouts(device_parts*& device) noexcept : device_(device) {}

  /// For SM1-3 programs. `samplers` has bits 0..15 for s# of the pixel shader and 16..19 for those
  /// of the vertex shader. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto find_d3d9(std::uint32_t samplers) -> result<const pipeline_layout*>;
  /// For SM4+ programs. Sets beyond `sets` do not exist. Errors: as above.
  [[nodiscard]] auto find(std::span<const std::vector<set_binding>> sets)
      -> result<const pipeline_layout*>;

  /// Gives all up, once the device's work is done.
  void destroy_objects();

 private:
  struct known_set {
    std::vector<set_binding> bindings;
    VkDescriptorSetLayout handle;
  };
  struct known_layout {
    pipeline_layout layout;
    bool has_push_constants;
  };

  [[nodiscard]] auto find_set(std::span<const set_binding> bindings)
      -> result<VkDescriptorSetLayout>;
  [[nodiscard]] auto find_layout(std::span<const VkDescriptorSetLayout> sets,
                                 bool has_push_constants) -> result<const pipeline_layout*>;

  device_parts*& device_;
  std::vector<known_set> sets_;
  std::deque<known_layout> layouts_;  ///< Addresses are stable.
};

}  // namespace aerogpu::vulkan
