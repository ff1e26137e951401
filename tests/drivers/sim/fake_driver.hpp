// SPDX-License-Identifier: MIT
/// \file A driver without a device, for tests of the simulator: it keeps the rules, or breaks one.
#pragma once

#include "drivers/sim/kernel/kernel.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::test {

/// Which rule the driver breaks.
enum class misdeed : std::uint8_t {
  none,
  fail_submit,
  fail_patch,
  report_twice,
  report_unknown,
  report_below,  ///< A fence that was reported before.
  notify_without_lock,
  fail_reset,
  keep_irql,  ///< SubmitCommand returns at another level.
  leak_pool,  ///< RemoveDevice forgets.
  paging_overrun,
  fail_paging,
  unfilled_device_info,
  flags_left_in_device,
  claim_nothing,  ///< The ISR never finds its device.
  vblank_while_off,
  preempt_unasked,
};

/// What the driver is told, and what it saw. One at a time, `use_fake_driver` makes it new.
struct fake_driver {
  // Chosen by the test
  misdeed does = misdeed::none;
  bool completes_at_once = true;
  std::uint64_t memory_segment_bytes = 1u << 20;
  std::uint64_t allocation_bytes = 64u << 10;
  UINT allocation_segments = 1;
  bool is_cpu_visible = true;

  // Seen
  std::vector<std::uint32_t> submitted;
  std::vector<std::uint32_t> patched_entries;  ///< Length of each Patch's list.
  std::vector<DXGK_ALLOCATIONLIST> last_render_list;
  std::vector<DXGK_ALLOCATIONLIST> last_patch_list;
  std::vector<DXGK_BUILDPAGINGBUFFER_OPERATION> paging_operations;
  std::uint32_t open_allocations = 0;
  std::uint32_t live_allocations = 0;
  std::uint32_t dpcs = 0;
  std::uint32_t resets = 0;
  unsigned char submit_level = 0xFF;
  bool vblank_due = false;
  std::uint64_t shown_address = 0;

  /// Reports everything submitted so far, as an interrupt would.
  void complete_all();
  void raise_vblank();

  // Its own
  DXGKRNL_INTERFACE callbacks{};
  sim::pc* machine = nullptr;
  std::uint64_t segment_base = 0;
  std::vector<DXGKARG_BUILDPAGINGBUFFER> operations;
  bool is_preempted = false;
  std::uint32_t preemption = 0;
  std::uint32_t last_reported = 0;
  void* pool = nullptr;
};

/// The one driver, new, with its table in `windows`.
auto use_fake_driver(sim::kernel& windows) -> fake_driver&;

[[nodiscard]] auto the_fake_driver() -> fake_driver&;

}  // namespace aerogpu::test
