// SPDX-License-Identifier: MIT
/// \file Every entry point of the table without its arguments, and those that answer nothing more.
#include "tests/drivers/kmd/adapter/adapter_session.hpp"

#include <string>
#include <type_traits>

using namespace aerogpu;
using test::running_driver;
using table_type = DRIVER_INITIALIZATION_DATA;

namespace {

/// All arguments are zero.
template <class Result, class... Arguments>
auto call_empty(auto(APIENTRY* entry)(Arguments...)->Result) -> Result {
  return entry(Arguments{}...);
}
/// And only the first one is the adapter.
template <class Result, class... Arguments>
auto call_with_handle(auto(APIENTRY* entry)(HANDLE, Arguments...)->Result, HANDLE handle)
    -> Result {
  return entry(handle, Arguments{}...);
}

struct entry_answer {
  const char* name;
  NTSTATUS empty;
  NTSTATUS with_handle;
};

#define AEROGPU_ENTRY_ANSWER(name)                                      \
  entry_answer {                                                        \
#name, call_empty(table.name), call_with_handle(table.name, handle) \
  }

/// The device, context or adapter is never reached: the arguments are missing.
auto entries_with_arguments(const table_type& table, HANDLE handle) -> std::vector<entry_answer> {
  return {
      AEROGPU_ENTRY_ANSWER(DxgkDdiStartDevice),
      AEROGPU_ENTRY_ANSWER(DxgkDdiQueryAdapterInfo),
      AEROGPU_ENTRY_ANSWER(DxgkDdiCreateDevice),
      AEROGPU_ENTRY_ANSWER(DxgkDdiCreateContext),
      AEROGPU_ENTRY_ANSWER(DxgkDdiGetStandardAllocationDriverData),
      AEROGPU_ENTRY_ANSWER(DxgkDdiCreateAllocation),
      AEROGPU_ENTRY_ANSWER(DxgkDdiDestroyAllocation),
      AEROGPU_ENTRY_ANSWER(DxgkDdiDescribeAllocation),
      AEROGPU_ENTRY_ANSWER(DxgkDdiOpenAllocation),
      AEROGPU_ENTRY_ANSWER(DxgkDdiCloseAllocation),
      AEROGPU_ENTRY_ANSWER(DxgkDdiBuildPagingBuffer),
      AEROGPU_ENTRY_ANSWER(DxgkDdiPresent),
      AEROGPU_ENTRY_ANSWER(DxgkDdiRender),
      AEROGPU_ENTRY_ANSWER(DxgkDdiPatch),
      AEROGPU_ENTRY_ANSWER(DxgkDdiSubmitCommand),
      AEROGPU_ENTRY_ANSWER(DxgkDdiPreemptCommand),
      AEROGPU_ENTRY_ANSWER(DxgkDdiQueryCurrentFence),
      AEROGPU_ENTRY_ANSWER(DxgkDdiEscape),
      AEROGPU_ENTRY_ANSWER(DxgkDdiCollectDbgInfo),
      AEROGPU_ENTRY_ANSWER(DxgkDdiQueryChildRelations),
      AEROGPU_ENTRY_ANSWER(DxgkDdiQueryChildStatus),
      AEROGPU_ENTRY_ANSWER(DxgkDdiQueryDeviceDescriptor),
      AEROGPU_ENTRY_ANSWER(DxgkDdiIsSupportedVidPn),
      AEROGPU_ENTRY_ANSWER(DxgkDdiRecommendFunctionalVidPn),
      AEROGPU_ENTRY_ANSWER(DxgkDdiEnumVidPnCofuncModality),
      AEROGPU_ENTRY_ANSWER(DxgkDdiSetVidPnSourceAddress),
      AEROGPU_ENTRY_ANSWER(DxgkDdiSetVidPnSourceVisibility),
      AEROGPU_ENTRY_ANSWER(DxgkDdiCommitVidPn),
      AEROGPU_ENTRY_ANSWER(DxgkDdiUpdateActiveVidPnPresentPath),
      AEROGPU_ENTRY_ANSWER(DxgkDdiRecommendMonitorModes),
      AEROGPU_ENTRY_ANSWER(DxgkDdiRecommendVidPnTopology),
      AEROGPU_ENTRY_ANSWER(DxgkDdiQueryVidPnHWCapability),
      AEROGPU_ENTRY_ANSWER(DxgkDdiGetScanLine),
      AEROGPU_ENTRY_ANSWER(DxgkDdiSetPointerPosition),
      AEROGPU_ENTRY_ANSWER(DxgkDdiSetPointerShape),
  };
}

auto stubs(const table_type& table, HANDLE handle) -> std::vector<entry_answer> {
  return {
      AEROGPU_ENTRY_ANSWER(DxgkDdiDispatchIoRequest),
      AEROGPU_ENTRY_ANSWER(DxgkDdiQueryInterface),
      AEROGPU_ENTRY_ANSWER(DxgkDdiStopCapture),
      AEROGPU_ENTRY_ANSWER(DxgkDdiCreateOverlay),
      AEROGPU_ENTRY_ANSWER(DxgkDdiUpdateOverlay),
      AEROGPU_ENTRY_ANSWER(DxgkDdiFlipOverlay),
      AEROGPU_ENTRY_ANSWER(DxgkDdiDestroyOverlay),
      AEROGPU_ENTRY_ANSWER(DxgkDdiSetDisplayPrivateDriverFormat),
  };
}

#undef AEROGPU_ENTRY_ANSWER

}  // namespace

