// SPDX-License-Identifier: MIT
/// \file A process that renders and presents through the thunks, as a user-mode driver would.
#pragma once

#include "aerogpu/abi/format.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/abi/wddm_alloc.h"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/writer.hpp"
#include "drivers/sim/kernel/objects/handle_table.hpp"
#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "tests/catch.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

namespace aerogpu::test {

/// The flag that makes an allocation's blob ask for a share token.
inline constexpr std::uint32_t is_shared_flag = AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED;

/// A texture with its allocation, and the host's name for it.
struct app_surface {
  D3DKMT_HANDLE allocation = 0;
  D3DKMT_HANDLE resource = 0;
  D3DKMT_HANDLE share = 0;
  aerogpu_wddm_alloc_priv_v3 blob{};
  std::uint32_t texture = 0;

  [[nodiscard]] auto handle() const { return static_cast<resource_handle>(texture); }
};

using stream_type = stream_writer<span_sink>;

/// A packet must have been written.
inline void good(const result<void>& written) {
  CHECK(static_cast<bool>(written));
}

/// One device with one context in a process of its own. Each call is made as that process.
class application {
 public:
  explicit application(std::uint32_t process_id) : process(process_id) {
    const sim::process_scope here{process};
    D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME opened{};
    REQUIRE(D3DKMTOpenAdapterFromGdiDisplayName(&opened) == STATUS_SUCCESS);
    adapter = opened.hAdapter;
    D3DKMT_CREATEDEVICE made{};
    made.hAdapter = adapter;
    REQUIRE(D3DKMTCreateDevice(&made) == STATUS_SUCCESS);
    device = made.hDevice;
    context_.hDevice = device;
    context_.ClientHint = D3DKMT_CLIENTHINT_DX9;
    REQUIRE(D3DKMTCreateContext(&context_) == STATUS_SUCCESS);
    commands_ = static_cast<std::byte*>(context_.pCommandBuffer);
    list_ = context_.pAllocationList;
  }
  /// Ends the process by itself; `windows::session().objects.terminate` does it the hard way.
  void close() {
    const sim::process_scope here{process};
    const D3DKMT_DESTROYDEVICE gone{device};
    CHECK(D3DKMTDestroyDevice(&gone) == STATUS_SUCCESS);
    const D3DKMT_CLOSEADAPTER closed{adapter};
    CHECK(D3DKMTCloseAdapter(&closed) == STATUS_SUCCESS);
  }

  /// A render target with private data of version 3; `flags` are its
  /// aerogpu_wddm_alloc_private_flags.
  [[nodiscard]] auto create_surface(std::uint32_t alloc_id, std::uint32_t width,
                                    std::uint32_t height, std::uint32_t flags = 0) -> app_surface {
    const bool is_shared = (flags & AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED) != 0;
    app_surface made;
    made.texture = alloc_id;
    made.blob.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
    made.blob.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_3;
    made.blob.alloc_id = alloc_id;
    made.blob.flags = flags;
    made.blob.size_bytes = std::uint64_t{width} * 4 * height;
    made.blob.kind = AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D;
    made.blob.width = width;
    made.blob.height = height;
    made.blob.format = 87;  // DXGI_FORMAT_B8G8R8A8_UNORM
    made.blob.row_pitch_bytes = width * 4;
    made.blob.resource_handle = made.texture;
    D3DDDI_ALLOCATIONINFO info{};
    info.pPrivateDriverData = &made.blob;
    info.PrivateDriverDataSize = sizeof made.blob;
    D3DKMT_CREATEALLOCATION wanted{};
    wanted.hDevice = device;
    wanted.NumAllocations = 1;
    wanted.pAllocationInfo = &info;
    wanted.Flags.CreateResource = 1;
    wanted.Flags.CreateShared = is_shared ? 1 : 0;
    const sim::process_scope here{process};
    REQUIRE(D3DKMTCreateAllocation(&wanted) == STATUS_SUCCESS);
    made.allocation = info.hAllocation;
    made.resource = wanted.hResource;
    made.share = wanted.hGlobalShare;
    render({{made, true}}, [&](stream_type& s) {
      good(s.create_texture2d(
          {.texture = made.handle(),
           .usage_flags = AEROGPU_RESOURCE_USAGE_RENDER_TARGET | AEROGPU_RESOURCE_USAGE_TEXTURE,
           .format = AEROGPU_FORMAT_B8G8R8A8_UNORM,
           .width = width,
           .height = height,
           .row_pitch_bytes = width * 4,
           .backing = {static_cast<alloc_id_type>(alloc_id), 0}}));
    });
    return made;
  }
  /// Opens another process's surface; `texture` becomes its alias on the host.
  [[nodiscard]] auto open_surface(D3DKMT_HANDLE share, std::uint32_t texture) -> app_surface {
    const sim::process_scope here{process};
    D3DKMT_QUERYRESOURCEINFO about{};
    about.hDevice = device;
    about.hGlobalShare = share;
    REQUIRE(D3DKMTQueryResourceInfo(&about) == STATUS_SUCCESS);
    REQUIRE(about.NumAllocations == 1);
    REQUIRE(about.TotalPrivateDriverDataSize == sizeof(aerogpu_wddm_alloc_priv_v3));
    app_surface opened;
    opened.texture = texture;
    D3DDDI_OPENALLOCATIONINFO info{};
    D3DKMT_OPENRESOURCE wanted{};
    wanted.hDevice = device;
    wanted.hGlobalShare = share;
    wanted.NumAllocations = 1;
    wanted.pOpenAllocationInfo = &info;
    wanted.pTotalPrivateDriverDataBuffer = &opened.blob;
    wanted.TotalPrivateDriverDataBufferSize = sizeof opened.blob;
    REQUIRE(D3DKMTOpenResource(&wanted) == STATUS_SUCCESS);
    opened.allocation = info.hAllocation;
    opened.resource = wanted.hResource;
    return opened;
  }

