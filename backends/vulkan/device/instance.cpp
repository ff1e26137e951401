// SPDX-License-Identifier: MIT
#include "vulkan/device/instance.hpp"

#include "aerogpu/core/fixed_vector.hpp"
#include "vulkan/device/enumerate.hpp"
#include "vulkan/device/validation.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace aerogpu::vulkan {

namespace {

auto has_loader() noexcept -> bool {
  static const bool is_loaded = volkInitialize() == VK_SUCCESS;
  return is_loaded;
}

void load_instance_functions(VkInstance instance) noexcept {
  [[maybe_unused]] static const bool is_loaded = (volkLoadInstanceOnly(instance), true);
}

auto extensions_of(const char* layer) noexcept -> result<heap_array<VkExtensionProperties>> {
  return enumerate<VkExtensionProperties>([layer](auto* count, auto* list) {
    return vkEnumerateInstanceExtensionProperties(layer, count, list);
  });
}

using extension_names = fixed_vector<const char*, 3>;

auto wanted_extensions(const gpu_options& options) noexcept -> result<extension_names> {
  const auto offered = extensions_of(nullptr);
  if (!offered) return offered.why();
  extension_names wanted;
  const auto add = [&](bool is_wanted, const char* name) {
    if (is_wanted) AEROGPU_CHECK(wanted.push_back(name));
  };
  const auto is_offered = [&](const char* name) { return has_extension(offered->view(), name); };
  const bool wants_names = options.name_objects || options.validate;
  add(wants_names && is_offered(VK_EXT_DEBUG_UTILS_EXTENSION_NAME),
      VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  add(is_offered(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME),
      VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
  add(options.validate, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
  return wanted;
}

auto holds(const extension_names& names, std::string_view name) noexcept -> bool {
  return std::ranges::find(names, name) != names.end();
}

auto why_not_created(VkResult code) noexcept -> error {
  if (code == VK_ERROR_INCOMPATIBLE_DRIVER)
    return make_error(error_code::unsupported,
                      "no Vulkan driver is found: Debian's mesa-vulkan-drivers has some");
  return vulkan_error(code, "vkCreateInstance fails");
}

}  // namespace

auto has_extension(std::span<const VkExtensionProperties> offered, const char* name) noexcept
    -> bool {
  return std::ranges::any_of(offered, [name](const VkExtensionProperties& extension) {
    return std::string_view{extension.extensionName} == name;
  });
}

auto device_extensions(VkPhysicalDevice device) noexcept
    -> result<heap_array<VkExtensionProperties>> {
  return enumerate<VkExtensionProperties>([device](auto* count, auto* list) {
    return vkEnumerateDeviceExtensionProperties(device, nullptr, count, list);
  });
}

auto create_instance(const gpu_options& options, gpu_messages& messages) -> result<VkInstance> {
  if (!has_loader())
    return make_error(error_code::unsupported,
                      "no Vulkan loader is found: Debian's libvulkan1 is one");
  if (volkGetInstanceVersion() < VK_API_VERSION_1_1)
    return make_error(error_code::unsupported, "the Vulkan loader is older than 1.1",
                      volkGetInstanceVersion(), VK_API_VERSION_1_1);
  if (options.validate) {
    const auto has_layer = has_validation_layer();
    if (!has_layer) return has_layer.why();
    if (!*has_layer)
      return make_error(error_code::unsupported,
                        "VK_LAYER_KHRONOS_validation is not installed: Debian's "
                        "vulkan-validationlayers has it");
  }

  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pEngineName = "AeroGPU";
  application.apiVersion = VK_API_VERSION_1_3;

  const auto extensions = wanted_extensions(options);
  if (!extensions) return extensions.why();
  const std::optional<validation_chain> validation =
      options.validate ? std::optional<validation_chain>{std::in_place, messages} : std::nullopt;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pNext = validation ? validation->head() : nullptr;
  if (holds(*extensions, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME))
    info.flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  info.pApplicationInfo = &application;
  info.enabledLayerCount = options.validate ? 1 : 0;
  info.ppEnabledLayerNames = &validation_layer_name;
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions->size());
  info.ppEnabledExtensionNames = extensions->begin();

  VkInstance instance = VK_NULL_HANDLE;
  const VkResult code = vkCreateInstance(&info, nullptr, &instance);
  if (code != VK_SUCCESS) return why_not_created(code);
  load_instance_functions(instance);
  return instance;
}

}  // namespace aerogpu::vulkan
