// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/window/user_window_system.hpp"

#include "drivers/wine/d3d9/window/full_screen.hpp"
#include "drivers/wine/d3d9/window/picture_thread.hpp"
#include "drivers/wine/d3d9/window/user.hpp"

#include <chrono>
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

void tell(void* listener, bool is_active) {
  static_cast<full_screen_listener*>(listener)->on_activation(is_active);
}

class section_share final : public published_share {
 public:
  explicit section_share(const user::share_object& object)
      : published_share(object.handle), object_(object) {}
  ~section_share() override { user::close_share(object_); }

 private:
  user::share_object object_;
};

}  // namespace

auto user_share_handles::publish(D3DKMT_HANDLE share) -> std::unique_ptr<published_share> {
  const auto object = user::publish_share(share);
  if (object.handle == nullptr) return nullptr;
  return std::make_unique<section_share>(object);
}

auto user_share_handles::find(HANDLE handle) -> D3DKMT_HANDLE {
  return user::find_share(handle);
}

auto user_window_system::now_ns() -> std::optional<std::uint64_t> {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

auto user_window_system::shares() -> share_handles& {
  static const bool are_global = user::has_global_shares();
  return are_global ? window_system::shares() : shares_;
}

auto user_bitmap_contexts::open(const bitmap_memory& over) -> std::optional<bitmap_context> {
  const auto made = user::open_memory_context(over.texels, static_cast<std::uint32_t>(over.format),
                                              over.width, over.height, over.pitch_bytes);
  if (made.context == nullptr) return std::nullopt;
  return bitmap_context{static_cast<HDC>(made.context), made.bitmap};
}

void user_bitmap_contexts::close(const bitmap_context& gone) {
  user::close_memory_context({gone.context, gone.bitmap});
}

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

/// Full-screen, what Windows shows is no window: the frame is covered too.
auto user_window_system::show(HWND window, const window_picture& picture, const RECT& source,
                              const RECT& destination) -> bool {
  const user::picture shown{picture.texels, picture.width, picture.height, picture.pitch_bytes};
  user::area whole;
  if (user::is_full_screen(window) && user::whole_size(window, whole))
    return user::show(window, user::window_part::whole, shown, to_area(source), whole);
  return user::show(window, user::window_part::client, shown, to_area(source),
                    to_area(destination));
}

auto user_window_system::watch(picture_listener& listener) -> std::unique_ptr<picture_watch> {
  return std::make_unique<picture_thread>(listener);
}

auto user_window_system::read_desktop(std::span<std::byte> texels, UINT width, UINT height)
    -> bool {
  return user::read_desktop(texels.data(), width, height);
}

auto user_window_system::display_sizes() -> std::vector<display_size> {
  std::vector<display_size> found;
  for (const auto& one : user::display_sizes()) found.push_back({one.width, one.height});
  return found;
}

auto user_window_system::current_display_size() -> std::optional<display_size> {
  const auto found = user::display_size();
  if (found.width == 0) return std::nullopt;
  return display_size{found.width, found.height};
}

void user_window_system::enter_full_screen(const full_screen_request& wanted) {
  user::enter_full_screen({wanted.focus,
                           wanted.window,
                           {wanted.size.width, wanted.size.height},
                           wanted.may_change_window,
                           wanted.restores_itself,
                           &tell,
                           wanted.listener});
}

void user_window_system::leave_full_screen(HWND focus, const full_screen_listener& listener) {
  user::leave_full_screen(focus, &listener);
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
