// SPDX-License-Identifier: MIT
/// \file The driver's operating system, simulated: each call checks its IRQL and counts.
#include "drivers/win7/kmd/system/os.hpp"

#include "drivers/sim/kernel/machine/pc.hpp"
#include "drivers/win7/ddi/ddi.hpp"

#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace aerogpu::kmd::os {
namespace {

using namespace aerogpu::sim;

/// A lock that stays taken for this many tries belongs to somebody who stands still.
constexpr std::uint64_t stuck_tries = 200'000'000;

[[nodiscard]] auto is_held_here(const spin_lock& lock) -> bool {
  for (const auto& one : this_thread().locks) {
    if (one.lock == &lock) return true;
  }
  return false;
}

[[nodiscard]] auto narrow(const UNICODE_STRING& text) -> std::string {
  std::string out;
  for (std::size_t i = 0; i < text.Length / sizeof(WCHAR); ++i) {
    out += static_cast<char>(text.Buffer[i]);
  }
  return out;
}

void forget_locks_in(const void* memory, std::size_t size_bytes) {
  this_machine().locks.forget(memory, size_bytes);
}

[[nodiscard]] auto allocate_from(pool_kind kind, std::size_t size_bytes, pool_owner owner)
    -> void* {
  require_at_most(sim::passive_level, "allocate");
  auto& machine = this_machine();
  if (machine.faults.fails(fault_point::pool)) return nullptr;
  return machine.pool.allocate(size_bytes, static_cast<std::uint32_t>(owner), kind);
}

}  // namespace

auto allocate(std::size_t size_bytes, pool_owner owner) noexcept -> void* {
  return allocate_from(pool_kind::non_paged, size_bytes, owner);
}

auto allocate_paged(std::size_t size_bytes, pool_owner owner) noexcept -> void* {
  return allocate_from(pool_kind::paged, size_bytes, owner);
}

void release(void* memory, pool_owner owner) noexcept {
  require_at_most(sim::passive_level, "release");
  if (memory == nullptr) return;
  auto& machine = this_machine();
  forget_locks_in(memory, machine.pool.size_of(memory));
  machine.pool.release(memory, static_cast<std::uint32_t>(owner));
}

auto allocate_contiguous(std::size_t size_bytes, MEMORY_CACHING_TYPE) noexcept
    -> contiguous_memory {
  require_at_most(sim::passive_level, "allocate_contiguous");
  auto& machine = this_machine();
  if (machine.faults.fails(fault_point::contiguous)) return {};
  const auto physical = machine.ram.allocate(pages_of(size_bytes));
  if (physical == 0) return {};
  ++machine.contiguous_blocks;
  return {machine.ram.at(physical), physical, size_bytes};
}

void release_contiguous(contiguous_memory& memory, MEMORY_CACHING_TYPE) noexcept {
  require_at_most(sim::passive_level, "release_contiguous");
  if (!memory) return;
  auto& machine = this_machine();
  if (machine.ram.at(memory.physical) != memory.bytes) {
    stop(stop_code::bad_pool_caller, {0x7, memory.physical, memory.size_bytes, 0},
         "contiguous memory is released that is not allocated");
    return;
  }
  machine.ram.release(memory.physical, pages_of(memory.size_bytes));
  --machine.contiguous_blocks;
  memory = {};
}

auto current_irql() noexcept -> irql {
  return this_thread().level;
}

auto acquire(spin_lock& lock) noexcept -> irql {
  auto& self = this_thread();
  require_at_most(sim::dispatch_level, "acquire");
  if (is_held_here(lock)) {
    stop(stop_code::spin_lock_already_owned, {reinterpret_cast<std::uintptr_t>(&lock), 0, 0, 0},
         "a thread takes a spin lock that it holds");
    return self.level;
  }
  const auto before =
      self.level < sim::dispatch_level ? raise_irql(sim::dispatch_level) : self.level;
  std::vector<const void*> held;
  for (const auto& one : self.locks) held.push_back(one.lock);
  if (!this_machine().locks.note(held, &lock)) {
    stop(stop_code::driver_verifier_detected_violation,
         {0x1001, reinterpret_cast<std::uintptr_t>(&lock), 0, 0},
         "spin locks are taken in two orders: two threads could wait for each other");
  }
  const std::atomic_ref word{lock.word};
  for (std::uint64_t tries = 0; word.exchange(1, std::memory_order_acquire) != 0; ++tries) {
    if (tries == stuck_tries) {
      stop(stop_code::spin_lock_already_owned, {reinterpret_cast<std::uintptr_t>(&lock), 1, 0, 0},
           "a spin lock is never released");
    }
    std::this_thread::yield();
  }
  self.locks.push_back({&lock, before});
  return before;
}

void release(spin_lock& lock, irql before) noexcept {
  auto& self = this_thread();
  for (auto at = self.locks.begin(); at != self.locks.end(); ++at) {
    if (at->lock != &lock) continue;
    if (at->before != before || self.level != sim::dispatch_level) {
      stop(stop_code::irql_not_less_or_equal, {0, self.level, before, at->before},
           "a spin lock is released at another IRQL than it was taken, or to another one");
    }
    const auto to = at->before;
    self.locks.erase(at);
    std::atomic_ref{lock.word}.store(0, std::memory_order_release);
    if (self.level > to) lower_irql(to);
    return;
  }
  stop(stop_code::spin_lock_not_owned, {reinterpret_cast<std::uintptr_t>(&lock), 0, 0, 0},
       "a thread releases a spin lock that it does not hold");
}

auto read_register(const volatile std::uint32_t* at) noexcept -> std::uint32_t {
  return this_machine().bus.read(at);
}

