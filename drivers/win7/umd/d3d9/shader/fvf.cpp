// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/shader/fvf.hpp"

#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"

namespace aerogpu::umd {

namespace {

constexpr std::uint32_t most_coordinates = 8;
constexpr std::uint32_t most_weights = 4;
constexpr std::uint32_t first_size_bit = 16;  // Of two for each set of texture coordinates.
constexpr std::array<D3DDECLTYPE, 4> float_types{D3DDECLTYPE_FLOAT1, D3DDECLTYPE_FLOAT2,
                                                 D3DDECLTYPE_FLOAT3, D3DDECLTYPE_FLOAT4};
/// Floats of a set by its two bits.
constexpr std::array<std::uint32_t, 4> coordinate_floats{2, 3, 4, 1};

once too_many_logged;

[[nodiscard]] auto coordinate_sets(std::uint32_t fvf) noexcept -> std::uint32_t {
  return (fvf & D3DFVF_TEXCOUNT_MASK) >> D3DFVF_TEXCOUNT_SHIFT;
}

/// Sizes of sets that there are not mean nothing.
[[nodiscard]] auto without_unused_bits(std::uint32_t fvf) noexcept -> std::uint32_t {
  const std::uint32_t sets = coordinate_sets(fvf);
  if (sets >= most_coordinates) return fvf;
  const std::uint32_t used = (std::uint32_t{1} << 2 * sets) - 1;
  return fvf & (used << first_size_bit | ((std::uint32_t{1} << first_size_bit) - 1));
}

class element_writer {
 public:
  void add(D3DDECLTYPE type, D3DDECLUSAGE usage, std::uint32_t index = 0) noexcept {
    D3DVERTEXELEMENT9& made = out.list[out.count++];
    made.Offset = offset_;
    made.Type = static_cast<BYTE>(type);
    made.Usage = static_cast<BYTE>(usage);
    made.UsageIndex = static_cast<BYTE>(index);
    offset_ = static_cast<WORD>(offset_ + element_bytes(made.Type));
  }
  void add_floats(std::uint32_t count, D3DDECLUSAGE usage, std::uint32_t index = 0) noexcept {
    add(float_types[count - 1], usage, index);
  }

  fvf_elements out;

