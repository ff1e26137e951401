// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/window/full_screen.hpp"
#include "drivers/wine/d3d9/window/procedure_hook.hpp"
#include "drivers/wine/d3d9/window/window_handle.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <windows.h>

namespace aerogpu::d3d9::user {
namespace {

LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM word, LPARAM value);

/// Of the device's thread and of the window's. No lock is held while USER is called, which sends
/// messages to either.
struct session {
  full_screen wanted;  ///< Under the table's lock.
  activation_listener listener;
  procedure_hook<WNDPROC> hook{&on_message};
  bool is_unicode = false;
  std::atomic<bool> is_over = true;  ///< Between two: messages only pass.
  std::atomic<bool> is_active = true;
  std::atomic<int> filters = 0;  ///< What we do to the window is not the program's business.
  LONG style = 0;
  LONG extended_style = 0;
};

class filter {
 public:
  explicit filter(session& of) : of_(of) { ++of_.filters; }
  ~filter() { --of_.filters; }
  filter(const filter&) = delete;
  auto operator=(const filter&) -> filter& = delete;

 private:
  session& of_;
};

/// By their focus windows. Never destroyed: messages come until the program's last moment.
struct session_table {
  std::mutex mutex;
  std::map<HWND, std::shared_ptr<session>> all;
};

[[nodiscard]] auto sessions() -> session_table& {
  static auto* const made = new session_table;
  return *made;
}

[[nodiscard]] auto find_session(HWND focus) -> std::shared_ptr<session> {
  auto& table = sessions();
  const std::lock_guard hold{table.mutex};
  const auto found = table.all.find(focus);
  return found != table.all.end() ? found->second : nullptr;
}

[[nodiscard]] auto wanted_of(const session& of) -> full_screen {
  const std::lock_guard hold{sessions().mutex};
  return of.wanted;
}

void want(session& of, const full_screen& wanted) {
  const std::lock_guard hold{sessions().mutex};
  of.wanted = wanted;
}

[[nodiscard]] auto is_same(const size& a, const size& b) -> bool {
  return a.width == b.width && a.height == b.height;
}

void set_display(const size& wanted) {
  if (is_same(display_size(), wanted)) return;
  DEVMODEW mode{};
  mode.dmSize = sizeof mode;
  mode.dmFields = DM_PELSWIDTH | DM_PELSHEIGHT;
  mode.dmPelsWidth = wanted.width;
  mode.dmPelsHeight = wanted.height;
  ChangeDisplaySettingsExW(nullptr, &mode, nullptr, CDS_FULLSCREEN, nullptr);
}

/// To what the user chose.
void restore_display() {
  ChangeDisplaySettingsExW(nullptr, nullptr, nullptr, 0, nullptr);
}

/// Windows leaves the frame as it is: the display shows the back buffer and no window.
void cover_display(const full_screen& wanted) {
  const HWND shown = handle_of(wanted.shown);
  const bool is_hidden = (GetWindowLongW(shown, GWL_STYLE) & WS_VISIBLE) == 0;
  if (IsIconic(shown) != 0) ShowWindow(shown, SW_RESTORE);
  SetWindowPos(shown, is_hidden ? HWND_TOPMOST : HWND_TOP, 0, 0,
               static_cast<int>(wanted.wanted.width), static_cast<int>(wanted.wanted.height),
               SWP_NOACTIVATE);
  if (is_hidden) ShowWindow(shown, SW_SHOW);
}

void on_front(session& of) {
  const auto wanted = wanted_of(of);
  {
    const filter ours{of};
    if (wanted.restores_itself) set_display(wanted.wanted);
    if (wanted.may_change_window) {
      SetWindowPos(handle_of(wanted.shown), nullptr, 0, 0, static_cast<int>(wanted.wanted.width),
                   static_cast<int>(wanted.wanted.height), SWP_NOACTIVATE | SWP_NOZORDER);
    }
  }
  of.is_active = true;
  // The device's end may have restored the display before this set it.
  if (!of.listener.tell(true) && wanted.restores_itself) restore_display();
}

void on_back(session& of) {
  const auto wanted = wanted_of(of);
  {
    const filter ours{of};
    restore_display();
    const HWND shown = handle_of(wanted.shown);
    const bool is_visible = (GetWindowLongW(shown, GWL_STYLE) & WS_VISIBLE) != 0;
    if (wanted.may_change_window && is_visible) ShowWindow(shown, SW_MINIMIZE);
  }
  of.is_active = false;
  static_cast<void>(of.listener.tell(false));
}

[[nodiscard]] auto call_default(const session& of, HWND window, UINT message, WPARAM word,
                                LPARAM value) -> LRESULT {
  return of.is_unicode ? DefWindowProcW(window, message, word, value)
                       : DefWindowProcA(window, message, word, value);
}

void forget(HWND focus) {
  auto& table = sessions();
  const std::lock_guard hold{table.mutex};
  table.all.erase(focus);
}

[[nodiscard]] auto pass_on(session& of, HWND window, UINT message, WPARAM word, LPARAM value)
    -> LRESULT {
  if (message == WM_NCDESTROY) {
    of.listener.clear();
    // No session is left for the device to end.
    if (!of.is_over.exchange(true) && of.is_active) restore_display();
    forget(window);
  }
  const auto before = of.hook.before();
  return of.is_unicode ? CallWindowProcW(before, window, message, word, value)
                       : CallWindowProcA(before, window, message, word, value);
}

LRESULT CALLBACK on_message(HWND window, UINT message, WPARAM word, LPARAM value) {
  constexpr WPARAM command_bits = 0xFFF0;
  const auto of = find_session(window);
  if (of == nullptr) return DefWindowProcW(window, message, word, value);
  if (of->is_over) return pass_on(*of, window, message, word, value);
  const bool is_told = message == WM_DISPLAYCHANGE || message == WM_ACTIVATEAPP;
  const bool is_filtering = of->filters != 0;
  if (is_filtering && !is_told) return call_default(*of, window, message, word, value);
  if (message == WM_ACTIVATEAPP && !is_filtering) {
    if (word != 0)
      on_front(*of);
    else
      on_back(*of);
  }
  // Restored before the program hears of it, whatever it makes of it.
  if (message == WM_SYSCOMMAND && (word & command_bits) == SC_RESTORE)
    static_cast<void>(call_default(*of, window, message, word, value));
  return pass_on(*of, window, message, word, value);
}

struct hooked_window {
  HWND window = nullptr;
  bool is_unicode = false;

