// SPDX-License-Identifier: MIT
/// \file What the driver asks of the operating system besides dxgkrnl's callbacks.
///
/// One declaration, two definitions: os_windows.cpp calls ntoskrnl and hal, the simulator's os.cpp
/// checks IRQLs and counts. Nothing else in the driver knows an operating system (kmd.md 0.2).
/// Each line states the highest IRQL at which it may be called.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/ddi.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd::os {

/// Who holds pool memory: each has a tag of its own, so that a leak has a name.
enum class pool_owner : std::uint32_t {
  adapter = 0x61554741,     // 'AGUa'
  device = 0x64554741,      // 'AGUd'
  context = 0x63554741,     // 'AGUc'
  allocation = 0x6C554741,  // 'AGUl'
  opening = 0x6F554741,     // 'AGUo'
  aperture = 0x70554741,    // 'AGUp'
  queue = 0x71554741,       // 'AGUq'
  tokens = 0x74554741,      // 'AGUt'
};

/// Zeroed non-paged memory, 16-byte aligned; nullptr when there is none. PASSIVE.
[[nodiscard]] auto allocate(std::size_t size_bytes, pool_owner owner) noexcept -> void*;
/// The same of memory that may be paged out: for what is used at PASSIVE alone. PASSIVE.
[[nodiscard]] auto allocate_paged(std::size_t size_bytes, pool_owner owner) noexcept -> void*;
/// Of either. nullptr is ignored. PASSIVE.
void release(void* memory, pool_owner owner) noexcept;

/// Physically contiguous, page-aligned, zeroed memory; the device sees it at `physical`.
struct contiguous_memory {
  std::byte* bytes = nullptr;
  std::uint64_t physical = 0;
  std::size_t size_bytes = 0;

  [[nodiscard]] explicit operator bool() const noexcept { return bytes != nullptr; }
  [[nodiscard]] auto span() const noexcept -> mutable_bytes { return {bytes, size_bytes}; }
};
/// Empty when there is none. PASSIVE.
[[nodiscard]] auto allocate_contiguous(std::size_t size_bytes, MEMORY_CACHING_TYPE caching) noexcept
    -> contiguous_memory;
/// Leaves `memory` empty; empty memory is ignored. PASSIVE.
void release_contiguous(contiguous_memory& memory, MEMORY_CACHING_TYPE caching) noexcept;

using irql = unsigned char;
inline constexpr irql passive_level = 0;
inline constexpr irql dispatch_level = 2;
/// The level of the calling processor. Any.
[[nodiscard]] auto current_irql() noexcept -> irql;

/// A spin lock's storage. Zero is unlocked.
struct spin_lock {
  std::uintptr_t word = 0;
};
/// Raises to DISPATCH; gives the level to return to. DISPATCH.
[[nodiscard]] auto acquire(spin_lock& lock) noexcept -> irql;
void release(spin_lock& lock, irql before) noexcept;

/// 32-bit accesses to device registers, in program order. Any.
[[nodiscard]] auto read_register(const volatile std::uint32_t* at) noexcept -> std::uint32_t;
void write_register(volatile std::uint32_t* at, std::uint32_t value) noexcept;
/// Orders all earlier stores, write-combined ones too, before all later accesses. Any.
void full_barrier() noexcept;

/// Time since boot in units of 100 ns, that goes on during interrupts. Any.
[[nodiscard]] auto interrupt_time_100ns() noexcept -> std::uint64_t;
/// Gives up the processor. PASSIVE.
void sleep_100ns(std::uint64_t interval) noexcept;
/// Until it leaves, the calling thread is neither suspended nor ended. They nest. PASSIVE.
void enter_critical_region() noexcept;
void leave_critical_region() noexcept;
/// 64 bits that no guest program can foretell. PASSIVE.
[[nodiscard]] auto random_bits() noexcept -> std::uint64_t;

