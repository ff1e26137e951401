// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/entry/query_adapter_info.hpp"

#include "aerogpu/memory/umd_private_data.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/memory/paging.hpp"
#include "drivers/win7/kmd/submission/dma_record.hpp"

#include <cstring>

namespace aerogpu::kmd {
namespace {

constexpr UINT segment_count = 2;

auto physical(std::uint64_t value) noexcept -> PHYSICAL_ADDRESS {
  PHYSICAL_ADDRESS address;
  address.QuadPart = static_cast<LONGLONG>(value);
  return address;
}

/// DMA buffers lie below it. Windows 7 for x64 knows 44 bits of a physical address, whose type is
/// signed: all ones are -1. An x86 with PAE could go higher, where no tool of theirs would.
auto highest_dma_address() noexcept -> PHYSICAL_ADDRESS {
  constexpr std::uint64_t end = std::uint64_t{1} << (sizeof(void*) == 8 ? 44 : 32);
  return physical(end - 1);
}

auto make_driver_caps(const adapter& adapter) noexcept -> DXGK_DRIVERCAPS {
  DXGK_DRIVERCAPS caps{};
  caps.HighestAcceptableAddress = highest_dma_address();
  caps.MaxAllocationListSlotId = max_list_entries;
  caps.ApertureSegmentCommitLimit = static_cast<SIZE_T>(adapter.segments.aperture_bytes());
  if (adapter.hardware.has(AEROGPU_FEATURE_CURSOR)) {
    caps.MaxPointerWidth = advertised_pointer_side;
    caps.MaxPointerHeight = advertised_pointer_side;
    caps.PointerCaps.Monochrome = 1;
    caps.PointerCaps.Color = 1;
    caps.PointerCaps.MaskedColor = 1;
  }
  caps.GammaRampCaps.Gamma_Rgb256x3x16 = 1;
  caps.PresentationCaps.NoOverlapScreenBlt = 1;
  caps.MaxQueuedFlipOnVSync = 1;
  caps.FlipCaps.FlipOnVSyncMmIo = 1;
  caps.FlipCaps.FlipImmediateMmIo = 1;
  caps.SchedulingCaps.MultiEngineAware = 1;
  caps.SchedulingCaps.VSyncPowerSaveAware = 1;
  caps.GpuEngineTopology.NbAsymetricProcessingNodes = 1;
  caps.WDDMVersion = DXGKDDI_WDDMv1;
  return caps;
}

auto answer_driver_caps(const adapter& adapter, mutable_bytes out) noexcept -> NTSTATUS {
  if (out.size() < sizeof(DXGK_DRIVERCAPS)) return STATUS_BUFFER_TOO_SMALL;
  std::memset(out.data(), 0, out.size());
  store(out.data(), make_driver_caps(adapter));
  return STATUS_SUCCESS;
}

void describe_segments(const segments& segments,
                       DXGK_SEGMENTDESCRIPTOR (&out)[segment_count]) noexcept {
  DXGK_SEGMENTDESCRIPTOR& video = out[0];
  video = {};
  video.BaseAddress = physical(segments.video_base());
  video.CpuTranslatedAddress = physical(segments.video_base());
  video.Size = static_cast<SIZE_T>(segments.video_bytes());
  video.CommitLimit = video.Size;
  video.Flags.CpuVisible = 1;
  video.Flags.PopulatedFromSystemMemory = segments.is_carved_out() ? 1 : 0;

  DXGK_SEGMENTDESCRIPTOR& aperture = out[1];
  aperture = {};
  aperture.BaseAddress = physical(aperture_base);
  aperture.Size = static_cast<SIZE_T>(segments.aperture_bytes());
  aperture.CommitLimit = aperture.Size;
  aperture.Flags.Aperture = 1;
  aperture.Flags.CacheCoherent = 1;
}

/// dxgkrnl asks twice: first for the number, then with room for so many descriptors.
auto answer_segments(const adapter& adapter, mutable_bytes out) noexcept -> NTSTATUS {
  if (out.size() < sizeof(DXGK_QUERYSEGMENTOUT)) return STATUS_BUFFER_TOO_SMALL;
  auto answer = load<DXGK_QUERYSEGMENTOUT>(out.data());
  const UINT room = answer.NbSegment;
  answer.NbSegment = segment_count;
  if (answer.pSegmentDescriptor != nullptr) {
    if (room < segment_count) return STATUS_BUFFER_TOO_SMALL;
    DXGK_SEGMENTDESCRIPTOR descriptors[segment_count];
    describe_segments(adapter.segments, descriptors);
    std::memcpy(answer.pSegmentDescriptor, descriptors, sizeof descriptors);
    answer.PagingBufferSegmentId = 0;  // Contiguous system memory.
    answer.PagingBufferSize = paging_buffer_bytes;
    answer.PagingBufferPrivateDataSize = paging_private_bytes;
  }
  store(out.data(), answer);
  return STATUS_SUCCESS;
}

auto answer_umd_private(const adapter& adapter, mutable_bytes out) noexcept -> NTSTATUS {
  const hardware& found = adapter.hardware;
  const auto blob = make_umd_private({.mmio_magic = found.magic,
                                      .abi_version = found.abi_version,
                                      .features = found.features,
                                      .has_fence_page = adapter.engine.has_fence_page()});
  // The one thing that can be wrong is the size.
  return write_umd_private(out, blob) ? STATUS_SUCCESS : STATUS_BUFFER_TOO_SMALL;
}

}  // namespace

auto query_adapter_info(const adapter& adapter, const DXGKARG_QUERYADAPTERINFO& query) noexcept
    -> NTSTATUS {
  if (query.pOutputData == nullptr) return STATUS_INVALID_PARAMETER;
  const mutable_bytes out{static_cast<std::byte*>(query.pOutputData), query.OutputDataSize};
  switch (query.Type) {
    case DXGKQAITYPE_UMDRIVERPRIVATE: return answer_umd_private(adapter, out);
    case DXGKQAITYPE_DRIVERCAPS: return answer_driver_caps(adapter, out);
    case DXGKQAITYPE_QUERYSEGMENT: return answer_segments(adapter, out);
    default: return STATUS_NOT_SUPPORTED;
  }
}

}  // namespace aerogpu::kmd
