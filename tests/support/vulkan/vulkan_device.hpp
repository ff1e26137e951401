// SPDX-License-Identifier: MIT
/// \file A Vulkan device for tests of what shaders compute. It shares no code with the backend.
#pragma once

#include <volk.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace aerogpu::test {

/// A Vulkan structure of its type, all else zero.
template <class T>
auto vulkan_info(VkStructureType type) -> T {
  T info{};
  info.sType = type;
  return info;
}

/// Throws what failed and the VkResult.
void must(VkResult code, const char* call);

/// An open device with one queue. Vulkan 1.3, with shaderDemoteToHelperInvocation and stores in
/// fragment shaders.
class vulkan_device {
 public:
  enum class layers : std::uint8_t { none, validation };

  /// The first device that will do, or null. Throws where validation is wanted and not installed.
  [[nodiscard]] static auto open(layers wanted) -> std::unique_ptr<vulkan_device>;
  vulkan_device(const vulkan_device&) = delete;
  auto operator=(const vulkan_device&) -> vulkan_device& = delete;
  ~vulkan_device();

  [[nodiscard]] auto handle() const noexcept -> VkDevice { return handle_; }
  [[nodiscard]] auto vk() const noexcept -> const VolkDeviceTable& { return vk_; }
  [[nodiscard]] auto name() const noexcept -> const std::string& { return name_; }
  /// What the validation layer said since it was asked last.
  [[nodiscard]] auto take_complaints() -> std::vector<std::string>;
  [[nodiscard]] auto memory_type(std::uint32_t allowed, VkMemoryPropertyFlags wanted) const
      -> std::uint32_t;
  /// Records one command buffer, and waits until the device has run it.
  void run(const std::function<void(VkCommandBuffer)>& record);

 private:
  vulkan_device() = default;
  [[nodiscard]] auto create_instance(layers wanted) -> bool;
  [[nodiscard]] auto choose_device() -> bool;
  [[nodiscard]] auto create_device() -> bool;

  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice handle_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::uint32_t queue_family_ = 0;
  VolkDeviceTable vk_{};
  std::string name_;
  std::vector<std::string> complaints_;
};

struct test_buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  std::span<std::byte> bytes;  ///< Mapped and coherent; zero at first.
};

struct test_image {
  VkImage handle = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  VkImageSubresourceRange range{};
};

/// Objects that go together, the last one first.
class vulkan_objects {
 public:
  explicit vulkan_objects(const vulkan_device& device) noexcept : device_(device) {}
  vulkan_objects(const vulkan_objects&) = delete;
  auto operator=(const vulkan_objects&) -> vulkan_objects& = delete;
  ~vulkan_objects();

  template <class Info, class Handle>
  auto create(VkResult(VKAPI_PTR* make)(VkDevice, const Info*, const VkAllocationCallbacks*,
                                        Handle*),
              void(VKAPI_PTR* destroy)(VkDevice, Handle, const VkAllocationCallbacks*),
              const Info& info) -> Handle {
    Handle made = VK_NULL_HANDLE;
    must(make(device_.handle(), &info, nullptr, &made), "vkCreate");
    undo_.push_back([=, this] { destroy(device_.handle(), made, nullptr); });
    return made;
  }

  [[nodiscard]] auto buffer(std::size_t size_bytes, VkBufferUsageFlags usage) -> test_buffer;
  [[nodiscard]] auto image(const VkImageCreateInfo& info, VkImageViewType type,
                           VkImageAspectFlags aspects) -> test_image;
  [[nodiscard]] auto shader(std::span<const std::uint32_t> words) -> VkShaderModule;
  [[nodiscard]] auto pipeline(const VkGraphicsPipelineCreateInfo& info) -> VkPipeline;

 private:
  [[nodiscard]] auto allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted)
      -> VkDeviceMemory;

  const vulkan_device& device_;
  std::vector<std::function<void()>> undo_;
};

}  // namespace aerogpu::test
