// SPDX-License-Identifier: MIT
#include "vulkan/device/gpu.hpp"

#include "aerogpu/core/result.hpp"
#include "tests/catch.hpp"
#include "tests/unit/vulkan/test_gpu.hpp"
#include "vulkan/device/debug_names.hpp"

#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

auto options_for(std::string_view device) -> gpu_options {
  gpu_options options;
  options.device = device;
  return options;
}

auto create_buffer(gpu& device, VkDeviceSize size, VkBuffer& buffer) -> VkResult {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size;
  info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  return device.vk.vkCreateBuffer(device.handle, &info, nullptr, &buffer);
}

/// One command buffer that is being recorded, and its pool.
struct recording {
  explicit recording(gpu& device) {
    VkCommandPoolCreateInfo pool_info{};
    pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool_info.queueFamilyIndex = device.queue_family;
    REQUIRE(device.vk.vkCreateCommandPool(device.handle, &pool_info, nullptr, &pool) == VK_SUCCESS);
    VkCommandBufferAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    info.commandPool = pool;
    info.commandBufferCount = 1;
    REQUIRE(device.vk.vkAllocateCommandBuffers(device.handle, &info, &commands) == VK_SUCCESS);
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    REQUIRE(device.vk.vkBeginCommandBuffer(commands, &begin) == VK_SUCCESS);
  }
  void end(gpu& device) const {
    CHECK(device.vk.vkEndCommandBuffer(commands) == VK_SUCCESS);
    device.vk.vkDestroyCommandPool(device.handle, pool, nullptr);
  }
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
};

}  // namespace

TEST_CASE("the machine has a device that the backend can use, and it is listed", "[vulkan][gpu]") {
  const auto devices = list_devices();
  INFO("These tests need a Vulkan device, such as the one of mesa-vulkan-drivers");
  REQUIRE_FALSE(devices.empty());
  CHECK_FALSE(devices.front().name.empty());
  CHECK_FALSE(devices.front().kind.empty());
  CHECK_FALSE(devices.front().driver.empty());
  CHECK(devices.front().api_version >= VK_API_VERSION_1_3);
  CHECK(devices.front().missing.empty());
}

TEST_CASE("a device opens under validation, and its whole life says nothing", "[vulkan][gpu]") {
  test_gpu device;
  CHECK(device->queue != VK_NULL_HANDLE);
  CHECK(device->vk.vkQueueSubmit2 != nullptr);
  CHECK(device->vk.vkCmdBeginRendering != nullptr);
  CHECK(device->memory.memoryTypeCount > 0);
  CHECK(device->properties.apiVersion >= VK_API_VERSION_1_3);
  CHECK(device->features.debug_utils);
  device.close();
}

TEST_CASE("a device is found by its number and by a part of its name in any case",
          "[vulkan][gpu]") {
  const auto devices = list_devices();
  REQUIRE_FALSE(devices.empty());
  std::string part = devices.front().name.substr(1, 5);
  for (char& c : part) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  for (const auto& wanted : {std::string{"0"}, part}) {
    const auto opened = gpu::create(options_for(wanted));
    INFO(wanted << ": " << opened.why().what);
    REQUIRE(static_cast<bool>(opened));
    CHECK((*opened)->properties.deviceName == devices.front().name);
  }
}

TEST_CASE("a device that is not there is refused with what to do about it", "[vulkan][gpu]") {
  for (const char* const wanted : {"no such device", "4096"}) {
    const auto opened = gpu::create(options_for(wanted));
    REQUIRE_FALSE(static_cast<bool>(opened));
    CHECK(opened.why().code == error_code::unsupported);
    CHECK(std::string_view{opened.why().what}.find("--list-devices") != std::string_view::npos);
  }
}

TEST_CASE("devices with and without debug_utils live side by side", "[vulkan][gpu]") {
  test_gpu named;
  auto plain = gpu::create(gpu_options{});
  REQUIRE(static_cast<bool>(plain));
  CHECK_FALSE((*plain)->features.debug_utils);
  CHECK((*plain)->debug.set_name == nullptr);
  CHECK((*plain)->debug.begin_label == nullptr);
  VkBuffer buffer = VK_NULL_HANDLE;
  REQUIRE(create_buffer(*named, 16, buffer) == VK_SUCCESS);
  set_name(*named, VK_OBJECT_TYPE_BUFFER, buffer, "buffer ", 7u);
  named->vk.vkDestroyBuffer(named->handle, buffer, nullptr);
  named.close();
}

