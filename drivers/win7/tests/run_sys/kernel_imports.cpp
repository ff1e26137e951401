// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/run_sys/kernel_imports.hpp"

#include "drivers/sim/kernel/machine/pc.hpp"
#include "drivers/win7/kmd/system/os.hpp"
#include "drivers/win7/kmd/windows/ntoskrnl.hpp"
#include "drivers/win7/tests/run_sys/hardware_access.hpp"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace os = aerogpu::kmd::os;
namespace nt = aerogpu::kmd::nt;

/// What IoBuildDeviceIoControlRequest makes and IofCallDriver sends.
struct IRP {
  ULONG code = 0;
  aerogpu::mutable_bytes output;
  nt::event_object* event = nullptr;
  nt::io_status_block* status = nullptr;
};

namespace aerogpu::run_sys {
namespace {

/// What a fresh kernel page or pool block holds: never zeros that a driver could count on.
constexpr int stale_pattern = 0xCD;
constexpr NTSTATUS object_name_not_found = static_cast<NTSTATUS>(0xC0000034);

std::atomic<int> open_objects = 0;

[[nodiscard]] auto narrow(const UNICODE_STRING& text) -> std::string {
  std::string out;
  for (std::size_t i = 0; i < text.Length / sizeof(WCHAR); ++i)
    out += static_cast<char>(text.Buffer[i]);
  return out;
}

[[nodiscard]] auto lock_of(ULONG_PTR* word) -> os::spin_lock& {
  return *reinterpret_cast<os::spin_lock*>(word);
}

// --- memory ---

auto NTAPI allocate_pool(int type, SIZE_T bytes, ULONG tag) -> PVOID {
  const auto owner = static_cast<os::pool_owner>(tag);
  auto* const memory =
      type == nt::paged_pool ? os::allocate_paged(bytes, owner) : os::allocate(bytes, owner);
  if (memory != nullptr) std::memset(memory, stale_pattern, bytes);
  return memory;
}
void NTAPI free_pool(PVOID memory, ULONG tag) {
  os::release(memory, static_cast<os::pool_owner>(tag));
}
auto NTAPI allocate_contiguous(SIZE_T bytes, LONGLONG, LONGLONG, LONGLONG,
                               MEMORY_CACHING_TYPE caching) -> PVOID {
  const auto made = os::allocate_contiguous(bytes, caching);
  if (made) std::memset(made.bytes, stale_pattern, bytes);
  return made.bytes;
}
auto NTAPI physical_address(PVOID address) -> LONGLONG {
  return static_cast<LONGLONG>(sim::this_machine().ram.physical_of(address));
}
void NTAPI free_contiguous(PVOID memory, SIZE_T bytes, MEMORY_CACHING_TYPE caching) {
  const auto physical = sim::this_machine().ram.physical_of(memory);
  os::contiguous_memory block{static_cast<std::byte*>(memory), physical, bytes};
  os::release_contiguous(block, caching);
}
auto NTAPI map_physical(LONGLONG physical, SIZE_T bytes, MEMORY_CACHING_TYPE) -> PVOID {
  if (!sim::require_at_most(sim::dispatch_level, "MmMapIoSpace")) return nullptr;
  auto* const at = sim::this_machine().ram.at(static_cast<std::uint64_t>(physical), bytes);
  if (at != nullptr) ++open_objects;
  return at;
}
void NTAPI unmap_physical(PVOID, SIZE_T) {
  --open_objects;
}
auto NTAPI map_pages(PMDL mdl, int, MEMORY_CACHING_TYPE, PVOID, ULONG, int) -> PVOID {
  return os::map_mdl(mdl).bytes;
}
void NTAPI unmap_pages(PVOID address, PMDL mdl) {
  os::unmap_mdl(mdl, {static_cast<std::byte*>(address), true});
}
auto NTAPI copy_virtual(EPROCESS*, const void* from, EPROCESS*, PVOID to, SIZE_T bytes, int,
                        SIZE_T* copied) -> NTSTATUS {
  constexpr NTSTATUS partial_copy = static_cast<NTSTATUS>(0x8000000D);
  *copied = 0;
  if (!os::copy_from_user({static_cast<std::byte*>(to), bytes}, from)) return partial_copy;
  *copied = bytes;
  return STATUS_SUCCESS;
}
#ifdef __i386__
ULONG_PTR user_probe_address = static_cast<ULONG_PTR>(sim::host_memory::user_end);
#endif
auto NTAPI current_process() -> EPROCESS* {
  return reinterpret_cast<EPROCESS*>(&sim::this_machine());
}
auto NTAPI process_create_time(EPROCESS*) -> LONGLONG {
  return 1;
}

// --- locks, time ---

auto AEROGPU_FASTCALL acquire_lock(ULONG_PTR* word) -> UCHAR {
  return os::acquire(lock_of(word));
}
void AEROGPU_FASTCALL release_lock(ULONG_PTR* word, UCHAR before) {
  os::release(lock_of(word), before);
}
#ifdef __i386__
auto NTAPI current_irql() -> UCHAR {
  return static_cast<UCHAR>(read_irql());
}
auto NTAPI interrupt_time() -> ULONGLONG {
  ++counts().clock_reads;
  return os::interrupt_time_100ns();
}
#endif
void NTAPI enter_region() {
  os::enter_critical_region();
}
void NTAPI leave_region() {
  os::leave_critical_region();
}
auto NTAPI delay(int, BOOLEAN, const LONGLONG* interval) -> NTSTATUS {
  os::sleep_100ns(static_cast<std::uint64_t>(-*interval));
  return STATUS_SUCCESS;
}
auto NTAPI performance_counter(LONGLONG* frequency) -> LONGLONG {
  constexpr LONGLONG per_second = 10'000'000;
  if (frequency != nullptr) *frequency = per_second;
  return static_cast<LONGLONG>(os::interrupt_time_100ns());
}

/// What the opaque objects hold here.
struct dpc_state {
  nt::dpc_routine* routine = nullptr;
  PVOID context = nullptr;
};
struct timer_state {
  std::uint64_t event = 0;  ///< Of the clock; 0: not set.
};
struct event_state {
  IRP* request = nullptr;
};
template <class State, class Object>
[[nodiscard]] auto state_of(Object* object) -> State& {
  static_assert(sizeof(State) <= sizeof(Object));
  return *reinterpret_cast<State*>(object->bytes);
}

void NTAPI initialize_timer(nt::timer_object* timer) {
  state_of<timer_state>(timer) = {};
}
void NTAPI initialize_dpc(nt::dpc_object* dpc, nt::dpc_routine* routine, PVOID context) {
  state_of<dpc_state>(dpc) = {routine, context};
}
void expire(nt::timer_object* timer, nt::dpc_object* dpc) {
  state_of<timer_state>(timer).event = 0;
  --open_objects;
  const auto& state = state_of<dpc_state>(dpc);
  const sim::irql_scope raised{sim::dispatch_level};
  state.routine(dpc, state.context, nullptr, nullptr);
}
auto NTAPI cancel_timer(nt::timer_object* timer) -> BOOLEAN {
  auto& state = state_of<timer_state>(timer);
  if (state.event == 0) return FALSE;
  sim::this_machine().clock.cancel(state.event);
  state.event = 0;
  --open_objects;
  return TRUE;
}
auto NTAPI set_timer(nt::timer_object* timer, LONGLONG due, nt::dpc_object* dpc) -> BOOLEAN {
  if (!sim::require_at_most(sim::dispatch_level, "KeSetTimer")) return FALSE;
  const BOOLEAN was_set = cancel_timer(timer);
  auto& clock = sim::this_machine().clock;
  const auto at = clock.now_ns() + static_cast<std::uint64_t>(-due) * 100;
  state_of<timer_state>(timer).event = clock.at(at, [timer, dpc] { expire(timer, dpc); });
  ++open_objects;
  return was_set;
}
/// Ticks run on the thread that lets time pass: none is under way here.
void NTAPI flush_dpcs() {
  os::flush_dpcs();
}

// --- registry ---

using key_path = std::string;

[[nodiscard]] auto open_path(key_path path) -> HANDLE {
  ++open_objects;
  return new key_path(std::move(path));
}
auto NTAPI open_key(HANDLE* key, ULONG, const nt::object_attributes* attributes) -> NTSTATUS {
  if (!sim::require_at_most(sim::passive_level, "ZwOpenKey")) return STATUS_INVALID_PARAMETER;
  auto name = narrow(*attributes->ObjectName);
  if (attributes->RootDirectory != nullptr)
    name = *static_cast<const key_path*>(attributes->RootDirectory) + '\\' + name;
  *key = open_path(std::move(name));
  return STATUS_SUCCESS;
}
auto NTAPI open_device_key(PDEVICE_OBJECT, ULONG, ULONG, HANDLE* key) -> NTSTATUS {
  if (!sim::require_at_most(sim::passive_level, "IoOpenDeviceRegistryKey"))
    return STATUS_INVALID_PARAMETER;
  *key = open_path(sim::device_registry_key);
  return STATUS_SUCCESS;
}
auto NTAPI query_value(HANDLE key, const UNICODE_STRING* name, int, PVOID information, ULONG bytes,
                       ULONG* needed) -> NTSTATUS {
  if (!sim::require_at_most(sim::passive_level, "ZwQueryValueKey")) return STATUS_INVALID_PARAMETER;
  std::uint32_t value = 0;
  const auto& path = *static_cast<const key_path*>(key);
  if (!sim::this_machine().registry(path, narrow(*name), value)) return object_name_not_found;
  constexpr ULONG whole = offsetof(nt::key_value_partial_information, Data) + sizeof value;
  *needed = whole;
  if (bytes < whole) return STATUS_BUFFER_TOO_SMALL;
  auto& out = *static_cast<nt::key_value_partial_information*>(information);
  out.TitleIndex = 0;
  out.Type = nt::reg_dword;
  out.DataLength = sizeof value;
  std::memcpy(out.Data, &value, sizeof value);
  return STATUS_SUCCESS;
}
auto NTAPI set_value(HANDLE key, const UNICODE_STRING* name, ULONG, ULONG type, const void* data,
                     ULONG bytes) -> NTSTATUS {
  if (!sim::require_at_most(sim::passive_level, "ZwSetValueKey") || type != nt::reg_binary)
    return STATUS_INVALID_PARAMETER;
  sim::this_machine().write_registry(*static_cast<const key_path*>(key), narrow(*name),
                                     {static_cast<const std::byte*>(data), bytes});
  return STATUS_SUCCESS;
}
auto NTAPI close_handle(HANDLE handle) -> NTSTATUS {
  delete static_cast<key_path*>(handle);
  --open_objects;
  return STATUS_SUCCESS;
}

// --- other drivers ---

auto NTAPI load_driver(const UNICODE_STRING* service) -> NTSTATUS {
  return os::load_driver(narrow(*service).c_str());
}
auto NTAPI unload_driver(const UNICODE_STRING* service) -> NTSTATUS {
  os::unload_driver(narrow(*service).c_str());
  return STATUS_SUCCESS;
}
auto NTAPI open_device(const UNICODE_STRING* name, ULONG, FILE_OBJECT** file,
                       PDEVICE_OBJECT* device) -> NTSTATUS {
  os::device_connection opened;
  const auto status = os::open_device(narrow(*name).c_str(), opened);
  *file = static_cast<FILE_OBJECT*>(opened.file);
  *device = static_cast<PDEVICE_OBJECT>(opened.device);
  return status;
}
auto AEROGPU_FASTCALL dereference(PVOID object) -> LONG_PTR {
  auto& services = sim::this_machine().services;
  os::device_connection device{object, object};
  if (object == &services) os::close_device(device);
  return 0;
}
void NTAPI initialize_event(nt::event_object* event, int, BOOLEAN) {
  state_of<event_state>(event) = {};
}
auto NTAPI build_request(ULONG code, PDEVICE_OBJECT, PVOID, ULONG, PVOID output, ULONG output_bytes,
                         BOOLEAN, nt::event_object* event, nt::io_status_block* status) -> IRP* {
  ++open_objects;
  return new IRP{code, {static_cast<std::byte*>(output), output_bytes}, event, status};
}
/// The answer is always late, which is the longer way through the driver.
auto AEROGPU_FASTCALL call_driver(PDEVICE_OBJECT, IRP* request) -> NTSTATUS {
  state_of<event_state>(request->event).request = request;
  return STATUS_PENDING;
}
auto NTAPI wait(PVOID object, int, int, BOOLEAN, const LONGLONG*) -> NTSTATUS {
  auto& state = state_of<event_state>(static_cast<nt::event_object*>(object));
  const std::unique_ptr<IRP> request{std::exchange(state.request, nullptr)};
  if (request == nullptr) {
    sim::stop(sim::stop_code::driver_verifier_detected_violation, {},
              "the driver waits for an event that nobody sets");
    return STATUS_SUCCESS;
  }
  --open_objects;
  request->status->Status = os::internal_ioctl({}, request->code, request->output);
  return STATUS_SUCCESS;
}

// --- the caller's rights and handles, the debugger ---

PVOID section_type_object = nullptr;
/// What ntoskrnl exports: a variable that holds the object type's address.
PVOID section_type = &section_type_object;

auto NTAPI reference_by_handle(HANDLE handle, ULONG, PVOID type, int, PVOID* object, PVOID)
    -> NTSTATUS {
  if (type != section_type) return STATUS_INVALID_PARAMETER;
  const auto* const found = os::section_of_handle(reinterpret_cast<std::uintptr_t>(handle));
  *object = const_cast<void*>(found);
  return found != nullptr ? STATUS_SUCCESS : STATUS_INVALID_HANDLE;
}
void NTAPI capture_subject(nt::security_subject_context* context) {
  *context = {};
  context->PrimaryToken = &sim::this_thread();
  ++open_objects;
}
void NTAPI release_subject(nt::security_subject_context*) {
  --open_objects;
}
auto NTAPI is_admin(PVOID) -> BOOLEAN {
  return os::is_caller_privileged() ? BOOLEAN{TRUE} : BOOLEAN{FALSE};
}
auto NTAPI has_privilege(LUID, int) -> BOOLEAN {
  return os::is_caller_privileged() ? BOOLEAN{TRUE} : BOOLEAN{FALSE};
}
__attribute__((format(gnu_printf, 1, 2))) auto debug_print(const char* format, ...) -> ULONG {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  auto end = std::strlen(text);
  if (end != 0 && text[end - 1] == '\n') text[end - 1] = 0;
  os::log(text);
  return 0;
}

struct replacement {
  const char* name;
  void* address;
};
template <class Function>
[[nodiscard]] auto entry(const char* name, Function* function) -> replacement {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace

auto find_kernel_import(const char* name) noexcept -> void* {
  static const replacement all[] = {
      entry("DbgPrint", &debug_print),
      entry("ExAllocatePoolWithTag", &allocate_pool),
      entry("ExFreePoolWithTag", &free_pool),
      entry("IoBuildDeviceIoControlRequest", &build_request),
      entry("IoGetCurrentProcess", &current_process),
      entry("IoGetDeviceObjectPointer", &open_device),
      entry("IoOpenDeviceRegistryKey", &open_device_key),
      entry("IofCallDriver", &call_driver),
      entry("KeCancelTimer", &cancel_timer),
      entry("KeDelayExecutionThread", &delay),
      entry("KeEnterCriticalRegion", &enter_region),
      entry("KeFlushQueuedDpcs", &flush_dpcs),
      entry("KeInitializeDpc", &initialize_dpc),
      entry("KeInitializeEvent", &initialize_event),
      entry("KeInitializeTimer", &initialize_timer),
      entry("KeLeaveCriticalRegion", &leave_region),
      entry("KeQueryPerformanceCounter", &performance_counter),
      entry("KeSetTimer", &set_timer),
      entry("KeWaitForSingleObject", &wait),
      entry("MmAllocateContiguousMemorySpecifyCache", &allocate_contiguous),
      entry("MmCopyVirtualMemory", &copy_virtual),
      entry("MmFreeContiguousMemorySpecifyCache", &free_contiguous),
      entry("MmGetPhysicalAddress", &physical_address),
      entry("MmMapIoSpace", &map_physical),
      entry("MmMapLockedPagesSpecifyCache", &map_pages),
      entry("MmSectionObjectType", &section_type),
      entry("MmUnmapIoSpace", &unmap_physical),
      entry("MmUnmapLockedPages", &unmap_pages),
      entry("ObReferenceObjectByHandle", &reference_by_handle),
      entry("ObfDereferenceObject", &dereference),
      entry("PsGetProcessCreateTimeQuadPart", &process_create_time),
      entry("SeCaptureSubjectContext", &capture_subject),
      entry("SeReleaseSubjectContext", &release_subject),
      entry("SeSinglePrivilegeCheck", &has_privilege),
      entry("SeTokenIsAdmin", &is_admin),
      entry("ZwClose", &close_handle),
      entry("ZwLoadDriver", &load_driver),
      entry("ZwOpenKey", &open_key),
      entry("ZwQueryValueKey", &query_value),
      entry("ZwSetValueKey", &set_value),
      entry("ZwUnloadDriver", &unload_driver),
#ifdef __i386__
      entry("KeGetCurrentIrql", &current_irql),
      entry("KeQueryInterruptTime", &interrupt_time),
      entry("KfAcquireSpinLock", &acquire_lock),
      entry("KfReleaseSpinLock", &release_lock),
      entry("MmUserProbeAddress", &user_probe_address),
#else
      entry("KeAcquireSpinLockRaiseToDpc", &acquire_lock),
      entry("KeReleaseSpinLock", &release_lock),
#endif
      entry("memcmp", &std::memcmp),
      entry("memcpy", &std::memcpy),
      entry("memmove", &std::memmove),
      entry("memset", &std::memset),
  };
  for (const auto& one : all) {
    if (std::strcmp(one.name, name) == 0) return one.address;
  }
  return nullptr;
}

auto open_kernel_objects() noexcept -> int {
  return open_objects.load();
}

}  // namespace aerogpu::run_sys
