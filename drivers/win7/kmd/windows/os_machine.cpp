// SPDX-License-Identifier: MIT
/// \file Memory, locks, registers and time, as Windows has them.
#include "drivers/win7/kmd/system/os.hpp"
#include "drivers/win7/kmd/windows/ntoskrnl.hpp"

#include <atomic>
#include <cstring>
#include <new>

namespace aerogpu::kmd::os {
namespace {

constexpr std::size_t pool_alignment = 16;
/// The pool of x86 aligns to 8 only: what it gave is kept before what is handed out.
constexpr std::size_t pool_header = sizeof(void*) == 8 ? 0 : pool_alignment;

auto to_number(void* memory) noexcept -> std::uintptr_t {
  return reinterpret_cast<std::uintptr_t>(memory);
}

auto allocate_from(int pool, std::size_t size_bytes, pool_owner owner) noexcept -> void* {
  const std::size_t whole = size_bytes + pool_header;
  if (whole < size_bytes) return nullptr;
  void* const raw = ExAllocatePoolWithTag(pool, whole, static_cast<ULONG>(owner));
  if (raw == nullptr) return nullptr;
  std::memset(raw, 0, whole);
  if constexpr (pool_header == 0) return raw;
  // 8 or 16 bytes further: there is room for the pointer before it either way.
  const std::uintptr_t aligned = (to_number(raw) + pool_header) & ~(pool_alignment - 1);
  auto* const made = reinterpret_cast<void**>(aligned);
  made[-1] = raw;
  return made;
}

}  // namespace

auto allocate(std::size_t size_bytes, pool_owner owner) noexcept -> void* {
  return allocate_from(nt::non_paged_pool, size_bytes, owner);
}

auto allocate_paged(std::size_t size_bytes, pool_owner owner) noexcept -> void* {
  return allocate_from(nt::paged_pool, size_bytes, owner);
}

void release(void* memory, pool_owner owner) noexcept {
  if (memory == nullptr) return;
  void* const raw = pool_header == 0 ? memory : static_cast<void**>(memory)[-1];
  ExFreePoolWithTag(raw, static_cast<ULONG>(owner));
}

auto allocate_contiguous(std::size_t size_bytes, MEMORY_CACHING_TYPE caching) noexcept
    -> contiguous_memory {
  constexpr LONGLONG anywhere = -1;
  void* const made = MmAllocateContiguousMemorySpecifyCache(size_bytes, 0, anywhere, 0, caching);
  if (made == nullptr) return {};
  std::memset(made, 0, size_bytes);
  return {static_cast<std::byte*>(made), static_cast<std::uint64_t>(MmGetPhysicalAddress(made)),
          size_bytes};
}

void release_contiguous(contiguous_memory& memory, MEMORY_CACHING_TYPE caching) noexcept {
  if (!memory) return;
  MmFreeContiguousMemorySpecifyCache(memory.bytes, memory.size_bytes, caching);
  memory = {};
}

auto current_irql() noexcept -> irql {
#ifdef __i386__
  return KeGetCurrentIrql();
#else
  std::uint64_t level = 0;
  __asm__ volatile("mov %%cr8, %0" : "=r"(level));
  return static_cast<irql>(level);
#endif
}

auto acquire(spin_lock& lock) noexcept -> irql {
  auto* const word = reinterpret_cast<ULONG_PTR*>(&lock.word);
#ifdef __i386__
  return KfAcquireSpinLock(word);
#else
  return KeAcquireSpinLockRaiseToDpc(word);
#endif
}

void release(spin_lock& lock, irql before) noexcept {
  auto* const word = reinterpret_cast<ULONG_PTR*>(&lock.word);
#ifdef __i386__
  KfReleaseSpinLock(word, before);
#else
  KeReleaseSpinLock(word, before);
#endif
}

// Registers are mapped without cache: the processor keeps their order, the fences the compiler's.
auto read_register(const volatile std::uint32_t* at) noexcept -> std::uint32_t {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const std::uint32_t value = *at;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return value;
}

void write_register(volatile std::uint32_t* at, std::uint32_t value) noexcept {
  std::atomic_signal_fence(std::memory_order_seq_cst);
  *at = value;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

void full_barrier() noexcept {
#ifdef __i386__
  // A locked access drains write-combining buffers too; mfence is not on every x86.
  __asm__ volatile("lock; orl $0, (%%esp)" : : : "memory", "cc");
#else
  __asm__ volatile("mfence" : : : "memory");
#endif
}

auto interrupt_time_100ns() noexcept -> std::uint64_t {
#ifdef __i386__
  return KeQueryInterruptTime();
#else
  // KUSER_SHARED_DATA.InterruptTime.
  constexpr std::uintptr_t at = 0xFFFFF78000000008;
  return *reinterpret_cast<const volatile std::uint64_t*>(at);
#endif
}

void sleep_100ns(std::uint64_t interval) noexcept {
  const LONGLONG relative = -static_cast<LONGLONG>(interval);
  static_cast<void>(KeDelayExecutionThread(nt::kernel_mode, FALSE, &relative));
}

void enter_critical_region() noexcept {
  KeEnterCriticalRegion();
}

void leave_critical_region() noexcept {
  KeLeaveCriticalRegion();
}

/// The system has no generator of its own below Windows 8 but that of another driver. Time stamps
/// that interrupts and caches disturb are gathered instead.
auto random_bits() noexcept -> std::uint64_t {
  constexpr int samples = 64;
  std::uint64_t state = interrupt_time_100ns() ^ to_number(&state);
  for (int i = 0; i < samples; ++i) {
    state += __builtin_ia32_rdtsc();
    state += static_cast<std::uint64_t>(KeQueryPerformanceCounter(nullptr)) << 32;
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
    state = (state ^ (state >> 27)) * 0x94D049BB133111EBu;
    state ^= state >> 31;
  }
  return state;
}

namespace {

/// Kernel timers have periods of whole milliseconds, so each tick sets the next one.
struct running_timer {
  nt::timer_object timer;
  nt::dpc_object dpc;
  std::uint64_t period_100ns;
  std::uint64_t due_100ns;
  std::atomic<std::uint32_t> is_running;
};
static_assert(sizeof(running_timer) <= sizeof(periodic_timer::storage));

auto state_of(periodic_timer& timer) noexcept -> running_timer& {
  return *std::launder(reinterpret_cast<running_timer*>(timer.storage));
}

void arm(running_timer& state) noexcept {
  const std::uint64_t now = interrupt_time_100ns();
  state.due_100ns += state.period_100ns;
  // A processor that was away does not make up for what it missed.
  if (state.due_100ns <= now) state.due_100ns = now + state.period_100ns;
  static_cast<void>(
      KeSetTimer(&state.timer, -static_cast<LONGLONG>(state.due_100ns - now), &state.dpc));
}

void NTAPI on_timer(nt::dpc_object*, PVOID context, PVOID, PVOID) {
  auto& timer = *static_cast<periodic_timer*>(context);
  running_timer& state = state_of(timer);
  if (state.is_running == 0) return;
  timer.on_tick(timer.context);
  if (state.is_running != 0) arm(state);
}

}  // namespace

void start_timer(periodic_timer& timer, std::uint64_t period_100ns) noexcept {
  auto& state = *::new (timer.storage) running_timer{};
  state.period_100ns = period_100ns;
  state.due_100ns = interrupt_time_100ns();
  state.is_running = 1;
  KeInitializeTimer(&state.timer);
  KeInitializeDpc(&state.dpc, &on_timer, &timer);
  arm(state);
}

void stop_timer(periodic_timer& timer) noexcept {
  running_timer& state = state_of(timer);
  if (state.is_running.exchange(0) == 0) return;
  // A tick that runs meanwhile may set the timer once more: the second round catches that one.
  for (int i = 0; i < 2; ++i) {
    static_cast<void>(KeCancelTimer(&state.timer));
    flush_dpcs();
  }
}

void flush_dpcs() noexcept {
  KeFlushQueuedDpcs();
}

auto map_mdl(PMDL mdl) noexcept -> mdl_mapping {
  if ((mdl->MdlFlags & (MDL_MAPPED_TO_SYSTEM_VA | MDL_SOURCE_IS_NONPAGED_POOL)) != 0)
    return {static_cast<std::byte*>(mdl->MappedSystemVa), false};
  void* const mapping = MmMapLockedPagesSpecifyCache(mdl, nt::kernel_mode, MmCached, nullptr, FALSE,
                                                     nt::high_page_priority);
  return {static_cast<std::byte*>(mapping), mapping != nullptr};
}

void unmap_mdl(PMDL mdl, const mdl_mapping& mapping) noexcept {
  if (mapping.bytes == nullptr || !mapping.needs_unmap) return;
  MmUnmapLockedPages(mapping.bytes, mdl);
}

auto read_physical(std::uint64_t physical, mutable_bytes to) noexcept -> bool {
  if (to.empty()) return true;
  void* const mapping = MmMapIoSpace(static_cast<LONGLONG>(physical), to.size(), MmCached);
  if (mapping == nullptr) return false;
  std::memcpy(to.data(), mapping, to.size());
  MmUnmapIoSpace(mapping, to.size());
  return true;
}

}  // namespace aerogpu::kmd::os
