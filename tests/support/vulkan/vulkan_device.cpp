// SPDX-License-Identifier: MIT
// Opens a device, makes objects, runs commands: as little Vulkan as tests of shaders need.
#include "tests/support/vulkan/vulkan_device.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace aerogpu::test {

namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

auto has_validation_layer() -> bool {
  std::uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> all(count);
  vkEnumerateInstanceLayerProperties(&count, all.data());
  return std::ranges::any_of(all, [](const VkLayerProperties& layer) {
    return std::strcmp(layer.layerName, validation_layer) == 0;
  });
}

auto VKAPI_PTR note_complaint(VkDebugUtilsMessageSeverityFlagBitsEXT,
                              VkDebugUtilsMessageTypeFlagsEXT,
                              const VkDebugUtilsMessengerCallbackDataEXT* said, void* to)
    -> VkBool32 {
  static_cast<std::vector<std::string>*>(to)->emplace_back(said->pMessage);
  return VK_FALSE;
}

/// What the runner and translated shaders ask for.
auto wanted_features(VkPhysicalDeviceVulkan13Features& in_1_3) -> VkPhysicalDeviceFeatures2 {
  in_1_3 = {};
  in_1_3.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  in_1_3.dynamicRendering = VK_TRUE;
  in_1_3.shaderDemoteToHelperInvocation = VK_TRUE;
  auto all = vulkan_info<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  all.pNext = &in_1_3;
  all.features.fragmentStoresAndAtomics = VK_TRUE;
  all.features.independentBlend = VK_TRUE;
  all.features.largePoints = VK_TRUE;
  all.features.shaderClipDistance = VK_TRUE;
  return all;
}

auto will_do(VkPhysicalDevice device) -> bool {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(device, &properties);
  if (properties.apiVersion < VK_API_VERSION_1_3) return false;
  VkPhysicalDeviceVulkan13Features in_1_3;
  VkPhysicalDeviceFeatures2 has = wanted_features(in_1_3);
  vkGetPhysicalDeviceFeatures2(device, &has);
  return in_1_3.dynamicRendering && in_1_3.shaderDemoteToHelperInvocation &&
         has.features.fragmentStoresAndAtomics && has.features.independentBlend &&
         has.features.largePoints && has.features.shaderClipDistance;
}

}  // namespace

void must(VkResult code, const char* call) {
  if (code == VK_SUCCESS) return;
  throw std::runtime_error(std::string{call} + " returned " + std::to_string(code));
}

auto vulkan_device::open(layers wanted) -> std::unique_ptr<vulkan_device> {
  std::unique_ptr<vulkan_device> made{new vulkan_device};
  const bool is_open = volkInitialize() == VK_SUCCESS && made->create_instance(wanted) &&
                       made->choose_device() && made->create_device();
  return is_open ? std::move(made) : nullptr;
}

auto vulkan_device::create_instance(layers wanted) -> bool {
  auto about = vulkan_info<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  about.apiVersion = VK_API_VERSION_1_3;
  auto info = vulkan_info<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &about;
  const bool validates = wanted == layers::validation;
  if (validates && !has_validation_layer())
    throw std::runtime_error(
        "VK_LAYER_KHRONOS_validation is not installed: Debian's vulkan-validationlayers has it");
  const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  if (validates) {
    info.enabledLayerCount = info.enabledExtensionCount = 1;
    info.ppEnabledLayerNames = &validation_layer;
    info.ppEnabledExtensionNames = &extension;
  }
  if (vkCreateInstance(&info, nullptr, &instance_) != VK_SUCCESS) return false;
  volkLoadInstanceOnly(instance_);
  if (!validates) return true;
  auto listener = vulkan_info<VkDebugUtilsMessengerCreateInfoEXT>(
      VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  listener.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  listener.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  listener.pfnUserCallback = note_complaint;
  listener.pUserData = &complaints_;
  return vkCreateDebugUtilsMessengerEXT(instance_, &listener, nullptr, &messenger_) == VK_SUCCESS;
}

auto vulkan_device::choose_device() -> bool {
  std::uint32_t count = 0;
  vkEnumeratePhysicalDevices(instance_, &count, nullptr);
  std::vector<VkPhysicalDevice> all(count);
  vkEnumeratePhysicalDevices(instance_, &count, all.data());
  const auto found = std::ranges::find_if(all, will_do);
  if (found == all.end()) return false;
  physical_ = *found;
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical_, &properties);
  name_ = properties.deviceName;
  vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical_, &count, families.data());
  const auto family = std::ranges::find_if(families, [](const VkQueueFamilyProperties& f) {
    return (f.queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
  });
  queue_family_ = static_cast<std::uint32_t>(family - families.begin());
  return family != families.end();
}

auto vulkan_device::create_device() -> bool {
  const float priority = 1;
  auto queues = vulkan_info<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queues.queueFamilyIndex = queue_family_;
  queues.queueCount = 1;
  queues.pQueuePriorities = &priority;
  VkPhysicalDeviceVulkan13Features in_1_3;
  const VkPhysicalDeviceFeatures2 features = wanted_features(in_1_3);
  auto info = vulkan_info<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.pNext = &features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queues;
  if (vkCreateDevice(physical_, &info, nullptr, &handle_) != VK_SUCCESS) return false;
  volkLoadDeviceTable(&vk_, handle_);
  vk_.vkGetDeviceQueue(handle_, queue_family_, 0, &queue_);
  auto pool = vulkan_info<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  pool.queueFamilyIndex = queue_family_;
  return vk_.vkCreateCommandPool(handle_, &pool, nullptr, &pool_) == VK_SUCCESS;
}

