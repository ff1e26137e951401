// SPDX-License-Identifier: MIT
/// \file What a record keeps of the arguments of profile U's entries (umd-d3d9.md 5.2).
///
/// A structure's type names its row, or the entry where only numbers go in. Entries without a row
/// are recorded as their arguments come.
#pragma once

#include "drivers/win7/ddi/portable/portable_ddi.hpp"
#include "drivers/win7/umd/d3d9/trace/packing.hpp"

namespace aerogpu::umd::trace {

class packing_u {
  using device = d3d9ddi_u::D3D9DDI_HDEVICE;

  static auto bits(float value) noexcept -> std::uint32_t {
    return std::bit_cast<std::uint32_t>(value);
  }
  static auto luid(const LUID& value) noexcept -> std::uint64_t {
    return pack(static_cast<std::uint32_t>(value.LowPart),
                static_cast<std::uint32_t>(value.HighPart));
  }
  static auto buffers(device on, const d3d9ddi_u::D3D9DDI_PRESENT_PARAMETERS& a) noexcept {
    return pack_words(on, pack(a.backbuffer_width, a.backbuffer_height),
                      pack(a.backbuffer_format, a.backbuffer_count),
                      pack(a.presentation_interval, a.flags));
  }
  static auto constants(device on, std::uint32_t stage, std::uint32_t start, const void* data,
                        std::uint32_t count) noexcept {
    return pack_words(on, stage, pack(start, count), data);
  }

