// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/draw/process_vertices.hpp"

#include "aerogpu/core/checked.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/draw/element_reader.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/pretransformed.hpp"
#include "drivers/win7/umd/d3d9/resource/changes.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/cpu_bytes.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/state/emission.hpp"

#include <algorithm>
#include <limits>

namespace aerogpu::umd {

namespace {

using element = D3DVERTEXELEMENT9;
using element_list = std::span<const element>;

constexpr std::uint32_t position_bytes = sizeof(fixed::float4);

[[nodiscard]] auto is_float(const element& e) noexcept -> bool {
  return e.Type <= D3DDECLTYPE_FLOAT4;
}

/// Of stream 0: POSITIONT, or else the first POSITION. Null when there is none.
[[nodiscard]] auto find_position(element_list elements) noexcept -> const element* {
  const element* found = nullptr;
  for (const element& e : elements) {
    if (e.Stream != 0 || e.UsageIndex != 0) continue;
    if (e.Usage == D3DDECLUSAGE_POSITIONT) return &e;
    if (e.Usage == D3DDECLUSAGE_POSITION && found == nullptr) found = &e;
  }
  return found;
}

/// What an element means. Beside the position, one of usage POSITION is the first texture
/// coordinate: declarations exist that name it by usage 0.
[[nodiscard]] auto usage_of(const element& e) noexcept -> std::uint32_t {
  const bool is_misnamed = e.Usage == D3DDECLUSAGE_POSITION && e.UsageIndex == 0;
  return is_misnamed ? std::uint32_t{D3DDECLUSAGE_TEXCOORD} : e.Usage;
}

[[nodiscard]] auto find_same(element_list elements, const element* position,
                             const element& wanted) noexcept -> const element* {
  for (const element& e : elements) {
    if (&e == position || e.Stream != 0) continue;
    if (usage_of(e) == usage_of(wanted) && e.UsageIndex == wanted.UsageIndex) return &e;
  }
  return nullptr;
}

/// Bytes that an element takes from its like in the source: floats as many as both have.
[[nodiscard]] auto bytes_taken(const element& to, const element* from) noexcept -> std::uint32_t {
  if (from == nullptr) return 0;
  const bool are_floats = is_float(to) && is_float(*from);
  if (!are_floats && to.Type != from->Type) return 0;
  return std::min(element_bytes(to.Type), element_bytes(from->Type));
}

void make_white(const element& to, std::byte* at) noexcept {
  constexpr std::uint32_t white = 0xFFFFFFFF;
  if (to.Type == D3DDECLTYPE_D3DCOLOR || to.Type == D3DDECLTYPE_UBYTE4N) store(at, white);
  if (!is_float(to)) return;
  for (std::uint32_t i = 0; i < element_bytes(to.Type); i += sizeof(float)) store(at + i, 1.0f);
}

/// How the vertices of the source become those of the destination: one piece of each.
class vertex_writer {
 public:
  vertex_writer(const device& on, const process_vertices_request& request) noexcept
      : on_(on), request_(request) {}

  /// D3DERR_INVALIDCALL for what cannot be processed.
  [[nodiscard]] auto prepare() noexcept -> HRESULT {
    if (on_.state.streams[0].buffer == nullptr) return D3DERR_INVALIDCALL;
    if (request_.declaration != nullptr) to_ = request_.declaration->elements();
    const std::uint32_t extent =
        request_.declaration != nullptr ? request_.declaration->extent_bytes(0) : 0;
    stride_ = request_.stride_bytes != 0 ? request_.stride_bytes : extent;
    if (stride_ == 0 || stride_ < extent) return D3DERR_INVALIDCALL;
    return on_.state.vertex_shader != nullptr ? prepare_copy() : prepare_transform();
  }

