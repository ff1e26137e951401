// SPDX-License-Identifier: MIT
/// \file Processes, the registry, other drivers and the debugger, as Windows has them.
#include "drivers/win7/kmd/system/os.hpp"
#include "drivers/win7/kmd/windows/ntoskrnl.hpp"
#include "drivers/win7/kmd/windows/subject_token.hpp"

#include <array>

namespace aerogpu::kmd::os {
namespace {

/// An ASCII text as the system takes it. Longer ones are cut: the driver's own are all shorter.
class wide_text {
 public:
  explicit wide_text(const char* text) noexcept {
    std::size_t count = 0;
    for (; text[count] != 0 && count + 1 < buffer_.size(); ++count)
      buffer_[count] = static_cast<WCHAR>(text[count]);
    buffer_[count] = 0;
    const auto bytes = static_cast<USHORT>(count * sizeof(WCHAR));
    string_ = {bytes, static_cast<USHORT>(bytes + sizeof(WCHAR)), buffer_.data()};
  }
  wide_text(const wide_text&) = delete;
  auto operator=(const wide_text&) -> wide_text& = delete;

  [[nodiscard]] auto get() const noexcept -> const UNICODE_STRING* { return &string_; }

 private:
  std::array<WCHAR, 96> buffer_;
  UNICODE_STRING string_;
};

/// An open registry key; closes itself.
class registry_key {
 public:
  registry_key() noexcept = default;
  explicit registry_key(HANDLE key) noexcept : key_(key) {}
  ~registry_key() {
    if (key_ != nullptr) static_cast<void>(ZwClose(key_));
  }
  registry_key(const registry_key&) = delete;
  auto operator=(const registry_key&) -> registry_key& = delete;

  void open(HANDLE root, const UNICODE_STRING& name) noexcept {
    const nt::object_attributes attributes{
        sizeof attributes, root,   &name, nt::obj_case_insensitive | nt::obj_kernel_handle,
        nullptr,           nullptr};
    if (!NT_SUCCESS(ZwOpenKey(&key_, nt::key_read, &attributes))) key_ = nullptr;
  }
  [[nodiscard]] auto get() const noexcept -> HANDLE { return key_; }

  [[nodiscard]] auto read(const char* name, std::uint32_t& value) const noexcept -> bool {
    if (key_ == nullptr) return false;
    const wide_text wide{name};
    nt::key_value_partial_information found{};
    ULONG needed = 0;
    const NTSTATUS status =
        ZwQueryValueKey(key_, wide.get(), nt::key_value_partial, &found, sizeof found, &needed);
    if (!NT_SUCCESS(status) || found.Type != nt::reg_dword) return false;
    if (found.DataLength != sizeof value) return false;
    value = static_cast<std::uint32_t>(found.Data[0]) | std::uint32_t{found.Data[1]} << 8 |
            std::uint32_t{found.Data[2]} << 16 | std::uint32_t{found.Data[3]} << 24;
    return true;
  }

  /// In the subkey `Parameters`, or here.
  [[nodiscard]] auto read_parameter(const char* name, std::uint32_t& value) const noexcept -> bool {
    if (key_ == nullptr) return false;
    const wide_text subkey{"Parameters"};
    registry_key parameters;
    parameters.open(key_, *subkey.get());
    return parameters.read(name, value) || read(name, value);
  }

