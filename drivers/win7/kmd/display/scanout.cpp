// SPDX-License-Identifier: MIT
/// \file SCANOUT0: the mode, the address, and when it may be enabled.
#include "drivers/win7/kmd/display/scanout.hpp"

#include "aerogpu/abi/mmio.h"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/interrupt_lock.hpp"
#include "drivers/win7/kmd/display/mode_list.hpp"

namespace aerogpu::kmd {

namespace {

[[nodiscard]] auto bytes_per_pixel(std::uint32_t format) noexcept -> std::uint32_t {
  switch (format) {
    case AEROGPU_FORMAT_B8G8R8A8_UNORM:
    case AEROGPU_FORMAT_B8G8R8X8_UNORM:
    case AEROGPU_FORMAT_R8G8B8A8_UNORM:
    case AEROGPU_FORMAT_R8G8B8X8_UNORM: return 4;
    case AEROGPU_FORMAT_B5G6R5_UNORM:
    case AEROGPU_FORMAT_B5G5R5A1_UNORM: return 2;
    default: return 0;
  }
}

/// The device's mode with the firmware's omissions filled in; zeros when it cannot be one.
[[nodiscard]] auto plausible_mode(const registers& regs) noexcept -> scanout_mode {
  scanout_mode mode{regs.read(AEROGPU_MMIO_REG_SCANOUT0_WIDTH),
                    regs.read(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT),
                    regs.read(AEROGPU_MMIO_REG_SCANOUT0_FORMAT),
                    regs.read(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES)};
  if (mode.width == 0 || mode.width > max_mode_side) return {};
  if (mode.height == 0 || mode.height > max_mode_side) return {};
  if (mode.format == AEROGPU_FORMAT_INVALID) mode.format = AEROGPU_FORMAT_B8G8R8X8_UNORM;
  const std::uint32_t row_bytes = mode.width * bytes_per_pixel(mode.format);
  if (row_bytes == 0) return {};
  if (mode.pitch_bytes == 0) mode.pitch_bytes = row_bytes;
  // A pitch is bytes where the other two are pixels: its bound is the widest row.
  if (mode.pitch_bytes < row_bytes || mode.pitch_bytes > max_mode_side * 4) return {};
  return mode;
}

}  // namespace

auto shown_bytes(scanout_mode mode) noexcept -> std::uint64_t {
  if (mode.height == 0) return 0;
  return std::uint64_t{mode.pitch_bytes} * (mode.height - 1) +
         std::uint64_t{mode.width} * bytes_per_pixel(mode.format);
}

void scanout::take_over(adapter& adapter) noexcept {
  const registers& regs = adapter.hardware.regs;
  const scanout_mode found = plausible_mode(regs);
  const std::uint64_t address = regs.read64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO);
  const bool was_enabled = (regs.read(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) & 1) != 0;
  const bool is_kept = found != scanout_mode{} && address != 0 && was_enabled;

  under_interrupt_lock(adapter, [&] {
    mode_ = is_kept ? found : default_scanout_mode;
    address_.store(is_kept ? address : 0);
    reported_address_.store(address_.load());
    is_visible_ = is_kept;
    awaits_address_ = !is_kept;
    is_enabled_ = is_kept;
    if (!is_kept) write_enable(adapter, false);
  });
}

void scanout::set_mode(adapter& adapter, const scanout_mode& mode) noexcept {
  under_interrupt_lock(adapter, [&] {
    const bool is_ready = adapter.is_ready;
    if (mode != mode_) {
      if (is_enabled_ && is_ready) write_enable(adapter, false);
      awaits_address_ = true;
      mode_ = mode;
    }
    if (is_ready) write_mode(adapter);
  });
  adapter.display.vblank.stand_in(adapter);
}

void scanout::set_address(adapter& adapter, const placement& primary, const void* shown) noexcept {
  const bool is_in_video = primary.segment == segment_id::video;
  const std::uint64_t address = is_in_video ? adapter.segments.video_address(primary.address) : 0;
  if (address == 0) {
    adapter.counters.scanout_address_refused.add();
    return;
  }
  under_interrupt_lock(adapter, [&] {
    awaits_address_ = false;
    if (adapter.is_ready) write_address(adapter, address);
    address_.store(address);
    reported_address_.store(primary.address);
    shown_ = shown;
    if (adapter.is_ready) update_enable(adapter);
  });
}

void scanout::recommit(adapter& adapter, const placement& written) noexcept {
  if (written.segment != segment_id::video || written.address != displayed_address()) return;
  under_interrupt_lock(adapter, [&] {
    if (!adapter.is_ready || awaits_address_ || written.address != address_.load()) return;
    write_address(adapter, written.address);
  });
}

void scanout::set_visible(adapter& adapter, bool is_visible) noexcept {
  under_interrupt_lock(adapter, [&] {
    is_visible_ = is_visible;
    if (!adapter.is_ready) return;
    update_enable(adapter);
    if (!is_visible)
      adapter.hardware.regs.write(AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_SCANOUT_VBLANK);
  });
  adapter.display.vblank.stand_in(adapter);
}

void scanout::turn_off(adapter& adapter) noexcept {
  if (!adapter.hardware.regs.is_mapped()) return;
  under_interrupt_lock(adapter, [&] {
    write_enable(adapter, false);
    write_address(adapter, 0);
    adapter.hardware.regs.write(AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_SCANOUT_VBLANK);
  });
}

void scanout::restore(adapter& adapter) noexcept {
  if (!adapter.hardware.regs.is_mapped()) return;
  under_interrupt_lock(adapter, [&] {
    if (!is_to_be_enabled()) write_enable(adapter, false);
    write_mode(adapter);
    if (!awaits_address_) write_address(adapter, address_.load());
    write_enable(adapter, is_to_be_enabled());
  });
}

void scanout::write_mode(adapter& adapter) const noexcept {
  const registers& regs = adapter.hardware.regs;
  regs.write(AEROGPU_MMIO_REG_SCANOUT0_WIDTH, mode_.width);
  regs.write(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, mode_.height);
  regs.write(AEROGPU_MMIO_REG_SCANOUT0_FORMAT, mode_.format);
  regs.write(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, mode_.pitch_bytes);
}

void scanout::write_address(adapter& adapter, std::uint64_t address) const noexcept {
  adapter.hardware.regs.write64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, address);
}

void scanout::write_enable(adapter& adapter, bool is_enabled) noexcept {
  adapter.hardware.regs.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, is_enabled ? 1 : 0);
  is_enabled_ = is_enabled;
}

auto scanout::is_to_be_enabled() const noexcept -> bool {
  return is_visible_ && !awaits_address_ && address_.load() != 0;
}

void scanout::update_enable(adapter& adapter) noexcept {
  if (is_to_be_enabled() != is_enabled_) write_enable(adapter, !is_enabled_);
}

}  // namespace aerogpu::kmd
