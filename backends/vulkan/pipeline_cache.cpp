#include "vulkan/pipeline_cache.hpp"

#include "vulkan/pipeline_cache_file.hpp"

#include <utility>

namespace aerogpu::vulkan {

auto pipeline_cache::create(gpu& device, std::string path)
    -> result<std::unique_ptr<pipeline_cache>> {
  std::unique_ptr<pipeline_cache> made{new pipeline_cache(device, std::move(path))};
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

auto pipeline_cache::save() -> result<void> {
  if (path_.empty()) return {};
  std::vector<std::byte> bytes;
  VkResult code = VK_INCOMPLETE;
  while (code == VK_INCOMPLETE) {
    std::size_t count = 0;
    code = device_.vk.vkGetPipelineCacheData(device_.handle, handle_, &count, nullptr);
    if (code != VK_SUCCESS) break;
    bytes.resize(count);
    code = device_.vk.vkGetPipelineCacheData(device_.handle, handle_, &count, bytes.data());
    bytes.resize(count);
  }
  if (code != VK_SUCCESS) return vulkan_error(code, "vkGetPipelineCacheData fails");
  if (bytes == saved_) return {};
  if (const auto written = save_pipeline_cache(path_, bytes); !written) return written.why();
  saved_ = std::move(bytes);
  return {};
}

}  // namespace aerogpu::vulkan
