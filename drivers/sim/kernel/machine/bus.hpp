// SPDX-License-Identifier: MIT
/// \file What the simulated processor reaches of the device: registers, video memory, config space.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/sim/kernel/machine/device_link.hpp"
#include "drivers/sim/kernel/machine/host_behaviour.hpp"
#include "drivers/sim/kernel/machine/host_memory.hpp"
#include "drivers/sim/kernel/system/access_log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace aerogpu::sim {

class pc;

struct bar_layout {
  std::uint32_t bar0 = 0xFEA00000;
  std::uint32_t bar1 = 0xE0000000;
  std::uint32_t bar1_bytes = 64u << 20;
};

/// BAR0 has addresses but no memory: `read` and `write` know them, anything else that touches them
/// ends the program. BAR1 is memory. Any thread.
class bus {
 public:
  bus(pc& machine, const bar_layout& layout);
  ~bus();
  bus(const bus&) = delete;
  auto operator=(const bus&) -> bus& = delete;

  /// The device, which outlives its connection; nullptr: an empty slot.
  void connect(device_link* device) noexcept;

  // --- the kernel's side ---
  /// Maps a physical range of BAR0, BAR1 or RAM; nullptr for any other.
  [[nodiscard]] auto map(std::uint64_t physical, std::uint64_t size_bytes) noexcept -> void*;
  /// Where a physical range of BAR1 or RAM is seen without a mapping; nullptr for any other.
  [[nodiscard]] auto at(std::uint64_t physical, std::uint64_t size_bytes) noexcept -> std::byte*;
  /// False when `address` is no mapping.
  [[nodiscard]] auto unmap(void* address) noexcept -> bool;
  [[nodiscard]] auto mappings() const -> std::size_t;
  /// Whether `read` and `write` know the address, mapped or not.
  [[nodiscard]] auto is_register(const volatile void* at) const noexcept -> bool;
  [[nodiscard]] auto read(const volatile std::uint32_t* at) noexcept -> std::uint32_t;
  void write(volatile std::uint32_t* at, std::uint32_t value) noexcept;
  [[nodiscard]] auto read_config(std::uint32_t offset, std::uint32_t size) noexcept
      -> std::uint32_t;
  void write_config(std::uint32_t offset, std::uint32_t value, std::uint32_t size) noexcept;

  // --- the host's side ---
  void tick() noexcept;
  [[nodiscard]] auto next_deadline_ns() noexcept -> std::uint64_t;
  /// Everything that a doorbell announced is finished, held doorbells apart.
  void wait_idle() noexcept;
  /// Power-on state behind the driver's back, bus addresses apart.
  void reset_device() noexcept;
  /// Lets the device hear of what is held: `entries` of the ring more than it took, all by default.
  void release_doorbell(std::uint32_t entries = UINT32_MAX) noexcept;
  /// A register as the device has it: no log, no faults.
  [[nodiscard]] auto peek(std::uint32_t offset) noexcept -> std::uint32_t;
  [[nodiscard]] auto peek64(std::uint32_t offset) noexcept -> std::uint64_t;
  void poke(std::uint32_t offset, std::uint32_t value) noexcept;
  /// Calls `use` while no other thread is in the device: pictures, statistics.
  void with_device(const std::function<void()>& use);
  /// What the device may see of the ring's tail, where a test lets it see less.
  void limit_tail(std::uint64_t at, mutable_bytes read) noexcept;

  [[nodiscard]] auto layout() const noexcept -> const bar_layout& { return layout_; }
  [[nodiscard]] auto video_memory() noexcept -> mutable_bytes {
    return {vram_, layout_.bar1_bytes};
  }

  access_log log;
  host_behaviour host;

 private:
  struct window {
    std::byte* base = nullptr;
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;  ///< In BAR0.
  };
  static constexpr std::size_t bar0_windows = 64;

  [[nodiscard]] auto register_of(const volatile void* at, std::uint32_t& offset) noexcept -> bool;
  [[nodiscard]] auto map_registers(std::uint64_t offset, std::uint64_t size) noexcept -> void*;
  void ring(std::uint32_t value) noexcept;
  void note(access_kind kind, std::uint32_t offset, std::uint32_t value);

  pc& machine_;
  bar_layout layout_;
  std::byte* trap_ = nullptr;  ///< Addresses of all windows onto BAR0.
  shared_part shared_;         ///< What `vram_` is a view of; none: memory of its own.
  std::byte* vram_ = nullptr;
  mutable std::mutex mappings_mutex_;
  std::array<window, bar0_windows> windows_{};
  std::size_t next_window_ = 0;
  std::map<void*, std::size_t> memory_mappings_;  ///< BAR1 and RAM: how often each is mapped.
  std::mutex device_mutex_;
  device_link* device_ = nullptr;
  std::uint32_t tail_limit_entries_ = UINT32_MAX;  ///< Of the doorbell that is delivered now.
  std::uint64_t tail_limit_ring_ = 0;              ///< Where its ring lies.
};

}  // namespace aerogpu::sim
