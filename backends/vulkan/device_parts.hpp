// SPDX-License-Identifier: MIT
/// \file All that is lost with a device: the device, its memory, its work, and the open pass.
#pragma once

#include "vulkan/backend_options.hpp"
#include "vulkan/commands/batches.hpp"
#include "vulkan/commands/render_pass.hpp"
#include "vulkan/device/gpu.hpp"
#include "vulkan/memory/memory_allocator.hpp"
#include "vulkan/pipeline/pipeline_compiler.hpp"
#include "vulkan/resources/resources.hpp"
#include "vulkan/texels/texture_format.hpp"

#include <memory>

namespace aerogpu::vulkan {

/// What everything that records commands needs. Members are in the order of their dependence.
struct device_parts {
  std::unique_ptr<vulkan::gpu> gpu;
  memory_allocator memory;
  texture_formats formats;
  batches work;
  render_pass pass;
  std::unique_ptr<pipeline_compiler> compiler;   ///< Null until the device is set up.
  std::unique_ptr<device_parts> next_abandoned;  ///< For abandoned_devices.

  /// `options` outlive the parts.
  device_parts(std::unique_ptr<vulkan::gpu> device, const backend_options& options) noexcept
      : gpu(std::move(device)),
        memory(*gpu, options.bounds),
        formats(*gpu, options.force_format_expansion),
        work(*gpu, memory, options.bounds),
        pass(*gpu) {}

  /// Whether the driver compiles a pipeline that nobody waits for any more: nothing goes meanwhile.
  [[nodiscard]] auto is_compiling() const noexcept -> bool {
    return compiler != nullptr && compiler->is_busy();
  }

  [[nodiscard]] auto vk() const noexcept -> const VolkDeviceTable& { return gpu->vk; }

  /// The main commands, for what cannot stand in a render pass.
  [[nodiscard]] auto main_outside_pass() noexcept -> command_stream& {
    pass.end(work.main());
    return work.main();
  }
  /// The stream for a transfer between `resources`: the early one, if the main commands of the open
  /// batch use none of them yet.
  template <class... Records>
  [[nodiscard]] auto transfer_stream(Records&... resources) noexcept -> command_stream& {
    const bool is_used = (... || (resources.main_batch == work.current().number));
    if (!is_used) return work.early();
    (mark_main(resources), ...);
    return main_outside_pass();
  }
  /// Notes that main commands of the open batch use it.
  template <class Record>
  void mark_main(Record& resource) noexcept {
    resource.main_batch = work.current().number;
  }
};

}  // namespace aerogpu::vulkan
