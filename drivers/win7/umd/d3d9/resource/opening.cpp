// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/opening.hpp"

#include "aerogpu/memory/alloc_private_data.hpp"
#include "drivers/win7/umd/d3d9/adapter/formats.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/creation.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <array>
#include <memory>
#include <new>

namespace aerogpu::umd {

namespace {

at_most<64> imports_logged;

/// What Direct3D 9 calls the surfaces of newer producers (umd-d3d9.md 2.6).
struct dxgi_name {
  std::uint32_t dxgi;
  D3DFORMAT d3d9;
};
constexpr std::array dxgi_names{
    dxgi_name{85, D3DFMT_R5G6B5},   dxgi_name{86, D3DFMT_A1R5G5B5}, dxgi_name{87, D3DFMT_A8R8G8B8},
    dxgi_name{90, D3DFMT_A8R8G8B8}, dxgi_name{91, D3DFMT_A8R8G8B8}, dxgi_name{88, D3DFMT_X8R8G8B8},
    dxgi_name{92, D3DFMT_X8R8G8B8}, dxgi_name{93, D3DFMT_X8R8G8B8}, dxgi_name{27, D3DFMT_A8B8G8R8},
    dxgi_name{28, D3DFMT_A8B8G8R8}, dxgi_name{29, D3DFMT_A8B8G8R8},
};

[[nodiscard]] auto format_of_dxgi(std::uint32_t dxgi) noexcept -> std::uint32_t {
  for (const dxgi_name& each : dxgi_names) {
    if (each.dxgi == dxgi) return static_cast<std::uint32_t>(each.d3d9);
  }
  return 0;
}

/// Whether the blob names something that may be opened.
[[nodiscard]] auto may_open(const alloc_private_data& data, bool takes_standard) noexcept -> bool {
  if (takes_standard && is_standard_allocation(data) && data.alloc_id != 0) return true;
  return is_shared(data) && data.share_token != 0 && data.alloc_id != 0;
}

/// What the runtime says wins, then a Direct3D 9 producer's words, then anybody's.
[[nodiscard]] auto describe(const opening_request& request, const alloc_private_data& data) noexcept
    -> d3d9_description {
  d3d9_description surface{};
  if (has_description(data.reserved0)) {
    surface = unpack_description(data.reserved0);
  } else if (describes_surface(data)) {
    surface = {format_of_dxgi(data.format), data.width, data.height};
  }
  if (request.format != 0) surface.format = request.format;
  if (request.width != 0) surface.width = request.width;
  if (request.height != 0) surface.height = request.height;
  return surface;
}

[[nodiscard]] auto lay_out(const device& on, const opening_request& request,
                           const alloc_private_data& data, resource& made) noexcept -> HRESULT {
  const d3d9_description surface = describe(request, data);
  const surface_format* const format = find_surface_format(on.adapter.facts(), surface.format);
  if (format == nullptr || format->is_narrow()) return D3DERR_INVALIDCALL;
  if (surface.width == 0 || surface.height == 0) return D3DERR_INVALIDCALL;
  // A cube has six layers, and shared surfaces have one; buffers are not shared.
  const bool is_surface =
      request.kind == resource_kind::surface || request.kind == resource_kind::texture;
  if (!is_surface) return D3DERR_INVALIDCALL;
  const std::uint64_t tight = tight_row_bytes(*format->device, surface.width);
  const std::uint32_t hint = row_pitch_bytes(data);
  const bool uses_hint = hint >= tight && !format->device->is_block_compressed();
  const auto layout = texture_layout::create(
      {format->device->value, surface.width, surface.height, 1, 1, uses_hint ? hint : 0});
  if (!layout || layout->total_bytes() > most_resource_bytes) return E_OUTOFMEMORY;
  // The kernel allocated what the blob says: a surface that ends behind that cannot be locked.
  if (layout->total_bytes() > allocation_bytes(data)) return E_INVALIDARG;
  made.texels = *layout;
  made.format = surface.format;
  made.reads_opaque_alpha = format->reads_opaque_alpha;
  made.size_bytes = layout->total_bytes();
  made.flags.is_render_target = format->can_be_render_target();
  made.flags.is_depth_stencil = format->is_depth_stencil();
  return S_OK;
}

void log_import(const resource& of) noexcept {
  if (!imports_logged.is_allowed()) return;
  log_line{"import shared_surface out_res="}
      .number(raw(of.handle))
      .text(" token=")
      .hex(raw(of.backing.token))
      .text(" alloc_id=")
      .number(raw(of.backing.id))
      .text(" hAllocation=")
      .hex(raw(of.backing.allocation), 8);
}

/// A shared surface has a name; the kernel driver's own gets an object over its memory.
[[nodiscard]] auto send_opening(device& on, resource& made) noexcept -> HRESULT {
  if (made.flags.is_standard) return send_creation(on, made, made.backing);
  const allocation_use use{made.backing, false};
  const HRESULT reserved =
      on.commands.reserve(packet_bytes<aerogpu_cmd_import_shared_surface>(), std::span{&use, 1});
  if (FAILED(reserved)) return reserved;
  const HRESULT imported =
      to_hresult(on.commands.packets().import_shared_surface(made.handle, made.backing.token));
  made.last_use = on.commands.pending_fence();
  if (SUCCEEDED(imported)) log_import(made);
  return imported;
}

}  // namespace

auto open_resource(device& on, const opening_request& request, resource*& out) noexcept -> HRESULT {
  out = nullptr;
  const auto data = parse_alloc_private_data(request.private_data);
  if (!data || !may_open(*data, request.takes_standard)) return E_INVALIDARG;
  if (request.allocation == kernel_allocation{}) return E_FAIL;
  std::unique_ptr<resource> made{new (std::nothrow) resource};
  if (made == nullptr) return E_OUTOFMEMORY;
  made->kind = request.kind;
  made->runtime_handle = request.runtime_handle;
  made->contents = residence::host;
  made->is_host_newer = true;
  if (const HRESULT bad = lay_out(on, request, *data, *made); FAILED(bad)) return bad;
  made->flags.is_shared = is_shared(*data);
  made->flags.is_standard = !made->flags.is_shared;
  made->handle = on.adapter.handles.next_resource();
  made->backing = {request.allocation, alloc_id{data->alloc_id}, share_token{data->share_token},
                   allocation_bytes(*data)};
  if (const HRESULT failed = send_opening(on, *made); FAILED(failed)) return failed;
  on.resources.insert(*made);
  out = made.release();
  return S_OK;
}

}  // namespace aerogpu::umd
