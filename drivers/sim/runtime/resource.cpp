#include "drivers/sim/runtime/resource.hpp"

#include <algorithm>
#include <bit>

namespace aerogpu::sim {
namespace {

[[nodiscard]] auto count_levels(UINT width, UINT height) -> UINT {
  return static_cast<UINT>(std::bit_width(std::max(width, height)));
}

void add_level(d3d9_resource& to, UINT level, const texel_layout& layout) {
  subresource made;
  made.width = std::max(1u, to.description.width >> level);
  made.height = std::max(1u, to.description.height >> level);
  const auto columns = (made.width + layout.block_edge - 1) / layout.block_edge;
  const auto rows = (made.height + layout.block_edge - 1) / layout.block_edge;
  made.pitch_bytes = columns * layout.block_bytes;
  if (to.is_in_system_memory()) made.memory.resize(std::size_t{made.pitch_bytes} * rows);
  to.subresources.push_back(std::move(made));
}

[[nodiscard]] auto flags_of(const resource_description& from) -> D3DDDI_RESOURCEFLAGS {
  const auto has = [&](DWORD usage) { return (from.usage & usage) != 0 ? 1u : 0u; };
  D3DDDI_RESOURCEFLAGS flags{};
  flags.RenderTarget = has(D3DUSAGE_RENDERTARGET) & 1u;
  flags.ZBuffer = has(D3DUSAGE_DEPTHSTENCIL) & 1u;
  flags.Dynamic = has(D3DUSAGE_DYNAMIC) & 1u;
  flags.WriteOnly = has(D3DUSAGE_WRITEONLY) & 1u;
  flags.AutogenMipmap = has(D3DUSAGE_AUTOGENMIPMAP) & 1u;
  flags.Points = has(D3DUSAGE_POINTS) & 1u;
  flags.RtPatches = has(D3DUSAGE_RTPATCHES) & 1u;
  flags.NPatches = has(D3DUSAGE_NPATCHES) & 1u;
  flags.NotLockable = from.is_lockable != 0 ? 0 : 1;
  flags.SharedResource = from.is_shared != 0 ? 1 : 0;
  flags.Primary = from.is_primary != 0 ? 1 : 0;
  flags.Texture = from.type == D3DRTYPE_TEXTURE || from.type == D3DRTYPE_CUBETEXTURE ? 1 : 0;
  flags.CubeMap = from.type == D3DRTYPE_CUBETEXTURE ? 1 : 0;
  flags.VertexBuffer = from.type == D3DRTYPE_VERTEXBUFFER ? 1 : 0;
  flags.IndexBuffer = from.type == D3DRTYPE_INDEXBUFFER ? 1 : 0;
  return flags;
}

}  // namespace

auto layout_of(D3DFORMAT format) -> texel_layout {
  switch (format) {
    case D3DFMT_A8:
    case D3DFMT_L8:
    case D3DFMT_P8: return {1};
    case D3DFMT_R5G6B5:
    case D3DFMT_X1R5G5B5:
    case D3DFMT_A1R5G5B5:
    case D3DFMT_A4R4G4B4:
    case D3DFMT_X4R4G4B4:
    case D3DFMT_A8L8:
    case D3DFMT_V8U8:
    case D3DFMT_L16:
    case D3DFMT_D16:
    case D3DFMT_D16_LOCKABLE:
    case D3DFMT_R16F: return {2};
    case D3DFMT_R8G8B8: return {3};
    case D3DFMT_A16B16G16R16:
    case D3DFMT_A16B16G16R16F:
    case D3DFMT_Q16W16V16U16:
    case D3DFMT_G32R32F: return {8};
    case D3DFMT_A32B32G32R32F: return {16};
    case D3DFMT_DXT1: return {8, 4};
    case D3DFMT_DXT2:
    case D3DFMT_DXT3:
    case D3DFMT_DXT4:
    case D3DFMT_DXT5: return {16, 4};
    case D3DFMT_A8R8G8B8:
    case D3DFMT_X8R8G8B8:
    case D3DFMT_A8B8G8R8:
    case D3DFMT_X8B8G8R8:
    case D3DFMT_A2B10G10R10:
    case D3DFMT_A2R10G10B10:
    case D3DFMT_G16R16:
    case D3DFMT_G16R16F:
    case D3DFMT_R32F:
    case D3DFMT_Q8W8V8U8:
    case D3DFMT_V16U16:
    case D3DFMT_D32:
    case D3DFMT_D24S8:
    case D3DFMT_D24X8: return {4};
    case D3DFMT_VERTEXDATA:
    case D3DFMT_INDEX16:
    case D3DFMT_INDEX32: return {1};
    default: return {};
  }
}

auto lay_out(d3d9_resource& resource) -> bool {
  auto& from = resource.description;
  const auto layout = layout_of(from.format);
  if (layout.block_bytes == 0 || from.width == 0 || from.height == 0) return false;
  const auto most = count_levels(from.width, from.height);
  if (from.levels == 0) from.levels = most;
  if (from.levels > most) return false;
  for (UINT face = 0; face < resource.faces(); ++face) {
    for (UINT level = 0; level < from.levels; ++level) add_level(resource, level, layout);
    resource.dirty.push_back({0, 0, static_cast<LONG>(from.width), static_cast<LONG>(from.height)});
  }
  return true;
}

auto to_ddi(const d3d9_resource& resource, UINT fill) -> D3DDDIARG_CREATERESOURCE {
  const auto& from = resource.description;
  D3DDDIARG_CREATERESOURCE made{};
  made.Flags = flags_of(from);
  made.Format = static_cast<D3DDDIFORMAT>(from.format);
  made.Pool = resource.is_in_system_memory() ? D3DDDIPOOL_SYSTEMMEM : D3DDDIPOOL_VIDEOMEMORY;
  made.MultisampleType = made.Flags.RenderTarget != 0 ? D3DDDIMULTISAMPLE_NONE
                                                      : static_cast<D3DDDIMULTISAMPLE_TYPE>(fill);
  made.MultisampleQuality = made.Flags.RenderTarget != 0 ? 0 : fill;
  made.MipLevels = made.Flags.Texture != 0 ? from.levels : fill;
  made.Fvf = made.Flags.VertexBuffer != 0 ? from.vertex_format : fill;
  made.VidPnSourceId = made.Flags.Primary != 0 ? 0 : fill;
  made.RefreshRate = {fill, fill};
  if (made.Flags.Primary != 0) made.RefreshRate = {60, 1};
  made.Rotation = D3DDDI_ROTATION_IDENTITY;
  return made;
}

auto surfaces_of(const d3d9_resource& resource) -> std::vector<D3DDDI_SURFACEINFO> {
  std::vector<D3DDDI_SURFACEINFO> list;
  for (const auto& one : resource.subresources) {
    D3DDDI_SURFACEINFO info{};
    info.Width = one.width;
    info.Height = one.height;
    info.Depth = 1;
    if (!one.memory.empty()) {
      info.pSysMem = one.memory.data();
      info.SysMemPitch = one.pitch_bytes;
      info.SysMemSlicePitch = static_cast<UINT>(one.memory.size());
    }
    list.push_back(info);
  }
  return list;
}

}  // namespace aerogpu::sim