TEST_CASE("devices open and end on several threads at once", "[vulkan][gpu]") {
  std::vector<int> is_open(3, 0);
  std::vector<std::thread> threads;
  for (int& each : is_open) {
    threads.emplace_back([&each] { each = gpu::create(gpu_options{}) ? 1 : 0; });
  }
  for (auto& thread : threads) thread.join();
  CHECK(is_open == std::vector<int>(3, 1));
}

TEST_CASE("what the validation layer says is counted", "[vulkan][gpu]") {
  test_gpu device;
  VkBuffer buffer = VK_NULL_HANDLE;
  static_cast<void>(create_buffer(*device, 0, buffer));  // VUID-VkBufferCreateInfo-size-00912
  CHECK(device->messages.errors == 1);
  device->vk.vkDestroyBuffer(device->handle, buffer, nullptr);
}

TEST_CASE("two writes without a barrier are found by synchronisation validation", "[vulkan][gpu]") {
  test_gpu device;
  VkBuffer buffer = VK_NULL_HANDLE;
  REQUIRE(create_buffer(*device, 64, buffer) == VK_SUCCESS);
  VkMemoryRequirements needs{};
  device->vk.vkGetBufferMemoryRequirements(device->handle, buffer, &needs);
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.allocationSize = needs.size;
  while (((needs.memoryTypeBits >> info.memoryTypeIndex) & 1u) == 0) ++info.memoryTypeIndex;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  REQUIRE(device->vk.vkAllocateMemory(device->handle, &info, nullptr, &memory) == VK_SUCCESS);
  REQUIRE(device->vk.vkBindBufferMemory(device->handle, buffer, memory, 0) == VK_SUCCESS);

  const recording record{*device};
  device->vk.vkCmdFillBuffer(record.commands, buffer, 0, 64, 1);
  CHECK(device->messages.errors == 0);
  device->vk.vkCmdFillBuffer(record.commands, buffer, 0, 64, 2);
  CHECK(device->messages.errors == 1);

  record.end(*device);
  device->vk.vkDestroyBuffer(device->handle, buffer, nullptr);
  device->vk.vkFreeMemory(device->handle, memory, nullptr);
}

TEST_CASE("labels go around commands without a word from the layers", "[vulkan][gpu]") {
  test_gpu device;
  const recording record{*device};
  begin_label(*device, record.commands, "submission ", 12u);
  insert_label(*device, record.commands, "draw");
  end_label(*device, record.commands);
  record.end(*device);
  device.close();
}

TEST_CASE("labels and names do nothing when debug_utils is off", "[vulkan][gpu]") {
  const auto opened = gpu::create(gpu_options{});
  REQUIRE(static_cast<bool>(opened));
  gpu& device = **opened;
  const recording record{device};
  begin_label(device, record.commands, "label");
  insert_label(device, record.commands, "label");
  end_label(device, record.commands);
  set_name(device, VK_OBJECT_TYPE_COMMAND_BUFFER, record.commands, "name");
  record.end(device);
}

TEST_CASE("formats are asked for what the device does with them", "[vulkan][gpu]") {
  const auto opened = gpu::create(gpu_options{});
  REQUIRE(static_cast<bool>(opened));
  const gpu& device = **opened;
  constexpr VkFormatFeatureFlags sampled = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
  constexpr VkFormatFeatureFlags depth = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
  // Required of every device (Vulkan, required format support).
  CHECK(device.supports(VK_FORMAT_R8G8B8A8_UNORM, sampled));
  CHECK(device.supports(VK_FORMAT_D16_UNORM, sampled | depth));
  CHECK_FALSE(device.supports(VK_FORMAT_R8G8B8A8_UNORM, sampled | depth));
  CHECK(device.supports_vertices(VK_FORMAT_R32G32B32A32_SFLOAT));
  CHECK_FALSE(device.supports_vertices(VK_FORMAT_D16_UNORM));
}

TEST_CASE("a debug text holds strings, numbers and ids, and is cut at its end", "[vulkan][names]") {
  enum class some_id : std::uint32_t {};
  CHECK(std::string{debug_text{"texture ", 18446744073709551615ull, " of ", some_id{3}}.c_str()} ==
        "texture 18446744073709551615 of 3");
  CHECK(std::string{debug_text{}.c_str()}.empty());
  const std::string longer(debug_text::longest + 9, 'x');
  CHECK(std::string{debug_text{longer, 5u}.c_str()} == std::string(debug_text::longest, 'x'));
}
