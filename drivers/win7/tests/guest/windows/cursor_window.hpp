// SPDX-License-Identifier: MIT
/// \file A window under the pointer, whose cursor is ours.
#pragma once

// Windows' types come first.
// clang-format off
#include <windows.h>
// clang-format on

#include "drivers/win7/tests/guest/desktop.hpp"

namespace aerogpu::guest {

/// Covers a display while it is open; the pointer and its place come back when it closes.
class cursor_window {
 public:
  /// False: Windows gave no window or no cursor.
  [[nodiscard]] auto open(const cursor_shape& shape, const RECT& over) -> bool;
  void close();
  /// Windows shows another cursor only while its window's messages are taken.
  void pump();

 private:
  HWND window_ = nullptr;
  HCURSOR cursor_ = nullptr;
  POINT before_{};
};

}  // namespace aerogpu::guest
