// SPDX-License-Identifier: MIT
#include "vulkan/programs/dxbc_bindings.hpp"

#include "vulkan/memory/bound_memory.hpp"
#include "vulkan/programs/dxbc_link.hpp"
#include "vulkan/programs/dxbc_texture_shapes.hpp"
#include "vulkan/resources/sampled_view.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::vulkan {

namespace {

using dxbc::binding_kind;
using dxbc::component_class;

constexpr VkDeviceSize texel_bytes = 4;
constexpr VkDeviceSize most_constant_bytes = 64u << 10;

/// The protocol names no format of a buffer: its elements are 32 bits, of the type that the program
/// declares.
auto texel_format_of(component_class type) noexcept -> VkFormat {
  switch (type) {
    case component_class::floating: return VK_FORMAT_R32_SFLOAT;
    case component_class::signed_integer: return VK_FORMAT_R32_SINT;
    case component_class::unsigned_integer: return VK_FORMAT_R32_UINT;
  }
  return VK_FORMAT_R32_UINT;
}

}  // namespace

void dxbc_bindings::forget() noexcept {
  set_ = VK_NULL_HANDLE;
  copies_ = {};
}

auto dxbc_bindings::resolve(const stage_bindings<vulkan_backend>& bound,
                            const shader_variant& shader) -> result<void> {
  slots_.clear();
  images_.clear();
  can_filter_ = true;
  has_copies_ = writes_copies_ = false;
  for (const dxbc::binding& what : shader.compiled.bindings) {
    if (!slots_.push_back(slot{})) return no_memory_for_record();
    slots_.back().what = what;
    if (auto found = resolve_slot(bound, slots_.back()); !found) return found.why();
  }
  // Samplers last: they depend on what all textures can do.
  for (slot& to : slots_) {
    if (to.what.kind != binding_kind::sampler) continue;
    if (auto found = resolve_sampler(bound, to); !found) return found.why();
  }
  return {};
}

auto dxbc_bindings::resolve_slot(const stage_bindings<vulkan_backend>& bound, slot& to)
    -> result<void> {
  const std::size_t index = to.what.register_index;
  switch (to.what.kind) {
    case binding_kind::constant_buffer: return resolve_constants(bound, to);
    case binding_kind::texture: return resolve_texture(bound.resources[index].texture, to);
    case binding_kind::buffer_resource: return resolve_texels(bound.resources[index].buffer, to);
    case binding_kind::uav_buffer: return resolve_texels(bound.unordered_access[index], to);
    case binding_kind::sampler: return {};
  }
  return {};
}

auto dxbc_bindings::resolve_constants(const stage_bindings<vulkan_backend>& bound, slot& to)
    -> result<void> {
  const std::size_t index = to.what.register_index;
  const buffer_ref<vulkan_backend>& ref = bound.constant_buffers[index];
  if (ref.buffer == nullptr) {
    const bool is_implicit = index == 0;
    return write_constants(is_implicit ? std::as_bytes(bound.constants.floats) : const_bytes{}, to);
  }
  const VkPhysicalDeviceLimits& most = from_.device.gpu->properties.limits;
  to.buffer = ref.buffer->record;
  to.offset_bytes = ref.offset_bytes;
  to.size_bytes =
      std::min<VkDeviceSize>({ref.size_bytes, most_constant_bytes, most.maxUniformBufferRange});
  const bool is_aligned = ref.offset_bytes % most.minUniformBufferOffsetAlignment == 0;
  to.is_copied = !is_aligned || to.size_bytes < to.what.size_bytes;
  has_copies_ |= to.is_copied;
  if (!to.is_copied) to.now = {to.buffer->handle, to.offset_bytes, to.size_bytes};
  return {};
}

/// What the program declares: as much of `content` as there is, and zeros.
auto dxbc_bindings::write_constants(const_bytes content, slot& to) -> result<void> {
  const VkDeviceSize alignment =
      from_.device.gpu->properties.limits.minUniformBufferOffsetAlignment;
  const auto block = from_.device.work.current().uploads.allocate(to.what.size_bytes, alignment);
  if (!block) return block.why();
  const std::size_t present = std::min<std::size_t>(content.size(), to.what.size_bytes);
  if (present != 0) std::memcpy(block->bytes.data(), content.data(), present);
  std::memset(block->bytes.data() + present, 0, block->bytes.size() - present);
  to.now = {block->buffer, block->offset_bytes, to.what.size_bytes};
  return {};
}

