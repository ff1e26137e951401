// SPDX-License-Identifier: MIT
/// \file The hardware cursor.
#include "drivers/win7/kmd/display/cursor.hpp"

#include "aerogpu/abi/format.h"
#include "aerogpu/abi/mmio.h"
#include "drivers/win7/kmd/adapter/adapter.hpp"

#include <array>

namespace aerogpu::kmd {

namespace {

/// The host reads it as ordinary guest memory.
constexpr MEMORY_CACHING_TYPE image_caching = MmCached;

/// All but ENABLE and the address.
constexpr std::array<std::uint32_t, 8> mode_registers{
    AEROGPU_MMIO_REG_CURSOR_X,      AEROGPU_MMIO_REG_CURSOR_Y,
    AEROGPU_MMIO_REG_CURSOR_HOT_X,  AEROGPU_MMIO_REG_CURSOR_HOT_Y,
    AEROGPU_MMIO_REG_CURSOR_WIDTH,  AEROGPU_MMIO_REG_CURSOR_HEIGHT,
    AEROGPU_MMIO_REG_CURSOR_FORMAT, AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES,
};

[[nodiscard]] auto is_cursor_format(std::uint32_t format) noexcept -> bool {
  return format >= AEROGPU_FORMAT_B8G8R8A8_UNORM && format <= AEROGPU_FORMAT_R8G8B8X8_UNORM;
}

[[nodiscard]] auto clamp_hot_spot(std::int32_t at, std::uint32_t side) noexcept -> std::int32_t {
  if (at < 0) return 0;
  return static_cast<std::uint32_t>(at) < side ? at : static_cast<std::int32_t>(side - 1);
}

/// Coordinates wrap as the device's registers do.
[[nodiscard]] auto sum(std::int32_t a, std::int32_t b) noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b);
}

[[nodiscard]] auto is_supported(const adapter& adapter) noexcept -> bool {
  return adapter.hardware.has(AEROGPU_FEATURE_CURSOR);
}

}  // namespace

auto cursor::set_shape(adapter& adapter, const DXGKARG_SETPOINTERSHAPE& shape) noexcept
    -> NTSTATUS {
  if (!is_supported(adapter)) return STATUS_NOT_SUPPORTED;
  const passive_scope mine{lock_};
  if (shape.pPixels == nullptr && (shape.Width == 0 || shape.Height == 0)) {
    remove_shape(adapter);
    return STATUS_SUCCESS;
  }
  pointer_image image;
  NTSTATUS status = parse_pointer(shape, image);
  if (NT_SUCCESS(status)) {
    const cursor_shape parsed{image.width,
                              image.height,
                              image.pitch_bytes(),
                              static_cast<std::int32_t>(image.hot_x),
                              static_cast<std::int32_t>(image.hot_y),
                              0,
                              {}};
    status =
        replace(adapter, parsed, [&](mutable_bytes out) { return convert_pointer(image, out); });
  }
  if (!NT_SUCCESS(status)) remove_shape(adapter);
  return status;
}

auto cursor::set_shape(adapter& adapter, const cursor_shape& shape) noexcept -> NTSTATUS {
  if (!is_supported(adapter)) return STATUS_NOT_SUPPORTED;
  if (shape.width == 0 || shape.height == 0) return STATUS_INVALID_PARAMETER;
  if (shape.width > max_pointer_side || shape.height > max_pointer_side)
    return STATUS_NOT_SUPPORTED;
  if (!is_cursor_format(shape.format)) return STATUS_NOT_SUPPORTED;
  const std::uint32_t row_bytes = shape.width * 4;
  if (shape.pitch_bytes < row_bytes) return STATUS_INVALID_PARAMETER;
  if (shape.pixels.size() / shape.pitch_bytes < shape.height) return STATUS_INVALID_PARAMETER;

  const passive_scope mine{lock_};
  cursor_shape packed{shape};
  packed.pitch_bytes = row_bytes;
  packed.hot_x = clamp_hot_spot(shape.hot_x, shape.width);
  packed.hot_y = clamp_hot_spot(shape.hot_y, shape.height);
  packed.pixels = {};
  return replace(adapter, packed, [&](mutable_bytes out) {
    for (std::size_t y = 0; y < shape.height; ++y)
      copy_bytes(out.subspan(y * row_bytes, row_bytes),
                 shape.pixels.subspan(y * shape.pitch_bytes, row_bytes));
    return shape.format;
  });
}

auto cursor::set_position(adapter& adapter, std::int32_t x, std::int32_t y,
                          bool is_visible) noexcept -> NTSTATUS {
  if (!is_supported(adapter)) return STATUS_NOT_SUPPORTED;
  const passive_scope mine{lock_};
  is_visible_ = is_visible;
  if (is_visible) {
    x_ = x;
    y_ = y;
  }
  if (!adapter.is_ready) return STATUS_SUCCESS;
  if (is_visible) write_position(adapter);
  update_enable(adapter);
  return STATUS_SUCCESS;
}

auto cursor::move(adapter& adapter, std::int32_t x, std::int32_t y) noexcept -> NTSTATUS {
  if (!is_supported(adapter)) return STATUS_NOT_SUPPORTED;
  const passive_scope mine{lock_};
  x_ = x;
  y_ = y;
  if (adapter.is_ready) write_position(adapter);
  return STATUS_SUCCESS;
}

