// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/entry_rules.hpp"

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::sim {
namespace {

#define AEROGPU_SIM_ENTRY(member, ...) \
  { offsetof(DRIVER_INITIALIZATION_DATA, DxgkDdi##member), #member, __VA_ARGS__ }

using enum sync_level;

constexpr entry_rule rules[] = {
    AEROGPU_SIM_ENTRY(AddDevice, passive_level, evicted),
    AEROGPU_SIM_ENTRY(StartDevice, passive_level, evicted),
    AEROGPU_SIM_ENTRY(StopDevice, passive_level, evicted),
    AEROGPU_SIM_ENTRY(RemoveDevice, passive_level, evicted),
    AEROGPU_SIM_ENTRY(DispatchIoRequest, passive_level, alone),
    AEROGPU_SIM_ENTRY(QueryChildRelations, passive_level, evicted),
    AEROGPU_SIM_ENTRY(QueryChildStatus, passive_level, child),
    AEROGPU_SIM_ENTRY(QueryDeviceDescriptor, passive_level, child),
    AEROGPU_SIM_ENTRY(SetPowerState, passive_level, evicted),
    AEROGPU_SIM_ENTRY(NotifyAcpiEvent, passive_level, alone),
    AEROGPU_SIM_ENTRY(ResetDevice, high_level, free),
    AEROGPU_SIM_ENTRY(Unload, passive_level, evicted),
    AEROGPU_SIM_ENTRY(QueryInterface, passive_level, alone),
    AEROGPU_SIM_ENTRY(ControlEtwLogging, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(QueryAdapterInfo, passive_level, free),
    AEROGPU_SIM_ENTRY(CreateDevice, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(CreateAllocation, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(DestroyAllocation, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(DescribeAllocation, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(GetStandardAllocationDriverData, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(AcquireSwizzlingRange, passive_level, other),
    AEROGPU_SIM_ENTRY(ReleaseSwizzlingRange, passive_level, other),
    AEROGPU_SIM_ENTRY(Patch, passive_level, scheduler, 3),
    AEROGPU_SIM_ENTRY(SubmitCommand, dispatch_level, scheduler, 2),
    AEROGPU_SIM_ENTRY(PreemptCommand, dispatch_level, scheduler, 2),
    AEROGPU_SIM_ENTRY(BuildPagingBuffer, passive_level, scheduler),
    AEROGPU_SIM_ENTRY(SetPalette, passive_level, alone),
    AEROGPU_SIM_ENTRY(SetPointerPosition, passive_level, pointer),
    AEROGPU_SIM_ENTRY(SetPointerShape, passive_level, pointer),
    AEROGPU_SIM_ENTRY(ResetFromTimeout, passive_level, evicted, 6),
    AEROGPU_SIM_ENTRY(RestartFromTimeout, passive_level, evicted, 6),
    AEROGPU_SIM_ENTRY(Escape, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(CollectDbgInfo, passive_level, free),
    AEROGPU_SIM_ENTRY(QueryCurrentFence, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(IsSupportedVidPn, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(RecommendFunctionalVidPn, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(EnumVidPnCofuncModality, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(SetVidPnSourceAddress, passive_level, alone),
    AEROGPU_SIM_ENTRY(SetVidPnSourceVisibility, passive_level, alone),
    AEROGPU_SIM_ENTRY(CommitVidPn, passive_level, alone),
    AEROGPU_SIM_ENTRY(UpdateActiveVidPnPresentPath, passive_level, alone),
    AEROGPU_SIM_ENTRY(RecommendMonitorModes, passive_level, alone),
    AEROGPU_SIM_ENTRY(RecommendVidPnTopology, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(GetScanLine, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(StopCapture, passive_level, other),
    AEROGPU_SIM_ENTRY(ControlInterrupt, passive_level, free),
    AEROGPU_SIM_ENTRY(CreateOverlay, passive_level, other),
    AEROGPU_SIM_ENTRY(DestroyDevice, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(OpenAllocation, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(CloseAllocation, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(Render, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(Present, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(UpdateOverlay, passive_level, other),
    AEROGPU_SIM_ENTRY(FlipOverlay, passive_level, other),
    AEROGPU_SIM_ENTRY(DestroyOverlay, passive_level, other),
    AEROGPU_SIM_ENTRY(CreateContext, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(DestroyContext, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(SetDisplayPrivateDriverFormat, passive_level, alone),
    AEROGPU_SIM_ENTRY(RenderKm, passive_level, reentrant),
    AEROGPU_SIM_ENTRY(QueryVidPnHWCapability, passive_level, reentrant),
};

#undef AEROGPU_SIM_ENTRY

}  // namespace

auto find_entry_rule(std::size_t offset) noexcept -> const entry_rule* {
  for (const auto& rule : rules) {
    if (rule.offset == offset) return &rule;
  }
  return nullptr;
}

}  // namespace aerogpu::sim