vulkan_device::~vulkan_device() {
  if (handle_ != VK_NULL_HANDLE) {
    vk_.vkDestroyCommandPool(handle_, pool_, nullptr);
    vk_.vkDestroyDevice(handle_, nullptr);
  }
  if (messenger_ != VK_NULL_HANDLE) {
    vkDestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
  }
  if (instance_ != VK_NULL_HANDLE) vkDestroyInstance(instance_, nullptr);
}

auto vulkan_device::take_complaints() -> std::vector<std::string> {
  return std::exchange(complaints_, {});
}

auto vulkan_device::memory_type(std::uint32_t allowed, VkMemoryPropertyFlags wanted) const
    -> std::uint32_t {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(physical_, &memory);
  for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    const bool has_all = (memory.memoryTypes[i].propertyFlags & wanted) == wanted;
    if ((allowed >> i & 1u) != 0 && has_all) return i;
  }
  throw std::runtime_error("the device has no such memory");
}

void vulkan_device::run(const std::function<void(VkCommandBuffer)>& record) {
  must(vk_.vkResetCommandPool(handle_, pool_, VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT),
       "vkResetCommandPool");
  auto what =
      vulkan_info<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  what.commandPool = pool_;
  what.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  must(vk_.vkAllocateCommandBuffers(handle_, &what, &commands), "vkAllocateCommandBuffers");
  auto begin = vulkan_info<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  must(vk_.vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  record(commands);
  must(vk_.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  auto submit = vulkan_info<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  must(vk_.vkQueueSubmit(queue_, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  must(vk_.vkQueueWaitIdle(queue_), "vkQueueWaitIdle");
  vk_.vkFreeCommandBuffers(handle_, pool_, 1, &commands);
}

vulkan_objects::~vulkan_objects() {
  while (!undo_.empty()) {
    undo_.back()();
    undo_.pop_back();
  }
}

auto vulkan_objects::allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted)
    -> VkDeviceMemory {
  auto info = vulkan_info<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  info.allocationSize = needs.size;
  info.memoryTypeIndex = device_.memory_type(needs.memoryTypeBits, wanted);
  return create(device_.vk().vkAllocateMemory, device_.vk().vkFreeMemory, info);
}

auto vulkan_objects::buffer(std::size_t size_bytes, VkBufferUsageFlags usage) -> test_buffer {
  const VolkDeviceTable& vk = device_.vk();
  auto info = vulkan_info<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = size_bytes;
  info.usage = usage;
  test_buffer made;
  made.handle = create(vk.vkCreateBuffer, vk.vkDestroyBuffer, info);
  VkMemoryRequirements needs;
  vk.vkGetBufferMemoryRequirements(device_.handle(), made.handle, &needs);
  const VkDeviceMemory memory =
      allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  must(vk.vkBindBufferMemory(device_.handle(), made.handle, memory, 0), "vkBindBufferMemory");
  void* mapped = nullptr;
  must(vk.vkMapMemory(device_.handle(), memory, 0, size_bytes, 0, &mapped), "vkMapMemory");
  std::memset(mapped, 0, size_bytes);
  made.bytes = {static_cast<std::byte*>(mapped), size_bytes};
  return made;
}

auto vulkan_objects::image(const VkImageCreateInfo& info, VkImageViewType type,
                           VkImageAspectFlags aspects) -> test_image {
  const VolkDeviceTable& vk = device_.vk();
  test_image made;
  made.handle = create(vk.vkCreateImage, vk.vkDestroyImage, info);
  VkMemoryRequirements needs;
  vk.vkGetImageMemoryRequirements(device_.handle(), made.handle, &needs);
  const VkDeviceMemory memory = allocate(needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  must(vk.vkBindImageMemory(device_.handle(), made.handle, memory, 0), "vkBindImageMemory");
  made.range = {aspects, 0, info.mipLevels, 0, info.arrayLayers};
  auto view = vulkan_info<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  view.image = made.handle;
  view.viewType = type;
  view.format = info.format;
  view.subresourceRange = made.range;
  made.view = create(vk.vkCreateImageView, vk.vkDestroyImageView, view);
  return made;
}

auto vulkan_objects::shader(std::span<const std::uint32_t> words) -> VkShaderModule {
  auto info = vulkan_info<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  info.codeSize = words.size_bytes();
  info.pCode = words.data();
  return create(device_.vk().vkCreateShaderModule, device_.vk().vkDestroyShaderModule, info);
}

auto vulkan_objects::pipeline(const VkGraphicsPipelineCreateInfo& info) -> VkPipeline {
  VkPipeline made = VK_NULL_HANDLE;
  must(device_.vk().vkCreateGraphicsPipelines(device_.handle(), VK_NULL_HANDLE, 1, &info, nullptr,
                                              &made),
       "vkCreateGraphicsPipelines");
  undo_.push_back([=, this] { device_.vk().vkDestroyPipeline(device_.handle(), made, nullptr); });
  return made;
}

}  // namespace aerogpu::test