 private:
  WORD offset_ = 0;
};

/// XYZB1 to XYZB5: weights, of which the last may be indices; a fifth one is.
void add_blend(element_writer& to, std::uint32_t fvf) noexcept {
  std::uint32_t weights = ((fvf & D3DFVF_POSITION_MASK) - D3DFVF_XYZB1) / 2 + 1;
  const bool has_bytes = (fvf & D3DFVF_LASTBETA_UBYTE4) != 0;
  const bool has_color = (fvf & D3DFVF_LASTBETA_D3DCOLOR) != 0;
  const bool has_indices = has_bytes || has_color || weights > most_weights;
  if (has_indices) --weights;
  if (weights != 0) to.add_floats(weights, D3DDECLUSAGE_BLENDWEIGHT);
  if (!has_indices) return;
  to.add(has_color   ? D3DDECLTYPE_D3DCOLOR
         : has_bytes ? D3DDECLTYPE_UBYTE4
                     : D3DDECLTYPE_FLOAT1,
         D3DDECLUSAGE_BLENDINDICES);
}

/// One that exists: the bit of XYZW goes with no other.
[[nodiscard]] auto has_position(std::uint32_t fvf) noexcept -> bool {
  constexpr std::uint32_t w_bit = D3DFVF_XYZW & ~D3DFVF_XYZ;
  const std::uint32_t position = fvf & D3DFVF_POSITION_MASK;
  return position != 0 && ((position & w_bit) == 0 || position == D3DFVF_XYZW);
}

void add_position(element_writer& to, std::uint32_t fvf) noexcept {
  switch (fvf & D3DFVF_POSITION_MASK) {
    case D3DFVF_XYZ: to.add_floats(3, D3DDECLUSAGE_POSITION); return;
    case D3DFVF_XYZW: to.add_floats(4, D3DDECLUSAGE_POSITION); return;
    case D3DFVF_XYZRHW: to.add_floats(4, D3DDECLUSAGE_POSITIONT); return;
    default: to.add_floats(3, D3DDECLUSAGE_POSITION); add_blend(to, fvf);
  }
}

/// The flags of one element other than blend elements; 0 for an unknown one.
[[nodiscard]] auto flags_of(const D3DVERTEXELEMENT9& element) noexcept -> std::uint32_t {
  const auto is = [&](D3DDECLUSAGE usage, D3DDECLTYPE type, std::uint32_t index = 0) {
    return element.Usage == usage && element.Type == type && element.UsageIndex == index;
  };
  if (is(D3DDECLUSAGE_POSITION, D3DDECLTYPE_FLOAT3)) return D3DFVF_XYZ;
  if (is(D3DDECLUSAGE_POSITION, D3DDECLTYPE_FLOAT4)) return D3DFVF_XYZW;
  if (is(D3DDECLUSAGE_POSITIONT, D3DDECLTYPE_FLOAT4)) return D3DFVF_XYZRHW;
  if (is(D3DDECLUSAGE_NORMAL, D3DDECLTYPE_FLOAT3)) return D3DFVF_NORMAL;
  if (is(D3DDECLUSAGE_PSIZE, D3DDECLTYPE_FLOAT1)) return D3DFVF_PSIZE;
  if (is(D3DDECLUSAGE_COLOR, D3DDECLTYPE_D3DCOLOR)) return D3DFVF_DIFFUSE;
  if (is(D3DDECLUSAGE_COLOR, D3DDECLTYPE_D3DCOLOR, 1)) return D3DFVF_SPECULAR;
  return 0;
}

/// The bits of a set's size, where it is one.
[[nodiscard]] auto coordinate_flags(const D3DVERTEXELEMENT9& element, std::uint32_t& out) noexcept
    -> bool {
  if (element.Usage != D3DDECLUSAGE_TEXCOORD || element.UsageIndex >= most_coordinates)
    return false;
  for (std::uint32_t bits = 0; bits < coordinate_floats.size(); ++bits) {
    if (element.Type != float_types[coordinate_floats[bits] - 1]) continue;
    out = bits << (first_size_bit + 2u * element.UsageIndex);
    return true;
  }
  return false;
}

}  // namespace

auto elements_of_fvf(std::uint32_t fvf) noexcept -> fvf_elements {
  const std::uint32_t sets = coordinate_sets(fvf);
  if (!has_position(fvf) || sets > most_coordinates) return {};
  element_writer to;
  add_position(to, fvf);
  if ((fvf & D3DFVF_NORMAL) != 0) to.add_floats(3, D3DDECLUSAGE_NORMAL);
  if ((fvf & D3DFVF_PSIZE) != 0) to.add_floats(1, D3DDECLUSAGE_PSIZE);
  if ((fvf & D3DFVF_DIFFUSE) != 0) to.add(D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 0);
  if ((fvf & D3DFVF_SPECULAR) != 0) to.add(D3DDECLTYPE_D3DCOLOR, D3DDECLUSAGE_COLOR, 1);
  for (std::uint32_t set = 0; set < sets; ++set) {
    const std::uint32_t bits = fvf >> (first_size_bit + 2 * set) & 3;
    to.add_floats(coordinate_floats[bits], D3DDECLUSAGE_TEXCOORD, set);
  }
  return to.out;
}

auto fvf_of_elements(std::span<const D3DVERTEXELEMENT9> elements) noexcept -> std::uint32_t {
  std::uint32_t fvf = 0;
  std::uint32_t sets = 0;
  std::uint32_t weights = 0;
  for (const D3DVERTEXELEMENT9& element : elements) {
    std::uint32_t bits = 0;
    if (element.Stream != 0) return 0;
    if (coordinate_flags(element, bits)) {
      fvf |= bits;
      sets |= std::uint32_t{1} << element.UsageIndex;
    } else if (element.Usage == D3DDECLUSAGE_BLENDWEIGHT && element.Type <= D3DDECLTYPE_FLOAT4) {
      weights += element.Type + 1u;
    } else if (element.Usage == D3DDECLUSAGE_BLENDINDICES && element.Type == D3DDECLTYPE_UBYTE4) {
      weights += 1;
      fvf |= D3DFVF_LASTBETA_UBYTE4;
    } else if (element.Usage == D3DDECLUSAGE_BLENDINDICES && element.Type == D3DDECLTYPE_D3DCOLOR) {
      weights += 1;
      fvf |= D3DFVF_LASTBETA_D3DCOLOR;
    } else {
      bits = flags_of(element);
      const bool is_second_position =
          (bits & D3DFVF_POSITION_MASK) != 0 && (fvf & D3DFVF_POSITION_MASK) != 0;
      if (bits == 0 || is_second_position) return 0;
      fvf |= bits;
    }
  }
  if ((fvf & D3DFVF_POSITION_MASK) == 0) return 0;
  if (weights != 0) {
    if ((fvf & D3DFVF_POSITION_MASK) != D3DFVF_XYZ || weights > most_weights + 1) return 0;
    fvf = (fvf & ~D3DFVF_POSITION_MASK) | (D3DFVF_XYZB1 + 2 * (weights - 1));
  }
  std::uint32_t count = 0;
  while ((sets & 1u << count) != 0) ++count;
  return sets == (1u << count) - 1 ? fvf | count << D3DFVF_TEXCOUNT_SHIFT : 0;
}

auto fvf_declarations::find_or_make(device& on, std::uint32_t fvf,
                                    vertex_declaration*& out) noexcept -> HRESULT {
  const std::uint32_t key = without_unused_bits(fvf);
  for (const entry& each : entries_) {
    if (each.fvf != key) continue;
    out = each.declaration;
    return S_OK;
  }
  const fvf_elements elements = elements_of_fvf(key);
  if (elements.count == 0) return E_INVALIDARG;
  if (entries_.size() == most || !entries_.reserve_more(1)) {
    if (too_many_logged.is_first()) log_line{"SetFVF: no room for another vertex format"};
    return E_OUTOFMEMORY;
  }
  const HRESULT made = create_declaration(on, elements.view(), out);
  if (SUCCEEDED(made)) static_cast<void>(entries_.push_back({key, out}));  // Room was made.
  return made;
}

auto fvf_declarations::contains(const vertex_declaration* declaration) const noexcept -> bool {
  for (const entry& each : entries_) {
    if (each.declaration == declaration) return true;
  }
  return false;
}

void fvf_declarations::destroy(device& on) noexcept {
  for (const entry& each : entries_) static_cast<void>(destroy_declaration(on, each.declaration));
  entries_.clear();
}

auto set_fvf(device& on, std::uint32_t fvf) noexcept -> HRESULT {
  vertex_declaration* declaration = nullptr;
  const HRESULT found = on.fvf.find_or_make(on, fvf, declaration);
  return FAILED(found) ? found : set_declaration(on, declaration);
}

auto bound_fvf(const device& on) noexcept -> std::uint32_t {
  const vertex_declaration* const bound = on.state.declaration;
  return bound != nullptr ? fvf_of_elements(bound->elements()) : 0;
}

}  // namespace aerogpu::umd
