// SPDX-License-Identifier: MIT
/// \file USER and GDI in plain types, since Windows' own headers and the driver's do not go
/// together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aerogpu::d3d9::user {

using window = void*;

struct area {
  std::int32_t left = 0;
  std::int32_t top = 0;
  std::int32_t right = 0;
  std::int32_t bottom = 0;
};

/// Rows of 32-bit texels, the top row first.
struct picture {
  const std::byte* texels = nullptr;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t pitch_bytes = 0;
};

/// A device context with a DIB section over memory that is not GDI's.
struct memory_context {
  void* context = nullptr;  ///< nullptr: GDI refuses.
  void* bitmap = nullptr;
};

/// An object of the system that stands for a shared resource.
struct share_object {
  void* handle = nullptr;  ///< nullptr: none could be made.
  std::uint64_t published = 0;
};

[[nodiscard]] auto is_window(window of) -> bool;
[[nodiscard]] auto client_area(window of, area& found) -> bool;
[[nodiscard]] auto whole_size(window of, area& found) -> bool;
/// The client area on the desktop.
[[nodiscard]] auto client_place(window of, area& found) -> bool;
[[nodiscard]] auto is_minimised(window of) -> bool;
/// In its client area, or over its frame too.
enum class window_part : std::uint8_t { client, whole };
[[nodiscard]] auto show(window in, window_part part, const picture& shown, const area& source,
                        const area& destination) -> bool;
[[nodiscard]] auto read_desktop(std::byte* texels, std::uint32_t width, std::uint32_t height)
    -> bool;

/// A8R8G8B8. nullptr: none could be made.
[[nodiscard]] auto make_cursor(const picture& shown, std::uint32_t hot_x, std::uint32_t hot_y)
    -> void*;
/// nullptr hides it.
void set_cursor(void* cursor);
void destroy_cursor(void* cursor);
void set_cursor_position(int x, int y);
[[nodiscard]] auto primary_monitor() -> void*;

/// `format`: D3DFMT_ of what GDI draws to. The rows begin at the top.
[[nodiscard]] auto open_memory_context(void* texels, std::uint32_t format, std::uint32_t width,
                                       std::uint32_t height, std::uint32_t pitch_bytes)
    -> memory_context;
void close_memory_context(const memory_context& gone);

/// AEROGPU_D3D9_SHARED_HANDLES=global: shared handles are Windows 7's numbers.
[[nodiscard]] auto has_global_shares() -> bool;
[[nodiscard]] auto publish_share(std::uint32_t share) -> share_object;
/// 0: the handle is of something else.
[[nodiscard]] auto find_share(void* handle) -> std::uint32_t;
void close_share(const share_object& gone);

}  // namespace aerogpu::d3d9::user
