// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/window/user.hpp"
#include "drivers/wine/d3d9/window/window_handle.hpp"

#include <cstddef>
#include <cstring>
#include <vector>
#include <windows.h>

namespace aerogpu::d3d9::user {
namespace {

constexpr WORD texel_bits = 32;

[[nodiscard]] auto to_area(const RECT& from) -> area {
  return {from.left, from.top, from.right, from.bottom};
}

/// Its rows begin at the top.
[[nodiscard]] auto header_of(std::uint32_t width, std::uint32_t height) -> BITMAPINFO {
  BITMAPINFO header{};
  header.bmiHeader.biSize = sizeof header.bmiHeader;
  header.bmiHeader.biWidth = static_cast<LONG>(width);
  header.bmiHeader.biHeight = -static_cast<LONG>(height);
  header.bmiHeader.biPlanes = 1;
  header.bmiHeader.biBitCount = texel_bits;
  header.bmiHeader.biCompression = BI_RGB;
  return header;
}

/// Of a mask: 1 leaves what is behind the cursor. USER asks it only of a picture without any alpha.
[[nodiscard]] auto make_clear_mask(std::uint32_t width, std::uint32_t height) -> HBITMAP {
  const std::size_t row_bytes = (std::size_t{width} + 15) / 16 * 2;
  const std::vector<std::byte> ones(row_bytes * height, std::byte{0xFF});
  return CreateBitmap(static_cast<int>(width), static_cast<int>(height), 1, 1, ones.data());
}

/// Copies the texels that have alpha; the others become 0, which with such a mask inverts nothing.
void copy_visible(std::byte* to, const std::byte* from, std::size_t texels) {
  constexpr std::size_t texel_bytes = 4;
  constexpr std::size_t alpha = 3;
  for (; texels != 0; --texels, to += texel_bytes, from += texel_bytes) {
    if (from[alpha] != std::byte{0})
      std::memcpy(to, from, texel_bytes);
    else
      std::memset(to, 0, texel_bytes);
  }
}

}  // namespace

auto is_window(window of) -> bool {
  return IsWindow(handle_of(of)) != 0;
}

auto client_area(window of, area& found) -> bool {
  RECT client{};
  if (GetClientRect(handle_of(of), &client) == 0) return false;
  found = to_area(client);
  return true;
}

auto client_place(window of, area& found) -> bool {
  RECT client{};
  if (GetClientRect(handle_of(of), &client) == 0) return false;
  MapWindowPoints(handle_of(of), nullptr, reinterpret_cast<POINT*>(&client), 2);
  found = to_area(client);
  return true;
}

auto is_minimised(window of) -> bool {
  return IsIconic(handle_of(of)) != 0;
}

auto whole_size(window of, area& found) -> bool {
  RECT whole{};
  if (GetWindowRect(handle_of(of), &whole) == 0) return false;
  found = {0, 0, whole.right - whole.left, whole.bottom - whole.top};
  return true;
}

auto show(window in, window_part part, const picture& shown, const area& source,
          const area& destination) -> bool {
  const bool is_whole = part == window_part::whole;
  const HDC context = is_whole ? GetWindowDC(handle_of(in)) : GetDC(handle_of(in));
  if (context == nullptr) return false;
  // The pitch is a whole number of texels: rows that are wider than the picture.
  const auto header = header_of(shown.pitch_bytes / 4, shown.height);
  const int width = source.right - source.left;
  const int height = source.bottom - source.top;
  const int wide = destination.right - destination.left;
  const int high = destination.bottom - destination.top;
  SetStretchBltMode(context, COLORONCOLOR);
  const int rows =
      StretchDIBits(context, destination.left, destination.top, wide, high, source.left, source.top,
                    width, height, shown.texels, &header, DIB_RGB_COLORS, SRCCOPY);
  ReleaseDC(handle_of(in), context);
  return rows != 0;
}

auto read_desktop(std::byte* texels, std::uint32_t width, std::uint32_t height) -> bool {
  const HDC screen = GetDC(nullptr);
  if (screen == nullptr) return false;
  const auto header = header_of(width, height);
  void* bits = nullptr;
  const HBITMAP bitmap = CreateDIBSection(screen, &header, DIB_RGB_COLORS, &bits, nullptr, 0);
  const HDC memory = CreateCompatibleDC(screen);
  bool is_read = false;
  if (bitmap != nullptr && memory != nullptr) {
    const HGDIOBJ before = SelectObject(memory, bitmap);
    is_read = BitBlt(memory, 0, 0, static_cast<int>(width), static_cast<int>(height), screen, 0, 0,
                     SRCCOPY) != 0;
    GdiFlush();
    if (is_read) std::memcpy(texels, bits, std::size_t{width} * height * 4);
    SelectObject(memory, before);
  }
  if (memory != nullptr) DeleteDC(memory);
  if (bitmap != nullptr) DeleteObject(bitmap);
  ReleaseDC(nullptr, screen);
  return is_read;
}

auto make_cursor(const picture& shown, std::uint32_t hot_x, std::uint32_t hot_y) -> void* {
  const auto header = header_of(shown.width, shown.height);
  const HDC screen = GetDC(nullptr);
  void* bits = nullptr;
  const HBITMAP color = CreateDIBSection(screen, &header, DIB_RGB_COLORS, &bits, nullptr, 0);
  ReleaseDC(nullptr, screen);
  if (color == nullptr) return nullptr;
  copy_visible(static_cast<std::byte*>(bits), shown.texels,
               std::size_t{shown.width} * shown.height);
  const HBITMAP mask = make_clear_mask(shown.width, shown.height);
  ICONINFO parts{};
  parts.xHotspot = hot_x;
  parts.yHotspot = hot_y;
  parts.hbmMask = mask;
  parts.hbmColor = color;
  const HCURSOR made = mask != nullptr ? CreateIconIndirect(&parts) : nullptr;
  if (mask != nullptr) DeleteObject(mask);
  DeleteObject(color);
  return made;
}

void set_cursor(void* cursor) {
  SetCursor(static_cast<HCURSOR>(cursor));
}

void destroy_cursor(void* cursor) {
  DestroyIcon(static_cast<HICON>(cursor));
}

void set_cursor_position(int x, int y) {
  SetCursorPos(x, y);
}

auto primary_monitor() -> void* {
  return MonitorFromPoint({0, 0}, MONITOR_DEFAULTTOPRIMARY);
}

}  // namespace aerogpu::d3d9::user
