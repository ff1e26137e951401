// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"

#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/state_blocks.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <algorithm>
#include <memory>
#include <new>

namespace aerogpu::umd {

namespace {

constexpr std::uint16_t end_stream = 0xFF;

/// D3DDECL_END.
constexpr D3DVERTEXELEMENT9 end_element{end_stream, 0, D3DDECLTYPE_UNUSED, 0, 0, 0};

/// By D3DDECLTYPE.
constexpr std::array<std::uint8_t, 17> type_bytes{4, 8, 12, 16, 4, 4, 4, 8, 4,
                                                  4, 8, 4,  8,  4, 4, 4, 8};

}  // namespace

auto element_bytes(std::uint32_t type) noexcept -> std::uint32_t {
  return type < type_bytes.size() ? type_bytes[type] : 0;
}

auto vertex_declaration::extent_bytes(std::uint32_t stream) const noexcept -> std::uint32_t {
  std::uint32_t extent = 0;
  for (const D3DVERTEXELEMENT9& element : elements()) {
    if (element.Stream != stream) continue;
    extent = std::max(extent, element.Offset + element_bytes(element.Type));
  }
  return extent;
}

auto vertex_declaration::add(const D3DVERTEXELEMENT9& element) noexcept -> bool {
  if (count_ == most_elements || element.Stream >= stream_count) return false;
  if (element_bytes(element.Type) == 0) return false;
  elements_[count_++] = element;
  streams_ |= 1u << element.Stream;
  return true;
}

auto create_declaration(device& on, std::span<const D3DVERTEXELEMENT9> elements,
                        vertex_declaration*& out) noexcept -> HRESULT {
  out = nullptr;
  std::unique_ptr<vertex_declaration> made{
      new (std::nothrow) vertex_declaration(on.adapter.handles.next_input_layout())};
  if (made == nullptr) return E_OUTOFMEMORY;
  for (const D3DVERTEXELEMENT9& element : elements) {
    if (element.Stream == end_stream || element.Type == D3DDECLTYPE_UNUSED) break;
    if (!made->add(element)) return E_INVALIDARG;
  }
  made->elements_[made->count_] = end_element;
  const auto all = std::span{made->elements_}.first(made->count_ + 1);
  made->format_ = fixed::classify(all);
  const auto bytes = std::as_bytes(all);
  const HRESULT sent = emit<aerogpu_cmd_create_input_layout>(
      on.commands, [&](auto& packets) { return packets.create_input_layout(made->handle, bytes); },
      bytes.size());
  if (FAILED(sent)) return sent;
  out = made.release();
  on.declarations.insert(*out);
  return S_OK;
}

auto destroy_declaration(device& on, vertex_declaration* destroyed) noexcept -> HRESULT {
  if (destroyed == nullptr) return E_INVALIDARG;
  const std::unique_ptr<vertex_declaration> owned{destroyed};
  on.declarations.remove(*destroyed);
  on.blocks.forget(destroyed);
  unbind_declaration(on, *destroyed);
  return emit<aerogpu_cmd_destroy_input_layout>(
      on.commands, [&](auto& packets) { return packets.destroy_input_layout(destroyed->handle); });
}

}  // namespace aerogpu::umd