  [[nodiscard]] auto stride() const noexcept -> std::uint32_t { return stride_; }
  /// The bytes of a destination vertex that are written.
  [[nodiscard]] auto piece_offset() const noexcept -> std::uint32_t { return piece_offset_; }
  [[nodiscard]] auto piece_bytes() const noexcept -> std::uint32_t { return piece_bytes_; }
  /// The bytes of a source vertex that are read.
  [[nodiscard]] auto source_bytes() const noexcept -> std::uint32_t { return source_bytes_; }

  void write(const std::byte* from, std::byte* piece) const noexcept {
    if (is_copy_) {
      std::memcpy(piece, from, piece_bytes_);
      return;
    }
    const fixed::float4 position = process_position(from + from_position_->Offset);
    if (!keeps_others_) write_others(from, piece);
    store(piece + to_position_->Offset - piece_offset_, position);
  }

 private:
  [[nodiscard]] auto prepare_copy() noexcept -> HRESULT {
    const std::uint32_t source_stride = on_.state.streams[0].stride_bytes;
    is_copy_ = true;
    piece_bytes_ = source_bytes_ = std::min(source_stride, stride_);
    return source_stride != 0 ? S_OK : D3DERR_INVALIDCALL;
  }

  [[nodiscard]] auto prepare_transform() noexcept -> HRESULT {
    const vertex_declaration* const declaration = on_.state.declaration;
    if (declaration == nullptr) return D3DERR_INVALIDCALL;
    from_ = declaration->elements();
    from_position_ = find_position(from_);
    to_position_ = find_position(to_);
    if (from_position_ == nullptr || to_position_ == nullptr) return D3DERR_INVALIDCALL;
    if (to_position_->Type != D3DDECLTYPE_FLOAT4) return D3DERR_INVALIDCALL;
    const bool is_transformed = from_position_->Usage == D3DDECLUSAGE_POSITIONT;
    const bool is_xyz = from_position_->Type == D3DDECLTYPE_FLOAT3 && !is_transformed;
    if (!is_xyz && from_position_->Type != D3DDECLTYPE_FLOAT4) return D3DERR_INVALIDCALL;
    source_bytes_ = declaration->extent_bytes(0);
    const std::uint32_t source_stride = on_.state.streams[0].stride_bytes;
    if (source_stride != 0 && source_stride < source_bytes_) return D3DERR_INVALIDCALL;
    keeps_others_ = (request_.flags & D3DPV_DONOTCOPYDATA) != 0;
    piece_offset_ = keeps_others_ ? to_position_->Offset : 0;
    piece_bytes_ = keeps_others_ ? position_bytes : stride_;
    const auto& transforms = on_.state.fixed.transforms;
    to_clip_ = fixed::matrix_of(transforms[D3DTS_WORLD]) *
               fixed::matrix_of(transforms[D3DTS_VIEW]) *
               fixed::matrix_of(transforms[D3DTS_PROJECTION]);
    view_ = effective_viewport(on_);
    return S_OK;
  }

  [[nodiscard]] auto process_position(const std::byte* from) const noexcept -> fixed::float4 {
    if (from_position_->Type == D3DDECLTYPE_FLOAT3) {
      const auto xyz = load<std::array<float, 3>>(from);
      return fixed::screen_position_of(fixed::float4{xyz[0], xyz[1], xyz[2], 1} * to_clip_, view_);
    }
    const auto position = load<fixed::float4>(from);
    if (from_position_->Usage == D3DDECLUSAGE_POSITIONT) return position;
    return fixed::screen_position_of(position * to_clip_, view_);
  }

  void write_others(const std::byte* from, std::byte* vertex) const noexcept {
    std::memset(vertex, 0, stride_);
    for (const element& to : to_) {
      if (&to == to_position_ || to.Stream != 0) continue;
      const element* const same = find_same(from_, from_position_, to);
      const std::uint32_t size = bytes_taken(to, same);
      const bool is_diffuse = to.Usage == D3DDECLUSAGE_COLOR && to.UsageIndex == 0;
      if (size != 0) std::memcpy(vertex + to.Offset, from + same->Offset, size);
      if (size == 0 && is_diffuse) make_white(to, vertex + to.Offset);
    }
  }

