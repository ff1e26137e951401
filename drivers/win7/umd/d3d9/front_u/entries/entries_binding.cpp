// SPDX-License-Identifier: MIT
/// \file Textures, streams, indices, declarations, shaders.
#include "drivers/win7/umd/d3d9/front_u/calls.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"
#include "drivers/win7/umd/d3d9/front_u/index_format.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/shader/fvf.hpp"
#include "drivers/win7/umd/d3d9/shader/shader.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"

#include <array>
#include <cstddef>

namespace aerogpu::umd::front_u {

namespace {

auto APIENTRY set_texture_u(u::D3D9DDI_HDEVICE handle, std::uint32_t stage,
                            u::D3D9DDI_HRESOURCE texture) noexcept -> HRESULT {
  return set(handle, [&](device& on) {
    return set_texture(on, sampler_of_stage(stage), to_resource(texture));
  });
}

auto APIENTRY set_stream_source_u(u::D3D9DDI_HDEVICE handle, std::uint32_t stream,
                                  u::D3D9DDI_HRESOURCE buffer, std::uint32_t offset,
                                  std::uint32_t stride) noexcept -> HRESULT {
  return set(handle, [&](device& on) {
    return set_stream(on, stream, {to_resource(buffer), offset, stride});
  });
}

auto APIENTRY set_indices_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HRESOURCE buffer,
                            u::D3DDDIFORMAT format, std::uint32_t offset) noexcept -> HRESULT {
  return set(handle, [&](device& on) -> HRESULT {
    resource* const indices = to_resource(buffer);
    if (indices == nullptr) return set_indices(on, {});
    return set_indices(on, {indices, index_bytes_of(format), offset});
  });
}

/// The elements end with END, or with the memory.
auto APIENTRY create_declaration_u(u::D3D9DDI_HDEVICE handle, const void* elements,
                                   std::uint32_t size_bytes, u::D3D9DDI_HVERTEXDECL* out) noexcept
    -> HRESULT {
  return run(
      handle,
      [&](device& on) -> HRESULT {
        out->pDrvPrivate = nullptr;
        std::array<D3DVERTEXELEMENT9, most_elements + 1> copy{};
        const std::size_t count = size_bytes / sizeof(D3DVERTEXELEMENT9);
        if (count == 0 || count > copy.size() || size_bytes % sizeof(D3DVERTEXELEMENT9) != 0) {
          return E_INVALIDARG;
        }
        const auto list = std::span{copy}.first(count);
        copy_bytes(std::as_writable_bytes(list),
                   {static_cast<const std::byte*>(elements), size_bytes});
        vertex_declaration* made = nullptr;
        const HRESULT created = create_declaration(on, list, made);
        out->pDrvPrivate = made;
        return created;
      },
      elements, out);
}

auto APIENTRY set_declaration_u(u::D3D9DDI_HDEVICE handle,
                                u::D3D9DDI_HVERTEXDECL declaration) noexcept -> HRESULT {
  return set(handle, [&](device& on) {
    return set_declaration(on, static_cast<vertex_declaration*>(declaration.pDrvPrivate));
  });
}

/// Those that SetFVF made are the driver's.
auto APIENTRY destroy_declaration_u(u::D3D9DDI_HDEVICE handle,
                                    u::D3D9DDI_HVERTEXDECL declaration) noexcept -> HRESULT {
  auto* const gone = static_cast<vertex_declaration*>(declaration.pDrvPrivate);
  return set(
      handle,
      [&](device& on) {
        return on.fvf.contains(gone) ? E_INVALIDARG : destroy_declaration(on, gone);
      },
      gone);
}

auto APIENTRY set_fvf_u(u::D3D9DDI_HDEVICE handle, std::uint32_t fvf) noexcept -> HRESULT {
  return set(handle, [&](device& on) { return set_fvf(on, fvf); });
}

auto APIENTRY create_shader_u(u::D3D9DDI_HDEVICE handle, std::uint32_t which, const void* code,
                              std::uint32_t size_bytes, u::D3D9DDI_HSHADER* out) noexcept
    -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        shader* made = nullptr;
        const const_bytes bytes{static_cast<const std::byte*>(code), size_bytes};
        const HRESULT created = create_shader(on, to_stage(which), bytes, made);
        out->pDrvPrivate = made;
        return created;
      },
      code, out);
}

auto APIENTRY set_shader_u(u::D3D9DDI_HDEVICE handle, std::uint32_t which,
                           u::D3D9DDI_HSHADER code) noexcept -> HRESULT {
  return set(handle, [&](device& on) {
    return set_shader(on, to_stage(which), static_cast<shader*>(code.pDrvPrivate));
  });
}

auto APIENTRY destroy_shader_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HSHADER code) noexcept
    -> HRESULT {
  auto* const gone = static_cast<shader*>(code.pDrvPrivate);
  return set(
      handle, [&](device& on) { return destroy_shader(on, gone); }, gone);
}

}  // namespace

void add_binding_entries(device_table& table) noexcept {
  table.pfnSetTexture = set_texture_u;
  table.pfnSetStreamSource = set_stream_source_u;
  table.pfnSetIndices = set_indices_u;
  table.pfnCreateVertexDecl = create_declaration_u;
  table.pfnSetVertexDecl = set_declaration_u;
  table.pfnDestroyVertexDecl = destroy_declaration_u;
  table.pfnSetFVF = set_fvf_u;
  table.pfnCreateShader = create_shader_u;
  table.pfnSetShader = set_shader_u;
  table.pfnDestroyShader = destroy_shader_u;
}

}  // namespace aerogpu::umd::front_u
