// SPDX-License-Identifier: MIT
/// \file dxgkrnl's callbacks (kmd.md 1.4): each checks its IRQL, counts, and fails on demand.
#pragma once

#include "drivers/sim/kernel/machine/pc.hpp"
#include "drivers/sim/kernel/render/fence_ledger.hpp"
#include "drivers/win7/ddi/ddi.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace aerogpu::sim {

/// A report of CRTC_VSYNC.
struct vsync_report {
  std::uint32_t target = 0;
  std::uint64_t address = 0;
  std::uint64_t time_ns = 0;
};

/// The callbacks, and what they know. The parts that own handles, VidPNs and DMA buffers hang
/// themselves in as functions; without them those callbacks fail as for a wrong handle.
class dxgkrnl {
 public:
  explicit dxgkrnl(pc& machine);
  dxgkrnl(const dxgkrnl&) = delete;
  auto operator=(const dxgkrnl&) -> dxgkrnl& = delete;

  /// What StartDevice gets.
  [[nodiscard]] auto callbacks() const noexcept -> const DXGKRNL_INTERFACE& { return callbacks_; }
  [[nodiscard]] auto physical_device() noexcept -> PDEVICE_OBJECT {
    return reinterpret_cast<PDEVICE_OBJECT>(this);
  }
  [[nodiscard]] auto machine() noexcept -> pc& { return machine_; }

  /// The translated resources, to be changed by tests before StartDevice: the legacy window first,
  /// then the BARs in reverse order, then the interrupt.
  std::vector<CM_PARTIAL_RESOURCE_DESCRIPTOR> resources;
  void* device_context = nullptr;  ///< What AddDevice gave.

  fence_ledger fences;
  [[nodiscard]] auto vsyncs() const -> std::vector<vsync_report>;
  [[nodiscard]] auto child_reports() const -> std::vector<DXGK_CHILD_STATUS>;
  [[nodiscard]] auto notified_dpcs() const noexcept -> std::uint64_t { return notify_dpcs_.load(); }

  // --- what other parts add; set before the driver runs ---
  std::function<void(std::uint32_t fence)> on_retired;  ///< DIRQL, in order.
  std::function<void()> on_preempted;                   ///< DIRQL.
  std::function<void(const vsync_report&)> on_vsync;    ///< DIRQL.
  std::function<void()> on_notify_dpc;                  ///< DISPATCH.
  std::function<void*(const DXGKARGCB_GETHANDLEDATA&)> find_handle;
  std::function<D3DKMT_HANDLE(D3DKMT_HANDLE)> find_parent;
  std::function<D3DKMT_HANDLE(const DXGKARGCB_ENUMHANDLECHILDREN&)> find_child;
  std::function<NTSTATUS(D3DKMDT_HVIDPN, UINT, const DXGK_VIDPN_INTERFACE**)> query_vidpn;
  std::function<NTSTATUS(UINT, const DXGK_MONITOR_INTERFACE**)> query_monitor;

 private:
  friend struct dxgkrnl_callbacks;
  void build_resource_list();
  void notify(const DXGKARGCB_NOTIFY_INTERRUPT_DATA& what);

  pc& machine_;
  DXGKRNL_INTERFACE callbacks_{};
  std::vector<std::uint32_t> resource_list_;  ///< A CM_RESOURCE_LIST.
  mutable std::mutex mutex_;
  std::vector<vsync_report> vsyncs_;
  std::vector<DXGK_CHILD_STATUS> child_reports_;
  std::atomic<std::uint64_t> notify_dpcs_ = 0;
};

}  // namespace aerogpu::sim
