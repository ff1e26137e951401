// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/run_sys/hardware_access.hpp"

#include "drivers/sim/kernel/machine/pc.hpp"
#include "drivers/win7/kmd/system/os.hpp"

namespace aerogpu::run_sys {
namespace {

/// KUSER_SHARED_DATA.InterruptTime, which x86 reaches by a function.
constexpr std::uint64_t interrupt_time_address = 0xFFFFF78000000008;
constexpr std::uint8_t register_bytes = 4;

[[nodiscard]] auto find_register(std::uintptr_t address) noexcept -> volatile std::uint32_t* {
  if (sim::this_thread().machine == nullptr) return nullptr;
  auto* const at = reinterpret_cast<volatile std::uint32_t*>(address);
  return sim::this_machine().bus.is_register(at) ? at : nullptr;
}

}  // namespace

auto counts() noexcept -> run_counts& {
  static run_counts all;
  return all;
}

auto read_hardware(std::uintptr_t address, std::uint8_t size, std::uint64_t& value) noexcept
    -> access_result {
  if (address == interrupt_time_address) {
    if (size != sizeof value) return access_result::wrong_size;
    ++counts().clock_reads;
    value = kmd::os::interrupt_time_100ns();
    return access_result::done;
  }
  const auto* const at = find_register(address);
  if (at == nullptr) return access_result::not_hardware;
  if (size != register_bytes) return access_result::wrong_size;
  ++counts().register_reads;
  value = sim::this_machine().bus.read(at);
  return access_result::done;
}

auto write_hardware(std::uintptr_t address, std::uint8_t size, std::uint64_t value) noexcept
    -> access_result {
  auto* const at = find_register(address);
  if (at == nullptr) return access_result::not_hardware;
  if (size != register_bytes) return access_result::wrong_size;
  ++counts().register_writes;
  sim::this_machine().bus.write(at, static_cast<std::uint32_t>(value));
  return access_result::done;
}

auto is_register(std::uintptr_t address) noexcept -> bool {
  return find_register(address) != nullptr;
}

auto read_irql() noexcept -> std::uint64_t {
  ++counts().irql_reads;
  return kmd::os::current_irql();
}

}  // namespace aerogpu::run_sys
