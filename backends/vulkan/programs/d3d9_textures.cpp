// SPDX-License-Identifier: MIT
#include "vulkan/programs/d3d9_textures.hpp"

#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "vulkan/programs/d3d9_render_states.hpp"
#include "vulkan/resources/sampled_view.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace aerogpu::vulkan {

namespace {

auto is_cube(const texture_desc& desc, const texture_view_desc& range) noexcept -> bool {
  return desc.width == desc.height && range.array_layer_count == cube_faces;
}

auto dummy_shape_of(d3d9::sampler_dimension shape) noexcept -> dummy_shape {
  switch (shape) {
    case d3d9::sampler_dimension::cube: return dummy_shape::cube;
    case d3d9::sampler_dimension::volume: return dummy_shape::volume;
    default: return dummy_shape::image_2d;
  }
}

/// Whether a texture fits a sampler of this shape (host.md 3.13, shaders.md 2.9).
auto fits_shape(const texture_desc& desc, const texture_view_desc& range,
                d3d9::sampler_dimension shape) noexcept -> bool {
  switch (shape) {
    case d3d9::sampler_dimension::image_2d: return !is_cube(desc, range);
    case d3d9::sampler_dimension::cube: return is_cube(desc, range);
    default: return false;
  }
}

auto can_filter(const image_record* image) noexcept -> bool {
  return image == nullptr || image->format->can_filter;
}

/// Most programs read few of the slots.
auto take_lowest(std::uint32_t& bits) noexcept -> std::uint32_t {
  const auto lowest = static_cast<std::uint32_t>(std::countr_zero(bits));
  bits &= bits - 1;
  return lowest;
}

auto is_same(const d3d9_images& a, const d3d9_images& b) noexcept -> bool {
  if (a.used != b.used) return false;
  for (std::uint32_t left = a.used; left != 0;) {
    const std::uint32_t i = take_lowest(left);
    if (a.images[i] != b.images[i] || a.views[i] != b.views[i] || a.samplers[i] != b.samplers[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

void d3d9_set_probe::hash_into(handle_hash& hash) const noexcept {
  hash.add((std::uint64_t)layout);
  for (std::uint32_t left = images.used; left != 0;) {
    const std::uint32_t i = take_lowest(left);
    hash.add((std::uint64_t)images.views[i]);
    hash.add((std::uint64_t)images.samplers[i] + i);
  }
}

auto operator==(const d3d9_set_key& a, const d3d9_set_probe& b) noexcept -> bool {
  return a.layout == b.layout && is_same(a.images, b.images);
}

auto find_slot_kinds(const stage_bindings<vulkan_backend>& stage) noexcept -> d3d9_slot_kinds {
  d3d9_slot_kinds kinds;
  for (std::uint32_t i = 0; i < std::min(stage.resource_limit, d3d9::sampler_count); ++i) {
    const texture_ref<vulkan_backend>& texture = stage.resources[i].texture;
    if (texture.texture == nullptr) continue;
    const texture_view_desc range = range_of(texture);
    if (is_cube(*texture.desc, range)) {
      kinds.dimensions[i] = d3d9::sampler_dimension::cube;
    } else if (texture.texture->record->format->wire->is_depth()) {
      kinds.depth = static_cast<std::uint16_t>(kinds.depth | 1u << i);
    }
  }
  return kinds;
}

auto d3d9_texture_binder::resolve(const draw_state<vulkan_backend>& state, shader_stage stage,
                                  const d3d9::translation& shader, sampler_lookup lookup,
                                  d3d9_images& to) -> result<void> {
  const bool is_vertex = stage == shader_stage::vertex;
  const auto& bindings = state.stages[static_cast<std::size_t>(stage)];
  const auto& raw = state.d3d9->sampler_states[is_vertex ? 0 : 1];
  const bool is_black = state.d3d9->render_states[aerogpurs_unbound_textures] == 1;
  const auto missing = is_black ? dummy_color::opaque_black : dummy_color::white;
  static constexpr shader_resource_ref<vulkan_backend> nothing;
  for (std::uint32_t left = shader.samplers; left != 0;) {
    const std::uint32_t i = take_lowest(left);
    const auto& from = i < bindings.resource_limit ? bindings.resources[i] : nothing;
    const bool compares = (shader.depth_samplers >> i & 1u) != 0;
    const std::uint32_t slot = is_vertex ? d3d9::vertex_sampler_binding + i : i;
    auto resolved =
        resolve_slot(from, {raw[i], compares, lookup, missing}, shader.dimensions[i], slot, to);
    if (!resolved) return resolved.why();
  }
  return {};
}

auto d3d9_texture_binder::resolve_slot(const shader_resource_ref<vulkan_backend>& from,
                                       const sampler_source& from_sampler,
                                       d3d9::sampler_dimension shape, std::uint32_t slot,
                                       d3d9_images& to) -> result<void> {
  const bool could_filter = can_filter(to.images[slot]);
  to.used |= 1u << slot;
  to.images[slot] = nullptr;
  to.views[slot] = from_.dummies.view(from_sampler.missing, dummy_shape_of(shape));
  const texture_ref<vulkan_backend>& texture = from.texture;
  if (texture.texture != nullptr) {
    const texture_view_desc range = range_of(texture);
    if (fits_shape(*texture.desc, range, shape)) {
      image_record& image = *texture.texture->record;
      const bool is_face_set = shape == d3d9::sampler_dimension::cube;
      image_view_key key = sampled_view_key(
          image, range, is_face_set ? VK_IMAGE_VIEW_TYPE_CUBE : VK_IMAGE_VIEW_TYPE_2D,
          from_sampler.raw[d3dsamp_srgbtexture] != 0);
      if (!is_face_set) key.array_layer_count = 1;
      const auto view = from_.resources.view(image, key);
      if (!view) return view.why();
      to.images[slot] = &image;
      to.views[slot] = *view;
    }
  }
  const bool filters = can_filter(to.images[slot]);
  if (from_sampler.lookup == sampler_lookup::keep && filters == could_filter) return {};
  sampler_key key = sampler_key_of(from_sampler.raw, *from_.device.gpu, filters);
  key.compares = from_sampler.compares;
  const auto sampler = from_.samplers.resolve(key);
  if (!sampler) return sampler.why();
  to.samplers[slot] = *sampler;
  return {};
}

auto d3d9_texture_binder::resolve_set(const d3d9_images& images, VkDescriptorSetLayout layout)
    -> result<VkDescriptorSet> {
  const std::uint64_t batch = from_.device.work.current().number;
  if (batch != batch_) sets_.clear();
  batch_ = batch;
  const d3d9_set_probe probe{layout, images};
  if (const auto* const known = sets_.find(probe)) return known->value;
  const auto set = from_.device.work.allocate_set(layout);
  if (!set) return set.why();
  write(images, *set);
  // Where the heap has no place for it, the next draw makes its own.
  static_cast<void>(sets_.insert({layout, images}, VkDescriptorSet{*set}));
  return *set;
}

void d3d9_texture_binder::write(const d3d9_images& images, VkDescriptorSet set) noexcept {
  std::array<VkDescriptorImageInfo, d3d9_image_slots> infos{};
  std::array<VkWriteDescriptorSet, d3d9_image_slots> writes{};
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < d3d9_image_slots; ++i) {
    if ((images.used >> i & 1u) == 0) continue;
    const image_record* image = images.images[i];
    infos[count] = {images.samplers[i], images.views[i],
                    image != nullptr ? layout_of(*image, image_use::sampled)
                                     : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    writes[count].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[count].dstSet = set;
    writes[count].dstBinding = i;
    writes[count].descriptorCount = 1;
    writes[count].descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    writes[count].pImageInfo = &infos[count];
    ++count;
  }
  from_.device.vk().vkUpdateDescriptorSets(from_.device.gpu->handle, count, writes.data(), 0,
                                           nullptr);
}

}  // namespace aerogpu::vulkan
