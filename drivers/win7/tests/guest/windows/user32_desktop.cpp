// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/guest/windows/user32_desktop.hpp"

#include "drivers/win7/tests/guest/windows/gdi32.hpp"
#include "drivers/win7/tests/guest/windows/registry.hpp"

namespace aerogpu::guest {
namespace {

auto is_ours(const DISPLAY_DEVICEW& display) -> bool {
  constexpr std::wstring_view hardware_id = L"VEN_A3A0&DEV_0001";
  return (display.StateFlags & DISPLAY_DEVICE_ATTACHED_TO_DESKTOP) != 0 &&
         std::wstring_view{display.DeviceID}.find(hardware_id) != std::wstring_view::npos;
}

auto WINAPI run_task(void* with) -> DWORD {
  const task& work = *static_cast<const task*>(with);
  work.run(work.with);
  return 0;
}

}  // namespace

user32_desktop::user32_desktop() : has_thunks_(load_thunks(calls_)) {}

auto user32_desktop::find_display(D3DKMT_OPENADAPTERFROMGDIDISPLAYNAME& named) -> display_search {
  if (!has_thunks_) return display_search::no_thunks;
  if (GetSystemMetrics(SM_REMOTESESSION) != 0) return display_search::remote;
  DISPLAY_DEVICEW display{};
  display.cb = sizeof display;
  for (DWORD i = 0; EnumDisplayDevicesW(nullptr, i, &display, 0) != 0; ++i) {
    if (is_ours(display)) {
      lstrcpynW(display_, display.DeviceName, sizeof display_ / sizeof display_[0]);
      lstrcpynW(named.DeviceName, display_, sizeof display_ / sizeof display_[0]);
      first_ = size();
      return display_search::found;
    }
    display.cb = sizeof display;
  }
  return display_search::absent;
}

auto user32_desktop::now_ns() -> std::uint64_t {
  LARGE_INTEGER ticks{};
  LARGE_INTEGER frequency{};
  QueryPerformanceCounter(&ticks);
  QueryPerformanceFrequency(&frequency);
  constexpr std::uint64_t second_ns = 1'000'000'000;
  const auto count = static_cast<std::uint64_t>(ticks.QuadPart);
  const auto per_second = static_cast<std::uint64_t>(frequency.QuadPart);
  return count / per_second * second_ns + count % per_second * second_ns / per_second;
}

void user32_desktop::sleep_ms(std::uint32_t milliseconds) {
  window_.pump();
  Sleep(milliseconds);
  window_.pump();
}

auto user32_desktop::run_within(std::uint32_t milliseconds, task work) -> bool {
  static task kept;  // The worker reads it after this returned.
  kept = work;
  const HANDLE worker = CreateThread(nullptr, 0, &run_task, &kept, 0, nullptr);
  if (worker == nullptr) return false;
  const bool has_ended = WaitForSingleObject(worker, milliseconds) == WAIT_OBJECT_0;
  CloseHandle(worker);
  return has_ended;
}

void user32_desktop::print(std::string_view text) {
  DWORD written = 0;
  WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), text.data(), static_cast<DWORD>(text.size()), &written,
            nullptr);
}

auto user32_desktop::current_mode() -> DEVMODEW {
  DEVMODEW mode{};
  mode.dmSize = sizeof mode;
  EnumDisplaySettingsW(display_, ENUM_CURRENT_SETTINGS, &mode);
  return mode;
}

auto user32_desktop::size() -> screen_size {
  const DEVMODEW mode = current_mode();
  return {static_cast<std::uint32_t>(mode.dmPelsWidth),
          static_cast<std::uint32_t>(mode.dmPelsHeight)};
}

/// The desktop begins at its first display, which need not be this one.
auto user32_desktop::display_area() -> RECT {
  const DEVMODEW mode = current_mode();
  const POINTL at = mode.dmPosition;
  return {at.x, at.y, at.x + static_cast<LONG>(mode.dmPelsWidth),
          at.y + static_cast<LONG>(mode.dmPelsHeight)};
}

auto user32_desktop::set_mode(screen_size wanted, DWORD flags) -> LONG {
  DEVMODEW mode{};
  mode.dmSize = sizeof mode;
  mode.dmPelsWidth = wanted.width;
  mode.dmPelsHeight = wanted.height;
  mode.dmBitsPerPel = 32;
  mode.dmFields = DM_PELSWIDTH | DM_PELSHEIGHT | DM_BITSPERPEL;
  return ChangeDisplaySettingsExW(display_, &mode, nullptr, flags, nullptr);
}

auto user32_desktop::is_mode_possible(screen_size wanted) -> bool {
  return set_mode(wanted, CDS_TEST) == DISP_CHANGE_SUCCESSFUL;
}

/// For the session alone: what the user chose comes back with the first mode.
auto user32_desktop::change_mode(screen_size wanted) -> bool {
  if (wanted == first_)
    return ChangeDisplaySettingsExW(display_, nullptr, nullptr, 0, nullptr) ==
           DISP_CHANGE_SUCCESSFUL;
  return set_mode(wanted, CDS_FULLSCREEN) == DISP_CHANGE_SUCCESSFUL;
}

auto user32_desktop::set_cursor_shape(const cursor_shape& shape) -> bool {
  return window_.open(shape, display_area());
}

void user32_desktop::move_cursor(std::int32_t x, std::int32_t y) {
  const RECT area = display_area();
  SetCursorPos(area.left + x, area.top + y);
  window_.pump();
}

void user32_desktop::show_cursor(bool is_visible) {
  if (is_visible != is_cursor_hidden_) return;
  ShowCursor(is_visible ? TRUE : FALSE);
  is_cursor_hidden_ = !is_visible;
}

void user32_desktop::restore_cursor() {
  show_cursor(true);
  window_.close();
}

auto user32_desktop::create_section() -> std::uint64_t {
  const HANDLE section =
      CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, 4096, nullptr);
  return reinterpret_cast<std::uintptr_t>(section);
}

void user32_desktop::close_section(std::uint64_t handle) {
  if (handle != 0) CloseHandle(reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(handle)));
}

auto user32_desktop::aperture() -> aperture_setting {
  return read_aperture();
}

}  // namespace aerogpu::guest
