#include "drivers/win7/umd/d3d9/core/device.hpp"

#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/resource/destruction.hpp"

namespace aerogpu::umd {

namespace {

/// A header and the largest packet without payload: less is no command buffer.
constexpr std::uint32_t least_command_bytes = 256;

auto logs_submits() noexcept -> bool {
  std::array<char, 8> storage;
  const std::string_view value = os::environment("AEROGPU_D3D9_LOG_SUBMITS", storage);
  return !value.empty() && value != "0";
}

}  // namespace

auto start_device(device& starting) noexcept -> HRESULT {
  recording_space space;
  if (const HRESULT made = starting.runtime.create_context(space); FAILED(made)) return made;
  if (space.command_bytes < least_command_bytes) {
    static_cast<void>(starting.runtime.acquire(least_command_bytes, space));
  }
  HRESULT started = E_FAIL;
  if (space.commands != nullptr && space.command_bytes >= least_command_bytes &&
      space.list_entries != 0) {
    const recorder_limits limits{starting.adapter.facts().max_list_slot, logs_submits()};
    started = starting.commands.start(space, starting.adapter.ids, limits);
  }
  if (FAILED(started)) starting.runtime.destroy_context();
  return started;
}

void stop_device(device& stopping) noexcept {
  stopping.shaders.clear();
  stopping.scratch.destroy(stopping);
  destroy_resources(stopping);
  completion& done = stopping.commands.completion();
  if (SUCCEEDED(stopping.commands.submit())) {
    static_cast<void>(done.wait(done.submitted(), completion::idle_limit_ns));
  }
  stopping.commands.stop();
  stopping.runtime.destroy_context();
}

}  // namespace aerogpu::umd
