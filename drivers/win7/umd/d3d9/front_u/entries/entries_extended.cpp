// SPDX-License-Identifier: MIT
/// \file Setters beside the 86, and getters of what is kept (umd-d3d9.md 2.9.2).
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/front_u/calls.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"
#include "drivers/win7/umd/d3d9/front_u/index_format.hpp"
#include "drivers/win7/umd/d3d9/shader/fvf.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::umd::front_u {

namespace {

using handle_u = u::D3D9DDI_HDEVICE;

/// A getter of one value that is always there.
template <auto Read, class Value>
auto APIENTRY read_value(handle_u handle, Value* out) noexcept -> HRESULT {
  return get(
      handle,
      [&](device& on) {
        *out = Read(on);
        return S_OK;
      },
      out);
}

/// A getter of one of several values; E_INVALIDARG behind the last one.
template <std::size_t Count, auto Read, class Value>
auto APIENTRY read_indexed(handle_u handle, std::uint32_t index, Value* out) noexcept -> HRESULT {
  return get(
      handle,
      [&](device& on) -> HRESULT {
        if (index >= Count) return E_INVALIDARG;
        *out = Read(on, index);
        return S_OK;
      },
      out);
}

auto APIENTRY set_clip_plane_u(handle_u handle, std::uint32_t index, const float* plane) noexcept
    -> HRESULT {
  return set(
      handle,
      [&](device& on) {
        return set_clip_plane(on, index, {plane[0], plane[1], plane[2], plane[3]});
      },
      plane);
}

auto APIENTRY get_clip_plane_u(handle_u handle, std::uint32_t index, float* plane) noexcept
    -> HRESULT {
  return get(
      handle,
      [&](device& on) -> HRESULT {
        if (index >= clip_plane_count) return E_INVALIDARG;
        const auto& kept = on.state.fixed.clip_planes[index];
        std::copy(kept.begin(), kept.end(), plane);
        return S_OK;
      },
      plane);
}

auto APIENTRY set_material_u(handle_u handle, const D3DMATERIAL9* material) noexcept -> HRESULT {
  return set(
      handle, [&](device& on) { return set_material(on, *material); }, material);
}

auto APIENTRY set_light_u(handle_u handle, std::uint32_t index, const D3DLIGHT9* light) noexcept
    -> HRESULT {
  return set(
      handle, [&](device& on) { return set_light(on, index, *light); }, light);
}

[[nodiscard]] auto find_light(const device& on, std::uint32_t index) noexcept -> const light* {
  constexpr std::uint32_t no_light = 0xFFFFFFFF;
  return index == no_light ? nullptr
                           : on.state.fixed.lights.find(static_cast<light_key>(index + 1));
}

/// D3DERR_INVALIDCALL for a light that nobody set.
auto APIENTRY get_light_u(handle_u handle, std::uint32_t index, D3DLIGHT9* out) noexcept
    -> HRESULT {
  return get(
      handle,
      [&](device& on) -> HRESULT {
        const light* const kept = find_light(on, index);
        if (kept == nullptr) return D3DERR_INVALIDCALL;
        *out = kept->values;
        return S_OK;
      },
      out);
}

auto APIENTRY enable_light_u(handle_u handle, std::uint32_t index, BOOL is_enabled) noexcept
    -> HRESULT {
  return set(handle, [&](device& on) { return enable_light(on, index, is_enabled != 0); });
}

auto APIENTRY get_light_enable_u(handle_u handle, std::uint32_t index, BOOL* out) noexcept
    -> HRESULT {
  return get(
      handle,
      [&](device& on) -> HRESULT {
        const light* const kept = find_light(on, index);
        if (kept == nullptr) return D3DERR_INVALIDCALL;
        *out = kept->is_enabled ? TRUE : FALSE;
        return S_OK;
      },
      out);
}

auto APIENTRY set_palette_u(handle_u handle, std::uint32_t index,
                            const PALETTEENTRY* entries) noexcept -> HRESULT {
  return set(
      handle, [&](device& on) { return on.kept.set_palette(index, entries); }, entries);
}

auto APIENTRY get_palette_u(handle_u handle, std::uint32_t index, PALETTEENTRY* entries) noexcept
    -> HRESULT {
  return get(
      handle, [&](device& on) { return on.kept.get_palette(index, entries); }, entries);
}

auto APIENTRY set_current_palette_u(handle_u handle, std::uint32_t index) noexcept -> HRESULT {
  return set(handle, [&](device& on) -> HRESULT {
    if (index >= palette_count) return E_INVALIDARG;
    on.kept.current_palette = index;
    return S_OK;
  });
}

auto APIENTRY set_clip_status_u(handle_u handle, const D3DCLIPSTATUS9* status) noexcept -> HRESULT {
  return set(
      handle,
      [&](device& on) {
        on.kept.clip_status = *status;
        return S_OK;
      },
      status);
}

/// One ramp for all swap chains: there is one display.
auto APIENTRY set_gamma_ramp_u(handle_u handle, std::uint32_t, std::uint32_t,
                               const D3DGAMMARAMP* ramp) noexcept -> HRESULT {
  return set(
      handle,
      [&](device& on) {
        on.kept.gamma_ramp = *ramp;
        return S_OK;
      },
      ramp);
}

auto APIENTRY get_gamma_ramp_u(handle_u handle, std::uint32_t, D3DGAMMARAMP* ramp) noexcept
    -> HRESULT {
  return read_value<[](device& on) { return on.kept.gamma_ramp; }>(handle, ramp);
}

auto APIENTRY set_software_u(handle_u handle, BOOL is_software) noexcept -> HRESULT {
  return set(handle, [&](device& on) {
    on.kept.processes_vertices_in_software = is_software != 0;
    return S_OK;
  });
}

auto APIENTRY set_patch_mode_u(handle_u handle, float segments) noexcept -> HRESULT {
  return set(handle, [&](device& on) {
    on.kept.patch_segments = segments;
    return S_OK;
  });
}

auto APIENTRY set_stream_frequency_u(handle_u handle, std::uint32_t stream,
                                     std::uint32_t setting) noexcept -> HRESULT {
  return set(handle, [&](device& on) { return set_stream_frequency(on, stream, setting); });
}

auto APIENTRY get_texture_u(handle_u handle, std::uint32_t stage,
                            u::D3D9DDI_HRESOURCE* out) noexcept -> HRESULT {
  return read_indexed<sampler_count, [](device& on, std::uint32_t sampler) {
    return u::D3D9DDI_HRESOURCE{on.state.textures[sampler]};
  }>(handle, sampler_of_stage(stage), out);
}

auto APIENTRY get_sampler_state_u(handle_u handle, std::uint32_t stage, std::uint32_t state,
                                  std::uint32_t* out) noexcept -> HRESULT {
  return get(
      handle,
      [&](device& on) -> HRESULT {
        const std::uint32_t sampler = sampler_of_stage(stage);
        if (sampler >= sampler_count || state >= sampler_state_count) return E_INVALIDARG;
        *out = on.state.sampler_states[sampler][state];
        return S_OK;
      },
      out);
}

auto APIENTRY get_viewport_u(handle_u handle, u::D3DDDIVIEWPORTINFO* out) noexcept -> HRESULT {
  return read_value<[](device& on) {
    const viewport& v = on.state.fixed.viewport;
    return u::D3DDDIVIEWPORTINFO{v.x, v.y, v.width, v.height, v.min_z, v.max_z};
  }>(handle, out);
}

auto APIENTRY get_scissor_rect_u(handle_u handle, RECT* rect, BOOL* is_enabled) noexcept
    -> HRESULT {
  return get(
      handle,
      [&](device& on) {
        const rectangle& kept = on.state.scissor_rect;
        *rect = {kept.left, kept.top, kept.right, kept.bottom};
        *is_enabled = on.state.render_states[D3DRS_SCISSORTESTENABLE] != 0 ? TRUE : FALSE;
        return S_OK;
      },
      rect, is_enabled);
}

auto APIENTRY get_stream_source_u(handle_u handle, std::uint32_t stream, u::D3D9DDI_HRESOURCE* out,
                                  std::uint32_t* offset, std::uint32_t* stride) noexcept
    -> HRESULT {
  return get(
      handle,
      [&](device& on) -> HRESULT {
        if (stream >= stream_count) return E_INVALIDARG;
        const stream_source& kept = on.state.streams[stream];
        out->pDrvPrivate = kept.buffer;
        *offset = kept.offset_bytes;
        *stride = kept.stride_bytes;
        return S_OK;
      },
      out, offset, stride);
}

auto APIENTRY get_indices_u(handle_u handle, u::D3D9DDI_HRESOURCE* out, u::D3DDDIFORMAT* format,
                            std::uint32_t* offset) noexcept -> HRESULT {
  return get(
      handle,
      [&](device& on) {
        const index_source& kept = on.state.indices;
        out->pDrvPrivate = kept.buffer;
        *format = kept.buffer != nullptr ? index_format_of(kept.index_bytes) : 0;
        *offset = kept.offset_bytes;
        return S_OK;
      },
      out, format, offset);
}

auto APIENTRY get_shader_u(handle_u handle, std::uint32_t which, u::D3D9DDI_HSHADER* out) noexcept
    -> HRESULT {
  return get(
      handle,
      [&](device& on) {
        const bool is_vertex = to_stage(which) == stage::vertex;
        out->pDrvPrivate = is_vertex ? on.state.vertex_shader : on.state.pixel_shader;
        return S_OK;
      },
      out);
}

template <auto Member, class Value>
auto APIENTRY get_registers_u(handle_u handle, std::uint32_t which, std::uint32_t first, Value* out,
                              std::uint32_t count) noexcept -> HRESULT {
  return get(
      handle,
      [&](device& on) -> HRESULT {
        if (count == 0 || !is_register_range(first, count)) return E_INVALIDARG;
        const auto& kept = on.state.constants_of(to_stage(which)).*Member;
        std::memcpy(out, kept.data() + first, count * sizeof kept[0]);
        return S_OK;
      },
      out);
}

auto APIENTRY validate_device_u(handle_u handle, std::uint32_t* passes) noexcept -> HRESULT {
  return read_value<[](device&) { return std::uint32_t{1}; }>(handle, passes);
}

auto APIENTRY accept_kernel_u(handle_u handle, std::uint32_t, std::uint32_t, float*,
                              float*) noexcept -> HRESULT {
  return set(handle, [](device&) { return S_OK; });
}
auto APIENTRY accept_dialogs_u(handle_u handle, BOOL) noexcept -> HRESULT {
  return set(handle, [](device&) { return S_OK; });
}

}  // namespace

