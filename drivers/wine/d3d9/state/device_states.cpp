// SPDX-License-Identifier: MIT
/// \file IDirect3DDevice9: states that are numbers, textures, palettes.
#include "drivers/wine/d3d9/state/device_states.hpp"

#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"

#include <algorithm>

namespace aerogpu::d3d9 {
namespace {

constexpr UINT palette_count = 65536;

[[nodiscard]] auto is_transform(D3DTRANSFORMSTATETYPE which) -> bool {
  return which >= 0 && static_cast<std::size_t>(which) < transform_count;
}
[[nodiscard]] auto is_sampler_state(D3DSAMPLERSTATETYPE state) -> bool {
  return state >= D3DSAMP_ADDRESSU && state <= D3DSAMP_DMAPOFFSET;
}
[[nodiscard]] auto is_stage_state(D3DTEXTURESTAGESTATETYPE state) -> bool {
  return state >= D3DTSS_COLOROP && state <= D3DTSS_CONSTANT;
}
[[nodiscard]] auto is_named(D3DRENDERSTATETYPE state) -> bool {
  return state >= 0 && static_cast<std::size_t>(state) < render_state_count &&
         named_render_states()[static_cast<std::size_t>(state)];
}

}  // namespace

HRESULT APIENTRY device::SetTransform(D3DTRANSFORMSTATETYPE which, const D3DMATRIX* matrix) {
  return run([&]() -> HRESULT {
    if (matrix == nullptr || !is_transform(which)) return D3DERR_INVALIDCALL;
    states->set_transform(static_cast<DWORD>(which), *matrix);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetTransform(D3DTRANSFORMSTATETYPE which, D3DMATRIX* matrix) {
  return run([&]() -> HRESULT {
    if (matrix == nullptr || !is_transform(which) || states->is_write_only())
      return D3DERR_INVALIDCALL;
    *matrix = states->now().transforms[static_cast<std::size_t>(which)];
    return S_OK;
  });
}

HRESULT APIENTRY device::MultiplyTransform(D3DTRANSFORMSTATETYPE which, const D3DMATRIX* matrix) {
  return run([&]() -> HRESULT {
    if (matrix == nullptr || !is_transform(which)) return D3DERR_INVALIDCALL;
    states->multiply_transform(static_cast<DWORD>(which), *matrix);
    return S_OK;
  });
}

HRESULT APIENTRY device::SetMaterial(const D3DMATERIAL9* material) {
  return run([&]() -> HRESULT {
    if (material == nullptr) return D3DERR_INVALIDCALL;
    states->set_material(*material);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetMaterial(D3DMATERIAL9* material) {
  return run([&]() -> HRESULT {
    if (material == nullptr || states->is_write_only()) return D3DERR_INVALIDCALL;
    *material = states->now().material;
    return S_OK;
  });
}

HRESULT APIENTRY device::SetLight(DWORD index, const D3DLIGHT9* light) {
  return run([&]() -> HRESULT {
    if (light == nullptr || light->Type < D3DLIGHT_POINT || light->Type > D3DLIGHT_DIRECTIONAL)
      return D3DERR_INVALIDCALL;
    states->set_light(index, *light);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetLight(DWORD index, D3DLIGHT9* light) {
  return run([&]() -> HRESULT {
    if (light == nullptr || states->is_write_only()) return D3DERR_INVALIDCALL;
    const auto found = states->now().lights.find(index);
    if (found == states->now().lights.end()) return D3DERR_INVALIDCALL;
    *light = found->second;
    return S_OK;
  });
}

HRESULT APIENTRY device::LightEnable(DWORD index, BOOL is_enabled) {
  return run([&]() -> HRESULT {
    states->enable_light(index, is_enabled != 0);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetLightEnable(DWORD index, BOOL* is_enabled) {
  return run([&]() -> HRESULT {
    constexpr BOOL windows_true = 128;
    if (is_enabled == nullptr || states->is_write_only()) return D3DERR_INVALIDCALL;
    const auto found = states->now().lit.find(index);
    if (found == states->now().lit.end()) return D3DERR_INVALIDCALL;
    *is_enabled = found->second ? windows_true : 0;
    return S_OK;
  });
}

/// Planes beyond those that there are name the last.
HRESULT APIENTRY device::SetClipPlane(DWORD index, const float* plane) {
  return run([&]() -> HRESULT {
    if (plane == nullptr) return D3DERR_INVALIDCALL;
    float_register value{};
    std::copy_n(plane, value.size(), value.begin());
    states->set_clip_plane(std::min(index, states->last_clip_plane()), value);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetClipPlane(DWORD index, float* plane) {
  return run([&]() -> HRESULT {
    if (plane == nullptr || states->is_write_only()) return D3DERR_INVALIDCALL;
    const auto& value = states->now().clip_planes[std::min(index, states->last_clip_plane())];
    std::copy(value.begin(), value.end(), plane);
    return S_OK;
  });
}

HRESULT APIENTRY device::SetRenderState(D3DRENDERSTATETYPE state, DWORD value) {
  return run([&]() -> HRESULT {
    if (is_named(state)) states->set_render_state(static_cast<DWORD>(state), value);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetRenderState(D3DRENDERSTATETYPE state, DWORD* value) {
  return run([&]() -> HRESULT {
    if (value == nullptr || states->is_write_only() || !is_named(state)) return D3DERR_INVALIDCALL;
    *value = states->now().render[static_cast<std::size_t>(state)];
    return S_OK;
  });
}

HRESULT APIENTRY device::SetClipStatus(const D3DCLIPSTATUS9* status) {
  return run([&]() -> HRESULT {
    if (status == nullptr) return D3DERR_INVALIDCALL;
    states->clip_status = *status;
    return S_OK;
  });
}

HRESULT APIENTRY device::GetClipStatus(D3DCLIPSTATUS9* status) {
  return run([&]() -> HRESULT {
    if (status == nullptr || states->is_write_only()) return D3DERR_INVALIDCALL;
    *status = states->clip_status;
    return S_OK;
  });
}

HRESULT APIENTRY device::GetTexture(DWORD stage, IDirect3DBaseTexture9** texture) {
  return run([&]() -> HRESULT {
    if (texture == nullptr) return D3DERR_INVALIDCALL;
    *texture = nullptr;
    const auto place = sampler_place(stage);
    if (place == sampler_count) return D3DERR_INVALIDCALL;
    if (auto* const found = states->now().textures[place].get()) {
      *texture = found->api();
      found->AddRef();
    }
    return S_OK;
  });
}

HRESULT APIENTRY device::SetTexture(DWORD stage, IDirect3DBaseTexture9* given) {
  return run([&]() -> HRESULT {
    const auto place = sampler_place(stage);
    if (place == sampler_count) return D3DERR_INVALIDCALL;
    auto* const texture = texture_of(given);
    if (texture != nullptr && &texture->owner_device() != this) return D3DERR_INVALIDCALL;
    // One that the device cannot sample is bound as well; the driver gets none then.
    states->set_texture(place, texture);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetTextureStageState(DWORD stage, D3DTEXTURESTAGESTATETYPE state,
                                              DWORD* value) {
  return run([&]() -> HRESULT {
    if (value == nullptr || states->is_write_only()) return D3DERR_INVALIDCALL;
    if (stage >= texture_stage_count || !is_stage_state(state)) return D3DERR_INVALIDCALL;
    *value = states->now().stages[stage][static_cast<std::size_t>(state)];
    return S_OK;
  });
}

HRESULT APIENTRY device::SetTextureStageState(DWORD stage, D3DTEXTURESTAGESTATETYPE state,
                                              DWORD value) {
  return run([&]() -> HRESULT {
    // Stages that no driver has are taken, and mean nothing.
    if (!is_stage_state(state)) return D3DERR_INVALIDCALL;
    if (stage < texture_stage_count)
      states->set_stage_state(stage, static_cast<DWORD>(state), value);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetSamplerState(DWORD sampler, D3DSAMPLERSTATETYPE state, DWORD* value) {
  return run([&]() -> HRESULT {
    if (value == nullptr || states->is_write_only()) return D3DERR_INVALIDCALL;
    const auto place = sampler_place(sampler);
    if (place == sampler_count || !is_sampler_state(state)) return D3DERR_INVALIDCALL;
    *value = states->now().samplers[place][static_cast<std::size_t>(state)];
    return S_OK;
  });
}

HRESULT APIENTRY device::SetSamplerState(DWORD sampler, D3DSAMPLERSTATETYPE state, DWORD value) {
  return run([&]() -> HRESULT {
    const auto place = sampler_place(sampler);
    if (place == sampler_count || !is_sampler_state(state)) return D3DERR_INVALIDCALL;
    states->set_sampler_state(place, static_cast<DWORD>(state), value);
    return S_OK;
  });
}

HRESULT APIENTRY device::ValidateDevice(DWORD* passes) {
  return run([&]() -> HRESULT {
    if (passes == nullptr) return D3DERR_INVALIDCALL;
    if (const auto result = states->prepare_draw(); FAILED(result)) return result;
    UINT count = 0;
    const auto result = below.validate_device(count);
    *passes = count;
    return result;
  });
}

HRESULT APIENTRY device::SetPaletteEntries(UINT palette, const PALETTEENTRY* entries) {
  return run([&]() -> HRESULT {
    if (entries == nullptr || palette >= palette_count) return D3DERR_INVALIDCALL;
    const bool has_alpha = (parent->caps().TextureCaps & D3DPTEXTURECAPS_ALPHAPALETTE) != 0;
    const auto is_opaque = [](const PALETTEENTRY& one) { return one.peFlags == 0xFF; };
    if (!has_alpha && !std::all_of(entries, entries + palette_entries, is_opaque))
      return D3DERR_INVALIDCALL;
    auto& kept = states->palettes[palette];
    std::copy_n(entries, kept.size(), kept.begin());
    return S_OK;
  });
}

HRESULT APIENTRY device::GetPaletteEntries(UINT palette, PALETTEENTRY* entries) {
  return run([&]() -> HRESULT {
    if (entries == nullptr || palette >= palette_count) return D3DERR_INVALIDCALL;
    const auto found = states->palettes.find(palette);
    if (found == states->palettes.end()) return D3DERR_INVALIDCALL;
    std::copy(found->second.begin(), found->second.end(), entries);
    return S_OK;
  });
}

HRESULT APIENTRY device::SetCurrentTexturePalette(UINT palette) {
  return run([&]() -> HRESULT {
    if (!states->palettes.contains(palette)) return D3DERR_INVALIDCALL;
    states->set_palette(palette);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetCurrentTexturePalette(UINT* palette) {
  return run([&]() -> HRESULT {
    if (palette == nullptr) return D3DERR_INVALIDCALL;
    *palette = states->now().palette;
    return S_OK;
  });
}

HRESULT APIENTRY device::SetSoftwareVertexProcessing(BOOL is_software) {
  return run([&]() -> HRESULT {
    const bool wanted = is_software != 0;
    const bool has_software = (request.flags & create_software_vertex_processing) != 0;
    const bool has_choice = (request.flags & create_mixed_vertex_processing) != 0;
    if (!has_choice) return wanted == has_software ? S_OK : D3DERR_INVALIDCALL;
    states->set_software_processing(wanted);
    return S_OK;
  });
}

BOOL APIENTRY device::GetSoftwareVertexProcessing() {
  return states->is_software_processing() ? 1 : 0;
}

HRESULT APIENTRY device::SetNPatchMode(float segments) {
  return run([&]() -> HRESULT {
    states->set_npatch_segments(segments);
    return S_OK;
  });
}

float APIENTRY device::GetNPatchMode() {
  return states->now().npatch_segments;
}

}  // namespace aerogpu::d3d9
