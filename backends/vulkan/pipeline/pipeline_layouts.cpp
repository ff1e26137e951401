// SPDX-License-Identifier: MIT
#include "vulkan/pipeline/pipeline_layouts.hpp"

#include "vulkan/memory/record_list.hpp"

#include <utility>

namespace aerogpu::vulkan {

pipeline_layouts::pipeline_layouts(device_parts& device, const backend_options& options) noexcept
    : device_(device),
      sets_(options.hash_seed, {options.bounds.descriptor_set_layouts},
            {this,
             [](void* all, set_layout& old) noexcept {
               static_cast<pipeline_layouts*>(all)->device_.work.discard(
                   VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, old.handle);
             }}),
      layouts_(options.hash_seed, {options.bounds.pipeline_layouts},
               {this, [](void* all, known_layout& old) noexcept {
                  static_cast<pipeline_layouts*>(all)->discard(std::move(old.layout));
                }}) {}

void pipeline_layouts::discard(std::unique_ptr<pipeline_layout> old) noexcept {
  device_.work.discard(VK_OBJECT_TYPE_PIPELINE_LAYOUT, old->handle);
  retired_.add(std::move(old), device_.work.submitted() + 1);
}

auto pipeline_layouts::resolve_d3d9(std::uint32_t samplers) -> result<const pipeline_layout*> {
  constexpr std::array<set_binding, 2> constants{
      {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, VK_SHADER_STAGE_VERTEX_BIT},
       {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, VK_SHADER_STAGE_FRAGMENT_BIT}}};
  constexpr std::uint32_t slots = d3d9::vertex_sampler_binding + d3d9::vertex_sampler_count;
  fixed_vector<set_binding, slots> images;
  for (std::uint32_t i = 0; i < slots; ++i) {
    if ((samplers >> i & 1u) == 0) continue;
    const bool is_vertex = i >= d3d9::vertex_sampler_binding;
    AEROGPU_CHECK(images.push_back(
        {i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
         static_cast<VkShaderStageFlags>(is_vertex ? VK_SHADER_STAGE_VERTEX_BIT
                                                   : VK_SHADER_STAGE_FRAGMENT_BIT)}));
  }
  pinned_sets sets{sets_};
  if (auto found = resolve_set(constants, sets); !found) return found.why();
  if (auto found = resolve_set(std::span{images.begin(), images.end()}, sets); !found)
    return found.why();
  return resolve_layout(std::move(sets), true);
}

auto pipeline_layouts::resolve(std::span<const heap_array<set_binding>> bindings)
    -> result<const pipeline_layout*> {
  pinned_sets sets{sets_};
  for (const auto& each : bindings) {
    if (auto found = resolve_set(each.view(), sets); !found) return found.why();
  }
  return resolve_layout(std::move(sets), false);
}

auto pipeline_layouts::resolve_set(std::span<const set_binding> bindings, pinned_sets& to)
    -> result<void> {
  const set_layout_probe probe{bindings};
  set_cache::entry* found = sets_.find(probe);
  if (found == nullptr) {
    set_layout_key key;
    if (!key.bindings.resize(bindings.size())) return no_memory_for_record();
    std::ranges::copy(bindings, key.bindings.begin());
    const auto handle = create_set(bindings);
    if (!handle) return handle.why();
    found = sets_.insert(std::move(key), {next_id_++, *handle});
    if (found == nullptr) {
      device_.work.discard(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, *handle);
      return no_memory_for_record();
    }
  }
  to.add(*found);
  return {};
}

auto pipeline_layouts::create_set(std::span<const set_binding> bindings)
    -> result<VkDescriptorSetLayout> {
  heap_array<VkDescriptorSetLayoutBinding> rows;
  if (!rows.resize(bindings.size())) return no_memory_for_record();
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    rows[i] = {bindings[i].binding, bindings[i].type, 1, bindings[i].stages, nullptr};
  }
  VkDescriptorSetLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.bindingCount = static_cast<std::uint32_t>(rows.size());
  info.pBindings = rows.begin();
  const gpu& device = *device_.gpu;
  VkDescriptorSetLayout handle = VK_NULL_HANDLE;
  const auto created =
      device.vk.vkCreateDescriptorSetLayout(device.handle, &info, nullptr, &handle);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a descriptor layout fails");
  device_.work.note_created();
  return handle;
}

auto pipeline_layouts::resolve_layout(pinned_sets&& sets, bool has_push_constants)
    -> result<const pipeline_layout*> {
  const auto from = sets.view();
  pipeline_layout_key key;
  key.has_push_constants = has_push_constants;
  for (std::size_t i = 0; i < from.size(); ++i) key.sets[i] = from[i]->value.id;
  if (const auto* const known = layouts_.find(key)) return known->value.layout.get();
  auto made = make_record<pipeline_layout>();
  if (made == nullptr) return no_memory_for_record();
  made->id = next_id_++;
  made->set_count = static_cast<std::uint32_t>(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) made->sets[i] = from[i]->value.handle;
  if (auto created = create_layout(*made, has_push_constants); !created) return created.why();
  const VkPipelineLayout handle = made->handle;
  if (const auto* const added = layouts_.insert(key, {std::move(made), std::move(sets)})) {
    return added->value.layout.get();
  }
  device_.work.discard(VK_OBJECT_TYPE_PIPELINE_LAYOUT, handle);
  return no_memory_for_record();
}

auto pipeline_layouts::create_layout(pipeline_layout& made, bool has_push_constants)
    -> result<void> {
  constexpr VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0,
                                     sizeof(d3d9::push_constants)};
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = made.set_count;
  info.pSetLayouts = made.sets.data();
  info.pushConstantRangeCount = has_push_constants ? 1 : 0;
  info.pPushConstantRanges = &push;
  const gpu& device = *device_.gpu;
  const auto created =
      device.vk.vkCreatePipelineLayout(device.handle, &info, nullptr, &made.handle);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a pipeline layout fails");
  device_.work.note_created();
  return {};
}

}  // namespace aerogpu::vulkan
