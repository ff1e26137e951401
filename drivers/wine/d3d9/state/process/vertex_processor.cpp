// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/state/process/vertex_processor.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::d3d9 {
namespace {

[[nodiscard]] auto to_screen(const float4& clip, const D3DVIEWPORT9& view) -> float4 {
  const auto w = clip[3] != 0 ? clip[3] : 1.0F;
  const auto half_width = static_cast<float>(view.Width) / 2;
  const auto half_height = static_cast<float>(view.Height) / 2;
  return {static_cast<float>(view.X) + half_width * (1 + clip[0] / w),
          static_cast<float>(view.Y) + half_height * (1 - clip[1] / w),
          view.MinZ + clip[2] / w * (view.MaxZ - view.MinZ), 1 / w};
}

template <class Find>
[[nodiscard]] auto position_of(Find&& find, BYTE preferred, BYTE other)
    -> const D3DVERTEXELEMENT9* {
  const auto* const found = find(preferred);
  return found != nullptr ? found : find(other);
}

[[nodiscard]] auto is_color(const D3DVERTEXELEMENT9& element) -> bool {
  return element.Usage == D3DDECLUSAGE_COLOR && element.UsageIndex < 2 &&
         element.Type == D3DDECLTYPE_D3DCOLOR;
}

}  // namespace

vertex_processor::vertex_processor(const state_values& state, const source_vertices& from,
                                   std::span<const D3DVERTEXELEMENT9> to, DWORD flags)
    : state_(state),
      from_(from),
      to_(to),
      source_position_(position_of([&](BYTE usage) { return from.find(usage, 0); },
                                   D3DDECLUSAGE_POSITION, D3DDECLUSAGE_POSITIONT)),
      target_position_(position_of([&](BYTE usage) { return find_element(to, usage, 0); },
                                   D3DDECLUSAGE_POSITIONT, D3DDECLUSAGE_POSITION)),
      keeps_others_((flags & D3DPV_DONOTCOPYDATA) != 0),
      view_(state, from),
      lighting_(state) {}

auto vertex_processor::is_possible() const -> bool {
  return source_position_ != nullptr && target_position_ != nullptr &&
         target_position_->Stream == 0 && target_position_->Type == D3DDECLTYPE_FLOAT4;
}

auto vertex_processor::is_transformed() const -> bool {
  return source_position_->Usage == D3DDECLUSAGE_POSITIONT;
}

auto vertex_processor::read(const D3DVERTEXELEMENT9* element, std::size_t vertex) const
    -> std::optional<float4> {
  if (element == nullptr) return std::nullopt;
  return read_element(from_.at(*element, vertex), element->Type);
}

auto vertex_processor::unlit(std::size_t vertex) const -> unlit_vertex {
  unlit_vertex made;
  if (!is_transformed()) made.seen = view_.see(*source_position_, vertex);
  made.diffuse = read(from_.find(D3DDECLUSAGE_COLOR, 0), vertex);
  made.specular = read(from_.find(D3DDECLUSAGE_COLOR, 1), vertex);
  return made;
}

void vertex_processor::process(std::size_t vertex, std::byte* to) const {
  const auto given = unlit(vertex);
  const auto position =
      is_transformed() ? *read(source_position_, vertex)
                       : to_screen(product_of(given.seen.position, projection()), state_.viewport);
  write_others(vertex, given, to);
  std::memcpy(to + target_position_->Offset, position.data(), sizeof position);
}

void vertex_processor::write_others(std::size_t vertex, const unlit_vertex& given,
                                    std::byte* to) const {
  vertex_colors colors{given.diffuse.value_or(float4{1, 1, 1, 1}),
                       given.specular.value_or(float4{})};
  if (!is_transformed()) colors = lighting_.colors_of(given);
  for (const auto& one : to_) {
    if (&one == target_position_ || one.Stream != 0) continue;
    if (keeps_others_ && !makes(one)) continue;
    if (!is_color(one)) {
      copy_element(vertex, one, to + one.Offset);
      continue;
    }
    const auto color = to_color(one.UsageIndex == 0 ? colors.diffuse : colors.specular);
    std::memcpy(to + one.Offset, &color, sizeof color);
  }
}

/// Whether the element has what Direct3D makes of the vertex rather than a copy.
auto vertex_processor::makes(const D3DVERTEXELEMENT9& element) const -> bool {
  if (is_transformed() || !is_color(element)) return false;
  return element.UsageIndex == 0 ? lighting_.makes_diffuse() : lighting_.makes_specular();
}

/// As many bytes as both have; the rest is 0. Texture coordinates that the source lacks stay.
void vertex_processor::copy_element(std::size_t vertex, const D3DVERTEXELEMENT9& element,
                                    std::byte* to) const {
  const auto size = element_bytes(element.Type);
  const auto* const same = from_.find(element.Usage, element.UsageIndex);
  if (same == nullptr && element.Usage == D3DDECLUSAGE_TEXCOORD) return;
  const auto known = same != nullptr ? std::min(size, element_bytes(same->Type)) : 0;
  if (known != 0) std::memcpy(to, from_.at(*same, vertex), known);
  std::memset(to + known, 0, size - known);
}

}  // namespace aerogpu::d3d9
