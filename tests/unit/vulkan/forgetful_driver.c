// SPDX-License-Identifier: MIT
// A Vulkan driver without devices that allocates once and never frees, as Mesa's do on some
// processors: what its globals point to is lost when it is unloaded.
#include <vulkan/vulkan.h>

#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

static void* kept;
static struct {
  size_t loader_magic;  // The first word of whatever the loader dispatches on.
} the_instance = {0x01CDC0DE};

static VkResult VKAPI_PTR create_instance(const VkInstanceCreateInfo* info,
                                          const VkAllocationCallbacks* allocator,
                                          VkInstance* made) {
  (void)info;
  (void)allocator;
  if (kept == NULL) kept = malloc(128);
  *made = (VkInstance)&the_instance;
  return VK_SUCCESS;
}

static void VKAPI_PTR destroy_instance(VkInstance instance,
                                       const VkAllocationCallbacks* allocator) {
  (void)instance;
  (void)allocator;
}

static VkResult VKAPI_PTR list_nothing(VkInstance instance, uint32_t* count, void* list) {
  (void)instance;
  (void)list;
  *count = 0;
  return VK_SUCCESS;
}

static VkResult VKAPI_PTR list_extensions(const char* layer, uint32_t* count,
                                          VkExtensionProperties* list) {
  (void)layer;
  (void)list;
  *count = 0;
  return VK_SUCCESS;
}

static void VKAPI_PTR never_called(void) {
  abort();
}

EXPORTED VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version) {
  if (*version > 5) *version = 5;
  return VK_SUCCESS;
}

EXPORTED PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char* name) {
  if (strcmp(name, "vkCreateInstance") == 0) return (PFN_vkVoidFunction)create_instance;
  if (strcmp(name, "vkDestroyInstance") == 0) return (PFN_vkVoidFunction)destroy_instance;
  if (strcmp(name, "vkEnumerateInstanceExtensionProperties") == 0) {
    return (PFN_vkVoidFunction)list_extensions;
  }
  if (instance == VK_NULL_HANDLE) return NULL;
  if (strncmp(name, "vkEnumeratePhysicalDevice", 25) == 0) return (PFN_vkVoidFunction)list_nothing;
  const size_t length = strlen(name);
  const int is_extension =
      strcmp(name + length - 3, "EXT") == 0 || strcmp(name + length - 3, "KHR") == 0;
  return is_extension ? NULL : (PFN_vkVoidFunction)never_called;
}
