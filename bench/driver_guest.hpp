// SPDX-License-Identifier: MIT
// A process on the simulated Windows that submits command buffers with allocation lists of a
// chosen length, through the thunks, to the real driver and the device over the null backend.
#pragma once

#include "aerogpu/abi/dbgctl_escape.h"
#include "aerogpu/abi/wddm_alloc.h"
#include "aerogpu/core/check.hpp"
#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/writer.hpp"
#include "backends/null/null_backend.hpp"
#include "drivers/sim/kernel/machine/null_machine.hpp"
#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "drivers/sim/kernel/windows.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::bench {

/// One machine, one Windows, one context.
class driver_guest {
 public:
  explicit driver_guest(std::uint32_t list_entries) : list_(list_entries) {
    good(session.boot(&DriverEntry));
    D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME opened{};
    good(D3DKMTOpenAdapterFromGdiDisplayName(&opened));
    adapter_ = opened.hAdapter;
    D3DKMT_CREATEDEVICE device{};
    device.hAdapter = adapter_;
    good(D3DKMTCreateDevice(&device));
    device_ = device.hDevice;
    context_.hDevice = device_;
    good(D3DKMTCreateContext(&context_));
    for (std::uint32_t i = 0; i < list_entries; ++i) list_[i] = create_buffer(i + 1);
    submit();
    AEROGPU_CHECK(is_complete());
  }
  ~driver_guest() {
    AEROGPU_CHECK(is_complete());
    const D3DKMT_DESTROYDEVICE gone{device_};
    good(D3DKMTDestroyDevice(&gone));
    const D3DKMT_CLOSEADAPTER closed{adapter_};
    good(D3DKMTCloseAdapter(&closed));
    session.shutdown();
    AEROGPU_CHECK(pc.bugs.text().empty());
  }
  driver_guest(const driver_guest&) = delete;
  auto operator=(const driver_guest&) -> driver_guest& = delete;

  /// Writes a stream of one packet and the list, and renders. The device works within the
  /// doorbell, and the DPC has run when this returns.
  void submit() {
    span_sink sink{{static_cast<std::byte*>(context_.pCommandBuffer), context_.CommandBufferSize}};
    stream_writer<span_sink> stream{sink};
    AEROGPU_CHECK(stream.begin() && stream.flush());
    D3DKMT_RENDER render{};
    render.hContext = context_.hContext;
    render.CommandLength = stream.finish();
    render.AllocationCount = static_cast<UINT>(list_.size());
    for (std::size_t i = 0; i < list_.size(); ++i) {
      context_.pAllocationList[i] = {};
      context_.pAllocationList[i].hAllocation = list_[i];
    }
    good(D3DKMTRender(&render));
    context_.pCommandBuffer = render.pNewCommandBuffer;
    context_.pAllocationList = render.pNewAllocationList;
  }
  /// Whether the driver has reported every fence.
  [[nodiscard]] auto is_complete() -> bool {
    aerogpu_escape_query_fence_out answer{};
    answer.hdr = {AEROGPU_ESCAPE_VERSION, AEROGPU_ESCAPE_OP_QUERY_FENCE, sizeof answer, 0};
    D3DKMT_ESCAPE escape{};
    escape.hAdapter = adapter_;
    escape.pPrivateDriverData = &answer;
    escape.PrivateDriverDataSize = sizeof answer;
    good(D3DKMTEscape(&escape));
    return answer.last_submitted_fence != 0 &&
           answer.last_submitted_fence == answer.last_completed_fence;
  }

  sim::pc pc;
  null_backend backend;
  sim::machine<null_backend> machine{pc, backend};
  sim::kernel windows{pc};

 private:
  sim::thread_scope here_{pc};

 public:
  sim::windows session{windows};

 private:
  static void good(NTSTATUS status) { AEROGPU_CHECK(status == STATUS_SUCCESS); }

  [[nodiscard]] auto create_buffer(std::uint32_t id) -> D3DKMT_HANDLE {
    aerogpu_wddm_alloc_priv_v2 blob{};
    blob.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
    blob.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_2;
    blob.alloc_id = id;
    blob.size_bytes = 4096;
    blob.kind = AEROGPU_WDDM_ALLOC_KIND_BUFFER;
    D3DDDI_ALLOCATIONINFO info{};
    info.pPrivateDriverData = &blob;
    info.PrivateDriverDataSize = sizeof blob;
    D3DKMT_CREATEALLOCATION wanted{};
    wanted.hDevice = device_;
    wanted.NumAllocations = 1;
    wanted.pAllocationInfo = &info;
    good(D3DKMTCreateAllocation(&wanted));
    return info.hAllocation;
  }

  D3DKMT_HANDLE adapter_ = 0;
  D3DKMT_HANDLE device_ = 0;
  D3DKMT_CREATECONTEXT context_{};
  std::vector<D3DKMT_HANDLE> list_;
};

}  // namespace aerogpu::bench
