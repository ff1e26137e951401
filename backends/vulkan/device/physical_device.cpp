// SPDX-License-Identifier: MIT
#include "vulkan/device/physical_device.hpp"

#include "vulkan/device/enumerate.hpp"
#include "vulkan/device/gpu_features.hpp"
#include "vulkan/device/instance.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace aerogpu::vulkan {

namespace {

struct device_kind {
  VkPhysicalDeviceType type;
  const char* name;
};

constexpr std::array kinds_best_first{
    device_kind{VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, "discrete"},
    device_kind{VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, "integrated"},
    device_kind{VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, "virtual"},
    device_kind{VK_PHYSICAL_DEVICE_TYPE_CPU, "cpu"},
};

auto rank_of(VkPhysicalDeviceType type) noexcept -> std::ptrdiff_t {
  return std::ranges::find(kinds_best_first, type, &device_kind::type) - kinds_best_first.begin();
}

auto lower(char c) noexcept -> char {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

auto contains_ignoring_case(std::string_view text, std::string_view part) noexcept -> bool {
  const auto is_same = [](char a, char b) { return lower(a) == lower(b); };
  return part.empty() ||
         std::search(text.begin(), text.end(), part.begin(), part.end(), is_same) != text.end();
}

/// Whether `wanted` names the candidate at `place`: by number, else by a part of its name.
auto fits(const device_candidate& candidate, std::size_t place, std::string_view wanted) noexcept
    -> bool {
  std::size_t number = 0;
  const char* const end = wanted.data() + wanted.size();
  const auto [rest, code] = std::from_chars(wanted.data(), end, number);
  if (rest == end && code == std::errc{}) return number == place;
  return contains_ignoring_case(candidate.properties.deviceName, wanted);
}

auto driver_of(VkPhysicalDevice device) -> std::string {
  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &driver;
  vkGetPhysicalDeviceProperties2(device, &properties);
  return std::string{driver.driverName} + " " + driver.driverInfo;
}

/// The sentence that says what the device lacks, or null. Errors: out_of_memory.
auto lack_of_queues(VkPhysicalDevice device, std::uint32_t& queue_family) noexcept
    -> result<const char*> {
  const auto listed = enumerate<VkQueueFamilyProperties>([device](auto* count, auto* list) {
    vkGetPhysicalDeviceQueueFamilyProperties(device, count, list);
    return VK_SUCCESS;
  });
  if (!listed) return listed.why();
  const heap_array<VkQueueFamilyProperties>& families = *listed;
  const auto family = std::ranges::find_if(families, [](const VkQueueFamilyProperties& it) {
    constexpr VkQueueFlags wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    return (it.queueFlags & wanted) == wanted;
  });
  if (family == families.end()) return "the device lacks a queue for graphics and compute";
  queue_family = static_cast<std::uint32_t>(family - families.begin());
  return nullptr;
}

auto read_candidate(VkPhysicalDevice device) noexcept -> result<device_candidate> {
  device_candidate candidate;
  candidate.handle = device;
  vkGetPhysicalDeviceProperties(device, &candidate.properties);
  if (candidate.properties.apiVersion < VK_API_VERSION_1_3) {
    candidate.missing = "the device lacks Vulkan 1.3";
    return candidate;
  }
  const auto lack = lack_of_queues(device, candidate.queue_family);
  if (!lack) return lack.why();
  const auto extensions = device_extensions(device);
  if (!extensions) return extensions.why();
  feature_chain offered{extensions->view()};
  vkGetPhysicalDeviceFeatures2(device, &offered.core);
  candidate.missing = *lack != nullptr ? *lack : missing_feature(offered);
  candidate.unsafe = missing_safety(offered);
  return candidate;
}

}  // namespace

auto kind_of(VkPhysicalDeviceType type) noexcept -> const char* {
  const auto kind = std::ranges::find(kinds_best_first, type, &device_kind::type);
  return kind == kinds_best_first.end() ? "other" : kind->name;
}

void rank_candidates(std::span<device_candidate> candidates) noexcept {
  std::ranges::stable_sort(candidates, {}, [](const device_candidate& candidate) {
    return rank_of(candidate.properties.deviceType);
  });
}

auto list_candidates(VkInstance instance) noexcept -> result<heap_array<device_candidate>> {
  const auto devices = enumerate<VkPhysicalDevice>([instance](auto* count, auto* list) {
    return vkEnumeratePhysicalDevices(instance, count, list);
  });
  if (!devices) return devices.why();
  heap_array<device_candidate> candidates;
  if (!candidates.reserve(devices->size())) {
    return make_error(error_code::out_of_memory, "the host has no memory for its list of devices");
  }
  for (const VkPhysicalDevice device : *devices) {
    const auto candidate = read_candidate(device);
    if (!candidate) return candidate.why();
    AEROGPU_CHECK(candidates.push_back(*candidate));
  }
  rank_candidates(candidates.view());
  return candidates;
}

auto choose_candidate(std::span<const device_candidate> candidates,
                      const gpu_options& wanted) noexcept -> result<std::size_t> {
  if (candidates.empty())
    return make_error(error_code::unsupported,
                      "no Vulkan device is found: Debian's mesa-vulkan-drivers has drivers");
  const char* lack = nullptr;
  for (std::size_t place = 0; place < candidates.size(); ++place) {
    if (!fits(candidates[place], place, wanted.device)) continue;
    const char* why = candidates[place].missing;
    if (why == nullptr && !wanted.allow_unsafe_device) why = candidates[place].unsafe;
    if (why == nullptr) return place;
    if (lack == nullptr) lack = why;
  }
  if (lack != nullptr) return make_error(error_code::unsupported, lack);
  return make_error(
      error_code::unsupported,
      "no Vulkan device has this number or name: choose one that --list-devices prints",
      candidates.size());
}

auto list_devices() -> std::vector<device_entry> {
  gpu_messages messages;
  const auto instance = create_instance(gpu_options{}, messages);
  if (!instance) return {};
  std::vector<device_entry> entries;
  const auto candidates = list_candidates(*instance);
  for (const auto& candidate :
       candidates ? candidates->view() : std::span<const device_candidate>{}) {
    const auto& properties = candidate.properties;
    const bool has_driver = properties.apiVersion >= VK_API_VERSION_1_3;
    entries.push_back({.name = properties.deviceName,
                       .kind = kind_of(properties.deviceType),
                       .driver = has_driver ? driver_of(candidate.handle) : std::string{},
                       .api_version = properties.apiVersion,
                       .missing = candidate.missing != nullptr ? candidate.missing : "",
                       .unsafe = candidate.unsafe != nullptr ? candidate.unsafe : ""});
  }
  vkDestroyInstance(*instance, nullptr);
  return entries;
}

}  // namespace aerogpu::vulkan
