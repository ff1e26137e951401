// SPDX-License-Identifier: MIT
#include "tests/support/vulkan/vulkan_leaks.hpp"

#include <volk.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <string>
#include <vector>

namespace aerogpu::test {

namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

/// The loader's functions, apart from volk's: those belong to what is tested.
struct loader {
  PFN_vkGetInstanceProcAddr find = nullptr;

  template <class Function>
  [[nodiscard]] auto get(VkInstance instance, const char* name) const -> Function {
    return reinterpret_cast<Function>(find(instance, name));
  }
};

auto open_loader() -> loader {
  void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) return {};
  return {reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"))};
}

auto has_validation_layer(const loader& from) -> bool {
  const auto list = from.get<PFN_vkEnumerateInstanceLayerProperties>(
      VK_NULL_HANDLE, "vkEnumerateInstanceLayerProperties");
  std::uint32_t count = 0;
  if (list == nullptr || list(&count, nullptr) != VK_SUCCESS) return false;
  std::vector<VkLayerProperties> all(count);
  static_cast<void>(list(&count, all.data()));
  return std::ranges::any_of(all, [](const VkLayerProperties& layer) {
    return std::strcmp(layer.layerName, validation_layer) == 0;
  });
}

auto make_instance(const loader& from) -> VkInstance {
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  info.enabledLayerCount = has_validation_layer(from) ? 1 : 0;
  info.ppEnabledLayerNames = &validation_layer;
  VkInstance made = VK_NULL_HANDLE;
  const auto create = from.get<PFN_vkCreateInstance>(VK_NULL_HANDLE, "vkCreateInstance");
  return create != nullptr && create(&info, nullptr, &made) == VK_SUCCESS ? made : VK_NULL_HANDLE;
}

auto loaded_libraries() -> std::vector<std::string> {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* into) {
        static_cast<std::vector<std::string>*>(into)->emplace_back(library->dlpi_name);
        return 0;
      },
      &names);
  std::erase(names, std::string{});  // The program itself.
  return names;
}

void pin_loaded_libraries() {
  for (const std::string& name : loaded_libraries()) {
    static_cast<void>(dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE));
  }
}

/// Null, or what this machine lacks. Asking for devices makes drivers load what they load late.
auto keep_libraries_of_an_instance() -> const char* {
  const loader from = open_loader();
  if (from.find == nullptr) return "no Vulkan loader is found: Debian's libvulkan1 is one";
  VkInstance instance = make_instance(from);
  if (instance == VK_NULL_HANDLE) {
    return "no Vulkan driver is found: Debian's mesa-vulkan-drivers has some";
  }
  const auto list =
      from.get<PFN_vkEnumeratePhysicalDevices>(instance, "vkEnumeratePhysicalDevices");
  std::uint32_t count = 0;
  const bool has_device = list(instance, &count, nullptr) == VK_SUCCESS && count != 0;
  pin_loaded_libraries();
  from.get<PFN_vkDestroyInstance>(instance, "vkDestroyInstance")(instance, nullptr);
  return has_device ? nullptr : "no Vulkan driver of this machine has a device";
}

}  // namespace

auto keep_vulkan_libraries() -> const char* {
  static const char* const lack = keep_libraries_of_an_instance();
  return lack;
}

void require_vulkan_device() {
  const char* const lack = keep_vulkan_libraries();
  if (lack == nullptr) return;
  std::fprintf(stderr, "these tests need a Vulkan device: %s\n", lack);
  std::exit(1);
}

}  // namespace aerogpu::test
