// SPDX-License-Identifier: MIT
/// \file What a record keeps of the arguments of profile M's entries (umd-d3d9.md 5.2).
///
/// A structure's type names its row. Entries without one are recorded as their arguments come.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "drivers/win7/umd/d3d9/trace/packing.hpp"

namespace aerogpu::umd::trace {

struct packing_m {
  static auto row(any_entry, const D3DDDIARG_OPENADAPTER& a) noexcept {
    return pack_words(&a, pack(a.Interface, a.Version), a.pAdapterCallbacks, a.pAdapterFuncs);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_GETCAPS& a) noexcept {
    return pack_words(on, a.Type, a.DataSize, a.pData);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_CREATERESOURCE& a) noexcept {
    const bool has_surface = a.pSurfList != nullptr && a.SurfCount != 0;
    const D3DDDI_SURFACEINFO first = has_surface ? a.pSurfList[0] : D3DDDI_SURFACEINFO{};
    return pack_words(on, pack(a.SurfCount, static_cast<std::uint32_t>(a.Format)),
                      pack(first.Width, first.Height),
                      pack(a.Flags.Value, static_cast<std::uint32_t>(a.Pool)));
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_LOCK& a) noexcept {
    return pack_words(on, a.hResource, pack(a.Range.Offset, a.Range.Size), a.Flags.Value);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_UNLOCK& a) noexcept {
    return pack_words(on, a.hResource, a.SubResourceIndex);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_SETRENDERTARGET& a) noexcept {
    return pack_words(on, a.RenderTargetIndex, a.hRenderTarget);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_VIEWPORTINFO& a) noexcept {
    return pack_words(on, pack(a.X, a.Y), pack(a.Width, a.Height));
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_ZRANGE& a) noexcept {
    return pack_words(
        on, 0, 0, pack(std::bit_cast<std::uint32_t>(a.MinZ), std::bit_cast<std::uint32_t>(a.MaxZ)));
  }
  static auto row(any_entry, HANDLE on, const RECT& a) noexcept {
    return pack_words(
        on, pack(static_cast<std::uint32_t>(a.left), static_cast<std::uint32_t>(a.top)),
        pack(static_cast<std::uint32_t>(a.right), static_cast<std::uint32_t>(a.bottom)));
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_RENDERSTATE& a) noexcept {
    return pack_words(on, a.State, a.Value);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_TEXTURESTAGESTATE& a) noexcept {
    return pack_words(on, pack(a.Stage, static_cast<std::uint32_t>(a.State)), a.Value);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_SETTRANSFORM& a) noexcept {
    return pack_words(on, a.TransformType, &a.Matrix);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_MULTIPLYTRANSFORM& a) noexcept {
    return pack_words(on, a.TransformType, &a.Matrix);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_SETVERTEXSHADERCONST& a,
                  const void* data) noexcept {
    return pack_words(on, 0, pack(a.Register, a.Count), data);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_SETPIXELSHADERCONST& a,
                  const void* data) noexcept {
    return pack_words(on, 1, pack(a.Register, a.Count), data);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_CREATEVERTEXSHADERFUNC& a,
                  const UINT* code) noexcept {
    return pack_words(on, 0, a.Size, code);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_CREATEPIXELSHADER& a,
                  const UINT* code) noexcept {
    return pack_words(on, 1, a.CodeSize, code);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_SETLIGHT& a,
                  const D3DDDI_LIGHT* light) noexcept {
    return pack_words(on, a.Index, light);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_CREATELIGHT& a) noexcept {
    return pack_words(on, a.Index);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_DESTROYLIGHT& a) noexcept {
    return pack_words(on, a.Index);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_SETCLIPPLANE& a) noexcept {
    return pack_words(on, a.Index, &a.Plane);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_UPDATEPALETTE& a,
                  const PALETTEENTRY* entries) noexcept {
    return pack_words(on, a.PaletteHandle, entries);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_SETPALETTE& a) noexcept {
    return pack_words(on, a.PaletteHandle, a.hResource);
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_PRESENT& a) noexcept {
    return pack_words(on, a.hDstResource, a.hSrcResource,
                      pack(static_cast<std::uint32_t>(a.FlipInterval), a.Flags.Value));
  }
  static auto row(any_entry, HANDLE on, const D3DDDIARG_GETQUERYDATA& a) noexcept {
    return pack_words(on, a.hQuery, 0, a.pData);
  }
};

}  // namespace aerogpu::umd::trace