TEST_CASE("an entry point without its arguments is refused", "[drivers][kmd]") {
  running_driver driver;
  const auto& table = driver.windows().table;
  for (const auto& one : entries_with_arguments(table, driver.windows().context())) {
    INFO(one.name);
    CHECK(one.empty == STATUS_INVALID_PARAMETER);
    CHECK(one.with_handle == STATUS_INVALID_PARAMETER);
  }
}

TEST_CASE("an entry point that takes a handle alone is refused without it", "[drivers][kmd]") {
  running_driver driver;
  const auto& table = driver.windows().table;
  for (const auto status :
       {call_empty(table.DxgkDdiStopDevice), call_empty(table.DxgkDdiRemoveDevice),
        call_empty(table.DxgkDdiDestroyDevice), call_empty(table.DxgkDdiDestroyContext),
        call_empty(table.DxgkDdiResetFromTimeout), call_empty(table.DxgkDdiRestartFromTimeout),
        call_empty(table.DxgkDdiSetPowerState), call_empty(table.DxgkDdiAddDevice),
        call_empty(table.DxgkDdiNotifyAcpiEvent), call_empty(table.DxgkDdiControlInterrupt)}) {
    CHECK(status == STATUS_INVALID_PARAMETER);
  }
  CHECK(call_empty(table.DxgkDdiInterruptRoutine) == FALSE);
  call_empty(table.DxgkDdiDpcRoutine);
  call_empty(table.DxgkDdiResetDevice);
  table.DxgkDdiControlEtwLogging(TRUE, 0, 0);
}

TEST_CASE("a swizzling range is unsupported with the one status for it, and released with success",
          "[drivers][kmd]") {
  running_driver driver;
  const auto& table = driver.windows().table;
  void* const adapter = driver.windows().context();
  DXGKARG_ACQUIRESWIZZLINGRANGE acquired{};
  CHECK(table.DxgkDdiAcquireSwizzlingRange(adapter, &acquired) ==
        STATUS_GRAPHICS_UNSWIZZLING_APERTURE_UNSUPPORTED);
  const DXGKARG_RELEASESWIZZLINGRANGE released{};
  CHECK(table.DxgkDdiReleaseSwizzlingRange(adapter, &released) == STATUS_SUCCESS);
}

TEST_CASE("what this driver has no use for says so", "[drivers][kmd]") {
  running_driver driver;
  for (const auto& one : stubs(driver.windows().table, driver.windows().context())) {
    INFO(one.name);
    CHECK(one.empty == STATUS_NOT_SUPPORTED);
    CHECK(one.with_handle == STATUS_NOT_SUPPORTED);
  }
}

TEST_CASE("no other engine than the first has a fence", "[drivers][kmd]") {
  running_driver driver;
  const auto [node, engine] = GENERATE(table<UINT, UINT>({{0, 1}, {1, 0}, {7, 7}}));
  DXGKARG_QUERYCURRENTFENCE args{};
  args.NodeOrdinal = node;
  args.EngineOrdinal = engine;
  CHECK(driver.windows().table.DxgkDdiQueryCurrentFence(driver.windows().context(), &args) ==
        STATUS_INVALID_PARAMETER);
}
