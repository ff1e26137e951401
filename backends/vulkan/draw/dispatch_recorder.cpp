// SPDX-License-Identifier: MIT
#include "vulkan/draw/dispatch_recorder.hpp"

#include "vulkan/draw/draw_cost.hpp"
#include "vulkan/programs/dxbc_link.hpp"

#include <array>

namespace aerogpu::vulkan {

namespace {

auto check_groups(const dispatch_call<vulkan_backend>& call, const dxbc::compiled& shader,
                  const VkPhysicalDeviceLimits& most) -> result<void> {
  const std::array counts{call.x, call.y, call.z};
  std::uint64_t threads = 1;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    threads *= shader.group_size[i];
    if (counts[i] > most.maxComputeWorkGroupCount[i] ||
        shader.group_size[i] > most.maxComputeWorkGroupSize[i]) {
      return make_error(error_code::unsupported, "the device has no groups so many or so large",
                        counts[i], most.maxComputeWorkGroupCount[i]);
    }
  }
  if (shader.group_shared_bytes > most.maxComputeSharedMemorySize) {
    return make_error(error_code::unsupported, "a group shares more memory than the device has",
                      shader.group_shared_bytes, most.maxComputeSharedMemorySize);
  }
  if (threads <= most.maxComputeWorkGroupInvocations) return {};
  return make_error(error_code::unsupported, "a group has more threads than the device runs",
                    threads, most.maxComputeWorkGroupInvocations);
}

}  // namespace

auto dispatch_recorder::dispatch(const dispatch_call<vulkan_backend>& call, dispatch_rest& left)
    -> result<void> {
  if (call.stage != shader_stage::compute) {
    return make_error(error_code::unsupported, "only compute shaders can be dispatched",
                      static_cast<std::uint64_t>(call.stage));
  }
  device_parts& device = from_.device;
  const auto& bound = call.state.stages[static_cast<std::size_t>(call.stage)];
  const auto shader = from_.shaders.variant(device, *bound.shader->record,
                                            from_.shaders.base_compile_options(*device.gpu));
  if (!shader) return shader.why();
  if (auto ok = check_device(**shader, *device.gpu); !ok) return ok.why();
  const VkPhysicalDeviceLimits& most = device.gpu->properties.limits;
  if (auto ok = check_groups(call, (*shader)->compiled, most); !ok) return ok.why();
  const auto set_bindings = set_bindings_of(**shader, VK_SHADER_STAGE_COMPUTE_BIT);
  if (!set_bindings) return set_bindings.why();
  const auto layout = from_.layouts.resolve(std::span{&*set_bindings, 1});
  if (!layout) return layout.why();
  const auto pipeline = from_.pipelines.resolve_compute(**shader, **layout);
  if (!pipeline) return pipeline.why();

  bindings_.forget();
  if (auto found = bindings_.resolve(bound, **shader); !found) return found.why();
  if (auto copied = bindings_.copy_in(); !copied) return copied.why();
  command_stream& main = device.main_outside_pass();
  if (auto ready = from_.resources.materialize(bindings_.images()); !ready) return ready.why();
  if (auto used = bindings_.use(); !used) return used.why();
  const auto set = bindings_.resolve_set((*layout)->sets[0]);
  if (!set) return set.why();
  const VkCommandBuffer commands = main.record();
  constexpr VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_COMPUTE;
  device.vk().vkCmdBindPipeline(commands, point, *pipeline);
  device.vk().vkCmdBindDescriptorSets(commands, point, (*layout)->handle, 0, 1, &*set, 0, nullptr);
  const std::uint64_t group = cost_of_group(**shader);
  const group_box box = left.next(group, device.work.most_work());
  device.vk().vkCmdDispatchBase(commands, box.first[0], box.first[1], box.first[2], box.count[0],
                                box.count[1], box.count[2]);
  if (auto copied = bindings_.copy_out(); !copied) return copied.why();
  device.work.note_work(saturating_multiply(
      saturating_multiply(saturating_multiply(box.count[0], box.count[1]), box.count[2]), group));
  left.take(box);
  return {};
}

}  // namespace aerogpu::vulkan
