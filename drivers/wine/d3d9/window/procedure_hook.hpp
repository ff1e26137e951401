// SPDX-License-Identifier: MIT
/// \file A procedure in front of a window's own, with which the program may meddle meanwhile.
#pragma once

#include <atomic>

namespace aerogpu::d3d9::user {

template <class Procedure>
class procedure_hook {
 public:
  explicit procedure_hook(Procedure ours) : ours_(ours) {}

  /// What ours goes on to.
  [[nodiscard]] auto before() const noexcept -> Procedure { return before_; }

  /// Ours hears the window's messages. Where it was left behind others it still does, and a second
  /// one in front of them would go on to itself for ever.
  template <class Window>
  void enter(Window window) {
    const auto now = window.procedure();
    if (is_left_behind_ && now != before_) return;
    before_ = now;
    window.replace(ours_);
  }

  /// The window has its own again. False: somebody put theirs in front, which may call ours.
  template <class Window>
  [[nodiscard]] auto leave(Window window) -> bool {
    const auto now = window.procedure();
    if (now == ours_) window.replace(before_);
    is_left_behind_ = now != ours_ && now != before_;
    return !is_left_behind_;
  }

 private:
  const Procedure ours_;
  std::atomic<Procedure> before_{};  ///< Read by the window's thread.
  bool is_left_behind_ = false;
};

}  // namespace aerogpu::d3d9::user
