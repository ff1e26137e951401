// SPDX-License-Identifier: MIT
#include "tests/vulkan_faults/call_faults.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string_view>
#include <tuple>
#include <utility>

namespace aerogpu::test {

namespace {

/// The thunks are plain functions, so that what they share is global.
struct fault_state {
  std::uint64_t calls = 0;
  std::uint64_t fails_at = 0;
  std::uint64_t second_after = 0;
  VkResult code = VK_SUCCESS;
  const char* failed = "none";
  std::int64_t held = 0;
  bool is_frozen = false;
  std::uint64_t frozen_count = 0;
  VkResult frozen_read = VK_SUCCESS;
  VkResult frozen_wait = VK_TIMEOUT;
  bool are_devices_forbidden = false;
  // Of the thread that compiles; whoever wants a pipeline waits for it.
  bool are_pipelines_refused = false;
  bool are_pipelines_cached = false;
  std::uint64_t compilations = 0;
};
fault_state state;

auto fails(const char* name) noexcept -> bool {
  if (++state.calls != state.fails_at) return false;
  state.failed = name;
  if (state.second_after != 0) {
    state.fails_at += state.second_after;
    state.second_after = 0;
  }
  return true;
}

/// Where a compilation waits: on a thread of the backend's own.
struct compile_gate {
  std::mutex mutex;
  std::condition_variable changed;
  bool holds_next = false;
  bool is_closed = false;

  void pass() noexcept {
    std::unique_lock lock{mutex};
    if (!std::exchange(holds_next, false)) return;
    changed.wait(lock, [this] { return !is_closed; });
  }
  void set(bool holds) noexcept {
    const std::lock_guard lock{mutex};
    holds_next = is_closed = holds;
    changed.notify_all();
  }
};
compile_gate gate;

void count_held(std::int64_t change) noexcept {
  std::atomic_ref{state.held}.fetch_add(change);
}

/// Tells whoever asked in the chain of a pipeline's description that the cache had it.
void report_cached(const void* chain) noexcept {
  const auto* link = static_cast<const VkBaseInStructure*>(chain);
  while (link != nullptr &&
         link->sType != VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO) {
    link = link->pNext;
  }
  if (link == nullptr) return;
  const auto* asked = reinterpret_cast<const VkPipelineCreationFeedbackCreateInfo*>(link);
  asked->pPipelineCreationFeedback->flags =
      VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT |
      VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
}

enum class effect : std::uint8_t { none, creates, compiles, destroys };

/// Stands in for one function of the device.
template <auto Member, effect Does>
struct thunk;

template <class... Args, VkResult (*VolkDeviceTable::*Member)(Args...), effect Does>
struct thunk<Member, Does> {
  using pfn = VkResult (*)(Args...);
  static inline pfn real = nullptr;
  static inline pfn frozen = nullptr;  ///< Instead of it, while devices stand still.
  static inline const char* name = "";

  static auto call(Args... args) -> VkResult {
    if (fails(name)) return state.code;
    if (state.is_frozen && frozen != nullptr) return frozen(args...);
    if constexpr (Does == effect::compiles) {
      std::atomic_ref{state.compilations}.fetch_add(1);
      if (state.are_pipelines_refused) return VK_ERROR_UNKNOWN;
      gate.pass();
    }
    const VkResult code = real(args...);
    if constexpr (Does == effect::compiles) {
      if (state.are_pipelines_cached) report_cached(std::get<3>(std::tie(args...))->pNext);
    }
    constexpr bool creates = Does == effect::creates || Does == effect::compiles;
    if (code == VK_SUCCESS && creates) count_held(1);
    return code;
  }
};

template <class Handle, class... Args, void (*VolkDeviceTable::*Member)(VkDevice, Handle, Args...),
          effect Does>
struct thunk<Member, Does> {
  using pfn = void (*)(VkDevice, Handle, Args...);
  static inline pfn real = nullptr;
  static inline pfn frozen = nullptr;
  static inline const char* name = "";

