// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/submit/context_log.hpp"

#include "drivers/win7/umd/d3d9/core/log.hpp"

namespace aerogpu::umd {

namespace {

void append(log_line& to, std::string_view name, const logged_buffer& buffer) noexcept {
  to.text(name).pointer(buffer.address).text("/").number(buffer.size);
}

}  // namespace

void log_context(const logged_context& made) noexcept {
  log_line line{"CreateDevice wddm hDevice="};
  line.hex(made.device).text(" hContext=").hex(made.context);
  line.text(" hSyncObject=").hex(made.sync_object);
  append(line, " cmd=", made.commands);
  append(line, " alloc=", made.allocations);
  append(line, " patch=", made.patches);
  append(line, " dma_priv=", made.private_data);
}

void log_callbacks(const logged_callbacks& given) noexcept {
  log_line{"WDDM callbacks SubmitCommandCb="}
      .pointer(given.submit_command)
      .text(" RenderCb=")
      .pointer(given.render)
      .text(" PresentCb=")
      .pointer(given.present);
}

void log_patch_list(const logged_buffer& patches) noexcept {
  log_line{"WDDM patch_list="}
      .text(patches.address != nullptr ? "present" : "absent")
      .text(" (AeroGPU submits with NumPatchLocations=0)");
}

}  // namespace aerogpu::umd
