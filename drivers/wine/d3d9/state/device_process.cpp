// SPDX-License-Identifier: MIT
/// \file IDirect3DDevice9::ProcessVertices: the fixed pipeline on the CPU, into a buffer.
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"
#include "drivers/wine/d3d9/state/matrix.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::d3d9 {
namespace {

using element = D3DVERTEXELEMENT9;
using element_list = std::span<const element>;

/// A buffer's memory, as long as this lives.
class locked_buffer {
 public:
  [[nodiscard]] auto lock(vertex_buffer& buffer, DWORD flags) -> HRESULT {
    void* start = nullptr;
    const auto result = buffer.Lock(0, 0, &start, flags);
    if (FAILED(result)) return result;
    buffer_ = &buffer;
    bytes_ = {static_cast<std::byte*>(start), buffer.size_bytes()};
    return S_OK;
  }
  locked_buffer() = default;
  locked_buffer(const locked_buffer&) = delete;
  auto operator=(const locked_buffer&) -> locked_buffer& = delete;
  ~locked_buffer() {
    if (buffer_ != nullptr) static_cast<void>(buffer_->Unlock());
  }
  [[nodiscard]] auto bytes() const noexcept -> std::span<std::byte> { return bytes_; }

 private:
  vertex_buffer* buffer_ = nullptr;
  std::span<std::byte> bytes_;
};

[[nodiscard]] auto find_usage(element_list list, BYTE usage, BYTE index) -> const element* {
  const auto found = std::find_if(list.begin(), list.end(), [&](const element& one) {
    return one.Usage == usage && one.UsageIndex == index;
  });
  return found != list.end() ? &*found : nullptr;
}

/// How far into a vertex of stream 0 the elements reach.
[[nodiscard]] auto extent_of(element_list list) -> std::size_t {
  std::size_t extent = 0;
  for (const auto& one : list) {
    if (one.Stream == 0)
      extent = std::max(extent, std::size_t{one.Offset} + element_bytes(one.Type));
  }
  return extent;
}

/// A position of three or four floats; others count as the missing part of (0, 0, 0, 1).
[[nodiscard]] auto read_point(const std::byte* from, BYTE type) -> point4 {
  point4 point{0, 0, 0, 1};
  if (type <= D3DDECLTYPE_FLOAT4) std::memcpy(point.data(), from, element_bytes(type));
  return point;
}

[[nodiscard]] auto to_screen(const point4& clip, const D3DVIEWPORT9& view) -> point4 {
  const auto w = clip[3] != 0 ? clip[3] : 1.0F;
  const auto half_width = static_cast<float>(view.Width) / 2;
  const auto half_height = static_cast<float>(view.Height) / 2;
  return {static_cast<float>(view.X) + half_width * (1 + clip[0] / w),
          static_cast<float>(view.Y) + half_height * (1 - clip[1] / w),
          view.MinZ + clip[2] / w * (view.MaxZ - view.MinZ), 1 / w};
}

/// One run of ProcessVertices: vertices of the bound stream 0 become those of a buffer.
class vertex_processor {
 public:
  vertex_processor(const state_values& state, element_list to, DWORD flags)
      : state_(state),
        from_(state.declaration->elements()),
        to_(to),
        keeps_others_((flags & D3DPV_DONOTCOPYDATA) != 0) {
    const auto& transforms = state.transforms;
    to_clip_ = product_of(product_of(transforms[D3DTS_WORLD], transforms[D3DTS_VIEW]),
                          transforms[D3DTS_PROJECTION]);
  }

  [[nodiscard]] auto is_possible() const -> bool {
    return source_position() != nullptr && target_position() != nullptr &&
           target_position()->Type == D3DDECLTYPE_FLOAT4;
  }

  void process(const std::byte* from, std::byte* to) const {
    const auto* const source = source_position();
    auto point = read_point(from + source->Offset, source->Type);
    if (source->Usage == D3DDECLUSAGE_POSITION)
      point = to_screen(product_of(point, to_clip_), state_.viewport);
    if (!keeps_others_) copy_others(from, to);
    std::memcpy(to + target_position()->Offset, point.data(), sizeof point);
  }

