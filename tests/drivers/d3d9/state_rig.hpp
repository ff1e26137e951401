// SPDX-License-Identifier: MIT
/// \file Devices whose driver is listened to: how often which entry is called.
#pragma once

#include "tests/drivers/d3d9/resource_rig.hpp"

#include <array>
#include <cstring>
#include <map>
#include <span>

namespace aerogpu::test {

/// What reached the driver. Of one device at a time.
struct driver_calls {
  std::map<UINT, unsigned> render_states;  ///< By number.
  unsigned texture_stages = 0;
  unsigned textures = 0;
  HANDLE texture = nullptr;  ///< The last of them.
  unsigned streams = 0;
  unsigned constants = 0;
  unsigned draws = 0;
  unsigned unlocks = 0;
  unsigned unlocks_before_draw = 0;  ///< How many there were before the last draw.
  bool is_next_unlock_refused = false;
  unsigned blts = 0;                   ///< Of texels.
  unsigned buffer_blts = 0;            ///< Of buffers.
  unsigned level_makings = 0;          ///< The levels of a texture, from its first.
  unsigned refused_level_makings = 0;  ///< How many of those to come.
  unsigned refused_resources = 0;      ///< A bit for each to come: whether memory is full then.

  [[nodiscard]] auto all() const -> unsigned {
    auto count = texture_stages + textures + streams + constants + draws;
    for (const auto& [state, calls] : render_states) count += calls;
    return count;
  }
};
inline driver_calls heard;

inline constexpr D3DMATRIX doubling{{{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2}}};

namespace detail {

inline D3DDDI_DEVICEFUNCS real_entries{};
inline PFND3DDDI_CREATEDEVICE real_create = nullptr;

inline auto APIENTRY hear_render_state(HANDLE device, const D3DDDIARG_RENDERSTATE* wanted)
    -> HRESULT {
  ++heard.render_states[static_cast<UINT>(wanted->State)];
  return real_entries.pfnSetRenderState(device, wanted);
}
inline auto APIENTRY hear_stage(HANDLE device, const D3DDDIARG_TEXTURESTAGESTATE* wanted)
    -> HRESULT {
  ++heard.texture_stages;
  return real_entries.pfnSetTextureStageState(device, wanted);
}
inline auto APIENTRY hear_texture(HANDLE device, UINT stage, HANDLE texture) -> HRESULT {
  ++heard.textures;
  heard.texture = texture;
  return real_entries.pfnSetTexture(device, stage, texture);
}
inline auto APIENTRY hear_stream(HANDLE device, const D3DDDIARG_SETSTREAMSOURCE* wanted)
    -> HRESULT {
  ++heard.streams;
  return real_entries.pfnSetStreamSource(device, wanted);
}
inline auto APIENTRY hear_constants(HANDLE device, const D3DDDIARG_SETVERTEXSHADERCONST* wanted,
                                    const void* values) -> HRESULT {
  ++heard.constants;
  return real_entries.pfnSetVertexShaderConst(device, wanted, values);
}
inline auto APIENTRY hear_draw(HANDLE device, const D3DDDIARG_DRAWPRIMITIVE* wanted,
                               const UINT* flags) -> HRESULT {
  ++heard.draws;
  heard.unlocks_before_draw = heard.unlocks;
  return real_entries.pfnDrawPrimitive(device, wanted, flags);
}
inline auto APIENTRY hear_unlock(HANDLE device, const D3DDDIARG_UNLOCK* wanted) -> HRESULT {
  ++heard.unlocks;
  const auto result = real_entries.pfnUnlock(device, wanted);
  return std::exchange(heard.is_next_unlock_refused, false) ? E_OUTOFMEMORY : result;
}
inline auto APIENTRY hear_blt(HANDLE device, const D3DDDIARG_BLT* wanted) -> HRESULT {
  ++heard.blts;
  return real_entries.pfnBlt(device, wanted);
}
inline auto APIENTRY hear_buffer_blt(HANDLE device, const D3DDDIARG_BUFFERBLT* wanted) -> HRESULT {
  ++heard.buffer_blts;
  return real_entries.pfnBufBlt(device, wanted);
}
inline auto APIENTRY hear_levels(HANDLE device, const D3DDDIARG_GENERATEMIPSUBLEVELS* wanted)
    -> HRESULT {
  ++heard.level_makings;
  if (heard.refused_level_makings != 0) {
    --heard.refused_level_makings;
    return E_OUTOFMEMORY;
  }
  return real_entries.pfnGenerateMipSubLevels(device, wanted);
}
inline auto APIENTRY hear_resource(HANDLE device, D3DDDIARG_CREATERESOURCE* wanted) -> HRESULT {
  const bool is_refused = (heard.refused_resources & 1) != 0;
  heard.refused_resources >>= 1;
  return is_refused ? E_OUTOFMEMORY : real_entries.pfnCreateResource(device, wanted);
}

inline auto APIENTRY create_heard(HANDLE adapter, D3DDDIARG_CREATEDEVICE* wanted) -> HRESULT {
  const auto result = real_create(adapter, wanted);
  if (FAILED(result)) return result;
  auto& entries = *wanted->pDeviceFuncs;
  real_entries = entries;
  entries.pfnCreateResource = hear_resource;
  entries.pfnBlt = hear_blt;
  entries.pfnBufBlt = hear_buffer_blt;
  entries.pfnGenerateMipSubLevels = hear_levels;
  entries.pfnSetRenderState = hear_render_state;
  entries.pfnSetTextureStageState = hear_stage;
  entries.pfnSetTexture = hear_texture;
  entries.pfnSetStreamSource = hear_stream;
  entries.pfnSetVertexShaderConst = hear_constants;
  entries.pfnDrawPrimitive = hear_draw;
  entries.pfnUnlock = hear_unlock;
  return result;
}

inline auto APIENTRY open_heard(D3DDDIARG_OPENADAPTER* open) -> HRESULT {
  const auto result = umd::front_m::open_adapter(open);
  if (FAILED(result)) return result;
  real_create = open->pAdapterFuncs->pfnCreateDevice;
  open->pAdapterFuncs->pfnCreateDevice = create_heard;
  return result;
}

}  // namespace detail

/// A buffer's first bytes.
inline void fill(d3d9::IDirect3DVertexBuffer9* buffer, std::span<const std::byte> bytes) {
  void* memory = nullptr;
  REQUIRE(buffer->Lock(0, 0, &memory, 0) == S_OK);
  std::memcpy(memory, bytes.data(), bytes.size());
  CHECK(buffer->Unlock() == S_OK);
}

/// A windowed device of the flags that the case asks for, which is heard.
struct state_rig : direct3d_rig<> {
  explicit state_rig(DWORD flags = d3d9::create_hardware_vertex_processing,
                     api_level level = api_level::ex)
      : direct3d_rig(level == api_level::ex, {&detail::open_heard}) {
    *device.out() = make_device(windowed(), flags);
    heard = {};
  }

  [[nodiscard]] auto render_state(D3DRENDERSTATETYPE state) -> DWORD {
    DWORD value = 0xDEAD;
    CHECK(device->GetRenderState(state, &value) == S_OK);
    return value;
  }
  [[nodiscard]] auto vertex_buffer(UINT bytes, DWORD fvf = 0)
      -> owned<d3d9::IDirect3DVertexBuffer9> {
    owned<d3d9::IDirect3DVertexBuffer9> made;
    REQUIRE(device->CreateVertexBuffer(bytes, 0, fvf, D3DPOOL_DEFAULT, made.out(), nullptr) ==
            S_OK);
    return made;
  }
  [[nodiscard]] auto index_buffer(UINT bytes) -> owned<d3d9::IDirect3DIndexBuffer9> {
    owned<d3d9::IDirect3DIndexBuffer9> made;
    REQUIRE(device->CreateIndexBuffer(bytes, 0, D3DFMT_INDEX16, D3DPOOL_DEFAULT, made.out(),
                                      nullptr) == S_OK);
    return made;
  }

  any_device device;
};

}  // namespace aerogpu::test