 private:
  HANDLE key_ = nullptr;
};

}  // namespace

namespace {

/// The first address that no user program has. x86 has it configurable.
auto user_end() noexcept -> std::uintptr_t {
#ifdef __i386__
  return MmUserProbeAddress;
#else
  return 0x7FFFFFF0000;
#endif
}

}  // namespace

auto copy_from_user(mutable_bytes to, const void* source) noexcept -> bool {
  const auto first = reinterpret_cast<std::uintptr_t>(source);
  const std::uintptr_t end = user_end();
  if (first > end || to.size() > end - first) return false;
  if (to.empty()) return true;
  EPROCESS* const process = IoGetCurrentProcess();
  SIZE_T copied = 0;
  const NTSTATUS status =
      MmCopyVirtualMemory(process, source, process, to.data(), to.size(), nt::kernel_mode, &copied);
  return NT_SUCCESS(status) && copied == to.size();
}

auto is_kernel_address(const void* address) noexcept -> bool {
  return reinterpret_cast<std::uintptr_t>(address) > user_end();
}

auto current_process() noexcept -> process_identity {
  EPROCESS* const process = IoGetCurrentProcess();
  return {process, static_cast<std::uint64_t>(PsGetProcessCreateTimeQuadPart(process))};
}

auto is_caller_privileged() noexcept -> bool {
  constexpr LUID debug_privilege{20, 0};
  if (SeSinglePrivilegeCheck(debug_privilege, nt::user_mode) != FALSE) return true;
  nt::security_subject_context subject{};
  SeCaptureSubjectContext(&subject);
  PVOID const token =
      nt::acting_token(subject.ClientToken, subject.ImpersonationLevel, subject.PrimaryToken);
  const bool is_admin = token != nullptr && SeTokenIsAdmin(token) != FALSE;
  SeReleaseSubjectContext(&subject);
  return is_admin;
}

auto section_of_handle(std::uint64_t handle) noexcept -> const void* {
  const auto number = static_cast<std::uintptr_t>(handle);
  if (number != handle) return nullptr;
  PVOID object = nullptr;
  const NTSTATUS status =
      ObReferenceObjectByHandle(reinterpret_cast<HANDLE>(number), nt::section_query,
                                MmSectionObjectType, nt::user_mode, &object, nullptr);
  if (!NT_SUCCESS(status)) return nullptr;
  static_cast<void>(ObfDereferenceObject(object));
  return object;
}

auto read_registry_dword(const UNICODE_STRING& key, const char* value_name,
                         std::uint32_t& value) noexcept -> bool {
  registry_key opened;
  opened.open(nullptr, key);
  return opened.read_parameter(value_name, value);
}

auto read_device_dword(PDEVICE_OBJECT physical_device, const char* value_name,
                       std::uint32_t& value) noexcept -> bool {
  HANDLE handle = nullptr;
  const NTSTATUS status =
      IoOpenDeviceRegistryKey(physical_device, nt::plugplay_device_key, nt::key_read, &handle);
  if (!NT_SUCCESS(status)) return false;
  const registry_key opened{handle};
  return opened.read_parameter(value_name, value);
}

void write_device_value(PDEVICE_OBJECT physical_device, const char* value_name,
                        const_bytes data) noexcept {
  HANDLE handle = nullptr;
  const NTSTATUS status =
      IoOpenDeviceRegistryKey(physical_device, nt::plugplay_driver_key, nt::key_set_value, &handle);
  if (!NT_SUCCESS(status)) return;
  const registry_key opened{handle};
  const wide_text name{value_name};
  static_cast<void>(ZwSetValueKey(opened.get(), name.get(), 0, nt::reg_binary, data.data(),
                                  static_cast<ULONG>(data.size())));
}

auto load_driver(const char* service_path) noexcept -> NTSTATUS {
  const wide_text path{service_path};
  return ZwLoadDriver(path.get());
}

void unload_driver(const char* service_path) noexcept {
  const wide_text path{service_path};
  static_cast<void>(ZwUnloadDriver(path.get()));
}

auto open_device(const char* name, device_connection& device) noexcept -> NTSTATUS {
  const wide_text wide{name};
  FILE_OBJECT* file = nullptr;
  PDEVICE_OBJECT object = nullptr;
  const NTSTATUS status =
      IoGetDeviceObjectPointer(wide.get(), nt::generic_read_write, &file, &object);
  if (NT_SUCCESS(status)) device = {object, file};
  return status;
}

void close_device(device_connection& device) noexcept {
  if (device.file == nullptr) return;
  static_cast<void>(ObfDereferenceObject(device.file));
  device = {};
}

auto internal_ioctl(const device_connection& device, std::uint32_t code,
                    mutable_bytes output) noexcept -> NTSTATUS {
  auto* const object = static_cast<PDEVICE_OBJECT>(device.device);
  nt::event_object event;
  nt::io_status_block result{};
  KeInitializeEvent(&event, nt::notification_event, FALSE);
  IRP* const request =
      IoBuildDeviceIoControlRequest(code, object, nullptr, 0, output.data(),
                                    static_cast<ULONG>(output.size()), TRUE, &event, &result);
  if (request == nullptr) return STATUS_INSUFFICIENT_RESOURCES;
  const NTSTATUS status = IofCallDriver(object, request);
  if (status != STATUS_PENDING) return status;
  static_cast<void>(KeWaitForSingleObject(&event, nt::executive, nt::kernel_mode, FALSE, nullptr));
  return result.Status;
}

void log(const char* text) noexcept {
  static_cast<void>(DbgPrint("%.200s\n", text));
}

}  // namespace aerogpu::kmd::os