 private:
  [[nodiscard]] auto source_position() const -> const element* {
    const auto* const found = find_usage(from_, D3DDECLUSAGE_POSITION, 0);
    return found != nullptr ? found : find_usage(from_, D3DDECLUSAGE_POSITIONT, 0);
  }
  [[nodiscard]] auto target_position() const -> const element* {
    const auto* const found = find_usage(to_, D3DDECLUSAGE_POSITIONT, 0);
    return found != nullptr ? found : find_usage(to_, D3DDECLUSAGE_POSITION, 0);
  }
  void copy_others(const std::byte* from, std::byte* to) const {
    for (const auto& one : to_) {
      if (&one == target_position() || one.Stream != 0) continue;
      const auto* const same = find_usage(from_, one.Usage, one.UsageIndex);
      const bool has_same = same != nullptr && same->Stream == 0;
      const auto size = element_bytes(one.Type);
      const auto known = has_same ? std::min(size, element_bytes(same->Type)) : 0;
      if (known != 0) std::memcpy(to + one.Offset, from + same->Offset, known);
      // A colour that is missing is white; coordinates are 0.
      const bool is_white = known == 0 && one.Usage == D3DDECLUSAGE_COLOR && one.UsageIndex == 0;
      std::memset(to + one.Offset + known, is_white ? 0xFF : 0, size - known);
    }
  }

  const state_values& state_;
  element_list from_;
  element_list to_;
  bool keeps_others_;
  D3DMATRIX to_clip_{};
};

/// Whether `count` elements from `first` on lie in the bytes behind an offset.
[[nodiscard]] auto is_inside(std::uint64_t first, std::uint64_t count, std::uint64_t stride,
                             std::uint64_t offset, std::uint64_t size) -> bool {
  return offset <= size && (first + count) * stride <= size - offset;
}

}  // namespace

HRESULT APIENTRY device::ProcessVertices(UINT first, UINT destination, UINT count,
                                         IDirect3DVertexBuffer9* given,
                                         IDirect3DVertexDeclaration9* declaration, DWORD flags) {
  return run([&]() -> HRESULT {
    auto* const target = vertex_buffer::of(given);
    if (target == nullptr || !states->is_software_processing()) return D3DERR_INVALIDCALL;
    const auto& state = states->now();
    const auto& source = state.streams[0];
    if (!state.declaration || !source.buffer) return D3DERR_INVALIDCALL;
    auto* layout = vertex_declaration::of(declaration);
    if (layout == nullptr) {
      D3DVERTEXBUFFER_DESC description{};
      static_cast<void>(target->GetDesc(&description));
      const auto result = states->declaration_of(description.FVF, layout);
      if (FAILED(result)) return result;
    }
    const vertex_processor processor{state, layout->elements(), flags};
    if (!processor.is_possible()) return D3DERR_INVALIDCALL;
    const auto stride = extent_of(layout->elements());
    const std::size_t source_stride = source.stride_bytes;
    if (source_stride < extent_of(state.declaration->elements())) return D3DERR_INVALIDCALL;
    if (!is_inside(first, count, source_stride, source.offset_bytes, source.buffer->size_bytes()) ||
        !is_inside(destination, count, stride, 0, target->size_bytes())) {
      return D3DERR_INVALIDCALL;
    }
    // Staged: both may be one buffer, which is locked once.
    std::vector<std::byte> staged;
    {
      locked_buffer input;
      if (const auto result = input.lock(*source.buffer, D3DLOCK_READONLY); FAILED(result))
        return result;
      const auto bytes = input.bytes().subspan(source.offset_bytes);
      const auto part = bytes.subspan(first * source_stride, count * source_stride);
      staged.assign(part.begin(), part.end());
    }
    locked_buffer output;
    if (const auto result = output.lock(*target, 0); FAILED(result)) return result;
    auto* to = output.bytes().data() + destination * stride;
    for (std::size_t i = 0; i < count; ++i, to += stride)
      processor.process(staged.data() + i * source_stride, to);
    return S_OK;
  });
}

}  // namespace aerogpu::d3d9
