// SPDX-License-Identifier: MIT
/// \file Creation, sharing and destruction of resources.
#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::sim {
namespace {

using table = D3DDDI_DEVICEFUNCS;

/// What members without a meaning hold.
constexpr UINT nonsense = 0x0BADF00D;

[[nodiscard]] auto data_of(const resource_description& from) -> byte_list {
  byte_list bytes(sizeof from);
  std::memcpy(bytes.data(), &from, sizeof from);
  return bytes;
}

/// umd-d3d9.md 6.8, as far as the driver would be asked for what Windows refuses.
[[nodiscard]] auto is_allowed(const resource_description& wanted) -> bool {
  constexpr DWORD drawn_to = D3DUSAGE_RENDERTARGET | D3DUSAGE_DEPTHSTENCIL;
  const bool is_default = wanted.pool == D3DPOOL_DEFAULT;
  if (wanted.pool != D3DPOOL_DEFAULT && wanted.pool != D3DPOOL_SYSTEMMEM) return false;
  if ((wanted.usage & drawn_to) == drawn_to) return false;
  if ((wanted.usage & (drawn_to | D3DUSAGE_AUTOGENMIPMAP)) != 0 && !is_default) return false;
  if ((wanted.usage & drawn_to) != 0 && (wanted.usage & D3DUSAGE_DYNAMIC) != 0) return false;
  if ((wanted.usage & D3DUSAGE_AUTOGENMIPMAP) != 0 && wanted.levels > 1) return false;
  return wanted.is_shared == 0 || (is_default && wanted.levels == 1);
}

/// Nobody knows it yet. nullptr for what may not be.
[[nodiscard]] auto lay_out_new(const resource_description& wanted, void* user_memory)
    -> std::unique_ptr<d3d9_resource> {
  auto made = std::make_unique<d3d9_resource>();
  made->description = wanted;
  made->user_memory = user_memory;
  return is_allowed(wanted) && lay_out(*made) ? std::move(made) : nullptr;
}

}  // namespace

auto d3d9_device::register_resource(std::unique_ptr<d3d9_resource> made) -> d3d9_resource* {
  resources_.push_back(std::move(made));
  return resources_.back().get();
}

auto d3d9_device::create_resource(const resource_description& wanted, d3d9_resource*& made,
                                  void* user_memory) -> HRESULT {
  made = nullptr;
  auto resource = lay_out_new(wanted, user_memory);
  if (resource == nullptr) return D3DERR_INVALIDCALL;
  const auto result = make_resource(*resource);
  if (FAILED(result)) return result;
  resource->share = ddi.share_of(resource->names);
  made = register_resource(std::move(resource));
  return result;
}

auto d3d9_device::keep_resource(const resource_description& wanted, d3d9_resource*& made,
                                void* user_memory) -> HRESULT {
  made = nullptr;
  auto resource = lay_out_new(wanted, user_memory);
  if (resource == nullptr) return D3DERR_INVALIDCALL;
  made = register_resource(std::move(resource));
  return S_OK;
}

auto d3d9_device::make_resource(d3d9_resource& resource) -> HRESULT {
  const bool fills = ddi.process().runtime.options.fills_unused_members;
  auto argument = to_ddi(resource, fills ? nonsense : 0);
  const auto surfaces = surfaces_of(resource);
  argument.pSurfList = surfaces.data();
  argument.SurfCount = static_cast<UINT>(surfaces.size());
  return ddi.create_resource(argument, resource.names, data_of(resource.description));
}

auto d3d9_device::create_texture(UINT width, UINT height, UINT levels, DWORD usage,
                                 D3DFORMAT format, D3DPOOL pool, d3d9_resource*& made) -> HRESULT {
  resource_description wanted;
  wanted.type = D3DRTYPE_TEXTURE;
  wanted.format = format;
  wanted.pool = pool;
  wanted.usage = usage;
  wanted.width = width;
  wanted.height = height;
  wanted.levels = levels;
  wanted.is_lockable = pool != D3DPOOL_DEFAULT || (usage & D3DUSAGE_DYNAMIC) != 0 ? 1 : 0;
  return create_resource(wanted, made);
}

auto d3d9_device::create_cube_texture(UINT edge, UINT levels, DWORD usage, D3DFORMAT format,
                                      D3DPOOL pool, d3d9_resource*& made) -> HRESULT {
  resource_description wanted;
  wanted.type = D3DRTYPE_CUBETEXTURE;
  wanted.format = format;
  wanted.pool = pool;
  wanted.usage = usage;
  wanted.width = edge;
  wanted.height = edge;
  wanted.levels = levels;
  wanted.is_lockable = pool != D3DPOOL_DEFAULT || (usage & D3DUSAGE_DYNAMIC) != 0 ? 1 : 0;
  return create_resource(wanted, made);
}