void write_register(volatile std::uint32_t* at, std::uint32_t value) noexcept {
  this_machine().bus.write(at, value);
}

void full_barrier() noexcept {
  // An exchange rather than a fence: the thread sanitizer knows the one and not the other.
  static std::atomic<std::uint32_t> order = 0;
  order.fetch_add(1, std::memory_order_seq_cst);
  auto& machine = this_machine();
  machine.bus.log.add({access_kind::barrier, 0, 0, this_thread().level, machine.clock.now_ns()});
}

auto interrupt_time_100ns() noexcept -> std::uint64_t {
  return this_machine().clock.now_ns() / 100;
}

void sleep_100ns(std::uint64_t interval) noexcept {
  if (this_thread().level > sim::apc_level) {
    stop(stop_code::attempted_switch_from_dpc, {this_thread().level, interval, 0, 0},
         "a thread sleeps above APC_LEVEL or under a spin lock");
    return;
  }
  auto& machine = this_machine();
  if (!machine.config.is_concurrent) return machine.clock.advance(interval * 100);
  std::this_thread::sleep_for(std::chrono::microseconds{50});
}

void enter_critical_region() noexcept {
  if (require_at_most(sim::apc_level, "enter_critical_region")) ++this_thread().critical_regions;
}

void leave_critical_region() noexcept {
  if (require_at_most(sim::apc_level, "leave_critical_region")) --this_thread().critical_regions;
}

auto random_bits() noexcept -> std::uint64_t {
  require_at_most(sim::passive_level, "random_bits");
  return this_machine().random();
}

auto copy_from_user(mutable_bytes to, const void* source) noexcept -> bool {
  require_at_most(sim::passive_level, "copy_from_user");
  auto& machine = this_machine();
  if (machine.faults.fails(fault_point::user_copy)) return false;
  return machine.user.copy(to, source);
}

/// What is too small to be an address at all lies in the user's half.
auto is_kernel_address(const void* address) noexcept -> bool {
  constexpr std::uintptr_t lowest = 0x10000;
  return reinterpret_cast<std::uintptr_t>(address) >= lowest &&
         !this_machine().user.contains(address);
}

auto current_process() noexcept -> process_identity {
  require_at_most(sim::passive_level, "current_process");
  const auto& caller = this_thread();
  return {reinterpret_cast<const void*>(std::uintptr_t{caller.process} + 1),
          caller.process_created};
}

auto is_caller_privileged() noexcept -> bool {
  require_at_most(sim::passive_level, "is_caller_privileged");
  return this_thread().is_privileged;
}

auto section_of_handle(std::uint64_t handle) noexcept -> const void* {
  require_at_most(sim::passive_level, "section_of_handle");
  return this_machine().section(handle);
}

auto map_mdl(PMDL mdl) noexcept -> mdl_mapping {
  require_at_most(sim::dispatch_level, "map_mdl");
  if ((mdl->MdlFlags & (MDL_MAPPED_TO_SYSTEM_VA | MDL_SOURCE_IS_NONPAGED_POOL)) != 0) {
    return {static_cast<std::byte*>(mdl->MappedSystemVa), false};
  }
  auto& machine = this_machine();
  if (machine.faults.fails(fault_point::map_mdl)) return {};
  const auto* const frames = reinterpret_cast<const std::uintptr_t*>(mdl + 1);
  const auto pages = pages_of(std::uint64_t{mdl->ByteOffset} + mdl->ByteCount);
  auto* const view = machine.ram.map({frames, static_cast<std::size_t>(pages)});
  if (view == nullptr) return {};
  ++machine.mdl_mappings;
  return {view + mdl->ByteOffset, true};
}

void unmap_mdl(PMDL mdl, const mdl_mapping& mapping) noexcept {
  require_at_most(sim::dispatch_level, "unmap_mdl");
  if (mapping.bytes == nullptr || !mapping.needs_unmap) return;
  auto& machine = this_machine();
  machine.ram.unmap(mapping.bytes - mdl->ByteOffset,
                    pages_of(std::uint64_t{mdl->ByteOffset} + mdl->ByteCount));
  --machine.mdl_mappings;
}

auto read_registry_dword(const UNICODE_STRING& key, const char* value_name,
                         std::uint32_t& value) noexcept -> bool {
  require_at_most(sim::passive_level, "read_registry_dword");
  return this_machine().registry(narrow(key), value_name, value);
}

auto read_device_dword(PDEVICE_OBJECT, const char* value_name, std::uint32_t& value) noexcept
    -> bool {
  require_at_most(sim::passive_level, "read_device_dword");
  return this_machine().registry(device_registry_key, value_name, value);
}

void write_device_value(PDEVICE_OBJECT, const char* value_name, const_bytes data) noexcept {
  require_at_most(sim::passive_level, "write_device_value");
  this_machine().write_registry(device_registry_key, value_name, data);
}

void start_timer(periodic_timer& timer, std::uint64_t period_100ns) noexcept {
  require_at_most(sim::dispatch_level, "start_timer");
  this_machine().clock.start(timer, period_100ns * 100);
}

void stop_timer(periodic_timer& timer) noexcept {
  require_at_most(sim::passive_level, "stop_timer");
  this_machine().clock.stop(timer);
}

void flush_dpcs() noexcept {
  if (require_at_most(sim::passive_level, "flush_dpcs")) this_machine().interrupts.flush_dpcs();
}

void log(const char* text) noexcept {
  require_at_most(sim::dispatch_level, "log");
  this_machine().log(text);
}

}  // namespace aerogpu::kmd::os
