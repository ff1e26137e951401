// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/resource/creation.hpp"

#include "drivers/win7/primary_pitch.hpp"
#include "drivers/win7/umd/d3d9/adapter/formats.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/backing.hpp"
#include "drivers/win7/umd/d3d9/resource/destruction.hpp"
#include "drivers/win7/umd/d3d9/resource/surfaces.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/colors.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/fills.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <algorithm>
#include <memory>
#include <new>

namespace aerogpu::umd {

namespace {

constexpr std::uint32_t cube_faces = 6;

at_most<64> exports_logged;

/// Whether a format may be used as the flags say (umd-d3d9.md 2.5.1, in this order).
[[nodiscard]] auto is_allowed(const surface_format& format, const resource_flags& flags) noexcept
    -> bool {
  if (flags.is_render_target && !format.can_be_render_target()) return false;
  // What others write or the kernel shows would have to be the host's texels.
  if (format.is_narrow() && (flags.is_shared || flags.is_primary)) return false;
  return flags.is_depth_stencil == format.is_depth_stencil() &&
         !(flags.is_render_target && flags.is_depth_stencil);
}

[[nodiscard]] auto layers_of(const resource_request& request) noexcept -> std::uint32_t {
  const bool is_cube = request.kind == resource_kind::cube_texture;
  return is_cube && request.array_layers <= 1 ? cube_faces : request.array_layers;
}

/// A layout, or why there is none.
[[nodiscard]] auto lay_out(const device& on, const resource_request& request,
                           resource& made) noexcept -> HRESULT {
  if (request.width == 0 || request.height == 0) return D3DERR_INVALIDCALL;
  const surface_format* const format = find_surface_format(on.adapter.facts(), request.format);
  if (format == nullptr || !is_allowed(*format, request.flags)) return D3DERR_INVALIDCALL;
  const std::uint32_t layers = layers_of(request);
  const bool is_cube = request.kind == resource_kind::cube_texture;
  if (is_cube && (layers != cube_faces || request.width != request.height)) {
    return D3DERR_INVALIDCALL;
  }
  if (layers == 0) return D3DERR_INVALIDCALL;
  if (request.flags.is_shared && (request.mip_levels != 1 || layers != 1)) {
    return D3DERR_INVALIDCALL;
  }
  const std::uint32_t most_mips = full_mip_count(request.width, request.height);
  const std::uint32_t mips = request.mip_levels == 0 ? most_mips : request.mip_levels;
  if (mips > most_mips) return D3DERR_INVALIDCALL;
  // What is shown has the rows of the kernel driver's modes; others are packed.
  const bool is_shown = request.flags.is_primary && mips == 1 && layers == 1;
  const std::uint64_t row_bytes = tight_row_bytes(*format->device, request.width);
  if (row_bytes > most_resource_bytes) return E_OUTOFMEMORY;
  const std::uint64_t pitch = is_shown ? primary_pitch_bytes(row_bytes) : 0;
  texture_shape shape{format->device->value,
                      request.width,
                      request.height,
                      mips,
                      layers,
                      static_cast<std::uint32_t>(pitch)};
  const auto layout = texture_layout::create(shape);
  if (!layout || layout->total_bytes() > most_resource_bytes) return E_OUTOFMEMORY;
  const bool is_too_wide = std::max(request.width, request.height) > most_texture_edge;
  if (is_too_wide && request.pool != memory_pool::system) return D3DERR_INVALIDCALL;
  made.texels = *layout;
  if (format->is_narrow()) {
    made.wide_texels = *layout;
    shape.format = format->memory->value;
    made.texels = *texture_layout::create(shape, *format->memory);  // Fits where the wide one does.
  }
  made.size_bytes = made.texels->total_bytes();
  made.reads_opaque_alpha = format->reads_opaque_alpha;
  return S_OK;
}

[[nodiscard]] auto measure(const device& on, const resource_request& request,
                           resource& made) noexcept -> HRESULT {
  if (request.flags.is_shared && request.pool == memory_pool::system) return D3DERR_INVALIDCALL;
  if (request.kind != resource_kind::buffer) return lay_out(on, request, made);
  if (request.size_bytes == 0 || request.flags.is_shared) return D3DERR_INVALIDCALL;
  const bool is_in_system = request.pool == memory_pool::system;
  if (request.size_bytes > (is_in_system ? most_resource_bytes : most_buffer_bytes)) {
    return E_OUTOFMEMORY;
  }
  made.size_bytes = (request.size_bytes + 3) / 4 * 4;
  return S_OK;
}

/// Where contents live (umd-d3d9.md 2.5.3, with the budget rule of M).
[[nodiscard]] auto place_contents(const device& on, const resource& made) noexcept -> residence {
  if (made.pool == memory_pool::system) {
    return made.system_memory.empty() ? residence::shadow : residence::caller;
  }
  if (made.is_narrow()) return residence::shadow;
  if (made.flags.is_shared) return residence::host;
  const backing_rule rule = on.resources.rule;
  const bool is_plain_target = made.kind == resource_kind::surface && made.flags.is_render_target;
  const bool needs_memory = made.flags.is_primary || (is_plain_target && made.flags.is_lockable);
  if (needs_memory && rule != backing_rule::nothing) return residence::guest;
  if (rule == backing_rule::everything && made.subresource_count() == 1) return residence::guest;
  return made.kind == resource_kind::buffer ? residence::shadow : residence::host;
}

/// Keeps where the runtime has the subresources of a system-memory resource.
[[nodiscard]] auto adopt_memory(const resource_request& request, resource& made) noexcept
    -> HRESULT {
  const auto memory = request.system_memory;
  if (request.pool != memory_pool::system || memory.empty()) return S_OK;
  if (memory.size() != made.subresource_count()) return E_INVALIDARG;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (memory[i].bytes == nullptr) return E_INVALIDARG;
    if (made.layout() == nullptr) continue;
    const subresource_layout at = made.layout()->locate(made.layout()->at_index(i));
    if (at.row_count > 1 && memory[i].row_pitch_bytes < at.row_size_bytes) return E_INVALIDARG;
  }
  return made.system_memory.assign(memory) ? S_OK : E_OUTOFMEMORY;
}

void log_export(const resource& of) noexcept {
  if (!exports_logged.is_allowed()) return;
  log_line{"export shared_surface res="}
      .number(raw(of.handle))
      .text(" token=")
      .hex(raw(of.backing.token));
}

/// Memory and the host's object, for a resource that is described.
[[nodiscard]] auto realise(device& on, const resource_request& request, resource& made) noexcept
    -> HRESULT {
  made.contents = place_contents(on, made);
  if (made.contents == residence::shadow &&
      !made.shadow.resize(static_cast<std::size_t>(made.size_bytes))) {
    return E_OUTOFMEMORY;
  }
  if (made.pool == memory_pool::system) return S_OK;
  made.handle = on.adapter.handles.next_resource();
  const bool is_guest = made.contents == residence::guest;
  if (is_guest || made.flags.is_shared) {
    const HRESULT allocated = allocate_backing(on, made, request.vidpn_source, made.backing);
    if (FAILED(allocated)) return allocated;
  }
  if (is_guest) {
    const HRESULT zeroed = zero_backing(on, made);
    if (FAILED(zeroed)) return zeroed;
  }
  if (!made.flags.is_shared) {
    return send_creation(on, made, is_guest ? made.backing : guest_backing{});
  }
  // A shared surface has its allocation for its name alone: no CPU sees it.
  const HRESULT created =
      send_creation(on, made, {}, packet_bytes<aerogpu_cmd_export_shared_surface>());
  if (FAILED(created)) return created;
  const HRESULT exported =
      to_hresult(on.commands.packets().export_shared_surface(made.handle, made.backing.token));
  if (FAILED(exported)) return exported;
  const HRESULT submitted = on.commands.submit();
  if (SUCCEEDED(submitted)) log_export(made);
  return submitted;
}

/// What only the host has begins as zeros there, and a target may be read before all of it was
/// written: alpha 1 for X1R5G5B5.
[[nodiscard]] auto begin_opaque(device& on, resource& made) noexcept -> HRESULT {
  const bool begins_clear =
      made.reads_opaque_alpha && made.flags.is_render_target && made.contents == residence::host;
  if (!begins_clear) return S_OK;
  for (std::uint32_t i = 0; i < made.subresource_count(); ++i) {
    const surface_ref each{&made, i};
    const HRESULT filled = fill_color(on, each, bounds_of(each), opaque_black);
    if (FAILED(filled)) return filled;
  }
  return made.flags.is_shared ? on.commands.submit() : S_OK;  // Others may open it from now on.
}

}  // namespace

