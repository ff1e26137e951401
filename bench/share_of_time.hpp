// SPDX-License-Identifier: MIT
// Whose code the processor runs, where simulator, driver and device call each other on one thread.
#pragma once

#include "drivers/sim/kernel/kernel.hpp"
#include "drivers/sim/kernel/machine/device_link.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu::bench {

enum class part : std::uint8_t { simulator, driver, device, user_driver };
inline constexpr std::size_t part_count = 4;

/// Time goes to the part that was entered last.
class share_of_time {
 public:
  /// Gives who ran before, to be entered again.
  auto enter(part next) noexcept -> part {
    const auto now = std::chrono::steady_clock::now();
    spent_[index(now_in_)] += now - since_;
    since_ = now;
    return std::exchange(now_in_, next);
  }
  void restart() noexcept {
    spent_ = {};
    since_ = std::chrono::steady_clock::now();
  }
  [[nodiscard]] auto ns(part of) const noexcept -> double {
    return std::chrono::duration<double, std::nano>{spent_[index(of)]}.count();
  }

 private:
  static constexpr auto index(part of) noexcept -> std::size_t {
    return static_cast<std::size_t>(of);
  }
  std::array<std::chrono::steady_clock::duration, part_count> spent_{};
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  part now_in_ = part::simulator;
};

inline share_of_time shares;

/// In a part for as long as it lives.
class part_scope {
 public:
  explicit part_scope(part of) noexcept : before_(shares.enter(of)) {}
  ~part_scope() { shares.enter(before_); }
  part_scope(const part_scope&) = delete;
  auto operator=(const part_scope&) -> part_scope& = delete;

 private:
  part before_;
};

/// A function of a table, an entry point or a callback, timed as code of `Part`. `Slot` is its
/// place in the table.
template <auto Slot, part Part = part::driver>
struct timed_entry;
template <class Table, class Result, class... Arguments,
          auto(APIENTRY* Table::*Slot)(Arguments...)->Result, part Part>
struct timed_entry<Slot, Part> {
  static inline auto(APIENTRY* real)(Arguments...) -> Result = nullptr;
  static auto APIENTRY call(Arguments... arguments) -> Result {
    const part_scope here{Part};
    return real(arguments...);
  }
  static void put(Table& table) {
    real = table.*Slot;
    table.*Slot = &call;
  }
};

/// The entries of the kernel-mode driver that a submission calls.
inline void time_entries(DRIVER_INITIALIZATION_DATA& table) {
  using type = DRIVER_INITIALIZATION_DATA;
  timed_entry<&type::DxgkDdiRender>::put(table);
  timed_entry<&type::DxgkDdiPatch>::put(table);
  timed_entry<&type::DxgkDdiSubmitCommand>::put(table);
  timed_entry<&type::DxgkDdiInterruptRoutine>::put(table);
  timed_entry<&type::DxgkDdiDpcRoutine>::put(table);
}

/// The device, timed.
class timed_device final : public sim::device_link {
 public:
  explicit timed_device(sim::device_link& real) noexcept : real_(real) {}
  auto read_register(std::uint64_t offset) noexcept -> std::uint32_t override {
    const part_scope here{part::device};
    return real_.read_register(offset);
  }
  void write_register(std::uint64_t offset, std::uint32_t value) noexcept override {
    const part_scope here{part::device};
    real_.write_register(offset, value);
  }
  auto read_config(std::uint32_t offset, std::uint32_t size) noexcept -> std::uint32_t override {
    return real_.read_config(offset, size);
  }
  void write_config(std::uint32_t offset, std::uint32_t value,
                    std::uint32_t size) noexcept override {
    real_.write_config(offset, value, size);
  }
  void tick() noexcept override {
    const part_scope here{part::device};
    real_.tick();
  }
  auto next_deadline_ns() noexcept -> std::uint64_t override { return real_.next_deadline_ns(); }
  void wait_idle() noexcept override {
    const part_scope here{part::device};
    real_.wait_idle();
  }
  void reset() noexcept override { real_.reset(); }

 private:
  sim::device_link& real_;
};

}  // namespace aerogpu::bench
