// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_format.hpp"

namespace aerogpu::umd::fixed {

namespace {

constexpr WORD end_stream = 0xFF;

/// Components that a vertex element of each D3DDECLTYPE delivers.
constexpr std::array<std::uint8_t, 17> components_of_type{1, 2, 3, 4, 4, 4, 2, 4, 4,
                                                          2, 4, 2, 4, 3, 3, 2, 4};

/// Takes in one element; false when it makes the declaration unusable.
auto add_position(vertex_format& format, const D3DVERTEXELEMENT9& e, bool& has_position) noexcept
    -> bool {
  const bool is_float4 = e.Type == D3DDECLTYPE_FLOAT4;
  if (e.Usage == D3DDECLUSAGE_POSITIONT && !is_float4) return false;
  if (has_position) return true;
  has_position = true;
  format.is_pretransformed = is_float4;
  format.is_in_screen_space = e.Usage == D3DDECLUSAGE_POSITIONT;
  format.position_stream = e.Stream;
  format.position_offset = e.Offset;
  return true;
}

void add_blend_indices(vertex_format& format, const D3DVERTEXELEMENT9& e) noexcept {
  if (format.blend_indices != blend_index_type::none) return;
  format.blend_indices =
      e.Type == D3DDECLTYPE_D3DCOLOR ? blend_index_type::color : blend_index_type::bytes;
}

void add_texcoord(vertex_format& format, const D3DVERTEXELEMENT9& e) noexcept {
  if (e.UsageIndex >= texcoord_set_count) return;
  std::uint8_t& components = format.texcoord_components[e.UsageIndex];
  if (components == 0) components = components_of_type[e.Type];
}

void add_second(vertex_format& format, const D3DVERTEXELEMENT9& e) noexcept {
  if (e.UsageIndex != 1) return;
  switch (e.Usage) {
    case D3DDECLUSAGE_POSITION: format.has_position1 = true; return;
    case D3DDECLUSAGE_NORMAL: format.has_normal1 = true; return;
    case D3DDECLUSAGE_COLOR: format.has_color1 = true; return;
    default: return;
  }
}

auto add(vertex_format& format, const D3DVERTEXELEMENT9& e, bool& has_position) noexcept -> bool {
  if (e.Type >= components_of_type.size() || e.Usage > D3DDECLUSAGE_SAMPLE) return false;
  if (e.Usage == D3DDECLUSAGE_TEXCOORD) {
    add_texcoord(format, e);
    return true;
  }
  if (e.UsageIndex != 0) {
    add_second(format, e);
    return true;
  }
  switch (e.Usage) {
    case D3DDECLUSAGE_POSITION:
    case D3DDECLUSAGE_POSITIONT: return add_position(format, e, has_position);
    case D3DDECLUSAGE_BLENDINDICES: add_blend_indices(format, e); break;
    case D3DDECLUSAGE_BLENDWEIGHT: format.has_blend_weights = true; break;
    case D3DDECLUSAGE_NORMAL: format.has_normal = true; break;
    case D3DDECLUSAGE_PSIZE: format.has_point_size = true; break;
    case D3DDECLUSAGE_COLOR: format.has_color0 = true; break;
    default: break;  // Tangents and the like mean nothing here.
  }
  return true;
}

}  // namespace

auto classify(std::span<const D3DVERTEXELEMENT9> elements) noexcept -> vertex_format {
  vertex_format format;
  bool has_position = false;
  for (const D3DVERTEXELEMENT9& e : elements) {
    if (e.Stream == end_stream) {
      format.is_valid = has_position;
      return format;
    }
    if (!add(format, e, has_position)) return {};
  }
  return {};
}

}  // namespace aerogpu::umd::fixed