  static void call(VkDevice device, Handle handle, Args... args) {
    if (handle != VK_NULL_HANDLE) count_held(-1);
    real(device, handle, args...);
  }
};

struct hook {
  std::string_view name;
  PFN_vkVoidFunction (*install)(PFN_vkVoidFunction real);
};

template <auto Member, effect Does>
auto hook_of(const char* name, typename thunk<Member, Does>::pfn frozen = nullptr) -> hook {
  using stand_in = thunk<Member, Does>;
  stand_in::name = name;
  stand_in::frozen = frozen;
  return {name, [](PFN_vkVoidFunction real) {
            stand_in::real = reinterpret_cast<typename stand_in::pfn>(real);
            return reinterpret_cast<PFN_vkVoidFunction>(&stand_in::call);
          }};
}

auto frozen_counter(VkDevice, VkSemaphore, std::uint64_t* value) -> VkResult {
  *value = state.frozen_count;
  return state.frozen_read;
}
auto frozen_wait(VkDevice, const VkSemaphoreWaitInfo*, std::uint64_t) -> VkResult {
  return state.frozen_wait;
}

// vkDeviceWaitIdle is left out: it comes before objects go, and must not be skipped.
const std::array hooks{
    hook_of<&VolkDeviceTable::vkAllocateCommandBuffers, effect::none>("vkAllocateCommandBuffers"),
    hook_of<&VolkDeviceTable::vkAllocateDescriptorSets, effect::none>("vkAllocateDescriptorSets"),
    hook_of<&VolkDeviceTable::vkAllocateMemory, effect::creates>("vkAllocateMemory"),
    hook_of<&VolkDeviceTable::vkBeginCommandBuffer, effect::none>("vkBeginCommandBuffer"),
    hook_of<&VolkDeviceTable::vkBindBufferMemory, effect::none>("vkBindBufferMemory"),
    hook_of<&VolkDeviceTable::vkBindImageMemory, effect::none>("vkBindImageMemory"),
    hook_of<&VolkDeviceTable::vkCreateBuffer, effect::creates>("vkCreateBuffer"),
    hook_of<&VolkDeviceTable::vkCreateBufferView, effect::creates>("vkCreateBufferView"),
    hook_of<&VolkDeviceTable::vkCreateCommandPool, effect::creates>("vkCreateCommandPool"),
    hook_of<&VolkDeviceTable::vkCreateComputePipelines, effect::compiles>(
        "vkCreateComputePipelines"),
    hook_of<&VolkDeviceTable::vkCreateDescriptorPool, effect::creates>("vkCreateDescriptorPool"),
    hook_of<&VolkDeviceTable::vkCreateDescriptorSetLayout, effect::creates>(
        "vkCreateDescriptorSetLayout"),
    hook_of<&VolkDeviceTable::vkCreateGraphicsPipelines, effect::compiles>(
        "vkCreateGraphicsPipelines"),
    hook_of<&VolkDeviceTable::vkCreateImage, effect::creates>("vkCreateImage"),
    hook_of<&VolkDeviceTable::vkCreateImageView, effect::creates>("vkCreateImageView"),
    hook_of<&VolkDeviceTable::vkCreatePipelineCache, effect::creates>("vkCreatePipelineCache"),
    hook_of<&VolkDeviceTable::vkCreatePipelineLayout, effect::creates>("vkCreatePipelineLayout"),
    hook_of<&VolkDeviceTable::vkCreateSampler, effect::creates>("vkCreateSampler"),
    hook_of<&VolkDeviceTable::vkCreateSemaphore, effect::creates>("vkCreateSemaphore"),
    hook_of<&VolkDeviceTable::vkCreateShaderModule, effect::creates>("vkCreateShaderModule"),
    hook_of<&VolkDeviceTable::vkDestroyBuffer, effect::destroys>("vkDestroyBuffer"),
    hook_of<&VolkDeviceTable::vkDestroyBufferView, effect::destroys>("vkDestroyBufferView"),
    hook_of<&VolkDeviceTable::vkDestroyCommandPool, effect::destroys>("vkDestroyCommandPool"),
    hook_of<&VolkDeviceTable::vkDestroyDescriptorPool, effect::destroys>("vkDestroyDescriptorPool"),
    hook_of<&VolkDeviceTable::vkDestroyDescriptorSetLayout, effect::destroys>(
        "vkDestroyDescriptorSetLayout"),
    hook_of<&VolkDeviceTable::vkDestroyImage, effect::destroys>("vkDestroyImage"),
    hook_of<&VolkDeviceTable::vkDestroyImageView, effect::destroys>("vkDestroyImageView"),
    hook_of<&VolkDeviceTable::vkDestroyPipeline, effect::destroys>("vkDestroyPipeline"),
    hook_of<&VolkDeviceTable::vkDestroyPipelineCache, effect::destroys>("vkDestroyPipelineCache"),
    hook_of<&VolkDeviceTable::vkDestroyPipelineLayout, effect::destroys>("vkDestroyPipelineLayout"),
    hook_of<&VolkDeviceTable::vkDestroySampler, effect::destroys>("vkDestroySampler"),
    hook_of<&VolkDeviceTable::vkDestroySemaphore, effect::destroys>("vkDestroySemaphore"),
    hook_of<&VolkDeviceTable::vkDestroyShaderModule, effect::destroys>("vkDestroyShaderModule"),
    hook_of<&VolkDeviceTable::vkEndCommandBuffer, effect::none>("vkEndCommandBuffer"),
    hook_of<&VolkDeviceTable::vkFreeMemory, effect::destroys>("vkFreeMemory"),
    hook_of<&VolkDeviceTable::vkMapMemory, effect::none>("vkMapMemory"),
    hook_of<&VolkDeviceTable::vkQueueSubmit2, effect::none>("vkQueueSubmit2"),
    hook_of<&VolkDeviceTable::vkResetCommandPool, effect::none>("vkResetCommandPool"),
    hook_of<&VolkDeviceTable::vkResetDescriptorPool, effect::none>("vkResetDescriptorPool"),
    hook_of<&VolkDeviceTable::vkGetSemaphoreCounterValue, effect::none>(
        "vkGetSemaphoreCounterValue", frozen_counter),
    hook_of<&VolkDeviceTable::vkWaitSemaphores, effect::none>("vkWaitSemaphores", frozen_wait),
};

PFN_vkGetDeviceProcAddr real_get_device_proc_addr = nullptr;
PFN_vkCreateDevice real_create_device = nullptr;

auto get_hooked(VkDevice device, const char* name) -> PFN_vkVoidFunction {
  const PFN_vkVoidFunction real = real_get_device_proc_addr(device, name);
  const auto found = std::ranges::find(hooks, std::string_view{name}, &hook::name);
  return found == hooks.end() || real == nullptr ? real : found->install(real);
}

auto create_device(VkPhysicalDevice on, const VkDeviceCreateInfo* info,
                   const VkAllocationCallbacks* memory, VkDevice* made) -> VkResult {
  if (state.are_devices_forbidden) return VK_ERROR_INITIALIZATION_FAILED;
  return real_create_device(on, info, memory, made);
}

}  // namespace

call_faults::call_faults() {
  state = {};
  real_get_device_proc_addr = vkGetDeviceProcAddr;
  real_create_device = vkCreateDevice;
  vkGetDeviceProcAddr = get_hooked;
  vkCreateDevice = create_device;
}

call_faults::~call_faults() {
  vkGetDeviceProcAddr = real_get_device_proc_addr;
  vkCreateDevice = real_create_device;
}

void call_faults::plan(std::uint64_t number, VkResult code) noexcept {
  plan_two(number, 0, code);
}
void call_faults::plan_two(std::uint64_t number, std::uint64_t second, VkResult code) noexcept {
  state.calls = 0;
  state.fails_at = number;
  state.second_after = second;
  state.code = code;
  state.failed = "none";
}
auto call_faults::calls() const noexcept -> std::uint64_t {
  return state.calls;
}
auto call_faults::failed() const noexcept -> const char* {
  return state.failed;
}
auto call_faults::held() const noexcept -> std::int64_t {
  return std::atomic_ref{state.held}.load();
}
void call_faults::freeze(bool is_frozen) noexcept {
  state.is_frozen = is_frozen;
  state.frozen_count = 0;
  state.frozen_read = VK_SUCCESS;
  state.frozen_wait = VK_TIMEOUT;
}
void call_faults::lose_silently(std::uint64_t count) noexcept {
  freeze(true);
  state.frozen_count = count;
  state.frozen_wait = VK_ERROR_DEVICE_LOST;
}
void call_faults::fail_waits(VkResult code) noexcept {
  freeze(true);
  state.frozen_read = state.frozen_wait = code;
}
void call_faults::hold_next_compilation() noexcept {
  gate.set(true);
}
void call_faults::release_compilations() noexcept {
  gate.set(false);
}
void call_faults::refuse_pipelines(bool are_refused) noexcept {
  state.are_pipelines_refused = are_refused;
}
void call_faults::find_pipelines_cached(bool are_cached) noexcept {
  state.are_pipelines_cached = are_cached;
}
auto call_faults::compilations() const noexcept -> std::uint64_t {
  return std::atomic_ref{state.compilations}.load();
}
void call_faults::forbid_devices(bool are_forbidden) noexcept {
  state.are_devices_forbidden = are_forbidden;
}

}  // namespace aerogpu::test
