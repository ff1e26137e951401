// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/present/cursor.hpp"

#include "aerogpu/abi/dbgctl_escape.h"
#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/blit.hpp"
#include "drivers/win7/umd/d3d9/resource/copies/read_back.hpp"
#include "drivers/win7/umd/d3d9/resource/creation.hpp"
#include "drivers/win7/umd/d3d9/resource/destruction.hpp"
#include "drivers/win7/umd/d3d9/resource/lock.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/cpu_bytes.hpp"

#include <cstddef>
#include <limits>
#include <utility>

namespace aerogpu::umd {

namespace {

constexpr std::uint32_t pixel_bytes = 4;
/// Where the pixels of a shape lie in its escape.
constexpr std::size_t shape_header_bytes = offsetof(aerogpu_escape_set_cursor_shape_in, pixels);

[[nodiscard]] auto header_of(std::uint32_t operation, std::size_t size) noexcept
    -> aerogpu_escape_header {
  return {AEROGPU_ESCAPE_VERSION, operation, static_cast<std::uint32_t>(size), 0};
}

/// Hands an escape to the kernel driver; false when there is none, or it does not do that.
[[nodiscard]] auto call_kernel(const device& on, mutable_bytes escape) noexcept -> bool {
  const std::uint32_t adapter = on.adapter.kernel_handle();
  return adapter != 0 && os::escape(adapter, escape);
}

[[nodiscard]] auto is_cursor_format(std::uint32_t format) noexcept -> bool {
  return format == D3DFMT_A8R8G8B8 || format == D3DFMT_X8R8G8B8 || format == D3DFMT_A8B8G8R8;
}

/// A row as BGRA, opaque where the format has no alpha.
void convert_row(std::uint32_t format, const std::byte* from, mutable_bytes to) noexcept {
  for (std::size_t at = 0; at < to.size(); at += pixel_bytes) {
    std::byte* const out = to.data() + at;
    copy_bytes(mutable_bytes{out, pixel_bytes}, const_bytes{from + at, pixel_bytes});
    if (format == D3DFMT_A8B8G8R8) std::swap(out[0], out[2]);
    if (format == D3DFMT_X8R8G8B8) out[3] = std::byte{0xFF};
  }
}

/// The pixels of a bitmap behind room for the header of an escape.
[[nodiscard]] auto read_pixels(device& on, resource& bitmap, heap_array<std::byte>& out) noexcept
    -> HRESULT {
  const texture_shape& shape = bitmap.layout()->shape();
  const std::size_t row_bytes = std::size_t{shape.width} * pixel_bytes;
  if (!out.resize(shape_header_bytes + row_bytes * shape.height)) return E_OUTOFMEMORY;
  if (bitmap.contents == residence::host || bitmap.is_host_newer) {
    if (const HRESULT read = read_from_host(on, bitmap); FAILED(read)) return read;
  }
  cpu_bytes from{on};
  if (const HRESULT mapped = from.map(bitmap, lock_access::read); FAILED(mapped)) return mapped;
  const row_target rows = from.rows(0);
  for (std::uint32_t row = 0; row < shape.height; ++row) {
    convert_row(bitmap.format, rows.first + row * rows.pitch_bytes,
                out.view().subspan(shape_header_bytes + row * row_bytes, row_bytes));
  }
  return S_OK;
}

/// Fills in what stands before the pixels of an escape.
void write_shape_header(std::uint32_t format, const texture_shape& shape, std::uint32_t hot_x,
                        std::uint32_t hot_y, mutable_bytes escape) noexcept {
  aerogpu_escape_set_cursor_shape_in request{};
  request.hdr = header_of(AEROGPU_ESCAPE_OP_SET_CURSOR_SHAPE, escape.size());
  request.width = shape.width;
  request.height = shape.height;
  request.hot_x = hot_x;
  request.hot_y = hot_y;
  request.pitch_bytes = shape.width * pixel_bytes;
  request.format =
      format == D3DFMT_X8R8G8B8 ? AEROGPU_FORMAT_B8G8R8X8_UNORM : AEROGPU_FORMAT_B8G8R8A8_UNORM;
  copy_bytes(escape.first(shape_header_bytes),
             const_bytes{bytes_of(request)}.first(shape_header_bytes));
}

}  // namespace

auto device_cursor::set_shape(device& on, resource* bitmap, std::uint32_t hot_x,
                              std::uint32_t hot_y) noexcept -> HRESULT {
  if (bitmap == nullptr) {
    has_shape_ = false;
    send_visibility(on);
    return S_OK;
  }
  if (bitmap->layout() == nullptr || !is_cursor_format(bitmap->format)) return D3DERR_INVALIDCALL;
  const texture_shape shape = bitmap->layout()->shape();
  const bool fits = shape.width <= most_side_texels && shape.height <= most_side_texels;
  if (!fits || hot_x >= shape.width || hot_y >= shape.height) return D3DERR_INVALIDCALL;
  heap_array<std::byte> pixels;
  if (const HRESULT read = read_pixels(on, *bitmap, pixels); FAILED(read)) return read;
  write_shape_header(bitmap->format, shape, hot_x, hot_y, pixels.view());
  is_in_hardware_ = call_kernel(on, pixels.view());
  if (!is_in_hardware_) {
    const HRESULT made =
        make_image(on, shape.width, shape.height, pixels.view().subspan(shape_header_bytes));
    if (FAILED(made)) return made;
  }
  has_shape_ = true;
  hot_x_ = hot_x;
  hot_y_ = hot_y;
  send_position(on);
  send_visibility(on);
  return S_OK;
}

auto device_cursor::make_image(device& on, std::uint32_t width, std::uint32_t height,
                               const_bytes pixels) noexcept -> HRESULT {
  const texture_layout* const now = image_ != nullptr ? image_->layout() : nullptr;
  if (now == nullptr || now->shape().width != width || now->shape().height != height) {
    resource_request request;
    request.kind = resource_kind::texture;
    request.format = D3DFMT_A8R8G8B8;
    request.width = width;
    request.height = height;
    request.flags.is_dynamic = true;
    resource* made = nullptr;
    if (const HRESULT created = create_resource(on, request, made); FAILED(created)) return created;
    if (image_ != nullptr) static_cast<void>(destroy_resource(on, image_));
    image_ = made;
  }
  lock_request whole;
  whole.discards = true;
  lock_answer to;
  if (const HRESULT locked = lock_resource(on, *image_, whole, to); FAILED(locked)) return locked;
  const std::size_t row_bytes = std::size_t{width} * pixel_bytes;
  for (std::size_t row = 0; row < height; ++row) {
    copy_bytes(mutable_bytes{to.bytes + row * to.row_pitch_bytes, row_bytes},
               pixels.subspan(row * row_bytes, row_bytes));
  }
  return unlock_resource(on, *image_, 0);
}

void device_cursor::move(device& on, std::int32_t x, std::int32_t y) noexcept {
  x_ = x;
  y_ = y;
  send_position(on);
}

auto device_cursor::show(device& on, bool is_visible) noexcept -> bool {
  const bool before = std::exchange(is_visible_, is_visible);
  send_visibility(on);
  return before;
}

/// The kernel driver takes the top-left corner and adds the hot spot itself (kmd.md 3.15).
void device_cursor::send_position(const device& on) const noexcept {
  if (!is_in_hardware_) return;
  aerogpu_escape_set_cursor_position_in request{};
  request.hdr = header_of(AEROGPU_ESCAPE_OP_SET_CURSOR_POSITION, sizeof request);
  request.x = static_cast<std::uint32_t>(x_) - hot_x_;
  request.y = static_cast<std::uint32_t>(y_) - hot_y_;
  static_cast<void>(call_kernel(on, mutable_bytes_of(request)));
}

void device_cursor::send_visibility(const device& on) const noexcept {
  if (!is_in_hardware_) return;
  aerogpu_escape_set_cursor_visibility_in request{};
  request.hdr = header_of(AEROGPU_ESCAPE_OP_SET_CURSOR_VISIBILITY, sizeof request);
  request.visible = has_shape_ && is_visible_;
  static_cast<void>(call_kernel(on, mutable_bytes_of(request)));
}

auto device_cursor::draw_over(device& on, const surface_ref& target) noexcept -> HRESULT {
  if (is_in_hardware_ || !is_visible_ || !has_shape_ || image_ == nullptr) return S_OK;
  const texture_shape& shape = image_->layout()->shape();
  const std::int64_t left = std::int64_t{x_} - hot_x_, top = std::int64_t{y_} - hot_y_;
  // Nothing that far away is on a surface.
  constexpr std::int64_t far = std::numeric_limits<std::int32_t>::max() / 2;
  if (left < -far || left > far || top < -far || top > far) return S_OK;
  const auto width = static_cast<std::int32_t>(shape.width);
  const auto height = static_cast<std::int32_t>(shape.height);
  const auto x = static_cast<std::int32_t>(left), y = static_cast<std::int32_t>(top);
  blit_request request;
  request.to = target;
  request.from = {image_, 0};
  request.to_area = {x, y, x + width, y + height};
  request.from_area = {0, 0, width, height};
  request.blends = true;
  return blit(on, request);
}

}  // namespace aerogpu::umd