 public:
  static auto row(any_entry, const d3d9ddi_u::D3DDDIARG_OPENADAPTER& a) noexcept {
    return pack_words(&a, pack(a.Interface, a.Version), a.pAdapterCallbacks, a.pAdapterFuncs);
  }
  static auto row(any_entry, const d3d9ddi_u::D3DDDIARG_OPENADAPTERFROMHDC& a) noexcept {
    return pack_words(&a, pack(a.Interface, a.Version), luid(a.AdapterLuid), a.pAdapterFuncs);
  }
  static auto row(any_entry, const d3d9ddi_u::D3DDDIARG_OPENADAPTERFROMLUID& a) noexcept {
    return pack_words(&a, pack(a.Interface, a.Version), luid(a.AdapterLuid), a.pAdapterFuncs);
  }
  static auto row(any_entry, d3d9ddi_u::D3D9DDI_HADAPTER on,
                  const d3d9ddi_u::D3D9DDIARG_GETCAPS& a) noexcept {
    return pack_words(on, a.Type, a.DataSize, a.pData);
  }
  static auto row(any_entry, d3d9ddi_u::D3D9DDI_HADAPTER on,
                  const d3d9ddi_u::D3D9DDIARG_QUERYADAPTERINFO& a) noexcept {
    return pack_words(on, a.Type, a.PrivateDriverDataSize, a.pPrivateDriverData);
  }
  static auto row(any_entry, const d3d9ddi_u::D3D9DDIARG_CREATEDEVICE& a,
                  d3d9ddi_u::D3D9DDI_DEVICEFUNCS* table) noexcept {
    return pack_words(a.hAdapter, a.Flags, a.pCallbacks, table);
  }
  static auto row(any_entry, device on, const d3d9ddi_u::D3D9DDIARG_CREATERESOURCE& a) noexcept {
    return pack_words(on, pack(a.Type, a.Format), pack(a.Width, a.Height), pack(a.Usage, a.Pool));
  }
  static auto row(any_entry, device on, const d3d9ddi_u::D3D9DDIARG_CREATESWAPCHAIN& a) noexcept {
    return buffers(on, a.present_params);
  }
  static auto row(any_entry, device on, const d3d9ddi_u::D3D9DDIARG_RESET& a) noexcept {
    return buffers(on, a.present_params);
  }
  static auto row(any_entry, device on, const d3d9ddi_u::D3D9DDIARG_LOCK& a,
                  d3d9ddi_u::D3D9DDI_LOCKED_BOX*) noexcept {
    return pack_words(on, a.hResource, pack(a.OffsetToLock, a.SizeToLock), a.Flags);
  }
  static auto row(any_entry, device on, const d3d9ddi_u::D3D9DDIARG_UNLOCK& a) noexcept {
    return pack_words(on, a.hResource, pack(a.OffsetToUnlock, a.SizeToUnlock));
  }
  static auto row(any_entry, device on, const d3d9ddi_u::D3DDDIVIEWPORTINFO& a) noexcept {
    return pack_words(on, pack(bits(a.X), bits(a.Y)), pack(bits(a.Width), bits(a.Height)),
                      pack(bits(a.MinZ), bits(a.MaxZ)));
  }
  static auto row(entry_tag<id_of("Device::SetScissorRect")>, device on, const RECT& a,
                  BOOL enabled) noexcept {
    return pack_words(
        on, pack(static_cast<std::uint32_t>(a.left), static_cast<std::uint32_t>(a.top)),
        pack(static_cast<std::uint32_t>(a.right), static_cast<std::uint32_t>(a.bottom)), enabled);
  }
  template <class Value>
  static auto row(entry_tag<id_of("Device::SetTextureStageState")>, device on, std::uint32_t stage,
                  std::uint32_t state, Value value) noexcept {
    return pack_words(on, pack(stage, state), value);
  }
  template <class Value>
  static auto row(entry_tag<id_of("Device::GetTextureStageState")>, device on, std::uint32_t stage,
                  std::uint32_t state, Value value) noexcept {
    return pack_words(on, pack(stage, state), value);
  }
  static auto row(entry_tag<id_of("Device::SetShaderConstF")>, device on, std::uint32_t stage,
                  std::uint32_t start, const float* data, std::uint32_t count) noexcept {
    return constants(on, stage, start, data, count);
  }
  static auto row(entry_tag<id_of("Device::SetShaderConstI")>, device on, std::uint32_t stage,
                  std::uint32_t start, const std::int32_t* data, std::uint32_t count) noexcept {
    return constants(on, stage, start, data, count);
  }
  static auto row(entry_tag<id_of("Device::SetShaderConstB")>, device on, std::uint32_t stage,
                  std::uint32_t start, const BOOL* data, std::uint32_t count) noexcept {
    return constants(on, stage, start, data, count);
  }
  static auto row(entry_tag<id_of("Device::CreateShader")>, device on, std::uint32_t stage,
                  const void* code, std::uint32_t size_bytes,
                  d3d9ddi_u::D3D9DDI_HSHADER*) noexcept {
    return pack_words(on, stage, size_bytes, code);
  }
  static auto row(any_entry, device on, const d3d9ddi_u::D3DDDIARG_PROCESSVERTICES& a) noexcept {
    return pack_words(on, a.hDestBuffer, pack(a.SrcStartIndex, a.DestIndex),
                      pack(a.VertexCount, a.DestStride));
  }
  static auto row(any_entry, device on, const d3d9ddi_u::D3D9DDIARG_PRESENT& a) noexcept {
    return pack_words(on, a.hSwapChain, a.hSrc, pack(a.SyncInterval, a.Flags));
  }
  static auto row(any_entry, device on, const d3d9ddi_u::D3D9DDIARG_PRESENTEX& a) noexcept {
    return pack_words(on, a.hWnd, pack(a.SyncInterval, a.Flags), a.hSrc);
  }
  static auto row(any_entry, device on, const d3d9ddi_u::D3D9DDIARG_GETQUERYDATA& a) noexcept {
    return pack_words(on, a.hQuery, pack(a.data_size, a.flags), a.pData);
  }
  static auto row(entry_tag<id_of("Device::RotateResourceIdentities")>, device on,
                  d3d9ddi_u::D3D9DDI_HRESOURCE* resources, std::uint32_t count) noexcept {
    return pack_words(on, count, resources);
  }
};

}  // namespace aerogpu::umd::trace
