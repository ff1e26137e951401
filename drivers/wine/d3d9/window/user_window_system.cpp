#include "drivers/wine/d3d9/window/user_window_system.hpp"

#include <utility>

namespace aerogpu::d3d9 {
namespace {

[[nodiscard]] auto to_rect(const user::area& from) -> RECT {
  return {from.left, from.top, from.right, from.bottom};
}
[[nodiscard]] auto to_area(const RECT& from) -> user::area {
  return {static_cast<std::int32_t>(from.left), static_cast<std::int32_t>(from.top),
          static_cast<std::int32_t>(from.right), static_cast<std::int32_t>(from.bottom)};
}

}  // namespace

auto user_window_system::is_window(HWND window) -> bool {
  return user::is_window(window);
}

auto user_window_system::client_area(HWND window) -> std::optional<RECT> {
  user::area found;
  if (!user::client_area(window, found)) return std::nullopt;
  return to_rect(found);
}

auto user_window_system::place(HWND window) -> std::optional<RECT> {
  user::area found;
  if (!user::client_place(window, found)) return std::nullopt;
  return to_rect(found);
}

auto user_window_system::is_occluded(HWND window) -> bool {
  return user::is_minimised(window);
}

auto user_window_system::show(HWND window, const window_picture& picture, const RECT& source,
                              const RECT& destination) -> bool {
  return user::show(window, {picture.texels, picture.width, picture.height, picture.pitch_bytes},
                    to_area(source), to_area(destination));
}

auto user_window_system::read_desktop(std::span<std::byte> texels, UINT width, UINT height)
    -> bool {
  return user::read_desktop(texels.data(), width, height);
}

void user_window_system::enter_full_screen(HWND focus, HWND window, UINT width, UINT height) {
  const auto before = user::make_full_screen(window, width, height);
  user::bring_to_front(focus);
  const std::lock_guard hold{mutex_};
  full_screen_.try_emplace(window, before);
}

void user_window_system::leave_full_screen(HWND, HWND window) {
  user::window_style before;
  {
    const std::lock_guard hold{mutex_};
    const auto found = full_screen_.find(window);
    if (found == full_screen_.end()) return;
    before = found->second;
    full_screen_.erase(found);
  }
  user::restore(window, before);
}

void user_window_system::set_cursor(const cursor_picture& picture) {
  constexpr UINT texel_bytes = 4;
  auto* const made = user::make_cursor(
      {picture.texels.data(), picture.width, picture.height, picture.width * texel_bytes},
      picture.hot_x, picture.hot_y);
  if (made == nullptr) return;
  const std::lock_guard hold{mutex_};
  auto* const before = std::exchange(cursor_, made);
  if (is_cursor_shown_) user::set_cursor(cursor_);
  if (before != nullptr) user::destroy_cursor(before);
}

void user_window_system::set_cursor_position(int x, int y) {
  user::set_cursor_position(x, y);
}

void user_window_system::show_cursor(bool is_shown) {
  const std::lock_guard hold{mutex_};
  is_cursor_shown_ = is_shown;
  user::set_cursor(is_shown ? cursor_ : nullptr);
}

auto user_window_system::monitor() -> HMONITOR {
  return static_cast<HMONITOR>(user::primary_monitor());
}

}  // namespace aerogpu::d3d9