/// Copies from memory of the calling process, which may vanish or change meanwhile; false when
/// some of it cannot be read, and then `to` holds anything. PASSIVE, APCs enabled.
[[nodiscard]] auto copy_from_user(mutable_bytes to, const void* source) noexcept -> bool;
/// Whether the pointer lies in the kernel's half of the address space. Any.
[[nodiscard]] auto is_kernel_address(const void* address) noexcept -> bool;
/// A process, for comparison alone. One that comes later may get the address of one that ended, and
/// was then created later.
struct process_identity {
  const void* object = nullptr;
  std::uint64_t created = 0;
  friend auto operator==(const process_identity&, const process_identity&) -> bool = default;
};
/// The calling process. PASSIVE.
[[nodiscard]] auto current_process() noexcept -> process_identity;
/// Whether the calling process is an administrator's or holds SeDebugPrivilege. PASSIVE.
[[nodiscard]] auto is_caller_privileged() noexcept -> bool;
/// The section object behind a handle of the calling process, for comparison alone; nullptr when it
/// is none. PASSIVE.
[[nodiscard]] auto section_of_handle(std::uint64_t handle) noexcept -> const void*;

/// The pages of an MDL in kernel space, from its first byte; nullptr when the system has no room.
/// `needs_unmap` says whether `unmap` must be called. DISPATCH.
struct mdl_mapping {
  std::byte* bytes = nullptr;
  bool needs_unmap = false;
};
[[nodiscard]] auto map_mdl(PMDL mdl) noexcept -> mdl_mapping;
void unmap_mdl(PMDL mdl, const mdl_mapping& mapping) noexcept;

/// A REG_DWORD below a registry path, or below its subkey `Parameters`; false when there is none of
/// that type. PASSIVE.
[[nodiscard]] auto read_registry_dword(const UNICODE_STRING& key, const char* value_name,
                                       std::uint32_t& value) noexcept -> bool;
/// As above, in the hardware key of a device. PASSIVE.
[[nodiscard]] auto read_device_dword(PDEVICE_OBJECT physical_device, const char* value_name,
                                     std::uint32_t& value) noexcept -> bool;

/// A REG_BINARY in the software key of a device, which is made or replaced; a failure leaves it.
/// PASSIVE.
void write_device_value(PDEVICE_OBJECT physical_device, const char* value_name,
                        const_bytes data) noexcept;

/// A timer that calls `on_tick(context)` at DISPATCH every `period_100ns` until it is stopped.
struct periodic_timer {
  void (*on_tick)(void* context) = nullptr;
  void* context = nullptr;
  alignas(16) std::byte storage[192]{};  ///< The system's timer and DPC objects.
};
/// PASSIVE or DISPATCH. `timer` must not move while it runs.
void start_timer(periodic_timer& timer, std::uint64_t period_100ns) noexcept;
/// Waits until no tick runs any more. PASSIVE.
void stop_timer(periodic_timer& timer) noexcept;

/// Waits until no DPC that was queued before runs any more, on any processor. PASSIVE.
void flush_dpcs() noexcept;

/// Another driver, by its service's registry path. STATUS_IMAGE_ALREADY_LOADED is no success, but
/// says that it is there. PASSIVE.
[[nodiscard]] auto load_driver(const char* service_path) noexcept -> NTSTATUS;
void unload_driver(const char* service_path) noexcept;

/// Another driver's device, held by a reference on its file object.
struct device_connection {
  void* device = nullptr;
  void* file = nullptr;
};
/// For reading and writing. PASSIVE.
[[nodiscard]] auto open_device(const char* name, device_connection& device) noexcept -> NTSTATUS;
/// Drops the reference. PASSIVE.
void close_device(device_connection& device) noexcept;
/// Sends IRP_MJ_INTERNAL_DEVICE_CONTROL without input and waits. PASSIVE.
[[nodiscard]] auto internal_ioctl(const device_connection& device, std::uint32_t code,
                                  mutable_bytes output) noexcept -> NTSTATUS;

/// Copies RAM by its physical address, for debugging; false when it cannot be mapped. PASSIVE.
[[nodiscard]] auto read_physical(std::uint64_t physical, mutable_bytes to) noexcept -> bool;

/// A line for a kernel debugger; at most 200 characters are shown. DISPATCH.
void log(const char* text) noexcept;

}  // namespace aerogpu::kmd::os
