// SPDX-License-Identifier: MIT
#include "vulkan/pipeline/pipeline_cache.hpp"

#include "vulkan/pipeline/pipeline_cache_file.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace aerogpu::vulkan {

namespace {

auto no_memory() noexcept -> error {
  return make_error(error_code::out_of_memory, "the host has no memory for the pipeline cache");
}

}  // namespace

auto pipeline_cache::create(gpu& device, const std::string& path) noexcept
    -> result<std::unique_ptr<pipeline_cache>> {
  std::unique_ptr<pipeline_cache> made{new (std::nothrow) pipeline_cache(device, path)};
  if (made == nullptr) return no_memory();
  if (!made->path_.empty()) {
    auto loaded = load_pipeline_cache(made->path_, device.properties);
    made->saved_ = std::move(loaded.bytes);
    made->warning_ = loaded.warning;
  }
  VkPipelineCacheCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  info.initialDataSize = made->saved_.size();
  info.pInitialData = made->saved_.data();
  const VkResult code =
      device.vk.vkCreatePipelineCache(device.handle, &info, nullptr, &made->handle_);
  if (code != VK_SUCCESS) return vulkan_error(code, "vkCreatePipelineCache fails");
  return made;
}

pipeline_cache::~pipeline_cache() {
  device_.vk.vkDestroyPipelineCache(device_.handle, handle_, nullptr);
}

auto pipeline_cache::start_over() -> result<void> {
  VkPipelineCacheCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  VkPipelineCache made = VK_NULL_HANDLE;
  const VkResult code = device_.vk.vkCreatePipelineCache(device_.handle, &info, nullptr, &made);
  if (code != VK_SUCCESS) return vulkan_error(code, "vkCreatePipelineCache fails");
  device_.vk.vkDestroyPipelineCache(device_.handle, std::exchange(handle_, made), nullptr);
  return {};
}

auto pipeline_cache::save() noexcept -> result<void> {
  if (path_.empty()) return {};
  heap_array<std::byte> bytes;
  VkResult code = VK_INCOMPLETE;
  while (code == VK_INCOMPLETE) {
    std::size_t count = 0;
    code = device_.vk.vkGetPipelineCacheData(device_.handle, handle_, &count, nullptr);
    if (code != VK_SUCCESS) break;
    if (!bytes.resize(count)) return no_memory();
    code = device_.vk.vkGetPipelineCacheData(device_.handle, handle_, &count, bytes.data());
    bytes.truncate(count);
  }
  if (code != VK_SUCCESS) return vulkan_error(code, "vkGetPipelineCacheData fails");
  if (std::ranges::equal(bytes, saved_)) return {};
  if (const auto written = save_pipeline_cache(path_, bytes.view()); !written) {
    return written.why();
  }
  saved_ = std::move(bytes);
  return {};
}

}  // namespace aerogpu::vulkan
