// SPDX-License-Identifier: MIT
/// \file What the loaded driver touches without a function: registers, the clock, the IRQL.
#pragma once

#include <atomic>
#include <cstdint>

namespace aerogpu::run_sys {

/// What happened in the whole run.
struct run_counts {
  std::atomic<std::uint64_t> register_reads = 0;
  std::atomic<std::uint64_t> register_writes = 0;
  std::atomic<std::uint64_t> clock_reads = 0;
  std::atomic<std::uint64_t> irql_reads = 0;
  std::atomic<std::uint64_t> driver_loads = 0;
  std::atomic<std::uint64_t> fences = 0;       ///< DMA_COMPLETED.
  std::atomic<std::uint64_t> preemptions = 0;  ///< DMA_PREEMPTED.
  std::atomic<std::uint64_t> vblanks = 0;      ///< CRTC_VSYNC.
};
[[nodiscard]] auto counts() noexcept -> run_counts&;

enum class access_result { done, not_hardware, wrong_size };

/// On the calling thread's simulated machine.
[[nodiscard]] auto read_hardware(std::uintptr_t address, std::uint8_t size,
                                 std::uint64_t& value) noexcept -> access_result;
[[nodiscard]] auto write_hardware(std::uintptr_t address, std::uint8_t size,
                                  std::uint64_t value) noexcept -> access_result;
[[nodiscard]] auto is_register(std::uintptr_t address) noexcept -> bool;
[[nodiscard]] auto read_irql() noexcept -> std::uint64_t;

/// From now on, accesses of loaded code to what is not memory are carried out here. One that cannot
/// be decoded ends the program with a line on stderr. Called again after each load: Wine's
/// ntoskrnl.exe comes with the driver and puts a handler of its own first.
void install_access_trap() noexcept;

}  // namespace aerogpu::run_sys
