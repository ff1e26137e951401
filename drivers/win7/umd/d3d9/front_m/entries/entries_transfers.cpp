// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/entries/entries_transfers.hpp"

#include "drivers/win7/umd/d3d9/device/device_call.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_handle.hpp"
#include "drivers/win7/umd/d3d9/front_m/resource_arguments.hpp"
#include "drivers/win7/umd/d3d9/present/present.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/blit.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/copies.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/clear.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/fills.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/mips.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace aerogpu::umd::front_m {

namespace {

/// Rectangles that are converted on the stack at a time.
constexpr std::size_t rectangles_at_once = 64;

auto APIENTRY clear(HANDLE handle, const D3DDDIARG_CLEAR* clear, UINT count,
                    const RECT* rects) noexcept -> HRESULT {
  const device_call call{to_device(handle), clear};
  if (!call) return call.refusal();
  if (count != 0 && rects == nullptr) return E_INVALIDARG;
  const clear_request request{clear->Flags, clear->FillColor, clear->FillDepth, clear->FillStencil};
  if (count == 0) {
    return (clear->Flags & D3DCLEAR_COMPUTERECTS) != 0 ? umd::clear(*call, request, {}) : S_OK;
  }
  std::array<rectangle, rectangles_at_once> areas{};
  while (count != 0) {
    const std::size_t now = std::min<std::size_t>(count, areas.size());
    std::transform(rects, rects + now, areas.begin(), to_rectangle);
    const HRESULT cleared = umd::clear(*call, request, std::span{areas}.first(now));
    if (FAILED(cleared)) return cleared;
    rects += now;
    count -= static_cast<UINT>(now);
  }
  return S_OK;
}

auto APIENTRY blt(HANDLE handle, const D3DDDIARG_BLT* blt) noexcept -> HRESULT {
  const device_call call{to_device(handle), blt};
  if (!call) return call.refusal();
  if (blt->Flags.SrcColorKey != 0 || blt->Flags.DstColorKey != 0 || blt->Flags.Rotate != 0) {
    return D3DERR_NOTAVAILABLE;  // No format of today's needs keys, and no caps offer rotation.
  }
  blit_request request;
  request.to = to_surface(blt->hDstResource, blt->DstSubResourceIndex);
  request.from = to_surface(blt->hSrcResource, blt->SrcSubResourceIndex);
  request.to_area = to_rectangle(blt->DstRect);
  request.from_area = to_rectangle(blt->SrcRect);
  request.is_linear = blt->Flags.Linear != 0;
  request.mirrors_x = blt->Flags.MirrorLeftRight != 0;
  request.mirrors_y = blt->Flags.MirrorUpDown != 0;
  const HRESULT done = blit(*call, request);
  if (FAILED(done) || blt->Flags.EndPresentToDwm == 0) return done;
  return publish_to_compositor(*call);
}

auto APIENTRY tex_blt(HANDLE handle, const D3DDDIARG_TEXBLT* blt) noexcept -> HRESULT {
  const device_call call{to_device(handle), blt};
  if (!call) return call.refusal();
  return copy_texture(
      *call, {to_resource(blt->hDstResource), to_resource(blt->hSrcResource), blt->CubeMapFace,
              blt->DstPoint.x, blt->DstPoint.y, to_rectangle(blt->SrcRect)});
}

auto APIENTRY buf_blt(HANDLE handle, const D3DDDIARG_BUFFERBLT* blt) noexcept -> HRESULT {
  const device_call call{to_device(handle), blt};
  if (!call) return call.refusal();
  return copy_buffer_range(*call, {to_resource(blt->hDstResource),
                                   to_resource(blt->hSrcResource),
                                   blt->Offset,
                                   {blt->SrcRange.Offset, blt->SrcRange.Size}});
}

auto APIENTRY color_fill(HANDLE handle, const D3DDDIARG_COLORFILL* fill) noexcept -> HRESULT {
  const device_call call{to_device(handle), fill};
  if (!call) return call.refusal();
  const HRESULT done = fill_color(*call, to_surface(fill->hResource, fill->SubResourceIndex),
                                  to_rectangle(fill->DstRect), fill->Color);
  if (FAILED(done) || fill->Flags.PresentToDwm == 0) return done;
  return publish_to_compositor(*call);
}

/// The depth is a texel of the format, as Direct3D 7 packs it: all of D16, of others the high 24
/// bits.
[[nodiscard]] auto unpack_depth(const resource* of, UINT texel) noexcept -> float {
  if (of != nullptr && of->format == static_cast<std::uint32_t>(D3DFMT_D16))
    return static_cast<float>(texel & 0xFFFF) / float{0xFFFF};
  return static_cast<float>(texel >> 8) / float{0xFFFFFF};
}

auto APIENTRY depth_fill(HANDLE handle, const D3DDDIARG_DEPTHFILL* fill) noexcept -> HRESULT {
  const device_call call{to_device(handle), fill};
  if (!call) return call.refusal();
  const surface_ref to = to_surface(fill->hResource, fill->SubResourceIndex);
  return fill_depth(*call, to, to_rectangle(fill->DstRect), unpack_depth(to.resource, fill->Depth));
}

auto APIENTRY generate_mips(HANDLE handle, const D3DDDIARG_GENERATEMIPSUBLEVELS* generate) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), generate};
  if (!call) return call.refusal();
  resource* const of = to_resource(generate->hResource);
  if (of == nullptr) return E_INVALIDARG;
  constexpr UINT point = 1;  // D3DDDITEXF_POINT
  const bool is_nearest = static_cast<UINT>(generate->Filter) == point;
  return umd::generate_mips(*call, *of, is_nearest ? mip_filter::nearest : mip_filter::box);
}

}  // namespace

void add_transfer_entries(D3DDDI_DEVICEFUNCS& table) noexcept {
  table.pfnClear = clear;
  table.pfnBlt = blt;
  table.pfnTexBlt = tex_blt;
  table.pfnBufBlt = buf_blt;
  table.pfnColorFill = color_fill;
  table.pfnDepthFill = depth_fill;
  table.pfnGenerateMipSubLevels = generate_mips;
}

}  // namespace aerogpu::umd::front_m
