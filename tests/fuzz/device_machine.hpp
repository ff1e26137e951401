// SPDX-License-Identifier: MIT
/// \file A device in a small machine for fuzzing: RAM that may change, a clock, and lasting claims.
#pragma once

#include "aerogpu/device/device.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/processors/null_processor.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace aerogpu::fuzz {

inline constexpr gpa device_ram_start{0x1000};
inline constexpr std::size_t device_ram_bytes = 32768;

/// Models device_host. With `stirring`, every byte that the device read holds another value then.
class device_ram {
 public:
  auto read(gpa at, mutable_bytes out) noexcept -> bool {
    if (!holds(at, out.size())) return false;
    const mutable_bytes from = mutable_bytes{bytes_}.subspan(offset_of(at), out.size());
    copy_bytes(out, from);
    if (stirring) {
      for (std::byte& b : from) b ^= std::byte{0x11};
    }
    return true;
  }
  auto write(gpa at, const_bytes in) noexcept -> bool {
    if (!holds(at, in.size())) return false;
    copy_bytes(mutable_bytes{bytes_}.subspan(offset_of(at), in.size()), in);
    return true;
  }
  auto now_ns() const noexcept -> std::uint64_t { return time_ns; }
  void set_irq_line(bool level) noexcept { line = level; }

  bool stirring = false;
  bool line = false;
  std::uint64_t time_ns = 0;

 private:
  [[nodiscard]] static auto offset_of(gpa at) -> std::size_t {
    return static_cast<std::size_t>(raw(at) - raw(device_ram_start));
  }
  [[nodiscard]] static auto holds(gpa at, std::uint64_t size) -> bool {
    return raw(at) >= raw(device_ram_start) &&
           range_fits(raw(at) - raw(device_ram_start), size, device_ram_bytes);
  }
  std::array<std::byte, device_ram_bytes> bytes_{};
};

/// Small, so that making a device is cheap and limits are near.
[[nodiscard]] inline auto small_device_config() -> device_config {
  device_config config;
  config.bar1_bytes = 512 << 10;
  config.bounds.stream_bytes = 64 << 10;
  config.bounds.alloc_table_bytes = 16 << 10;
  config.bounds.resource_bytes = 4 << 20;
  config.bounds.resource_bytes_per_context = 4 << 20;
  config.bounds.buffer_bytes = 1 << 20;
  config.bounds.scanout_read_back_bytes = 4 << 20;
  config.bounds.pending_submissions = 16;
  config.bounds.pending_fences = 64;
  config.bounds.early_completions = 16;
  config.bounds.captured_submissions = 8;
  config.bounds.captured_bytes = 64 << 10;
  return config;
}

class device_machine {
 public:
  using fuzzed_device = aerogpu::device<device_ram, null_backend>;

  device_machine() : backend(null_completion::immediate) {
    auto made = fuzzed_device::create(host, backend, small_device_config());
    claim(static_cast<bool>(made), "a device can be made");
    device = *std::move(made);
    device->config_write(4, 6, 2);  // Memory decode and bus master.
  }

  /// What must hold whenever a call has returned.
  void check() {
    const auto read = [&](std::uint32_t at) {
      return static_cast<std::uint32_t>(device->bar0_read(at, 4));
    };
    const bool has_decode = (device->config_read(4, 2) & 2) != 0;
    if (!has_decode) {
      claim(read(AEROGPU_MMIO_REG_MAGIC) == UINT32_MAX, "BAR0 reads all ones without decode");
      return;
    }
    claim(read(AEROGPU_MMIO_REG_MAGIC) == AEROGPU_MMIO_MAGIC, "MAGIC never changes");
    claim(read(AEROGPU_MMIO_REG_ABI_VERSION) == AEROGPU_ABI_VERSION_U32, "nor does the version");
    claim((read(AEROGPU_MMIO_REG_RING_CONTROL) & ~1u) == 0, "RING_CONTROL shows ENABLE alone");
    claim(read(AEROGPU_MMIO_REG_DOORBELL) == 0 && read(AEROGPU_MMIO_REG_IRQ_ACK) == 0,
          "write-only registers read 0");
    const std::uint32_t status = read(AEROGPU_MMIO_REG_IRQ_STATUS);
    const std::uint32_t enable = read(AEROGPU_MMIO_REG_IRQ_ENABLE);
    const bool is_disabled = (device->config_read(4, 2) & 0x400) != 0;
    claim(host.line == ((status & enable) != 0 && !is_disabled), "the line follows the causes");
    if (has_foreign_state) return;
    claim((status & ~0x80000003u) == 0, "no unknown cause is raised");
    claim((status & ~enable & 3) == 0, "masked fence and vblank causes leave no trace");
  }

  bool has_foreign_state = false;  ///< A snapshot may hold registers that no device would reach.
  device_ram host;
  null_backend backend;
  std::unique_ptr<fuzzed_device> device;
};

}  // namespace aerogpu::fuzz

/// Made in device_machine.cpp.
extern template class aerogpu::device<aerogpu::fuzz::device_ram, aerogpu::null_backend>;