  const device& on_;
  const process_vertices_request& request_;
  element_list from_, to_;
  const element* from_position_ = nullptr;
  const element* to_position_ = nullptr;
  bool is_copy_ = false;
  bool keeps_others_ = false;
  std::uint32_t stride_ = 0;
  std::uint32_t piece_offset_ = 0;
  std::uint32_t piece_bytes_ = 0;
  std::uint32_t source_bytes_ = 0;
  fixed::matrix to_clip_;
  viewport view_;
};

/// Whether `count` elements from `first` on, `stride` apart, lie in `size` bytes; the last takes
/// `last_bytes`. Precondition: the count is not 0.
[[nodiscard]] auto is_inside(std::uint64_t first, std::uint64_t count, std::uint64_t stride,
                             std::uint64_t last_bytes, std::uint64_t size) noexcept -> bool {
  const auto offset = checked_mul(first + count - 1, stride);
  return offset && range_fits(*offset, last_bytes, size);
}

/// All pieces, one behind another: a destination that overlaps its source must not change it.
[[nodiscard]] auto stage_pieces(device& on, const process_vertices_request& request,
                                const vertex_writer& writer, mutable_bytes& out) noexcept
    -> HRESULT {
  const std::uint32_t piece = writer.piece_bytes();
  const HRESULT made = on.scratch.make_room(std::uint64_t{request.vertex_count} * piece, out);
  if (FAILED(made)) return made;
  element_reader reader{on};
  if (const HRESULT opened = reader.open_stream({}, 0); FAILED(opened)) return opened;
  const element_source& source = reader.elements();
  const std::size_t stride = source.element_bytes;
  for (std::size_t i = 0; i < request.vertex_count; ++i) {
    writer.write(source.bytes.data() + (request.first_source + i) * stride, out.data() + i * piece);
  }
  return S_OK;
}

[[nodiscard]] auto place_pieces(device& on, const process_vertices_request& request,
                                const vertex_writer& writer, const_bytes staged) noexcept
    -> HRESULT {
  cpu_bytes bytes{on};
  const HRESULT mapped = bytes.map(*request.destination, lock_access::read_write);
  if (FAILED(mapped)) return mapped;
  const std::size_t piece = writer.piece_bytes();
  std::uint64_t at = std::uint64_t{request.first_destination} * writer.stride();
  at += writer.piece_offset();
  for (std::size_t i = 0; i < request.vertex_count; ++i, at += writer.stride()) {
    std::memcpy(bytes.at(at), staged.data() + i * piece, piece);
  }
  return S_OK;
}

}  // namespace

auto process_vertices(device& on, const process_vertices_request& request) noexcept -> HRESULT {
  if (request.destination == nullptr) return E_INVALIDARG;
  resource& to = *request.destination;
  if (to.kind != resource_kind::buffer || to.is_mapped()) return D3DERR_INVALIDCALL;
  if (request.vertex_count == 0) return S_OK;
  vertex_writer writer{on, request};
  if (const HRESULT bad = writer.prepare(); FAILED(bad)) return bad;
  const std::uint64_t source_size = stream_size(on, {}, 0);
  if (!is_inside(request.first_source, request.vertex_count, stream_stride(on, 0),
                 writer.source_bytes(), source_size)) {
    return D3DERR_INVALIDCALL;
  }
  const std::uint64_t stride = writer.stride();
  if (!is_inside(request.first_destination, request.vertex_count, stride, stride, to.size_bytes)) {
    return D3DERR_INVALIDCALL;
  }
  mutable_bytes staged;
  HRESULT done = stage_pieces(on, request, writer, staged);
  if (SUCCEEDED(done)) done = place_pieces(on, request, writer, staged);
  if (FAILED(done)) return done;
  return send_changes(on, to, {request.first_destination * stride, request.vertex_count * stride});
}

}  // namespace aerogpu::umd