void add_extended_setters(extended_table& table) noexcept {
  table.pfnSetClipPlane = set_clip_plane_u;
  table.pfnSetMaterial = set_material_u;
  table.pfnSetLight = set_light_u;
  table.pfnLightEnable = enable_light_u;
  table.pfnSetPaletteEntries = set_palette_u;
  table.pfnSetCurrentTexturePalette = set_current_palette_u;
  table.pfnSetClipStatus = set_clip_status_u;
  table.pfnSetGammaRamp = set_gamma_ramp_u;
  table.pfnSetSoftwareVertexProcessing = set_software_u;
  table.pfnSetNPatchMode = set_patch_mode_u;
  table.pfnSetStreamSourceFreq = set_stream_frequency_u;
  table.pfnSetConvolutionMonoKernel = accept_kernel_u;
  table.pfnSetDialogBoxMode = accept_dialogs_u;
}

void add_extended_getters(extended_table& table) noexcept {
  table.pfnGetClipPlane = get_clip_plane_u;
  table.pfnGetMaterial = read_value<[](device& on) { return on.state.fixed.material; }>;
  table.pfnGetLight = get_light_u;
  table.pfnGetLightEnable = get_light_enable_u;
  table.pfnGetPaletteEntries = get_palette_u;
  table.pfnGetCurrentTexturePalette =
      read_value<[](device& on) { return on.kept.current_palette; }>;
  table.pfnGetClipStatus = read_value<[](device& on) { return on.kept.clip_status; }>;
  table.pfnGetGammaRamp = get_gamma_ramp_u;
  table.pfnGetSoftwareVertexProcessing = read_value<[](device& on) -> BOOL {
    return on.kept.processes_vertices_in_software ? TRUE : FALSE;
  }>;
  table.pfnGetNPatchMode = read_value<[](device& on) { return on.kept.patch_segments; }>;
  table.pfnGetStreamSourceFreq = read_indexed<stream_count, [](device& on, std::uint32_t i) {
    return on.state.streams.frequency(i);
  }>;
  table.pfnGetRenderTarget = read_indexed<render_target_count, [](device& on, std::uint32_t i) {
    return u::D3D9DDI_HRESOURCE{on.state.render_targets[i].resource};
  }>;
  table.pfnGetDepthStencil =
      read_value<[](device& on) { return u::D3D9DDI_HRESOURCE{on.state.depth_stencil.resource}; }>;
  table.pfnGetTexture = get_texture_u;
  table.pfnGetSamplerState = get_sampler_state_u;
  table.pfnGetRenderState = read_indexed<render_state_count, [](device& on, std::uint32_t i) {
    return on.state.render_states[i];
  }>;
  table.pfnGetViewport = get_viewport_u;
  table.pfnGetScissorRect = get_scissor_rect_u;
  table.pfnGetFVF = read_value<[](device& on) { return bound_fvf(on); }>;
  table.pfnGetVertexDecl =
      read_value<[](device& on) { return u::D3D9DDI_HVERTEXDECL{on.state.declaration}; }>;
  table.pfnGetStreamSource = get_stream_source_u;
  table.pfnGetIndices = get_indices_u;
  table.pfnGetShader = get_shader_u;
  table.pfnGetShaderConstF = get_registers_u<&constant_registers::floats>;
  table.pfnGetShaderConstI = get_registers_u<&constant_registers::ints>;
  table.pfnGetShaderConstB = get_registers_u<&constant_registers::bools>;
  table.pfnValidateDevice = validate_device_u;
}

}  // namespace aerogpu::umd::front_u