auto d3d9_device::create_vertex_buffer(UINT bytes, DWORD usage, DWORD format, D3DPOOL pool,
                                       d3d9_resource*& made) -> HRESULT {
  resource_description wanted;
  wanted.type = D3DRTYPE_VERTEXBUFFER;
  wanted.format = D3DFMT_VERTEXDATA;
  wanted.pool = pool;
  wanted.usage = usage;
  wanted.width = bytes;
  wanted.vertex_format = format;
  wanted.is_lockable = 1;
  return create_resource(wanted, made);
}

auto d3d9_device::create_index_buffer(UINT bytes, DWORD usage, D3DFORMAT format, D3DPOOL pool,
                                      d3d9_resource*& made) -> HRESULT {
  if (format != D3DFMT_INDEX16 && format != D3DFMT_INDEX32) return D3DERR_INVALIDCALL;
  resource_description wanted;
  wanted.type = D3DRTYPE_INDEXBUFFER;
  wanted.format = format;
  wanted.pool = pool;
  wanted.usage = usage;
  wanted.width = bytes;
  wanted.is_lockable = 1;
  return create_resource(wanted, made);
}

auto d3d9_device::create_render_target(UINT width, UINT height, D3DFORMAT format, bool is_lockable,
                                       d3d9_resource*& made) -> HRESULT {
  resource_description wanted;
  wanted.format = format;
  wanted.usage = D3DUSAGE_RENDERTARGET;
  wanted.width = width;
  wanted.height = height;
  wanted.is_lockable = is_lockable ? 1 : 0;
  return create_resource(wanted, made);
}

auto d3d9_device::create_depth_stencil_surface(UINT width, UINT height, D3DFORMAT format,
                                               d3d9_resource*& made) -> HRESULT {
  resource_description wanted;
  wanted.format = format;
  wanted.usage = D3DUSAGE_DEPTHSTENCIL;
  wanted.width = width;
  wanted.height = height;
  return create_resource(wanted, made);
}

auto d3d9_device::create_offscreen_plain_surface(UINT width, UINT height, D3DFORMAT format,
                                                 D3DPOOL pool, d3d9_resource*& made) -> HRESULT {
  resource_description wanted;
  wanted.format = format;
  wanted.pool = pool;
  wanted.width = width;
  wanted.height = height;
  wanted.is_lockable = 1;
  return create_resource(wanted, made);
}

auto d3d9_device::create_shared_texture(UINT width, UINT height, DWORD usage, D3DFORMAT format,
                                        d3d9_resource*& made) -> HRESULT {
  resource_description wanted;
  wanted.type = D3DRTYPE_TEXTURE;
  wanted.format = format;
  wanted.usage = usage;
  wanted.width = width;
  wanted.height = height;
  wanted.is_shared = 1;
  return create_resource(wanted, made);
}

auto d3d9_device::open_shared(D3DKMT_HANDLE share, d3d9_resource*& made) -> HRESULT {
  made = nullptr;
  auto resource = std::make_unique<d3d9_resource>();
  byte_list data;
  const auto result = ddi.open_resource(share, resource->names, data);
  if (FAILED(result)) return result;
  // The desktop's own surfaces come without what a runtime says of them.
  const bool is_ours = data.size() == sizeof resource->description;
  if (is_ours) std::memcpy(&resource->description, data.data(), data.size());
  resource->share = share;
  if (is_ours) static_cast<void>(lay_out(*resource));
  made = register_resource(std::move(resource));
  return result;
}

auto d3d9_device::release(d3d9_resource*& gone) -> HRESULT {
  auto* const resource = std::exchange(gone, nullptr);
  const auto found = std::find_if(resources_.begin(), resources_.end(),
                                  [&](const auto& one) { return one.get() == resource; });
  if (found == resources_.end()) return D3DERR_INVALIDCALL;
  const auto result = ddi.destroy_resource(resource->names);
  for (auto& target : targets_) {
    if (target.resource == resource) target = {};
  }
  resources_.erase(found);
  return result;
}

auto d3d9_device::set_priority(d3d9_resource& resource, UINT priority) -> HRESULT {
  return ddi.send<&table::pfnSetPriority>(D3DDDIARG_SETPRIORITY{resource.names.driver, priority});
}

auto d3d9_device::check_resource_residency(std::span<d3d9_resource* const> resources) -> HRESULT {
  std::vector<HANDLE> handles;
  for (const auto* const one : resources) handles.push_back(one->names.driver);
  lent_bytes passed{ddi.rules(), std::as_bytes(std::span{handles}), "QueryResourceResidency"};
  const D3DDDIARG_QUERYRESOURCERESIDENCY asked{static_cast<const HANDLE*>(passed.get()),
                                               static_cast<UINT>(handles.size())};
  const auto result = ddi.send<&table::pfnQueryResourceResidency>(asked);
  passed.take_input();
  return result;
}

}  // namespace aerogpu::sim
