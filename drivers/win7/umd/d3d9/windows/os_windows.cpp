// SPDX-License-Identifier: MIT
#include "aerogpu/core/text.hpp"
#include "drivers/win7/umd/d3d9/core/os.hpp"

#include <array>
#include <cstring>
#include <windows.h>

namespace aerogpu::umd::os {

namespace {

static_assert(sizeof(mutex) == sizeof(SRWLOCK));

auto lock_of(mutex& of) noexcept -> SRWLOCK* {
  return reinterpret_cast<SRWLOCK*>(&of);
}

}  // namespace

void mutex::lock() noexcept {
  AcquireSRWLockExclusive(lock_of(*this));
}
auto mutex::try_lock() noexcept -> bool {
  return TryAcquireSRWLockExclusive(lock_of(*this)) != 0;
}
void mutex::unlock() noexcept {
  ReleaseSRWLockExclusive(lock_of(*this));
}

auto has_process_barrier() noexcept -> bool {
  // Wine answers FlushProcessWriteBuffers, and up to 8.0 does nothing.
  const HMODULE system = GetModuleHandleA("ntdll.dll");
  return system != nullptr && GetProcAddress(system, "wine_get_version") == nullptr;
}
void process_barrier() noexcept {
  FlushProcessWriteBuffers();
}

auto ticks() noexcept -> std::uint64_t {
  LARGE_INTEGER now{};
  static_cast<void>(QueryPerformanceCounter(&now));
  return static_cast<std::uint64_t>(now.QuadPart);
}
auto ticks_per_second() noexcept -> std::uint64_t {
  LARGE_INTEGER frequency{};
  static_cast<void>(QueryPerformanceFrequency(&frequency));
  return static_cast<std::uint64_t>(frequency.QuadPart);
}
auto now_ns() noexcept -> std::uint64_t {
  constexpr std::uint64_t second = 1'000'000'000;
  const std::uint64_t now = ticks();
  const std::uint64_t rate = ticks_per_second();
  if (rate == 0) return std::uint64_t{GetTickCount()} * 1'000'000;
  return now / rate * second + now % rate * second / rate;
}
void sleep_ms(std::uint32_t milliseconds) noexcept {
  Sleep(milliseconds);
}
auto thread_id() noexcept -> std::uint32_t {
  return GetCurrentThreadId();
}
auto process_id() noexcept -> std::uint32_t {
  return GetCurrentProcessId();
}

auto environment(const char* name, std::span<char> out) noexcept -> std::string_view {
  if (out.empty()) return {};
  const DWORD needed = GetEnvironmentVariableA(name, out.data(), static_cast<DWORD>(out.size()));
  if (needed < out.size()) return {out.data(), needed};
  const HANDLE heap = GetProcessHeap();
  auto* const whole = static_cast<char*>(HeapAlloc(heap, 0, needed));
  if (whole == nullptr) return {};
  const DWORD length = GetEnvironmentVariableA(name, whole, needed);
  text_buffer text{out};
  if (length < needed) text.append({whole, length});
  static_cast<void>(HeapFree(heap, 0, whole));
  return text.view();
}

void write_log(std::string_view line) noexcept {
  std::array<char, 512> piece;
  while (!line.empty()) {
    const std::string_view part = line.substr(0, piece.size() - 1);
    std::memcpy(piece.data(), part.data(), part.size());
    piece[part.size()] = '\0';
    OutputDebugStringA(piece.data());
    line.remove_prefix(part.size());
  }
}

void write_trace(std::string_view line, bool to_stderr) noexcept {
  write_log(line);
  if (!to_stderr) return;
  const HANDLE stream = GetStdHandle(STD_ERROR_HANDLE);
  if (stream == nullptr || stream == INVALID_HANDLE_VALUE) return;
  DWORD written = 0;
  static_cast<void>(
      WriteFile(stream, line.data(), static_cast<DWORD>(line.size()), &written, nullptr));
}

auto module_path(std::span<char> out) noexcept -> std::string_view {
  constexpr DWORD by_address =
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  HMODULE self = nullptr;
  const auto* const inside = reinterpret_cast<const char*>(&module_path);
  if (GetModuleHandleExA(by_address, inside, &self) == 0) return {};
  const DWORD size = GetModuleFileNameA(self, out.data(), static_cast<DWORD>(out.size()));
  return {out.data(), size};
}

auto desktop_mode() noexcept -> display_mode {
  DEVMODEA mode{};
  mode.dmSize = sizeof mode;
  if (EnumDisplaySettingsA(nullptr, ENUM_CURRENT_SETTINGS, &mode) == 0) return {};
  return {mode.dmPelsWidth, mode.dmPelsHeight, mode.dmDisplayFrequency};
}

auto ask_window(void* window) noexcept -> window_state {
  const auto handle = static_cast<HWND>(window);
  RECT client{};
  if (handle == nullptr || GetClientRect(handle, &client) == 0) return {};
  const HWND above = GetAncestor(handle, GA_ROOT);
  const HWND root = above != nullptr ? above : handle;
  RECT root_client{};
  const bool is_shown = GetClientRect(root, &root_client) != 0 && IsRectEmpty(&root_client) == 0;
  if (!is_shown) client = {};
  return {.is_known = true,
          .is_iconic = IsIconic(root) != 0,
          .is_visible = IsWindowVisible(handle) != 0,
          .client_width = static_cast<std::uint32_t>(client.right - client.left),
          .client_height = static_cast<std::uint32_t>(client.bottom - client.top)};
}

}  // namespace aerogpu::umd::os
