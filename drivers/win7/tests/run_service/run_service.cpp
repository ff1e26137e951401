// SPDX-License-Identifier: MIT
/// \file run_service.exe AEROGPU.sys DXGKRNL.sys miniport|dxgkrnl: both as services, in that order.
///
/// `miniport` starts aerogpu.sys alone, which has to load dxgkrnl; `dxgkrnl` starts that first. The
/// last line says that all went well; the exit status alone says nothing under Wine.
#include "drivers/win7/tests/run_service/control.hpp"
#include "drivers/win7/tests/run_service/host_windows.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <windows.h>

namespace {

using namespace aerogpu::run_service;

constexpr int usage_status = 2;
constexpr char miniport_name[] = "aerogpu";
constexpr char dxgkrnl_name[] = "DXGKrnl";
/// Services of one group share a process.
constexpr char group[] = "Video";

[[nodiscard]] auto read_report() -> std::string {
  std::string text;
  const auto file = CreateFileA(report_file, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                nullptr, OPEN_EXISTING, 0, nullptr);
  if (file == INVALID_HANDLE_VALUE) return text;
  char part[4096];
  DWORD bytes = 0;
  while (ReadFile(file, part, sizeof part, &bytes, nullptr) != FALSE && bytes != 0)
    text.append(part, bytes);
  CloseHandle(file);
  return text;
}

[[noreturn]] void give_up(const char* what) {
  const auto error = GetLastError();
  std::fputs(read_report().c_str(), stdout);
  std::printf("run_service: %s, error %lu\n", what, error);
  std::fflush(stdout);
  std::_Exit(1);
}

/// What an earlier run left behind when it did not come to its end.
void remove_service(SC_HANDLE manager, const char* name) {
  const auto left = OpenServiceA(manager, name, SERVICE_ALL_ACCESS);
  if (left == nullptr) return;
  DeleteService(left);
  CloseServiceHandle(left);
}

[[nodiscard]] auto create_service(SC_HANDLE manager, const char* name, const char* path)
    -> SC_HANDLE {
  remove_service(manager, name);
  const auto made = CreateServiceA(manager, name, name, SERVICE_ALL_ACCESS, SERVICE_KERNEL_DRIVER,
                                   SERVICE_DEMAND_START, SERVICE_ERROR_NORMAL, path, group, nullptr,
                                   nullptr, nullptr, nullptr);
  if (made == nullptr) give_up("a service cannot be made");
  return made;
}

void write_registry() {
  const auto path = std::string{device_key} + R"(\Parameters)";
  HKEY key = nullptr;
  const DWORD value = aperture_mib;
  if (RegCreateKeyExA(HKEY_LOCAL_MACHINE, path.c_str(), 0, nullptr, 0, KEY_ALL_ACCESS, nullptr,
                      &key, nullptr) != ERROR_SUCCESS)
    give_up("the device's key cannot be made");
  if (RegSetValueExA(key, aperture_value, 0, REG_DWORD, reinterpret_cast<const BYTE*>(&value),
                     sizeof value) != ERROR_SUCCESS)
    give_up("the device's value cannot be written");
  RegCloseKey(key);
}

void start(SC_HANDLE service, const char* what) {
  if (StartServiceA(service, 0, nullptr) == FALSE) give_up(what);
}
void stop(SC_HANDLE service, const char* what) {
  SERVICE_STATUS status{};
  if (ControlService(service, SERVICE_CONTROL_STOP, &status) == FALSE) give_up(what);
}

[[nodiscard]] auto open_dxgkrnl() -> HANDLE {
  const auto opened = CreateFileA(R"(\\.\AeroGpuDxgKrnl)", GENERIC_READ | GENERIC_WRITE, 0, nullptr,
                                  OPEN_EXISTING, 0, nullptr);
  if (opened == INVALID_HANDLE_VALUE) give_up("dxgkrnl's link cannot be opened");
  return opened;
}

void run(SC_HANDLE miniport, SC_HANDLE dxgkrnl, bool is_dxgkrnl_first) {
  if (is_dxgkrnl_first) start(dxgkrnl, "dxgkrnl does not start");
  start(miniport, "aerogpu.sys does not start");
  const auto device = open_dxgkrnl();
  DWORD bytes = 0;
  if (DeviceIoControl(device, control_run, nullptr, 0, nullptr, 0, &bytes, nullptr) == FALSE)
    give_up("the kernel's process ended while the driver ran");
  CloseHandle(device);
  stop(miniport, "aerogpu.sys does not stop");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fputs("usage: run_service.exe AEROGPU.sys DXGKRNL.sys miniport|dxgkrnl\n", stderr);
    return usage_status;
  }
  const auto manager = OpenSCManagerA(nullptr, nullptr, SC_MANAGER_ALL_ACCESS);
  if (manager == nullptr) give_up("there is no service manager");
  DeleteFileA(report_file);
  write_registry();
  const auto miniport = create_service(manager, miniport_name, arguments[1]);
  const auto dxgkrnl = create_service(manager, dxgkrnl_name, arguments[2]);
  run(miniport, dxgkrnl, std::string{arguments[3]} == "dxgkrnl");
  const auto text = read_report();
  for (const auto service : {miniport, dxgkrnl}) {
    DeleteService(service);
    CloseServiceHandle(service);
  }
  std::fputs(text.c_str(), stdout);
  const auto wanted = std::string{report_closing_line} + '\n';
  if (!text.ends_with(wanted)) return 1;
  std::puts("aerogpu.sys ran as a service to the end");
  std::fflush(stdout);
  return 0;
}