auto dxbc_bindings::resolve_texels(const buffer_ref<vulkan_backend>& ref, slot& to)
    -> result<void> {
  const gpu& device = *from_.device.gpu;
  const VkPhysicalDeviceLimits& most = device.properties.limits;
  const VkFormat format = texel_format_of(to.what.delivers);
  const VkDeviceSize size =
      std::min<VkDeviceSize>(ref.size_bytes / texel_bytes, most.maxTexelBufferElements) *
      texel_bytes;
  if (ref.buffer == nullptr || size == 0) {
    if (device.features.null_descriptor) return {};
    // Zeros, of which nobody else can see what is written.
    const auto zeros = from_.device.work.current().uploads.allocate(
        texel_bytes, most.minTexelBufferOffsetAlignment);
    if (!zeros) return zeros.why();
    std::memset(zeros->bytes.data(), 0, zeros->bytes.size());
    const auto view = make_texel_view(*zeros, format);
    if (!view) return view.why();
    to.now.texels = *view;
    return {};
  }
  to.buffer = ref.buffer->record;
  to.offset_bytes = ref.offset_bytes;
  to.size_bytes = size;
  to.is_copied = ref.offset_bytes % most.minTexelBufferOffsetAlignment != 0;
  has_copies_ |= to.is_copied;
  writes_copies_ |= to.is_copied && to.what.kind == binding_kind::uav_buffer;
  if (to.is_copied) return {};
  const auto view = from_.resources.view(*to.buffer, format, to.offset_bytes, size);
  if (!view) return view.why();
  to.now.texels = *view;
  return {};
}

auto dxbc_bindings::resolve_texture(const texture_ref<vulkan_backend>& ref, slot& to)
    -> result<void> {
  const texture_shape_row& shape = shape_of(to.what.dimension);
  to.now.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
  const bool compares = to.what.is_comparison;
  to.now.image =
      from_.dummies.view(compares ? dummy_color::depth : dummy_color::opaque_black, shape.dummy);
  if (ref.texture == nullptr) return {};
  const texture_view_desc range = range_of(ref);
  if (!fits(shape, *ref.desc, range)) return {};
  if (compares && !find_format(range.format)->is_depth()) return {};
  image_record& image = *ref.texture->record;
  const auto view = from_.resources.view(image, sampled_view_key(image, range, shape.view, false));
  if (!view) return view.why();
  to.image = &image;
  to.now.image = *view;
  if (!images_.push_back(&image)) return no_memory_for_record();
  can_filter_ &= image.format->can_filter;
  return {};
}

auto dxbc_bindings::resolve_sampler(const stage_bindings<vulkan_backend>& bound, slot& to)
    -> result<void> {
  const vulkan_sampler* const sampler = bound.samplers[to.what.register_index];
  sampler_key key = sampler != nullptr ? sampler_key_of(sampler->record->desc) : sampler_key{};
  // Which texture a sampler meets is up to the program: any of them.
  if (!can_filter_) {
    key.mag = key.min = VK_FILTER_NEAREST;
    key.mip = VK_SAMPLER_MIPMAP_MODE_NEAREST;
  }
  key.compares = to.what.is_comparison;
  const auto found = from_.samplers.resolve(key);
  if (!found) return found.why();
  to.now.sampler = *found;
  return {};
}

auto dxbc_bindings::make_texel_view(const transfer_range& range, VkFormat format)
    -> result<VkBufferView> {
  const auto view = create_texel_view(*from_.device.gpu, range.buffer, format, range.offset_bytes,
                                      range.bytes.size());
  if (!view) return view.why();
  from_.device.work.note_created();
  from_.device.work.discard(VK_OBJECT_TYPE_BUFFER_VIEW, *view);
  return *view;
}

auto dxbc_bindings::copy_in() -> result<void> {
  if (!has_copies_) return {};
  for (slot& to : slots_) {
    if (!to.is_copied) continue;
    if (auto copied = copy_in(to); !copied) return copied.why();
  }
  return {};
}

