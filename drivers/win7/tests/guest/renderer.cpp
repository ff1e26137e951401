// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/guest/renderer.hpp"

#include "aerogpu/abi/format.h"
#include "aerogpu/abi/wddm_alloc.h"

#include <array>

namespace aerogpu::guest {
namespace {

constexpr std::uint32_t pitch_bytes = surface_side * 4;
constexpr std::uint32_t submission_limit_ms = 5'000;

/// Ids and handles that no user-mode driver of the desktop is likely to have.
auto first_id(std::uint64_t now_ns) noexcept -> std::uint32_t {
  return 0x60000000u | (static_cast<std::uint32_t>(now_ns >> 10) & 0xFFFF00u) | 1;
}

auto private_data(const surface& of) noexcept -> aerogpu_wddm_alloc_priv_v3 {
  aerogpu_wddm_alloc_priv_v3 blob{};
  blob.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  blob.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_3;
  blob.alloc_id = of.alloc_id;
  blob.size_bytes = std::uint64_t{pitch_bytes} * surface_side;
  blob.kind = AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D;
  blob.width = surface_side;
  blob.height = surface_side;
  blob.format = 87;  // DXGI_FORMAT_B8G8R8A8_UNORM
  blob.row_pitch_bytes = pitch_bytes;
  blob.resource_handle = raw(of.texture);
  return blob;
}

}  // namespace

renderer::~renderer() {
  if (context_.hContext != 0) {
    const D3DKMT_DESTROYCONTEXT gone{context_.hContext};
    static_cast<void>(with_.calls().D3DKMTDestroyContext(&gone));
  }
  if (device_ != 0) {
    const D3DKMT_DESTROYDEVICE gone{device_};
    static_cast<void>(with_.calls().D3DKMTDestroyDevice(&gone));
  }
}

auto renderer::open(report& to) -> bool {
  D3DKMT_CREATEDEVICE made{};
  made.hAdapter = with_.adapter();
  NTSTATUS status = with_.calls().D3DKMTCreateDevice(&made);
  if (!NT_SUCCESS(status))
    return to.check(false, "a device can be created", message{status_of(status)});
  device_ = made.hDevice;
  context_.hDevice = device_;
  context_.ClientHint = D3DKMT_CLIENTHINT_DX9;
  status = with_.calls().D3DKMTCreateContext(&context_);
  if (!NT_SUCCESS(status))
    return to.check(false, "a context can be created", message{status_of(status)});
  next_id_ = first_id(with_.around().now_ns());
  return true;
}

auto renderer::create_allocation(report& to, surface& made) -> bool {
  made.alloc_id = next_id_++;
  made.texture = static_cast<resource_handle>(made.alloc_id);
  auto blob = private_data(made);
  D3DDDI_ALLOCATIONINFO info{};
  info.pPrivateDriverData = &blob;
  info.PrivateDriverDataSize = sizeof blob;
  D3DKMT_CREATEALLOCATION wanted{};
  wanted.hDevice = device_;
  wanted.NumAllocations = 1;
  wanted.pAllocationInfo = &info;
  wanted.Flags.CreateResource = 1;
  const NTSTATUS status = with_.calls().D3DKMTCreateAllocation(&wanted);
  made.allocation = info.hAllocation;
  made.resource = wanted.hResource;
  return NT_SUCCESS(status) ||
         to.check(false, "an allocation can be created", message{status_of(status)});
}

auto renderer::create(report& to, surface& made) -> bool {
  if (!create_allocation(to, made)) return false;
  const std::array uses{surface_use{made, true}};
  const NTSTATUS status = submit(uses, [&](stream_type& s) {
    return s.create_texture2d(
        {.texture = made.texture,
         .usage_flags = AEROGPU_RESOURCE_USAGE_RENDER_TARGET | AEROGPU_RESOURCE_USAGE_TEXTURE,
         .format = AEROGPU_FORMAT_B8G8R8A8_UNORM,
         .width = surface_side,
         .height = surface_side,
         .row_pitch_bytes = pitch_bytes,
         .backing = {static_cast<alloc_id>(made.alloc_id), 0}});
  });
  return NT_SUCCESS(status) ||
         to.check(false, "a texture can be created", message{status_of(status)});
}

void renderer::destroy(const surface& gone) {
  static_cast<void>(submit({}, [&](stream_type& s) { return s.destroy_resource(gone.texture); }));
  D3DKMT_DESTROYALLOCATION wanted{};
  wanted.hDevice = device_;
  wanted.hResource = gone.resource;
  static_cast<void>(with_.calls().D3DKMTDestroyAllocation(&wanted));
}

template <class Write>
auto renderer::submit(std::span<const surface_use> uses, Write&& write) -> NTSTATUS {
  span_sink sink{{static_cast<std::byte*>(context_.pCommandBuffer), context_.CommandBufferSize}};
  stream_type stream{sink};
  if (!stream.begin() || !write(stream)) return STATUS_BUFFER_TOO_SMALL;
  return render(uses, stream.finish());
}

auto renderer::render(std::span<const surface_use> uses, std::uint32_t size_bytes) -> NTSTATUS {
  if (uses.size() > context_.AllocationListSize) return STATUS_BUFFER_TOO_SMALL;
  D3DKMT_RENDER submitted{};
  submitted.hContext = context_.hContext;
  submitted.CommandLength = size_bytes;
  for (const surface_use& one : uses) {
    auto& line = context_.pAllocationList[submitted.AllocationCount++];
    line = {};
    line.hAllocation = one.used.allocation;
    line.WriteOperation = one.is_written ? 1 : 0;
  }
  const NTSTATUS status = with_.calls().D3DKMTRender(&submitted);
  if (!NT_SUCCESS(status)) return status;
  context_.pCommandBuffer = submitted.pNewCommandBuffer;
  context_.CommandBufferSize = submitted.NewCommandBufferSize;
  context_.pAllocationList = submitted.pNewAllocationList;
  context_.AllocationListSize = submitted.NewAllocationListSize;
  return status;
}

auto renderer::clear(const surface& target, const surface* source) -> NTSTATUS {
  const std::array uses{surface_use{target, true},
                        surface_use{source != nullptr ? *source : target, false}};
  return submit(std::span{uses}.first(source != nullptr ? 2 : 1), [&](stream_type& s) {
    const std::array colors{target.texture};
    const auto bound = s.set_render_targets(colors, resource_handle{});
    return bound ? s.clear({.flags = AEROGPU_CLEAR_COLOR, .color = {0.25F, 0.5F, 0.75F, 1}})
                 : bound;
  });
}

auto renderer::blt(const surface& from, const surface& to) -> NTSTATUS {
  D3DKMT_PRESENT wanted{};
  wanted.hContext = context_.hContext;
  wanted.hSource = from.allocation;
  wanted.hDestination = to.allocation;
  wanted.Flags.Blt = 1;
  wanted.Flags.SrcRectValid = 1;
  wanted.Flags.DstRectValid = 1;
  wanted.SrcRect = wanted.DstRect = {0, 0, surface_side, surface_side};
  return with_.calls().D3DKMTPresent(&wanted);
}

auto renderer::wait_submitted(std::uint64_t& last) -> bool {
  const std::uint64_t before = last;
  return wait_until(with_.around(), submission_limit_ms, [&] {
    aerogpu_escape_query_fence_out now{};
    if (!NT_SUCCESS(with_.escape(AEROGPU_ESCAPE_OP_QUERY_FENCE, now))) return false;
    last = now.last_submitted_fence;
    return last > before;
  });
}

auto renderer::wait_completed(std::uint64_t fence) -> bool {
  return wait_until(with_.around(), submission_limit_ms, [&] {
    aerogpu_escape_query_fence_out now{};
    return NT_SUCCESS(with_.escape(AEROGPU_ESCAPE_OP_QUERY_FENCE, now)) &&
           now.last_completed_fence >= fence;
  });
}

}  // namespace aerogpu::guest
