// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/d3d9/vertex_format.hpp"

#include <array>

namespace aerogpu::sim {
namespace {

struct type_size {
  D3DDECLTYPE type;
  USHORT bytes;
};
constexpr std::array floats{type_size{D3DDECLTYPE_FLOAT1, 4}, type_size{D3DDECLTYPE_FLOAT2, 8},
                            type_size{D3DDECLTYPE_FLOAT3, 12}, type_size{D3DDECLTYPE_FLOAT4, 16}};
constexpr type_size color{D3DDECLTYPE_D3DCOLOR, 4};
constexpr type_size bytes4{D3DDECLTYPE_UBYTE4, 4};

class element_list {
 public:
  void add(const type_size& type, D3DDECLUSAGE usage, UCHAR index = 0) {
    list_.push_back({0, offset_, static_cast<UCHAR>(type.type), D3DDECLMETHOD_DEFAULT,
                     static_cast<UCHAR>(usage), index});
    offset_ = static_cast<USHORT>(offset_ + type.bytes);
  }
  [[nodiscard]] auto take() -> std::vector<D3DDDIVERTEXELEMENT> { return std::move(list_); }

 private:
  std::vector<D3DDDIVERTEXELEMENT> list_;
  USHORT offset_ = 0;
};

/// XYZB1 to XYZB5: weights, of which the last may be indices.
void add_blend(element_list& to, DWORD format) {
  auto weights = ((format & D3DFVF_POSITION_MASK) - D3DFVF_XYZB1) / 2 + 1;
  const bool has_bytes = (format & D3DFVF_LASTBETA_UBYTE4) != 0;
  const bool has_color = (format & D3DFVF_LASTBETA_D3DCOLOR) != 0;
  constexpr DWORD most_weights = 4;
  const bool has_indices = has_bytes || has_color || weights > most_weights;
  constexpr DWORD odd_weights = 2;
  if (has_color && weights == odd_weights) {
    // As Windows has it: the colour is the weight.
    to.add(color, D3DDECLUSAGE_BLENDWEIGHT);
    to.add(bytes4, D3DDECLUSAGE_BLENDINDICES);
    return;
  }
  if (has_indices) --weights;
  if (weights != 0) to.add(floats[weights - 1], D3DDECLUSAGE_BLENDWEIGHT);
  if (!has_indices) return;
  to.add(has_color ? color : has_bytes ? bytes4 : floats[0], D3DDECLUSAGE_BLENDINDICES);
}

void add_position(element_list& to, DWORD format) {
  switch (format & D3DFVF_POSITION_MASK) {
    case D3DFVF_XYZ: to.add(floats[2], D3DDECLUSAGE_POSITION); return;
    case D3DFVF_XYZW: to.add(floats[3], D3DDECLUSAGE_POSITION); return;
    case D3DFVF_XYZRHW: to.add(floats[3], D3DDECLUSAGE_POSITIONT); return;
    case 0: return;
    default: to.add(floats[2], D3DDECLUSAGE_POSITION); add_blend(to, format);
  }
}

void add_coordinates(element_list& to, DWORD format) {
  constexpr std::array<std::size_t, 4> places{1, 2, 3, 0};  // By the two bits of each set.
  const auto sets = (format & D3DFVF_TEXCOUNT_MASK) >> D3DFVF_TEXCOUNT_SHIFT;
  for (UCHAR set = 0; set < sets; ++set) {
    const auto kind = format >> (16 + 2 * set) & 3;
    to.add(floats[places[kind]], D3DDECLUSAGE_TEXCOORD, set);
  }
}

}  // namespace

namespace {

[[nodiscard]] auto all_elements_of(DWORD format) -> std::vector<D3DDDIVERTEXELEMENT> {
  element_list list;
  add_position(list, format);
  if ((format & D3DFVF_NORMAL) != 0) list.add(floats[2], D3DDECLUSAGE_NORMAL);
  if ((format & D3DFVF_PSIZE) != 0) list.add(floats[0], D3DDECLUSAGE_PSIZE);
  if ((format & D3DFVF_DIFFUSE) != 0) list.add(color, D3DDECLUSAGE_COLOR, 0);
  if ((format & D3DFVF_SPECULAR) != 0) list.add(color, D3DDECLUSAGE_COLOR, 1);
  add_coordinates(list, format);
  return list.take();
}

}  // namespace

auto is_vertex_format(DWORD format) noexcept -> bool {
  constexpr DWORD most_sets = 8, has_w = D3DFVF_XYZW & ~D3DFVF_XYZ;
  const DWORD position = format & D3DFVF_POSITION_MASK;
  const DWORD sets = (format & D3DFVF_TEXCOUNT_MASK) >> D3DFVF_TEXCOUNT_SHIFT;
  return ((position & has_w) == 0 || position == D3DFVF_XYZW) && sets <= most_sets;
}

auto elements_of(DWORD format) -> std::vector<D3DDDIVERTEXELEMENT> {
  if ((format & D3DFVF_POSITION_MASK) == 0 || !is_vertex_format(format)) return {};
  return all_elements_of(format);
}

auto api_elements_of(DWORD format) -> std::vector<D3DVERTEXELEMENT9> {
  std::vector<D3DVERTEXELEMENT9> list;
  for (const auto& one : all_elements_of(format)) {
    list.push_back({static_cast<WORD>(one.Stream), static_cast<WORD>(one.Offset), one.Type,
                    one.Method, one.Usage, one.UsageIndex});
  }
  return list;
}

auto to_ddi(const std::vector<D3DVERTEXELEMENT9>& elements) -> std::vector<D3DDDIVERTEXELEMENT> {
  std::vector<D3DDDIVERTEXELEMENT> list;
  list.reserve(elements.size());
  for (const auto& one : elements)
    list.push_back({one.Stream, one.Offset, one.Type, one.Method, one.Usage, one.UsageIndex});
  return list;
}

}  // namespace aerogpu::sim
