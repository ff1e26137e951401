// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/declaration.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace aerogpu::d3d9 {
namespace {

constexpr std::size_t most_elements = 64;
constexpr unsigned alignment_bytes = 4;

[[nodiscard]] auto is_end(const D3DVERTEXELEMENT9& one) -> bool {
  return one.Stream == declaration_end.Stream;
}

[[nodiscard]] auto is_well_formed(const D3DVERTEXELEMENT9& one) -> bool {
  constexpr unsigned streams = 16;
  return one.Stream < streams && one.Offset % alignment_bytes == 0 &&
         one.Type < D3DDECLTYPE_UNUSED && one.Method <= D3DDECLMETHOD_LOOKUPPRESAMPLED &&
         one.Usage <= D3DDECLUSAGE_SAMPLE;
}

[[nodiscard]] auto means_the_same(const D3DVERTEXELEMENT9& a, const D3DVERTEXELEMENT9& b) -> bool {
  return a.Usage == b.Usage && a.UsageIndex == b.UsageIndex;
}

/// By D3DDECLTYPE.
constexpr std::array<std::uint8_t, 17> sizes{4, 8, 12, 16, 4, 4, 4, 8, 4, 4, 8, 4, 8, 4, 4, 4, 8};

}  // namespace

auto element_bytes(BYTE type) -> std::size_t {
  return type < sizes.size() ? sizes[type] : 0;
}

auto read_declaration(const D3DVERTEXELEMENT9* given, std::vector<D3DVERTEXELEMENT9>& found)
    -> HRESULT {
  found.clear();
  for (; !is_end(*given); ++given) {
    if (found.size() == most_elements) return D3DERR_INVALIDCALL;
    const auto one = *given;
    if (!is_well_formed(one)) return E_FAIL;
    const auto same = [&](const D3DVERTEXELEMENT9& other) { return means_the_same(one, other); };
    if (std::any_of(found.begin(), found.end(), same)) return E_FAIL;
    found.push_back(one);
  }
  return S_OK;
}

vertex_declaration::vertex_declaration(device& of, std::vector<D3DVERTEXELEMENT9> elements,
                                       DWORD format)
    : device_child(of), renewable(of.renewables), elements_(std::move(elements)), format_(format) {}

vertex_declaration::~vertex_declaration() {
  if (driver_ != sim::driver_object{} && owner().below.ddi.is_created())
    static_cast<void>(owner().below.delete_vertex_declaration(driver_));
}

auto vertex_declaration::answers(const iid& wanted) const noexcept -> bool {
  return is_same(wanted, iid_vertex_declaration);
}

HRESULT APIENTRY vertex_declaration::GetDeclaration(D3DVERTEXELEMENT9* elements, UINT* count) {
  if (count == nullptr) return D3DERR_INVALIDCALL;
  *count = static_cast<UINT>(elements_.size()) + 1;
  if (elements == nullptr) return S_OK;
  *std::copy(elements_.begin(), elements_.end(), elements) = declaration_end;
  return S_OK;
}

auto vertex_declaration::driver(sim::driver_object& found) -> HRESULT {
  if (driver_ == sim::driver_object{}) {
    const auto result = owner().below.create_vertex_declaration(elements_, driver_);
    if (FAILED(result)) return result;
  }
  found = driver_;
  return S_OK;
}

}  // namespace aerogpu::d3d9
