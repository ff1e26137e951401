// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/dxgkrnl.hpp"

#include "aerogpu/abi/pci.h"
#include "drivers/sim/kernel/dxgkrnl_callbacks.hpp"

#include <cstring>

namespace aerogpu::sim {
namespace {

[[nodiscard]] auto memory_range(std::uint64_t start, std::uint32_t size)
    -> CM_PARTIAL_RESOURCE_DESCRIPTOR {
  CM_PARTIAL_RESOURCE_DESCRIPTOR one{};
  one.Type = CmResourceTypeMemory;
  one.u.Memory.Start.QuadPart = static_cast<LONGLONG>(start);
  one.u.Memory.Length = size;
  return one;
}

[[nodiscard]] auto interrupt_resource() -> CM_PARTIAL_RESOURCE_DESCRIPTOR {
  CM_PARTIAL_RESOURCE_DESCRIPTOR one{};
  one.Type = CmResourceTypeInterrupt;
  one.ShareDisposition = 3;  // Shared.
  one.u.Interrupt.Level = device_level;
  one.u.Interrupt.Vector = 0x92;
  one.u.Interrupt.Affinity = 1;
  return one;
}

}  // namespace

dxgkrnl::dxgkrnl(pc& machine) : machine_(machine) {
  const auto& bars = machine.config.bars;
  resources = {memory_range(0xA0000, 0x20000), memory_range(bars.bar1, bars.bar1_bytes),
               memory_range(bars.bar0, AEROGPU_PCI_BAR0_SIZE_BYTES), interrupt_resource()};
  dxgkrnl_callbacks::fill(callbacks_);
  callbacks_.DeviceHandle = this;
}

void dxgkrnl::build_resource_list() {
  const auto header = offsetof(CM_RESOURCE_LIST, List[0].PartialResourceList.PartialDescriptors);
  const auto size = header + resources.size() * sizeof resources[0];
  resource_list_.assign(size / 4 + 1, 0);
  CM_RESOURCE_LIST list{};
  list.Count = 1;
  list.List[0].InterfaceType = PCIBus;
  list.List[0].PartialResourceList.Version = 1;
  list.List[0].PartialResourceList.Revision = 1;
  list.List[0].PartialResourceList.Count = static_cast<ULONG>(resources.size());
  auto* const bytes = reinterpret_cast<std::byte*>(resource_list_.data());
  std::memcpy(bytes, &list, header);
  if (!resources.empty()) {
    std::memcpy(bytes + header, resources.data(), resources.size() * sizeof resources[0]);
  }
}

auto dxgkrnl::vsyncs() const -> std::vector<vsync_report> {
  const std::lock_guard hold{mutex_};
  return vsyncs_;
}

auto dxgkrnl::child_reports() const -> std::vector<DXGK_CHILD_STATUS> {
  const std::lock_guard hold{mutex_};
  return child_reports_;
}

void dxgkrnl::notify(const DXGKARGCB_NOTIFY_INTERRUPT_DATA& what) {
  switch (what.InterruptType) {
    case DXGK_INTERRUPT_DMA_COMPLETED:
      for (const auto fence : fences.completed(what.DmaCompleted.SubmissionFenceId)) {
        if (on_retired) on_retired(fence);
      }
      return;
    case DXGK_INTERRUPT_DMA_PREEMPTED:
      if (fences.preempted(what.DmaPreempted.PreemptionFenceId,
                           what.DmaPreempted.LastCompletedFenceId) &&
          on_preempted) {
        on_preempted();
      }
      return;
    case DXGK_INTERRUPT_CRTC_VSYNC: {
      const vsync_report report{what.CrtcVsync.VidPnTargetId,
                                static_cast<std::uint64_t>(what.CrtcVsync.PhysicalAddress.QuadPart),
                                machine_.clock.now_ns()};
      {
        const std::lock_guard hold{mutex_};
        vsyncs_.push_back(report);
      }
      if (on_vsync) on_vsync(report);
      return;
    }
    case DXGK_INTERRUPT_DMA_FAULTED:
      static_cast<void>(fences.faulted(what.DmaFaulted.FaultedFenceId));
      return;
  }
  stop(stop_code::video_dxgkrnl_fatal_error,
       {static_cast<std::uint64_t>(what.InterruptType), 0, 0, 0},
       "NotifyInterrupt is called with a type that Windows 7 does not know");
}

}  // namespace aerogpu::sim
