// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/guest/windows/cursor_window.hpp"

#include <array>

namespace aerogpu::guest {
namespace {

constexpr wchar_t class_name[] = L"AeroGpuGuestTest";
constexpr int most_side = 64;

/// A square with alpha, so that no driver may turn it into a monochrome shape.
auto make_cursor(const cursor_shape& shape) -> HCURSOR {
  if (shape.width > most_side || shape.height > most_side) return nullptr;
  BITMAPINFO format{};
  format.bmiHeader.biSize = sizeof format.bmiHeader;
  format.bmiHeader.biWidth = static_cast<LONG>(shape.width);
  format.bmiHeader.biHeight = -static_cast<LONG>(shape.height);
  format.bmiHeader.biPlanes = 1;
  format.bmiHeader.biBitCount = 32;
  void* pixels = nullptr;
  const HBITMAP color = CreateDIBSection(nullptr, &format, DIB_RGB_COLORS, &pixels, nullptr, 0);
  if (color == nullptr) return nullptr;
  const std::uint32_t count = shape.width * shape.height;
  for (std::uint32_t i = 0; i < count; ++i)
    static_cast<std::uint32_t*>(pixels)[i] = i % 2 == 0 ? 0xFF2060C0u : 0x80204080u;
  const std::array<unsigned char, most_side * most_side / 8> no_mask{};
  const HBITMAP mask = CreateBitmap(static_cast<int>(shape.width), static_cast<int>(shape.height),
                                    1, 1, no_mask.data());
  ICONINFO icon{FALSE, shape.hot_x, shape.hot_y, mask, color};
  const HCURSOR made = mask != nullptr ? CreateIconIndirect(&icon) : nullptr;
  if (mask != nullptr) DeleteObject(mask);
  DeleteObject(color);
  return made;
}

}  // namespace

auto cursor_window::open(const cursor_shape& shape, const RECT& over) -> bool {
  cursor_ = make_cursor(shape);
  if (cursor_ == nullptr) return false;
  WNDCLASSW type{};
  type.lpfnWndProc = &DefWindowProcW;
  type.hInstance = GetModuleHandleW(nullptr);
  type.hCursor = cursor_;
  type.lpszClassName = class_name;
  RegisterClassW(&type);
  window_ = CreateWindowExW(WS_EX_TOPMOST | WS_EX_TOOLWINDOW, class_name, L"", WS_POPUP, over.left,
                            over.top, over.right - over.left, over.bottom - over.top, nullptr,
                            nullptr, type.hInstance, nullptr);
  if (window_ == nullptr) return false;
  GetCursorPos(&before_);
  ShowWindow(window_, SW_SHOW);
  SetForegroundWindow(window_);
  SetCursor(cursor_);
  pump();
  return true;
}

void cursor_window::close() {
  if (window_ != nullptr) {
    DestroyWindow(window_);
    SetCursorPos(before_.x, before_.y);
    UnregisterClassW(class_name, GetModuleHandleW(nullptr));
  }
  if (cursor_ != nullptr) DestroyCursor(cursor_);
  window_ = nullptr;
  cursor_ = nullptr;
}

void cursor_window::pump() {
  MSG message{};
  while (PeekMessageW(&message, nullptr, 0, 0, PM_REMOVE) != 0) DispatchMessageW(&message);
}

}  // namespace aerogpu::guest
