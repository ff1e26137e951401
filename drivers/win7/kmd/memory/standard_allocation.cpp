// SPDX-License-Identifier: MIT
#include "aerogpu/core/checked.hpp"
#include "aerogpu/memory/alloc_private_data.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/display/surface.hpp"
#include "drivers/win7/kmd/memory/allocation.hpp"
#include "drivers/win7/primary_pitch.hpp"

#include <cstdint>

namespace aerogpu::kmd {

namespace {

/// What dxgkrnl asks for, whichever of the types.
struct standard_surface {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  D3DDDIFORMAT format = D3DDDIFMT_A8R8G8B8;
  /// Tells the types apart later: only shadow and staging carry CPU_VISIBLE.
  std::uint32_t flags = AEROGPU_WDDM_ALLOC_PRIV_FLAG_NONE;
  UINT* pitch = nullptr;  ///< Where dxgkrnl wants to know it.
};

[[nodiscard]] auto surface_asked_for(const DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA& args,
                                     standard_surface& surface) noexcept -> NTSTATUS {
  if (args.pCreateSharedPrimarySurfaceData == nullptr) return STATUS_INVALID_PARAMETER;
  switch (args.StandardAllocationType) {
    case D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE: {
      const auto& primary = *args.pCreateSharedPrimarySurfaceData;
      surface = {.width = primary.Width, .height = primary.Height, .format = primary.Format};
      return STATUS_SUCCESS;
    }
    case D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE: {
      auto& shadow = *args.pCreateShadowSurfaceData;
      surface = {.width = shadow.Width,
                 .height = shadow.Height,
                 .format = shadow.Format,
                 .flags = AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE,
                 .pitch = &shadow.Pitch};
      return STATUS_SUCCESS;
    }
    case D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE: {
      auto& staging = *args.pCreateStagingSurfaceData;
      surface = {
          .width = staging.Width,
          .height = staging.Height,
          .flags = AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE | AEROGPU_WDDM_ALLOC_PRIV_FLAG_STAGING,
          .pitch = &staging.Pitch};
      return STATUS_SUCCESS;
    }
    default: return STATUS_NOT_SUPPORTED;
  }
}

/// Private data of version 2 with no id yet. The exact format and size are in reserved0 where they
/// fit, because not every display format has a DXGI number.
[[nodiscard]] auto make_blob(const standard_surface& surface, alloc_private_data& blob) noexcept
    -> NTSTATUS {
  if (surface.width == 0 || surface.height == 0) return STATUS_INVALID_PARAMETER;
  const pixel_format format = pixel_format_of(surface.format);
  const std::uint64_t row_bytes = std::uint64_t{surface.width} * format.bytes_per_pixel;
  const std::uint64_t pitch = primary_pitch_bytes(row_bytes);
  if (!fits<std::uint32_t>(pitch)) return STATUS_INTEGER_OVERFLOW;
  const std::uint64_t size = pitch * surface.height;  // 32 bits times 32 bits
  if (size > SIZE_MAX - 4095) return STATUS_INTEGER_OVERFLOW;

  blob = {};
  blob.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  blob.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_2;
  blob.flags = surface.flags;
  blob.size_bytes = size;
  blob.kind = AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D;
  blob.width = surface.width;
  blob.height = surface.height;
  blob.format = format.dxgi;
  blob.row_pitch_bytes = static_cast<std::uint32_t>(pitch);
  const auto description =
      pack_description({static_cast<std::uint32_t>(surface.format), surface.width, surface.height});
  blob.reserved0 = description ? *description : pitch;
  return STATUS_SUCCESS;
}

}  // namespace

auto describe_standard_allocation(adapter& adapter,
                                  DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA& args) noexcept
    -> NTSTATUS {
  constexpr UINT blob_bytes = sizeof(aerogpu_wddm_alloc_priv_v2);
  standard_surface surface;
  if (const NTSTATUS bad = surface_asked_for(args, surface); !NT_SUCCESS(bad)) return bad;
  alloc_private_data blob;
  if (const NTSTATUS bad = make_blob(surface, blob); !NT_SUCCESS(bad)) return bad;

  const bool wants_blob = args.pAllocationPrivateDriverData != nullptr;
  if (wants_blob && args.AllocationPrivateDriverDataSize < blob_bytes) {
    return STATUS_BUFFER_TOO_SMALL;
  }
  args.ResourcePrivateDriverDataSize = 0;
  if (!wants_blob) {
    args.AllocationPrivateDriverDataSize = blob_bytes;
    return STATUS_SUCCESS;  // A question for sizes alone leaves the surface's description as it is.
  }
  if (surface.pitch != nullptr) *surface.pitch = blob.row_pitch_bytes;
  const mutable_bytes out{static_cast<std::byte*>(args.pAllocationPrivateDriverData),
                          args.AllocationPrivateDriverDataSize};
  const alloc_id id = next_kmd_id(adapter);
  blob.alloc_id = raw(id);
  if (!write_alloc_private_data(out, blob)) return STATUS_BUFFER_TOO_SMALL;
  adapter.promised_ids.add(id, os::current_process());
  return STATUS_SUCCESS;
}

}  // namespace aerogpu::kmd
