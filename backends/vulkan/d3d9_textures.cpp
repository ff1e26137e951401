#include "vulkan/d3d9_textures.hpp"

#include "vulkan/hash.hpp"
#include "vulkan/sampled_view.hpp"

#include <algorithm>
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

template <class T, std::size_t N>
auto bytes_in(const std::array<T, N>& all) noexcept -> const_bytes {
  return std::as_bytes(std::span{all});
}

auto hash_of(const d3d9_images& images) noexcept -> std::uint64_t {
  const std::uint64_t views = hash_bytes(bytes_in(images.views), images.used);
  return hash_bytes(bytes_in(images.samplers), views);
}

}  // namespace

auto find_slot_kinds(const stage_bindings<vulkan_backend>& stage) noexcept -> d3d9_slot_kinds {
  d3d9_slot_kinds kinds;
  for (std::uint32_t i = 0; i < std::min(stage.resource_limit, d3d9::sampler_count); ++i) {
    const texture_ref<vulkan_backend>& texture = stage.resources[i].texture;
    if (texture.texture == nullptr) continue;
    const texture_view_desc range = range_of(texture);
    if (is_cube(*texture.desc, range)) kinds.dimensions[i] = d3d9::sampler_dimension::cube;
    if (texture.texture->record->format->wire->is_depth()) {
      kinds.depth = static_cast<std::uint16_t>(kinds.depth | 1u << i);
    }
  }
  return kinds;
}

auto d3d9_texture_binder::resolve(const draw_state<vulkan_backend>& state, shader_stage stage,
                                  const d3d9::translation& shader, d3d9_images& to)
    -> result<void> {
  const bool is_vertex = stage == shader_stage::vertex;
  const auto& bindings = state.stages[static_cast<std::size_t>(stage)];
  const auto& raw = state.d3d9->sampler_states[is_vertex ? 0 : 1];
  constexpr shader_resource_ref<vulkan_backend> nothing;
  for (std::uint32_t i = 0; i < d3d9::sampler_count; ++i) {
    if ((shader.samplers >> i & 1u) == 0) continue;
    const auto& from = i < bindings.resource_limit ? bindings.resources[i] : nothing;
    const bool compares = (shader.depth_samplers >> i & 1u) != 0;
    const std::uint32_t slot = is_vertex ? d3d9::vertex_sampler_binding + i : i;
    auto resolved = resolve_slot(from, raw[i], shader.dimensions[i], compares, slot, to);
    if (!resolved) return resolved.why();
  }
  return {};
}

auto d3d9_texture_binder::resolve_slot(const shader_resource_ref<vulkan_backend>& from,
                                       const sampler_state_values& raw,
                                       d3d9::sampler_dimension shape, bool compares,
                                       std::uint32_t slot, d3d9_images& to) -> result<void> {
  to.used |= 1u << slot;
  to.images[slot] = nullptr;
  to.views[slot] = dummies_.view(dummy_color::white, dummy_shape_of(shape));
  bool can_filter = true;
  const texture_ref<vulkan_backend>& texture = from.texture;
  if (texture.texture != nullptr) {
    const texture_view_desc range = range_of(texture);
    if (fits_shape(*texture.desc, range, shape)) {
      image_record& image = *texture.texture->record;
      const bool is_face_set = shape == d3d9::sampler_dimension::cube;
      image_view_key key = sampled_view_key(
          image, range, is_face_set ? VK_IMAGE_VIEW_TYPE_CUBE : VK_IMAGE_VIEW_TYPE_2D,
          raw[d3dsamp_srgbtexture] != 0);
      if (!is_face_set) key.array_layer_count = 1;
      const auto view = resources_.view(image, key);
      if (!view) return view.why();
      to.images[slot] = &image;
      to.views[slot] = *view;
      can_filter = image.format->can_filter;
    }
  }
  sampler_key key = sampler_key_of(raw, *device_->gpu, can_filter);
  key.compares = compares;
  const auto sampler = samplers_.find(key);
  if (!sampler) return sampler.why();
  to.samplers[slot] = *sampler;
  return {};
}

auto d3d9_texture_binder::find_set(const d3d9_images& images, VkDescriptorSetLayout layout)
    -> result<VkDescriptorSet> {
  const std::uint64_t batch = device_->work.current().number;
  if (batch != batch_) sets_.clear();
  batch_ = batch;
  const std::uint64_t hash = hash_of(images);
  const auto [first, last] = sets_.equal_range(hash);
  for (auto at = first; at != last; ++at) {
    const known_set& known = at->second;
    if (known.layout == layout && known.images.used == images.used &&
        known.images.images == images.images && known.images.views == images.views &&
        known.images.samplers == images.samplers) {
      return known.handle;
    }
  }
  const auto set = device_->work.allocate_set(layout);
  if (!set) return set.why();
  write(images, *set);
  sets_.emplace(hash, known_set{layout, images, *set});
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
  device_->vk().vkUpdateDescriptorSets(device_->gpu->handle, count, writes.data(), 0, nullptr);
}

}  // namespace aerogpu::vulkan
