// SPDX-License-Identifier: MIT
/// \file A window system of numbers: HWNDs are what the test says they are.
#pragma once

#include "drivers/sim/kernel/machine/clock.hpp"
#include "drivers/wine/d3d9/window/window_system.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace aerogpu::test {

[[nodiscard]] inline auto window_number(std::uintptr_t number) -> HWND {
  return reinterpret_cast<HWND>(number);
}

/// Keeps the last picture that each window was shown.
class fake_windows : public d3d9::window_system {
 public:
  struct window_state {
    RECT place{};
    bool is_occluded = false;
    UINT width = 0;
    UINT height = 0;
    std::vector<std::byte> picture;  ///< What the client area shows, unstretched.
    unsigned shown = 0;
  };

  void open(HWND window, const RECT& place) { windows[window].place = place; }

  auto is_window(HWND window) -> bool override { return windows.contains(window); }
  auto client_area(HWND window) -> std::optional<RECT> override {
    const auto found = windows.find(window);
    if (found == windows.end()) return {};
    const auto& at = found->second.place;
    return RECT{0, 0, at.right - at.left, at.bottom - at.top};
  }
  auto place(HWND window) -> std::optional<RECT> override {
    const auto found = windows.find(window);
    if (found == windows.end()) return {};
    return found->second.place;
  }
  auto is_occluded(HWND window) -> bool override {
    const auto found = windows.find(window);
    return found != windows.end() && found->second.is_occluded;
  }
  auto show(HWND window, const d3d9::window_picture& picture, const RECT& source, const RECT&)
      -> bool override {
    const auto found = windows.find(window);
    if (found == windows.end()) return false;
    auto& state = found->second;
    state.width = static_cast<UINT>(source.right - source.left);
    state.height = static_cast<UINT>(source.bottom - source.top);
    state.picture.clear();
    for (auto y = source.top; y < source.bottom; ++y) {
      const auto* const row =
          picture.texels + static_cast<std::size_t>(y) * picture.pitch_bytes + source.left * 4;
      state.picture.insert(state.picture.end(), row, row + std::size_t{4} * state.width);
    }
    ++state.shown;
    return true;
  }
  /// Asks only when the test lets it.
  class numbered_watch final : public d3d9::picture_watch {
   public:
    numbered_watch(fake_windows& of, d3d9::picture_listener& listener)
        : of_(of), listener_(listener) {}
    ~numbered_watch() override { of_.expecting.erase(&listener_); }
    auto expect() noexcept -> bool override {
      of_.expecting.insert(&listener_);
      return true;
    }

   private:
    fake_windows& of_;
    d3d9::picture_listener& listener_;
  };
  [[nodiscard]] auto watch(d3d9::picture_listener& listener)
      -> std::unique_ptr<d3d9::picture_watch> override {
    return watches ? std::make_unique<numbered_watch>(*this, listener) : nullptr;
  }
  /// What the thread does once a millisecond. Whether something is still to come.
  auto show_finished_pictures() -> bool {
    std::erase_if(expecting, [](auto* one) { return !one->show_finished_pictures(); });
    return !expecting.empty();
  }
  auto read_desktop(std::span<std::byte>, UINT, UINT) -> bool override { return false; }
  auto display_sizes() -> std::vector<d3d9::display_size> override { return {}; }
  auto current_display_size() -> std::optional<d3d9::display_size> override { return display; }
  void enter_full_screen(const d3d9::full_screen_request& wanted) override {
    full_screen = wanted;
    heard.insert(wanted.focus);
  }
  void leave_full_screen(HWND focus, const d3d9::full_screen_listener& listener) override {
    if (full_screen.listener != &listener) return;
    full_screen = {};
    heard.erase(focus);
  }
  void set_cursor(const d3d9::cursor_picture& picture) override { cursor_width = picture.width; }
  void set_cursor_position(int, int) override {}
  void show_cursor(bool is_shown) override { is_cursor_shown = is_shown; }
  auto monitor() -> HMONITOR override { return reinterpret_cast<HMONITOR>(std::uintptr_t{1}); }

  auto now_ns() -> std::optional<std::uint64_t> override {
    if (clock == nullptr) return std::nullopt;
    return clock->now_ns();
  }

  /// Handles that mean nothing to the kernel, as objects of Windows.
  class numbered_shares final : public d3d9::share_handles {
   public:
    struct numbered_share final : d3d9::published_share {
      numbered_share(numbered_shares& of, HANDLE handle) : published_share(handle), in(of) {}
      ~numbered_share() override { in.known.erase(handle()); }
      numbered_shares& in;
    };
    auto publish(D3DKMT_HANDLE share) -> std::unique_ptr<d3d9::published_share> override {
      if (is_full) return nullptr;
      const auto handle = reinterpret_cast<HANDLE>(last_ += 4);
      known[handle] = share;
      return std::make_unique<numbered_share>(*this, handle);
    }
    auto find(HANDLE handle) -> D3DKMT_HANDLE override {
      const auto found = known.find(handle);
      return found == known.end() ? 0 : found->second;
    }
    std::map<HANDLE, D3DKMT_HANDLE> known;
    bool is_full = false;

   private:
    std::uintptr_t last_ = 0x100;
  };
  auto shares() -> d3d9::share_handles& override {
    return has_share_objects ? share_objects : window_system::shares();
  }

  std::map<HWND, window_state> windows;
  numbered_shares share_objects;
  bool has_share_objects = false;
  bool watches = true;
  const sim::clock* clock = nullptr;  ///< Without one presents are not paced.
  std::set<d3d9::picture_listener*> expecting;
  d3d9::full_screen_request full_screen;  ///< Without a window: none is.
  std::set<HWND> heard;                   ///< Focus windows with a listener.
  std::optional<d3d9::display_size> display;
  UINT cursor_width = 0;
  bool is_cursor_shown = false;
};

}  // namespace aerogpu::test
