// SPDX-License-Identifier: MIT
/// \file Whom a window's thread tells of its program's activation, and whom another thread's end of
/// it may outrun.
#pragma once

#include <mutex>

namespace aerogpu::d3d9::user {

/// Called on the focus window's thread when its program comes to the front or leaves it. It may
/// wait for nothing: whoever ends waits for it.
using activation_call = void (*)(void* context, bool is_active);

class activation_listener {
 public:
  void set(activation_call call, void* context) {
    const std::lock_guard hold{mutex_};
    call_ = call;
    context_ = context;
  }
  /// Waits for a call that is in progress; none comes after.
  void clear() { set(nullptr, nullptr); }
  /// The same where it is still this one that listens. False: it is not.
  [[nodiscard]] auto clear_of(const void* context) -> bool {
    const std::lock_guard hold{mutex_};
    if (context_ != context) return false;
    call_ = nullptr;
    context_ = nullptr;
    return true;
  }

  /// False: nobody listens any more.
  [[nodiscard]] auto tell(bool is_active) -> bool {
    const std::lock_guard hold{mutex_};
    if (call_ == nullptr) return false;
    call_(context_, is_active);
    return true;
  }

 private:
  std::mutex mutex_;
  activation_call call_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace aerogpu::d3d9::user