  struct use {
    app_surface surface;
    bool is_written = false;
  };
  [[nodiscard]] auto try_render(const std::vector<use>& uses,
                                const std::function<void(stream_type&)>& write) -> NTSTATUS {
    const sim::process_scope here{process};
    span_sink sink{{commands_, context_.CommandBufferSize}};
    stream_type stream{sink};
    good(stream.begin(AEROGPU_ABI_MINOR));
    write(stream);
    D3DKMT_RENDER render{};
    render.hContext = context_.hContext;
    render.CommandLength = stream.finish();
    for (const auto& one : uses) {
      auto& line = list_[render.AllocationCount++];
      line = {};
      line.hAllocation = one.surface.allocation;
      line.WriteOperation = one.is_written ? 1 : 0;
    }
    const auto status = D3DKMTRender(&render);
    if (!NT_SUCCESS(status)) return status;
    commands_ = static_cast<std::byte*>(render.pNewCommandBuffer);
    list_ = render.pNewAllocationList;
    return status;
  }
  void render(const std::vector<use>& uses, const std::function<void(stream_type&)>& write) {
    REQUIRE(try_render(uses, write) == STATUS_SUCCESS);
  }
  /// Clears the surface to an ARGB colour of full channels, on the host.
  void clear(const app_surface& target, float red, float green, float blue) {
    render({{target, true}}, [&](stream_type& s) {
      const std::array colors{target.handle()};
      good(s.set_render_targets(colors, resource_handle{}));
      good(s.clear({.flags = AEROGPU_CLEAR_COLOR, .color = {red, green, blue, 1.0F}}));
    });
  }

  [[nodiscard]] auto present(D3DKMT_PRESENT wanted) -> NTSTATUS {
    const sim::process_scope here{process};
    wanted.hContext = context_.hContext;
    return D3DKMTPresent(&wanted);
  }
  [[nodiscard]] auto blt(const app_surface& source, D3DKMT_HANDLE destination = 0,
                         bool may_wait = true) -> NTSTATUS {
    D3DKMT_PRESENT wanted{};
    wanted.hSource = source.allocation;
    wanted.hDestination = destination;
    wanted.Flags.Blt = 1;
    wanted.Flags.FlipDoNotWait = may_wait ? 0 : 1;
    return present(wanted);
  }
  /// The stream that names what to show, and the flip.
  [[nodiscard]] auto flip(const app_surface& source, bool may_wait = true,
                          D3DDDI_FLIPINTERVAL_TYPE interval = D3DDDI_FLIPINTERVAL_ONE) -> NTSTATUS {
    render({{source, false}}, [&](stream_type& s) {
      const std::array colors{source.handle()};
      good(s.set_render_targets(colors, resource_handle{}));
      const bool is_immediate = interval == D3DDDI_FLIPINTERVAL_IMMEDIATE;
      good(s.present_ex(0, is_immediate ? 0 : AEROGPU_PRESENT_FLAG_VSYNC, 0));
    });
    D3DKMT_PRESENT wanted{};
    wanted.hSource = source.allocation;
    wanted.FlipInterval = interval;
    wanted.Flags.Flip = 1;
    wanted.Flags.FlipDoNotWait = may_wait ? 0 : 1;
    return present(wanted);
  }
  [[nodiscard]] auto own_source(D3DKMT_VIDPNSOURCEOWNER_TYPE type) -> NTSTATUS {
    const sim::process_scope here{process};
    const D3DDDI_VIDEO_PRESENT_SOURCE_ID source = 0;
    const D3DKMT_SETVIDPNSOURCEOWNER wanted{device, &type, &source, 1};
    return D3DKMTSetVidPnSourceOwner(&wanted);
  }
  [[nodiscard]] auto wait_idle() -> NTSTATUS {
    const sim::process_scope here{process};
    const D3DKMT_WAITFORIDLE wanted{device};
    return D3DKMTWaitForIdle(&wanted);
  }
  [[nodiscard]] auto wait_vblank() -> NTSTATUS {
    const sim::process_scope here{process};
    const D3DKMT_WAITFORVERTICALBLANKEVENT wanted{adapter, device, 0};
    return D3DKMTWaitForVerticalBlankEvent(&wanted);
  }
  [[nodiscard]] auto statistics() -> D3DKMT_PRESENT_STATS {
    const sim::process_scope here{process};
    D3DKMT_GETDEVICESTATE asked{};
    asked.hDevice = device;
    asked.StateType = D3DKMT_DEVICESTATE_PRESENT;
    CHECK(D3DKMTGetDeviceState(&asked) == STATUS_SUCCESS);
    return asked.PresentState.PresentStats;
  }
  [[nodiscard]] auto set_queued_limit(UINT limit) -> NTSTATUS {
    const sim::process_scope here{process};
    D3DKMT_SETQUEUEDLIMIT wanted{};
    wanted.hDevice = device;
    wanted.Type = D3DKMT_SET_QUEUEDLIMIT_PRESENT;
    wanted.QueuedPresentLimit = limit;
    return D3DKMTSetQueuedLimit(&wanted);
  }

  std::uint32_t process = 0;
  D3DKMT_HANDLE adapter = 0;
  D3DKMT_HANDLE device = 0;

 private:
  using alloc_id_type = aerogpu::alloc_id;

  D3DKMT_CREATECONTEXT context_{};
  std::byte* commands_ = nullptr;
  D3DDDI_ALLOCATIONLIST* list_ = nullptr;
};

}  // namespace aerogpu::test