auto cursor::set_visible(adapter& adapter, bool is_visible) noexcept -> NTSTATUS {
  if (!is_supported(adapter)) return STATUS_NOT_SUPPORTED;
  const passive_scope mine{lock_};
  is_visible_ = is_visible;
  if (adapter.is_ready) update_enable(adapter);
  return STATUS_SUCCESS;
}

void cursor::turn_off(adapter& adapter) noexcept {
  if (!adapter.hardware.regs.is_mapped() || !is_supported(adapter)) return;
  const passive_scope mine{lock_};
  const registers& regs = adapter.hardware.regs;
  write_enable(adapter, false);
  for (const std::uint32_t offset : mode_registers) regs.write(offset, 0);
  regs.write64(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, 0);
}

void cursor::restore(adapter& adapter) noexcept {
  if (!adapter.hardware.regs.is_mapped() || !is_supported(adapter)) return;
  const passive_scope mine{lock_};
  if (shape_.width != 0)
    write_all(adapter);
  else
    write_enable(adapter, false);
}

auto cursor::test_position(adapter& adapter) noexcept -> bool {
  const passive_scope mine{lock_};
  const registers& regs = adapter.hardware.regs;
  constexpr std::uint32_t patterns[] = {0x00001234, 0xFFFFFF80, 0};
  bool is_equal = true;
  for (const std::uint32_t pattern : patterns) {
    for (const std::uint32_t at : {AEROGPU_MMIO_REG_CURSOR_X, AEROGPU_MMIO_REG_CURSOR_Y}) {
      regs.write(at, pattern);
      is_equal = is_equal && regs.read(at) == pattern;
    }
  }
  write_position(adapter);
  return is_equal;
}

void cursor::destroy(adapter& /*adapter*/) noexcept {
  const passive_scope mine{lock_};
  os::release_contiguous(image_, image_caching);
  shape_ = {};
  is_visible_ = false;
  is_enabled_ = false;
}

auto cursor::current() noexcept -> state {
  const passive_scope mine{lock_};
  return {shape_, x_, y_, is_visible_, image_.physical};
}

template <class Fill>
auto cursor::replace(adapter& adapter, const cursor_shape& shape, Fill&& fill) noexcept
    -> NTSTATUS {
  const std::size_t size_bytes = std::size_t{shape.pitch_bytes} * shape.height;
  // The registers are not double buffered, and the image is rewritten in place.
  if (adapter.is_ready) write_enable(adapter, false);
  if (!reserve(size_bytes)) {
    if (adapter.is_ready) update_enable(adapter);
    return STATUS_INSUFFICIENT_RESOURCES;
  }
  shape_ = shape;
  shape_.format = fill(image_.span().first(size_bytes));
  if (adapter.is_ready) write_all(adapter);
  return STATUS_SUCCESS;
}

auto cursor::reserve(std::size_t size_bytes) noexcept -> bool {
  if (image_.size_bytes >= size_bytes) return true;
  os::contiguous_memory larger = os::allocate_contiguous(size_bytes, image_caching);
  if (!larger) return false;
  os::release_contiguous(image_, image_caching);
  image_ = larger;
  return true;
}

void cursor::remove_shape(adapter& adapter) noexcept {
  shape_ = {};
  if (adapter.is_ready) update_enable(adapter);
}

void cursor::write_all(adapter& adapter) noexcept {
  const registers& regs = adapter.hardware.regs;
  write_enable(adapter, false);
  write_position(adapter);
  regs.write(AEROGPU_MMIO_REG_CURSOR_HOT_X, static_cast<std::uint32_t>(shape_.hot_x));
  regs.write(AEROGPU_MMIO_REG_CURSOR_HOT_Y, static_cast<std::uint32_t>(shape_.hot_y));
  regs.write(AEROGPU_MMIO_REG_CURSOR_WIDTH, shape_.width);
  regs.write(AEROGPU_MMIO_REG_CURSOR_HEIGHT, shape_.height);
  regs.write(AEROGPU_MMIO_REG_CURSOR_FORMAT, shape_.format);
  regs.write(AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES, shape_.pitch_bytes);
  regs.write64(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, image_.physical);
  os::full_barrier();
  update_enable(adapter);
}

/// Windows states the top-left corner; the device subtracts the hot spot [K-29].
void cursor::write_position(adapter& adapter) const noexcept {
  adapter.hardware.regs.write(AEROGPU_MMIO_REG_CURSOR_X, sum(x_, shape_.hot_x));
  adapter.hardware.regs.write(AEROGPU_MMIO_REG_CURSOR_Y, sum(y_, shape_.hot_y));
}

void cursor::update_enable(adapter& adapter) noexcept {
  const bool is_wanted = is_visible_ && shape_.width != 0;
  if (is_wanted != is_enabled_) write_enable(adapter, is_wanted);
}

void cursor::write_enable(adapter& adapter, bool is_enabled) noexcept {
  adapter.hardware.regs.write(AEROGPU_MMIO_REG_CURSOR_ENABLE, is_enabled ? 1 : 0);
  is_enabled_ = is_enabled;
}

}  // namespace aerogpu::kmd
