// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/instancing.hpp"

#include "aerogpu/core/checked.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_bindings.hpp"
#include "drivers/win7/umd/d3d9/draw/draw_memory.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"

#include <algorithm>
#include <bit>

namespace aerogpu::umd {

namespace {

constexpr std::uint32_t kind_bits = D3DSTREAMSOURCE_INDEXEDDATA | D3DSTREAMSOURCE_INSTANCEDATA;
constexpr std::uint32_t wide_index_bytes = 4;

/// Takes in the frequency of a stream beside stream 0, which asks for `out.count` instances.
[[nodiscard]] auto add_stream(std::uint32_t stream, std::uint32_t frequency,
                              instancing& out) noexcept -> bool {
  const std::uint32_t number = frequency & ~kind_bits;
  switch (frequency & kind_bits) {
    case 0: return number == 1;
    case D3DSTREAMSOURCE_INDEXEDDATA: return number == out.count;
    case D3DSTREAMSOURCE_INSTANCEDATA: out.data_streams |= 1u << stream; return number != 0;
    default: return false;
  }
}

[[nodiscard]] auto is_list(D3DPRIMITIVETYPE type) noexcept -> bool {
  return type == D3DPT_POINTLIST || type == D3DPT_LINELIST || type == D3DPT_TRIANGLELIST;
}

/// Calls `visit(stream)` for each that the declaration reads, while it says S_OK.
template <class Visit>
[[nodiscard]] auto for_each_used(const device& on, Visit&& visit) noexcept -> HRESULT {
  HRESULT result = S_OK;
  std::uint32_t left = on.state.declaration->streams();
  for (; left != 0 && SUCCEEDED(result); left &= left - 1) {
    result = visit(static_cast<std::uint32_t>(std::countr_zero(left)));
  }
  return result;
}

/// Bytes of a vertex of the stream once it is expanded: what its elements take, and no more.
[[nodiscard]] auto expanded_stride(const device& on, std::uint32_t stream) noexcept
    -> std::uint32_t {
  return static_cast<std::uint32_t>(align4(on.state.declaration->extent_bytes(stream)));
}

/// The bytes of a vertex that are there, as far as its elements reach.
[[nodiscard]] auto vertex_at(const element_source& from, std::uint64_t number,
                             std::size_t extent) noexcept -> const_bytes {
  const std::uint64_t offset = number * from.element_bytes;
  if (offset >= from.bytes.size()) return {};
  const const_bytes rest = from.bytes.subspan(static_cast<std::size_t>(offset));
  return rest.first(std::min(rest.size(), extent));
}

}  // namespace

auto find_instancing(const device& on, instancing& out) noexcept -> HRESULT {
  out = {};
  const stream_bindings& streams = on.state.streams;
  const bool is_plain = SUCCEEDED(for_each_used(
      on, [&](std::uint32_t i) { return streams.frequency(i) == 1 ? S_OK : D3DERR_INVALIDCALL; }));
  if (is_plain) return S_OK;
  const bool counts = (streams.frequency(0) & kind_bits) == D3DSTREAMSOURCE_INDEXEDDATA;
  out.count = streams.frequency(0) & ~kind_bits;
  const bool is_used = (on.state.declaration->streams() & 1) != 0;
  if (!is_used || !counts || out.count == 0) return D3DERR_INVALIDCALL;
  const HRESULT agreed = for_each_used(on, [&](std::uint32_t i) {
    return i == 0 || add_stream(i, streams.frequency(i), out) ? S_OK : D3DERR_INVALIDCALL;
  });
  if (FAILED(agreed)) return agreed;
  return out.is_on() && on.state.vertex_shader == nullptr ? D3DERR_INVALIDCALL : S_OK;
}

auto instanced_draw::check() noexcept -> HRESULT {
  elements_ = elements_of(call_.type, call_.primitive_count);
  index_range named;
  if (const HRESULT found = find_vertices(device_, call_, named); FAILED(found)) return found;
  least_index_ = named.least;
  vertices_ = named.vertices;
  if (elements_ > scratch_buffer::most_bytes / wide_index_bytes / how_.count) return E_INVALIDARG;
  return for_each_used(device_, [this](std::uint32_t stream) { return check_stream(stream); });
}

auto instanced_draw::divisor_of(std::uint32_t stream) const noexcept -> std::uint32_t {
  const bool is_data = (how_.data_streams >> stream & 1) != 0;
  return is_data ? device_.state.streams.frequency(stream) & ~kind_bits : 0;
}

auto instanced_draw::check_stream(std::uint32_t stream) const noexcept -> HRESULT {
  const std::uint64_t vertex_bytes = std::uint64_t{expanded_stride(device_, stream)};
  if (vertices_.count > scratch_buffer::most_bytes / vertex_bytes / how_.count) return E_INVALIDARG;
  const std::uint64_t size = stream_size(device_, call_, stream);
  const bool is_missing = size == 0 && device_.state.streams[stream].buffer == nullptr;
  if (is_missing && stream != 0) return S_OK;  // It reads zeros.
  const std::uint32_t divisor = divisor_of(stream);
  const std::uint64_t last =
      divisor != 0 ? (how_.count - 1) / divisor : vertices_.first + vertices_.count - 1;
  const std::uint64_t offset = last * stream_stride(device_, stream);  // Below 2^33 * 2^32.
  const std::uint32_t extent = device_.state.declaration->extent_bytes(stream);
  return range_fits(offset, extent, size) ? S_OK : D3DERR_INVALIDCALL;
}

void instanced_draw::expand(std::uint32_t stream, const element_source& from,
                            mutable_bytes out) const noexcept {
  const std::size_t stride = expanded_stride(device_, stream);
  const std::uint32_t divisor = divisor_of(stream);
  const auto instance_bytes = static_cast<std::size_t>(vertices_.count) * stride;
  std::fill(out.begin(), out.end(), std::byte{0});
  for (std::uint32_t instance = 0; instance < how_.count; ++instance) {
    const mutable_bytes here = out.subspan(instance * instance_bytes, instance_bytes);
    if (divisor == 0 && instance != 0) {
      copy_bytes(here, out.first(instance_bytes));
      continue;
    }
    for (std::uint64_t i = 0; i < vertices_.count; ++i) {
      const std::uint64_t number = divisor != 0 ? instance / divisor : vertices_.first + i;
      const const_bytes vertex = vertex_at(from, number, stride);
      copy_bytes(here.subspan(static_cast<std::size_t>(i) * stride, vertex.size()), vertex);
    }
  }
}

auto instanced_draw::place_stream(binding_override& bindings, std::uint32_t stream) noexcept
    -> HRESULT {
  const std::uint32_t stride = expanded_stride(device_, stream);
  mutable_bytes out;
  const HRESULT made =
      device_.scratch.make_room(vertices_.count * how_.count * std::uint64_t{stride}, out);
  if (FAILED(made)) return made;
  {
    element_reader reader{device_};
    if (stream_size(device_, call_, stream) != 0) {
      const HRESULT opened = reader.open_stream(call_, stream);
      if (FAILED(opened)) return opened;
    }
    expand(stream, reader.elements(), out);
  }
  return bindings.use_vertices(stream, out, stride);
}

auto instanced_draw::place_indices(binding_override& bindings) noexcept -> HRESULT {
  mutable_bytes out;
  const HRESULT made = device_.scratch.make_room(elements_ * how_.count * wide_index_bytes, out);
  if (FAILED(made)) return made;
  {
    element_reader reader{device_};
    if (const HRESULT opened = reader.open_indices(call_); FAILED(opened)) return opened;
    std::byte* at = out.data();
    for (std::uint32_t instance = 0; instance < how_.count; ++instance) {
      const auto first = static_cast<std::uint32_t>(instance * vertices_.count) - least_index_;
      for (std::uint64_t i = 0; i < elements_; ++i, at += wide_index_bytes) {
        store(at, first + index_at(reader.elements(), call_.first + i));
      }
    }
  }
  return bindings.use_indices(out, wide_index_bytes);
}

auto instanced_draw::send_list(binding_override& bindings) noexcept -> HRESULT {
  if (const HRESULT placed = place_indices(bindings); FAILED(placed)) return placed;
  draw_call all = call_;
  all.primitive_count = call_.primitive_count * how_.count;
  all.first = 0;
  all.base_vertex = 0;
  return send_draw(device_, all);
}

auto instanced_draw::send_strips(binding_override& bindings) noexcept -> HRESULT {
  draw_call one = call_;
  if (device_.scratch.user_indices.bytes != nullptr) {
    const HRESULT placed = place_user_indices(device_, bindings, one);
    if (FAILED(placed)) return placed;
  }
  HRESULT sent = S_OK;
  for (std::uint32_t instance = 0; instance < how_.count && SUCCEEDED(sent); ++instance) {
    const auto first = static_cast<std::int64_t>(instance * vertices_.count);
    one.base_vertex = static_cast<std::int32_t>(first - least_index_);
    sent = send_draw(device_, one);
  }
  return sent;
}

auto instanced_draw::send() noexcept -> HRESULT {
  binding_override bindings{device_};
  const HRESULT placed =
      for_each_used(device_, [&](std::uint32_t stream) { return place_stream(bindings, stream); });
  if (FAILED(placed)) return placed;
  return is_list(call_.type) ? send_list(bindings) : send_strips(bindings);
}

}  // namespace aerogpu::umd