  [[nodiscard]] auto procedure() const -> WNDPROC {
    return reinterpret_cast<WNDPROC>(is_unicode ? GetWindowLongPtrW(window, GWLP_WNDPROC)
                                                : GetWindowLongPtrA(window, GWLP_WNDPROC));
  }
  void replace(WNDPROC with) const {
    const auto value = reinterpret_cast<LONG_PTR>(with);
    if (is_unicode)
      SetWindowLongPtrW(window, GWLP_WNDPROC, value);
    else
      SetWindowLongPtrA(window, GWLP_WNDPROC, value);
  }
};

[[nodiscard]] auto add_session(HWND focus) -> std::shared_ptr<session> {
  auto made = std::make_shared<session>();
  made->is_unicode = IsWindowUnicode(focus) != 0;
  auto& table = sessions();
  const std::lock_guard hold{table.mutex};
  table.all[focus] = made;
  return made;
}

void start(session& of, const full_screen& wanted) {
  const HWND focus = handle_of(wanted.focus);
  const HWND shown = handle_of(wanted.shown);
  of.style = GetWindowLongW(shown, GWL_STYLE);
  of.extended_style = GetWindowLongW(shown, GWL_EXSTYLE);
  if (GetForegroundWindow() != focus) {
    SetWindowPos(focus, nullptr, 0, 0, 0, 0, SWP_NOMOVE | SWP_NOSIZE);
    SetForegroundWindow(focus);
  }
  of.hook.enter(hooked_window{focus, of.is_unicode});
  of.is_over = false;
}

/// Direct3D 9Ex leaves a window as visible and as high as it found it.
void restore_window(const session& of, HWND shown) {
  const bool was_visible = (of.style & WS_VISIBLE) != 0;
  const bool was_topmost = (of.extended_style & WS_EX_TOPMOST) != 0;
  SetWindowPos(shown, was_topmost ? HWND_TOPMOST : HWND_NOTOPMOST, 0, 0, 0, 0,
               SWP_NOMOVE | SWP_NOSIZE | SWP_NOACTIVATE |
                   static_cast<UINT>(was_visible ? SWP_SHOWWINDOW : SWP_HIDEWINDOW));
}

}  // namespace

auto display_sizes() -> std::vector<size> {
  std::vector<size> found;
  DEVMODEW mode{};
  mode.dmSize = sizeof mode;
  for (DWORD i = 0; EnumDisplaySettingsW(nullptr, i, &mode) != 0; ++i) {
    const size one{mode.dmPelsWidth, mode.dmPelsHeight};
    const bool is_known = std::any_of(found.begin(), found.end(),
                                      [&](const size& other) { return is_same(one, other); });
    if (!is_known) found.push_back(one);
  }
  return found;
}

auto display_size() -> size {
  DEVMODEW mode{};
  mode.dmSize = sizeof mode;
  if (EnumDisplaySettingsW(nullptr, ENUM_CURRENT_SETTINGS, &mode) == 0) return {};
  return {mode.dmPelsWidth, mode.dmPelsHeight};
}

void enter_full_screen(const full_screen& wanted) {
  auto of = find_session(handle_of(wanted.focus));
  if (of == nullptr) of = add_session(handle_of(wanted.focus));
  want(*of, wanted);
  of->listener.set(wanted.on_activation, wanted.context);
  if (of->is_over) start(*of, wanted);
  const filter ours{*of};
  set_display(wanted.wanted);
  if (wanted.may_change_window) cover_display(wanted);
  of->is_active = true;
}

void leave_full_screen(window focus, const void* context) {
  const HWND handle = handle_of(focus);
  const auto of = find_session(handle);
  if (of == nullptr || of->is_over) return;
  // First: what the window's thread is at meanwhile is not for a device that ends.
  if (!of->listener.clear_of(context)) return;
  const filter ours{*of};
  const auto wanted = wanted_of(*of);
  if (of->is_active) restore_display();
  if (wanted.restores_itself && wanted.may_change_window)
    restore_window(*of, handle_of(wanted.shown));
  // A program that put its procedure in front keeps it, and whatever that calls.
  const bool is_restored = of->hook.leave(hooked_window{handle, of->is_unicode});
  of->is_over = true;
  if (is_restored) forget(handle);
}

auto is_full_screen(window shown) -> bool {
  auto& table = sessions();
  const std::lock_guard hold{table.mutex};
  return std::any_of(table.all.begin(), table.all.end(), [&](const auto& one) {
    return !one.second->is_over && one.second->wanted.shown == shown;
  });
}

}  // namespace aerogpu::d3d9::user
