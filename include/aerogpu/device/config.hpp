// SPDX-License-Identifier: MIT
/// \file What an embedder chooses when it creates a device.
#pragma once

#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/hosted/limit_table.hpp"
#include "aerogpu/hosted/limits.hpp"

#include <bit>
#include <cstdint>

namespace aerogpu {

/// Who runs command streams (host.md 1.13).
enum class executor_mode : std::uint8_t {
  in_process,       ///< The command processor, on this device's backend.
  no_op,            ///< Nobody: streams are decoded for pacing, and every submission is finished.
  external_bridge,  ///< Somebody who takes submissions and calls `complete`.
  hold,             ///< Nobody, and nothing ever finishes; for tests.
};

/// Whether a doorbell is answered before its write returns, or by the next tick.
enum class doorbell_timing : std::uint8_t { inside_write, at_tick };

/// Whether what PRESENT shows is also stored in the guest's frame buffer (host.md 1.15, D-11).
enum class present_write_back : std::uint8_t { off, on };

struct device_config {
  /// Refresh rate, at most 1,000; 0 configures vblank off, and its feature bit with it.
  std::uint32_t vblank_hz = 60;
  /// Size of BAR1: a power of two, at least 512 KiB, at most 2 GiB.
  std::uint32_t bar1_bytes = AEROGPU_PCI_BAR1_SIZE_BYTES;
  /// Memory behind BAR1 that the embedder maps itself; empty = the device allocates all of it.
  /// May be smaller than BAR1. Outlives the device. Zeroed at first. The device writes it past the
  /// host, and a snapshot that has video memory replaces all of it: for a log of what is dirty, all
  /// of it is.
  mutable_bytes vram{};
  executor_mode executor = executor_mode::in_process;
  doorbell_timing doorbells = doorbell_timing::inside_write;
  present_write_back write_back = present_write_back::off;
  /// How soon to tick again while a backend works, for `next_deadline_ns`; at least 1,000.
  std::uint32_t poll_interval_ns = 250'000;
  limits bounds{};
};

/// Feature bits (host.md 1.3): configuration, never taken from a snapshot.
[[nodiscard]] constexpr auto feature_bits(const device_config& config) noexcept -> std::uint64_t {
  constexpr std::uint64_t always = AEROGPU_FEATURE_FENCE_PAGE | AEROGPU_FEATURE_CURSOR |
                                   AEROGPU_FEATURE_SCANOUT | AEROGPU_FEATURE_TRANSFER |
                                   AEROGPU_FEATURE_ERROR_INFO;
  return config.vblank_hz != 0 ? always | AEROGPU_FEATURE_VBLANK : always;
}

/// invalid_parameter when a device could not be made so, or would stand still, or keep the
/// embedder's loop busy; the sentence names the member.
[[nodiscard]] constexpr auto check_config(const device_config& config) noexcept -> result<void> {
  constexpr std::uint32_t smallest = 512u << 10;  // Legacy planes and a page of the frame buffer.
  constexpr std::uint32_t largest = 1u << 31;
  const auto size = config.bar1_bytes;
  if (!std::has_single_bit(size) || size < smallest || size > largest) {
    return make_error(error_code::invalid_parameter,
                      "bar1_bytes is not a power of two from 512 KiB to 2 GiB", size);
  }
  if (config.vram.size() > size) {
    return make_error(error_code::invalid_parameter, "vram is larger than bar1_bytes",
                      config.vram.size(), size);
  }
  constexpr std::uint32_t fastest_hz = 1'000;
  if (config.vblank_hz > fastest_hz) {
    return make_error(error_code::invalid_parameter, "vblank_hz is more than 1,000",
                      config.vblank_hz, fastest_hz);
  }
  constexpr std::uint32_t soonest_ns = 1'000;
  if (config.poll_interval_ns < soonest_ns) {
    return make_error(error_code::invalid_parameter,
                      "poll_interval_ns is less than 1,000: the embedder's loop would not rest",
                      config.poll_interval_ns, soonest_ns);
  }
  return check_limits(config.bounds);
}

}  // namespace aerogpu
