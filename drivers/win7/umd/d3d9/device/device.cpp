// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/device/device.hpp"

#include "drivers/win7/umd/d3d9/resource/destruction.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/shader/shader.hpp"
#include "drivers/win7/umd/d3d9/trace/environment.hpp"

namespace aerogpu::umd {

namespace {

/// A header and the largest packet without payload: less is no command buffer.
constexpr std::uint32_t least_command_bytes = 256;

/// What the application left (umd-d3d9.md T234).
void destroy_objects(device& on) noexcept {
  while (shader* const left = on.application_shaders.first())
    static_cast<void>(destroy_shader(on, left));
  while (vertex_declaration* const left = on.declarations.first())
    static_cast<void>(destroy_declaration(on, left));
  while (event_query* const left = on.event_queries.first())
    static_cast<void>(destroy_query(on, left));
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
    const recorder_limits limits{starting.adapter.facts().max_list_slot,
                                 environment().logs_submits};
    started = starting.commands.start(space, starting.adapter.ids, limits);
  }
  starting.presents.occludes_invisible = environment().occludes_invisible;
  if (FAILED(started)) starting.runtime.destroy_context();
  return started;
}

void stop_device(device& stopping) noexcept {
  stopping.shaders.clear();
  stopping.scratch.destroy(stopping);
  stopping.fvf.destroy(stopping);
  destroy_resources(stopping);
  destroy_objects(stopping);
  completion& done = stopping.commands.completion();
  if (SUCCEEDED(stopping.commands.submit())) {
    static_cast<void>(done.wait(done.submitted(), completion::idle_limit_ns));
  }
  stopping.commands.stop();
  stopping.runtime.destroy_context();
}

}  // namespace aerogpu::umd
