#include "vulkan/pipeline_layouts.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::vulkan {

void pipeline_layouts::destroy_objects() {
  for (const known_layout& known : layouts_) {
    device_->work.discard(VK_OBJECT_TYPE_PIPELINE_LAYOUT, known.layout.handle);
  }
  for (const known_set& known : sets_) {
    device_->work.discard(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, known.handle);
  }
  layouts_.clear();
  sets_.clear();
}

auto pipeline_layouts::find_d3d9(std::uint32_t samplers) -> result<const pipeline_layout*> {
  constexpr std::array<set_binding, 2> constants{
      {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, VK_SHADER_STAGE_VERTEX_BIT},
       {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, VK_SHADER_STAGE_FRAGMENT_BIT}}};
  std::vector<set_binding> images;
  for (std::uint32_t i = 0; i < d3d9::vertex_sampler_binding + d3d9::vertex_sampler_count; ++i) {
    if ((samplers >> i & 1u) == 0) continue;
    const bool is_vertex = i >= d3d9::vertex_sampler_binding;
    images.push_back({i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                      static_cast<VkShaderStageFlags>(is_vertex ? VK_SHADER_STAGE_VERTEX_BIT
                                                                : VK_SHADER_STAGE_FRAGMENT_BIT)});
  }
  const auto constant_set = find_set(constants);
  if (!constant_set) return constant_set.why();
  const auto image_set = find_set(images);
  if (!image_set) return image_set.why();
  return find_layout(std::array{*constant_set, *image_set}, true);
}

auto pipeline_layouts::find(std::span<const std::vector<set_binding>> sets)
    -> result<const pipeline_layout*> {
  std::array<VkDescriptorSetLayout, most_descriptor_sets> handles{};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto found = find_set(sets[i]);
    if (!found) return found.why();
    handles[i] = *found;
  }
  return find_layout(std::span{handles}.first(sets.size()), false);
}

auto pipeline_layouts::find_set(std::span<const set_binding> bindings)
    -> result<VkDescriptorSetLayout> {
  for (const known_set& known : sets_) {
    if (std::ranges::equal(known.bindings, bindings)) return known.handle;
  }
  std::vector<VkDescriptorSetLayoutBinding> rows;
  for (const set_binding& from : bindings) {
    rows.push_back({from.binding, from.type, 1, from.stages, nullptr});
  }
  VkDescriptorSetLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.bindingCount = static_cast<std::uint32_t>(rows.size());
  info.pBindings = rows.data();
  const gpu& device = *device_->gpu;
  VkDescriptorSetLayout handle = VK_NULL_HANDLE;
  const auto created =
      device.vk.vkCreateDescriptorSetLayout(device.handle, &info, nullptr, &handle);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a descriptor layout fails");
  sets_.push_back({{bindings.begin(), bindings.end()}, handle});
  return handle;
}

auto pipeline_layouts::find_layout(std::span<const VkDescriptorSetLayout> sets,
                                   bool has_push_constants) -> result<const pipeline_layout*> {
  for (const known_layout& known : layouts_) {
    if (known.has_push_constants == has_push_constants && known.layout.set_count == sets.size() &&
        std::equal(sets.begin(), sets.end(), known.layout.sets.begin())) {
      return &known.layout;
    }
  }
  constexpr VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                                     sizeof(d3d9::push_constants)};
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = static_cast<std::uint32_t>(sets.size());
  info.pSetLayouts = sets.data();
  info.pushConstantRangeCount = has_push_constants ? 1 : 0;
  info.pPushConstantRanges = &push;
  const gpu& device = *device_->gpu;
  known_layout made{};
  made.has_push_constants = has_push_constants;
  made.layout.id = static_cast<std::uint32_t>(layouts_.size() + 1);
  made.layout.set_count = info.setLayoutCount;
  std::ranges::copy(sets, made.layout.sets.begin());
  const auto created =
      device.vk.vkCreatePipelineLayout(device.handle, &info, nullptr, &made.layout.handle);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a pipeline layout fails");
  layouts_.push_back(made);
  return &layouts_.back().layout;
}

}  // namespace aerogpu::vulkan
