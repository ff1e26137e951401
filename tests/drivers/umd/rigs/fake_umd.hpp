// SPDX-License-Identifier: MIT
/// \file A user-mode driver without a brain, for tests of the runtime: it keeps the rules, or
/// breaks one.
#pragma once

#include "drivers/sim/runtime/runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace aerogpu::test {

/// Which rule the driver breaks.
enum class umd_misdeed : std::uint8_t {
  none,
  // OpenAdapter and GetCaps
  report_vista_version,
  leave_adapter_entry_null,
  write_behind_adapter_table,
  keep_adapter_callbacks,
  give_no_adapter_handle,
  write_behind_caps,
  change_data_size,
  // CreateDevice and DestroyDevice
  leave_entry_null,
  leave_one_async_lock_null,
  write_behind_device_table,
  keep_device_callbacks,
  write_into_default_context,
  leak_allocation,
  leak_context,
  leave_locked,
  // Resources
  give_no_resource_handle,
  keep_runtime_resource_handle,
  change_surface_list,
  leak_shared_allocation,
  share_without_allocation,
  allocate_shared_twice,
  name_unknown_resource,
  // Lock
  write_behind_structure,
  change_input,
  give_no_memory,
  // SetRenderState
  invent_result,
  // Flush
  call_back_without_structure,
  fill_reserved,
  use_unknown_context,
  list_unknown_allocation,
  overrun_command_bytes,
  overrun_list_entries,
  write_behind_commands,
  write_behind_list,
  keep_old_size,
  write_into_old_commands,
  write_into_old_list,
  render_while_locked,
  ignore_sync,
  discard_in_kernel,
  lock_both_ways,
  unlock_twice,
  free_while_locked,
  free_twice,
  present_outside,
  set_mode_outside,
  // Present
  present_nothing,
  present_twice,
};

/// What the driver is told, and what it saw. One at a time, `use_fake_umd` makes it new.
struct fake_umd {
  umd_misdeed does = umd_misdeed::none;
  bool has_async_locks = true;         ///< Else LockAsync, UnlockAsync and Rename are NULL.
  std::uint32_t render_bytes = 0;      ///< Of each submission; 0: an empty stream.
  bool wishes_larger = false;          ///< RenderCb asks for other sizes.
  std::uint32_t polls_until_done = 0;  ///< How often GetQueryData answers S_FALSE.
  std::function<void()> during_flush;  ///< Called inside of Flush.

  // Seen
  std::vector<std::size_t> entries;  ///< Every call, by its place in the table.
  std::vector<D3DDDIARG_RENDERSTATE> render_states;
  std::vector<D3DDDIARG_TEXTURESTAGESTATE> stage_states;
  std::vector<D3DDDIARG_CREATERESOURCE> resources;
  std::vector<std::vector<D3DDDI_SURFACEINFO>> surfaces;  ///< Of each of them.
  std::vector<D3DDDIARG_LOCK> locks;
  std::vector<D3DDDIARG_BLT> blts;
  std::vector<D3DDDIARG_TEXBLT> texture_blts;
  std::vector<D3DDDIARG_PRESENT> presents;
  std::vector<D3DDDIARG_SETRENDERTARGET> targets;
  std::vector<D3DDDIVERTEXELEMENT> elements;  ///< Of the last declaration.
  std::vector<RECT> clear_rectangles;
  std::vector<std::uint32_t> command_sizes;  ///< Of each command buffer.
  D3DDDIARG_CLEAR clear{};
  D3DDDIARG_VIEWPORTINFO viewport{};
  D3DDDIARG_ZRANGE z_range{};
  D3DDDIARG_DRAWPRIMITIVE draw{};
  D3DDDIARG_DRAWINDEXEDPRIMITIVE indexed_draw{};
  D3DDDIARG_SETSTREAMSOURCEUM stream_um{};
  D3DDDIARG_ISSUEQUERY issue{};
  UINT index_size_um = 0;
  std::uint32_t live_adapters = 0;
  std::uint32_t live_devices = 0;
  std::uint32_t live_resources = 0;

  [[nodiscard]] auto calls_of(std::size_t entry) const -> std::size_t;
};

/// The one driver, new, as its exports.
auto use_fake_umd(umd_misdeed does = umd_misdeed::none) -> sim::user_driver;
[[nodiscard]] auto the_fake_umd() -> fake_umd&;
/// DeallocateCb of the last device, as from a thread of the driver's own.
void call_back_from_here();
/// EscapeCb on the last adapter: QUERY_FENCE, in the name of a device or of none.
auto escape_from_here(HANDLE device) -> HRESULT;
/// The runtime's handle of the last device.
[[nodiscard]] auto last_device() -> HANDLE;

}  // namespace aerogpu::test
