// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/resource.hpp"

#include <algorithm>
#include <bit>

namespace aerogpu::sim {
namespace {

constexpr std::uint64_t most_bytes = 0x7FFFFFFF;
constexpr UINT most_texels = 1u << 16;  ///< Of an edge, so that no size overflows 64 bits.

[[nodiscard]] auto count_levels(const resource_description& of) -> UINT {
  return static_cast<UINT>(std::bit_width(std::max({of.width, of.height, of.depth})));
}

[[nodiscard]] auto align(std::uint64_t value, std::uint64_t to) -> std::uint64_t {
  return (value + to - 1) / to * to;
}

/// Rows of the runtime's own memory begin at multiples of four bytes; the program's are tight.
[[nodiscard]] auto pitch_of(const d3d9_resource& of, const texel_layout& layout, UINT width)
    -> std::uint64_t {
  constexpr std::uint64_t row_alignment = 4;
  const auto blocks = (std::uint64_t{width} + layout.block_width - 1) / layout.block_width;
  const auto bytes = blocks * layout.block_bytes;
  const bool is_tight = of.is_buffer() || of.user_memory != nullptr || !of.is_in_system_memory();
  return is_tight ? bytes : align(bytes, row_alignment);
}

/// How many bytes the level needs in system memory.
[[nodiscard]] auto add_level(d3d9_resource& to, UINT level, const texel_layout& layout)
    -> std::uint64_t {
  const auto& from = to.description;
  subresource made;
  made.width = std::max(1u, from.width >> level);
  made.height = std::max(1u, from.height >> level);
  made.depth = std::max(1u, from.depth >> level);
  const auto rows = (std::uint64_t{made.height} + layout.block_height - 1) / layout.block_height;
  const auto pitch = pitch_of(to, layout, made.width);
  made.pitch_bytes = static_cast<UINT>(pitch);
  made.slice_pitch_bytes = static_cast<UINT>(std::min(pitch * rows, most_bytes));
  to.subresources.push_back(made);
  return pitch * rows * made.depth;
}

/// All subresources lie behind each other, as programs expect it; faces begin at multiples of 16.
void place_memory(d3d9_resource& to, std::span<const std::uint64_t> offsets, std::uint64_t total) {
  auto* base = static_cast<std::byte*>(to.user_memory);
  if (base == nullptr) {
    to.memory.resize(static_cast<std::size_t>(total));
    base = to.memory.data();
  }
  for (std::size_t i = 0; i < to.subresources.size(); ++i) {
    auto& part = to.subresources[i];
    part.memory = {base + offsets[i], std::size_t{part.slice_pitch_bytes} * part.depth};
  }
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
    case D3DFMT_R3G3B2:
    case D3DFMT_A8:
    case D3DFMT_L8:
    case D3DFMT_A4L4:
    case D3DFMT_P8: return {1};
    case D3DFMT_A8R3G3B2:
    case D3DFMT_A8P8:
    case D3DFMT_L6V5U5:
    case D3DFMT_D15S1:
    case D3DFMT_CxV8U8:
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
    case D3DFMT_DXT1: return {8, 4, 4};
    case D3DFMT_DXT2:
    case D3DFMT_DXT3:
    case D3DFMT_DXT4:
    case D3DFMT_DXT5: return {16, 4, 4};
    case D3DFMT_YUY2:
    case D3DFMT_UYVY:
    case D3DFMT_G8R8_G8B8:
    case D3DFMT_R8G8_B8G8: return {4, 2, 1};
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
    case D3DFMT_X8L8V8U8:
    case D3DFMT_A2W10V10U10:
    case D3DFMT_MULTI2_ARGB8:
    case D3DFMT_D32:
    case D3DFMT_D24S8:
    case D3DFMT_D24X8:
    case D3DFMT_D24X4S4:
    case D3DFMT_D24FS8:
    case D3DFMT_D32F_LOCKABLE: return {4};
    case D3DFMT_VERTEXDATA:
    case D3DFMT_INDEX16:
    case D3DFMT_INDEX32: return {1};
    default: return {};
  }
}

auto lay_out(d3d9_resource& resource) -> bool {
  constexpr std::uint64_t face_alignment = 16;
  auto& from = resource.description;
  const auto layout = layout_of(from.format);
  if (layout.block_bytes == 0 || from.width == 0 || from.height == 0 || from.depth == 0)
    return false;
  const auto widest = resource.is_buffer() ? most_bytes : most_texels;
  if (from.width > widest || from.height > most_texels || from.depth > most_texels) return false;
  const auto most = count_levels(from);
  // Levels that the driver generates are its own: the runtime has the top ones.
  const bool has_top_alone = (from.usage & D3DUSAGE_AUTOGENMIPMAP) != 0;
  if (from.levels == 0) from.levels = has_top_alone ? 1 : most;
  if (from.levels > most) return false;
  std::vector<std::uint64_t> offsets;
  std::uint64_t total = 0;
  for (UINT face = 0; face < resource.faces(); ++face) {
    total = align(total, face_alignment);
    for (UINT level = 0; level < from.levels; ++level) {
      offsets.push_back(total);
      total += add_level(resource, level, layout);
      if (total > most_bytes) return false;
    }
    const auto edge = [](UINT texels) { return static_cast<LONG>(texels); };
    resource.dirty.push_back({0, 0, edge(from.width), edge(from.height)});
  }
  if (resource.is_in_system_memory()) place_memory(resource, offsets, total);
  return true;
}

auto address_of(const subresource& part, const texel_layout& layout, LONG x, LONG y, LONG z)
    -> std::byte* {
  const auto signed_bytes = [](UINT bytes) { return static_cast<std::ptrdiff_t>(bytes); };
  const auto row = std::ptrdiff_t{y} / static_cast<LONG>(layout.block_height);
  const auto column = std::ptrdiff_t{x} / static_cast<LONG>(layout.block_width);
  return part.memory.data() + z * signed_bytes(part.slice_pitch_bytes) +
         row * signed_bytes(part.pitch_bytes) + column * signed_bytes(layout.block_bytes);
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
      info.SysMemSlicePitch = one.slice_pitch_bytes;
    }
    list.push_back(info);
  }
  return list;
}

}  // namespace aerogpu::sim