auto usage_of(const resource& of) noexcept -> std::uint32_t {
  if (of.kind == resource_kind::buffer) {
    return AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER | AEROGPU_RESOURCE_USAGE_INDEX_BUFFER;
  }
  if (of.flags.is_depth_stencil) return AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL;
  std::uint32_t usage = AEROGPU_RESOURCE_USAGE_TEXTURE;
  if (of.flags.is_render_target) usage |= AEROGPU_RESOURCE_USAGE_RENDER_TARGET;
  // A render target that is no texture may be a back buffer: nothing else tells them apart.
  const bool may_be_shown = of.flags.is_primary || of.flags.is_standard ||
                            (of.kind == resource_kind::surface && of.flags.is_render_target);
  if (may_be_shown) usage |= AEROGPU_RESOURCE_USAGE_SCANOUT;
  return usage;
}

auto send_creation(device& on, resource& of, const guest_backing& backing,
                   std::uint64_t more_bytes) noexcept -> HRESULT {
  const bool is_buffer = of.kind == resource_kind::buffer;
  const std::uint64_t bytes = is_buffer ? packet_bytes<aerogpu_cmd_create_buffer>()
                                        : packet_bytes<aerogpu_cmd_create_texture2d>();
  const allocation_use use{backing, true};
  const HRESULT reserved = on.commands.reserve(bytes + more_bytes, std::span{&use, 1});
  if (FAILED(reserved)) return reserved;
  auto& packets = on.commands.packets();
  const auto create_buffer = [&] {
    return packets.create_buffer({.buffer = of.handle,
                                  .usage_flags = usage_of(of),
                                  .size_bytes = of.size_bytes,
                                  .backing = {backing.id}});
  };
  const auto create_texture = [&] {
    const texture_shape& shape = of.host_layout()->shape();
    return packets.create_texture2d(
        {.texture = of.handle,
         .usage_flags = usage_of(of),
         .format = static_cast<aerogpu_format>(shape.format),
         .width = shape.width,
         .height = shape.height,
         .mip_levels = shape.mip_levels,
         .array_layers = shape.array_layers,
         .row_pitch_bytes = of.host_layout()->locate({0, 0}).pitch_bytes,
         .backing = {backing.id}});
  };
  const HRESULT created = to_hresult(is_buffer ? create_buffer() : create_texture());
  of.last_use = on.commands.pending_fence();
  return created;
}

auto create_resource(device& on, const resource_request& request, resource*& out) noexcept
    -> HRESULT {
  out = nullptr;
  std::unique_ptr<resource> made{new (std::nothrow) resource};
  if (made == nullptr) return E_OUTOFMEMORY;
  made->kind = request.kind;
  made->pool = request.pool;
  made->flags = request.flags;
  made->format = request.format;
  made->runtime_handle = request.runtime_handle;
  if (const HRESULT bad = measure(on, request, *made); FAILED(bad)) return bad;
  if (const HRESULT bad = adopt_memory(request, *made); FAILED(bad)) return bad;
  if (const HRESULT failed = realise(on, request, *made); FAILED(failed)) {
    release_memory(on, *made);
    return failed;
  }
  on.resources.insert(*made);
  resource* const kept = made.release();
  if (const HRESULT failed = begin_opaque(on, *kept); FAILED(failed)) {
    static_cast<void>(destroy_resource(on, kept));
    return failed;
  }
  out = kept;
  return S_OK;
}

}  // namespace aerogpu::umd
