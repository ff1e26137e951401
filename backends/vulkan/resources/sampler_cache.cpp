// SPDX-License-Identifier: MIT
#include "vulkan/resources/sampler_cache.hpp"

#include "aerogpu/abi/cmd_binding.h"
#include "aerogpu/core/bytes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// Keeps the choice between min and mag filter while it pins the level.
constexpr float one_level = 0.25f;

auto address_of(texture_address address, bool has_mirror_once) noexcept -> VkSamplerAddressMode {
  switch (address) {
    case texture_address::wrap: return VK_SAMPLER_ADDRESS_MODE_REPEAT;
    case texture_address::mirror: return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
    case texture_address::clamp: return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    case texture_address::border: return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    case texture_address::mirror_once:
      return has_mirror_once ? VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE
                             : VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
  }
  return VK_SAMPLER_ADDRESS_MODE_REPEAT;
}

struct border_choice {
  vec4f color;
  VkBorderColor value;
};
constexpr std::array<border_choice, 3> fixed_borders{
    {{{0, 0, 0, 0}, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK},
     {{0, 0, 0, 1}, VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK},
     {{1, 1, 1, 1}, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE}}};

auto distance(const vec4f& a, const vec4f& b) noexcept -> float {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

auto nearest_border(const vec4f& color) noexcept -> const border_choice& {
  return *std::ranges::min_element(fixed_borders, {}, [&](const border_choice& choice) {
    return distance(choice.color, color);
  });
}

}  // namespace

auto sampler_key::words() const noexcept -> std::array<std::uint64_t, 8> {
  const auto pair = [](auto high, auto low) {
    return std::uint64_t{std::bit_cast<std::uint32_t>(high)} << 32 |
           std::bit_cast<std::uint32_t>(low);
  };
  return {pair(mag, min),
          pair(mip, std::uint32_t{compares}),
          pair(address[0], address[1]),
          pair(address[2], lod_bias),
          pair(min_lod, max_lod),
          pair(anisotropy, border[0]),
          pair(border[1], border[2]),
          pair(border[3], 0u)};
}

auto sampler_key_of(const sampler_state_values& raw, const gpu& device, bool can_filter) noexcept
    -> sampler_key {
  const d3d9_sampler state = decode_sampler(raw);
  const auto filter_of = [&](texture_filter filter) {
    return filter != texture_filter::point && can_filter ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  };
  sampler_key key;
  key.mag = filter_of(state.mag);
  key.min = filter_of(state.min);
  bool has_border = false;
  for (std::size_t i = 0; i < key.address.size(); ++i) {
    key.address[i] = address_of(state.address[i], device.features.mirror_clamp_to_edge);
    has_border |= state.address[i] == texture_address::border;
  }
  if (has_border) key.border = state.border;
  key.min_lod = static_cast<float>(state.max_mip_level);
  if (state.mip == mip_filter::none) {
    key.max_lod = key.min_lod + one_level;
  } else {
    if (state.mip == mip_filter::linear && can_filter) key.mip = VK_SAMPLER_MIPMAP_MODE_LINEAR;
    const float bias = std::bit_cast<float>(raw[d3dsamp_mipmaplodbias]);
    const float most = device.properties.limits.maxSamplerLodBias;
    if (!std::isnan(bias)) key.lod_bias = std::clamp(bias, -most, most);
  }
  const bool is_anisotropic =
      state.mag == texture_filter::anisotropic || state.min == texture_filter::anisotropic;
  if (is_anisotropic && can_filter && device.features.anisotropy) {
    key.anisotropy = std::min(static_cast<float>(state.max_anisotropy),
                              device.properties.limits.maxSamplerAnisotropy);
  }
  return key;
}

auto sampler_key_of(const sampler_desc& desc) noexcept -> sampler_key {
  constexpr auto address = [](std::uint32_t mode) {
    switch (mode) {
      case AEROGPU_SAMPLER_ADDRESS_REPEAT: return VK_SAMPLER_ADDRESS_MODE_REPEAT;
      case AEROGPU_SAMPLER_ADDRESS_MIRROR_REPEAT: return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
      default: return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    }
  };
  sampler_key key;
  if (desc.filter == AEROGPU_SAMPLER_FILTER_LINEAR) {
    key.mag = key.min = VK_FILTER_LINEAR;
    key.mip = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  }
  key.address = {address(desc.address_u), address(desc.address_v), address(desc.address_w)};
  return key;
}

sampler_cache::sampler_cache(device_parts& device, const backend_options& options) noexcept
    : device_(device),
      known_(options.hash_seed, {options.bounds.samplers},
             {this, [](void* store, VkSampler& old) noexcept {
                static_cast<sampler_cache*>(store)->device_.work.discard(VK_OBJECT_TYPE_SAMPLER,
                                                                         old);
              }}) {}

auto sampler_cache::resolve(const sampler_key& key) -> result<VkSampler> {
  if (const auto* const known = known_.find(key)) return known->value;
  auto made = create(key);
  if (!made) return made.why();
  if (known_.insert(key, VkSampler{*made}) != nullptr) return *made;
  device_.work.discard(VK_OBJECT_TYPE_SAMPLER, *made);
  return no_memory_for_record();
}

auto sampler_cache::create(const sampler_key& key) -> result<VkSampler> {
  const gpu& device = *device_.gpu;
  const border_choice& border = nearest_border(key.border);
  const bool is_custom = border.color != key.border && device.features.custom_border_color;
  VkSamplerCustomBorderColorCreateInfoEXT custom{};
  custom.sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT;
  std::ranges::copy(key.border, custom.customBorderColor.float32);
  VkSamplerCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  info.pNext = is_custom ? &custom : nullptr;
  info.magFilter = key.mag;
  info.minFilter = key.min;
  info.mipmapMode = key.mip;
  info.addressModeU = key.address[0];
  info.addressModeV = key.address[1];
  info.addressModeW = key.address[2];
  info.mipLodBias = key.lod_bias;
  info.anisotropyEnable = key.anisotropy > 1 ? VK_TRUE : VK_FALSE;
  info.maxAnisotropy = key.anisotropy;
  info.compareEnable = key.compares ? VK_TRUE : VK_FALSE;
  info.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  info.minLod = key.min_lod;
  info.maxLod = key.max_lod;
  info.borderColor = is_custom ? VK_BORDER_COLOR_FLOAT_CUSTOM_EXT : border.value;
  VkSampler handle = VK_NULL_HANDLE;
  const auto created = device.vk.vkCreateSampler(device.handle, &info, nullptr, &handle);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a sampler fails");
  device_.work.note_created();
  return handle;
}

}  // namespace aerogpu::vulkan