auto dxbc_bindings::copy_in(slot& to) -> result<void> {
  device_parts& device = from_.device;
  const VkPhysicalDeviceLimits& most = device.gpu->properties.limits;
  const bool is_constant = to.what.kind == binding_kind::constant_buffer;
  const VkDeviceSize alignment =
      is_constant ? most.minUniformBufferOffsetAlignment : most.minTexelBufferOffsetAlignment;
  const VkDeviceSize size = std::max<VkDeviceSize>(to.size_bytes, to.what.size_bytes);
  const auto range = device.work.current().uploads.allocate(size, alignment);
  if (!range) return range.why();
  std::memset(range->bytes.data(), 0, range->bytes.size());
  command_stream& main = device.main_outside_pass();
  auto used = from_.resources.use_in_main(*to.buffer, access_kind::read);
  if (!used) return used.why();
  main.use_scratch(copies_);
  const VkBufferCopy region{to.offset_bytes, range->offset_bytes, to.size_bytes};
  device.vk().vkCmdCopyBuffer(main.record(), to.buffer->handle, range->buffer, 1, &region);
  to.now.buffer = range->buffer;
  to.now.offset_bytes = range->offset_bytes;
  to.now.size_bytes = size;
  if (is_constant) return {};
  const auto view = make_texel_view(*range, texel_format_of(to.what.delivers));
  if (!view) return view.why();
  to.now.texels = *view;
  return {};
}

auto dxbc_bindings::use() -> result<void> {
  for (slot& to : slots_) {
    if (to.image != nullptr) {
      from_.resources.use_in_main(*to.image, image_use::sampled);
      to.now.layout = layout_of(*to.image, image_use::sampled);
    }
    if (to.buffer == nullptr || to.is_copied) continue;
    const bool writes = to.what.kind == binding_kind::uav_buffer;
    auto used =
        from_.resources.use_in_main(*to.buffer, writes ? access_kind::write : access_kind::read);
    if (!used) return used.why();
  }
  if (has_copies_) {
    from_.device.work.main().use(copies_, writes_copies_ ? access_kind::write : access_kind::read);
  }
  return {};
}

auto dxbc_bindings::copy_out() -> result<void> {
  if (!writes_copies_) return {};
  device_parts& device = from_.device;
  command_stream& main = device.main_outside_pass();
  for (const slot& from : slots_) {
    if (!from.is_copied || from.what.kind != binding_kind::uav_buffer) continue;
    main.use(copies_, access_kind::read);
    main.use(*from.buffer, access_kind::write);
    const VkBufferCopy region{from.now.offset_bytes, from.offset_bytes, from.size_bytes};
    device.vk().vkCmdCopyBuffer(main.record(), from.now.buffer, from.buffer->handle, 1, &region);
  }
  return {};
}

auto dxbc_bindings::resolve_set(VkDescriptorSetLayout layout) -> result<VkDescriptorSet> {
  const auto is_same = [](const slot& now, const dxbc_descriptor& then) { return now.now == then; };
  if (set_ != VK_NULL_HANDLE && layout_ == layout &&
      std::ranges::equal(slots_, written_, is_same)) {
    return set_;
  }
  const auto set = from_.device.work.allocate_set(layout);
  if (!set) return set.why();
  set_ = *set;
  layout_ = layout;
  if (auto written = write_set(); !written) {
    set_ = VK_NULL_HANDLE;
    return written.why();
  }
  return set_;
}

auto dxbc_bindings::write_set() noexcept -> result<void> {
  written_.clear();
  buffer_infos_.clear();
  image_infos_.clear();
  writes_.clear();
  const std::size_t count = slots_.size();
  if (!written_.reserve(count) || !buffer_infos_.reserve(count) || !image_infos_.reserve(count) ||
      !writes_.reserve(count)) {
    return no_memory_for_record();
  }
  for (const slot& from : slots_) {
    const dxbc_descriptor& now = from.now;
    AEROGPU_CHECK(written_.push_back(now));
    AEROGPU_CHECK(buffer_infos_.push_back({now.buffer, now.offset_bytes, now.size_bytes}));
    AEROGPU_CHECK(image_infos_.push_back({now.sampler, now.image, now.layout}));
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set_;
    write.dstBinding = from.what.slot;
    write.descriptorCount = 1;
    write.descriptorType = descriptor_type_of(from.what.kind);
    write.pImageInfo = &image_infos_.back();
    write.pBufferInfo = &buffer_infos_.back();
    write.pTexelBufferView = &written_.back().texels;
    AEROGPU_CHECK(writes_.push_back(write));
  }
  from_.device.vk().vkUpdateDescriptorSets(
      from_.device.gpu->handle, static_cast<std::uint32_t>(count), writes_.data(), 0, nullptr);
  return {};
}

}  // namespace aerogpu::vulkan
