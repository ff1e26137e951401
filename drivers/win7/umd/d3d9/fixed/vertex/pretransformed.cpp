// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/fixed/vertex/pretransformed.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace aerogpu::umd::fixed {

namespace {

[[nodiscard]] auto ndc(float pixel, float origin, float size) noexcept -> float {
  if (!std::isfinite(pixel)) return 0;
  return (pixel + 0.5f - origin) / size * 2 - 1;
}

[[nodiscard]] auto w_of(float rhw) noexcept -> float {
  const float w = 1 / rhw;
  return std::isfinite(rhw) && std::isfinite(w) ? w : 1;
}

[[nodiscard]] auto has_position(const pretransformed_vertices& from) noexcept -> bool {
  return from.stride_bytes >= sizeof(float4) &&
         from.position_offset <= from.stride_bytes - sizeof(float4);
}

/// How many vertices there are whose elements are, of which `extent` bytes count.
[[nodiscard]] auto vertex_count(const stream_vertices& from, std::uint64_t extent) noexcept
    -> std::uint64_t {
  const std::uint64_t size = from.bytes.size();
  return size < extent ? 0 : (size - extent) / from.stride_bytes + 1;
}
[[nodiscard]] auto vertex_count(const pretransformed_vertices& from) noexcept -> std::uint64_t {
  const std::uint64_t end = std::uint64_t{from.position_offset} + sizeof(float4);
  return vertex_count(from, std::max(end, std::uint64_t{from.extent_bytes}));
}

/// What is missing of the vertex is 0.
void copy_one(const stream_vertices& from, std::uint64_t number, std::byte* out) noexcept {
  const auto at = static_cast<std::size_t>(number) * from.stride_bytes;
  const std::size_t known = std::min<std::size_t>(from.stride_bytes, from.bytes.size() - at);
  std::memcpy(out, from.bytes.data() + at, known);
  std::memset(out + known, 0, from.stride_bytes - known);
}

[[nodiscard]] auto fits(const pretransformed_vertices& from, std::uint32_t count,
                        mutable_bytes out) noexcept -> bool {
  return has_position(from) && std::uint64_t{count} * from.stride_bytes <= out.size();
}

void convert_one(const pretransformed_vertices& from, std::uint64_t number,
                 const umd::viewport& viewport, std::byte* out) noexcept {
  copy_one(from, number, out);
  float4 screen;
  std::memcpy(screen.data(), out + from.position_offset, sizeof screen);
  const float4 clip = clip_position_of(screen, viewport);
  std::memcpy(out + from.position_offset, clip.data(), sizeof clip);
}

[[nodiscard]] auto index_at(const vertex_indices& indices, std::size_t i) noexcept
    -> std::uint32_t {
  std::uint32_t wide = 0;
  std::uint16_t narrow = 0;
  if (indices.is_32_bit) {
    std::memcpy(&wide, indices.bytes.data() + i * sizeof wide, sizeof wide);
    return wide;
  }
  std::memcpy(&narrow, indices.bytes.data() + i * sizeof narrow, sizeof narrow);
  return narrow;
}

}  // namespace

auto clip_position_of(const float4& screen, const umd::viewport& viewport) noexcept -> float4 {
  const float w = w_of(screen[3]);
  return finite(float4{ndc(screen[0], viewport.x, viewport.width) * w,
                       -ndc(screen[1], viewport.y, viewport.height) * w, finite(screen[2]) * w, w});
}

auto screen_position_of(const float4& clip, const umd::viewport& viewport) noexcept -> float4 {
  const float w = clip[3] != 0 && std::isfinite(clip[3]) ? clip[3] : 1;
  const float depth = viewport.max_z - viewport.min_z;
  return finite(float4{viewport.x + viewport.width * (clip[0] / w + 1) / 2 - 0.5f,
                       viewport.y + viewport.height * (1 - clip[1] / w) / 2 - 0.5f,
                       viewport.min_z + clip[2] / w * depth, 1 / w});
}

auto convert_vertices(const pretransformed_vertices& from, std::uint32_t first, std::uint32_t count,
                      const umd::viewport& viewport, mutable_bytes out) noexcept -> HRESULT {
  if (!fits(from, count, out)) return D3DERR_INVALIDCALL;
  if (std::uint64_t{first} + count > vertex_count(from)) return D3DERR_INVALIDCALL;
  for (std::uint32_t i = 0; i < count; ++i) {
    convert_one(from, std::uint64_t{first} + i, viewport,
                out.data() + std::size_t{i} * from.stride_bytes);
  }
  return S_OK;
}

auto expand_vertices(const pretransformed_vertices& from, const vertex_indices& indices,
                     std::uint32_t count, const umd::viewport& viewport, mutable_bytes out) noexcept
    -> HRESULT {
  const std::uint64_t index_bytes = indices.is_32_bit ? 4 : 2;
  if (!fits(from, count, out)) return D3DERR_INVALIDCALL;
  if (count * index_bytes > indices.bytes.size()) return D3DERR_INVALIDCALL;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int64_t number = std::int64_t{index_at(indices, i)} + indices.base_vertex;
    const bool is_there = number >= 0 && static_cast<std::uint64_t>(number) < vertex_count(from);
    if (!is_there) return D3DERR_INVALIDCALL;
    convert_one(from, static_cast<std::uint64_t>(number), viewport,
                out.data() + std::size_t{i} * from.stride_bytes);
  }
  return S_OK;
}

auto gather_vertices(const stream_vertices& from, const vertex_indices& indices,
                     std::uint32_t count, mutable_bytes out) noexcept -> HRESULT {
  const std::uint64_t index_bytes = indices.is_32_bit ? 4 : 2;
  const std::uint32_t stride = from.stride_bytes;
  const bool has_room = stride != 0 && std::uint64_t{count} * stride <= out.size();
  if (!has_room || count * index_bytes > indices.bytes.size()) return D3DERR_INVALIDCALL;
  const std::uint64_t vertex_total = vertex_count(from, from.extent_bytes);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int64_t number = std::int64_t{index_at(indices, i)} + indices.base_vertex;
    const bool is_there = number >= 0 && static_cast<std::uint64_t>(number) < vertex_total;
    if (!is_there) return D3DERR_INVALIDCALL;
    copy_one(from, static_cast<std::uint64_t>(number), out.data() + std::size_t{i} * stride);
  }
  return S_OK;
}

}  // namespace aerogpu::umd::fixed
