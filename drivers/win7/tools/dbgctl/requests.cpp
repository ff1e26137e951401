// SPDX-License-Identifier: MIT
#include "drivers/win7/tools/dbgctl/requests.hpp"

#include "aerogpu/abi/dbgctl_escape.h"
#include "aerogpu/abi/format.h"
#include "drivers/win7/tools/dbgctl/escape_channel.hpp"
#include "drivers/win7/tools/dbgctl/files.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace aerogpu::dbgctl {
namespace {

constexpr std::uint64_t max_word = UINT32_MAX;
/// Sides of a cursor that any driver takes (kmd.md 3.15).
constexpr std::uint64_t max_cursor_side = 512;

void put(request& bytes, std::size_t offset, std::uint64_t value, std::size_t width = 4) {
  std::memcpy(bytes.data() + offset, &value, width);
}

auto wrong(std::string_view name, std::string_view text, std::uint64_t limit) -> std::string {
  return std::string{name} + " is '" + std::string{text} + "', not a number up to " +
         std::to_string(limit);
}

/// One operand that is a number, and where it goes.
struct number_operand {
  std::string_view name;
  std::size_t offset;
  std::size_t width;
  std::uint64_t limit;
};

auto put_numbers(const request_source& from, request& bytes, std::span<const number_operand> rows)
    -> std::string {
  for (std::size_t i = 0; i < rows.size() && i < from.operands.size(); ++i) {
    std::uint64_t value = 0;
    if (!parse_number(from.operands[i], rows[i].limit, value)) {
      return wrong(rows[i].name, from.operands[i], rows[i].limit);
    }
    put(bytes, rows[i].offset, value, rows[i].width);
  }
  return {};
}

auto parse_signed(std::string_view text, std::uint32_t& value) -> bool {
  const bool is_negative = text.starts_with('-');
  std::uint64_t magnitude = 0;
  if (!parse_number(text.substr(is_negative ? 1 : 0), INT32_MAX, magnitude)) return false;
  value = static_cast<std::uint32_t>(is_negative ? ~magnitude + 1 : magnitude);
  return true;
}

}  // namespace

auto parse_number(std::string_view text, std::uint64_t limit, std::uint64_t& value) -> bool {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value, is_hex ? 16 : 10);
  return !text.empty() && code == std::errc{} && stop == end && value <= limit;
}

auto encode_nothing(const request_source&, request&) -> std::string {
  return {};
}

auto encode_selftest(const request_source& from, request& bytes) -> std::string {
  using message = aerogpu_escape_selftest_inout;
  constexpr std::array rows{
      number_operand{"TIMEOUT_MS", offsetof(message, timeout_ms), 4, max_word}};
  return put_numbers(from, bytes, rows);
}

auto encode_dump_ring(const request_source&, request& bytes) -> std::string {
  put(bytes, offsetof(aerogpu_escape_dump_ring_inout, desc_capacity),
      AEROGPU_DBGCTL_MAX_RECENT_DESCRIPTORS);
  return {};
}

auto encode_dump_ring_v2(const request_source&, request& bytes) -> std::string {
  put(bytes, offsetof(aerogpu_escape_dump_ring_v2_inout, desc_capacity),
      AEROGPU_DBGCTL_MAX_RECENT_DESCRIPTORS);
  return {};
}

auto encode_dump_createallocation(const request_source&, request& bytes) -> std::string {
  put(bytes, offsetof(aerogpu_escape_dump_createallocation_inout, entry_capacity),
      AEROGPU_DBGCTL_MAX_RECENT_ALLOCATIONS);
  return {};
}

auto encode_map_shared_handle(const request_source& from, request& bytes) -> std::string {
  using message = aerogpu_escape_map_shared_handle_inout;
  constexpr std::array rows{
      number_operand{"HANDLE", offsetof(message, shared_handle), 8, UINT64_MAX}};
  if (!from.operands.empty()) return put_numbers(from, bytes, rows);
  const std::uint64_t handle = from.channel->own_section();
  if (handle == 0) return "HANDLE is missing, and no section could be made";
  put(bytes, offsetof(message, shared_handle), handle, 8);
  return {};
}

auto encode_read_gpa(const request_source& from, request& bytes) -> std::string {
  using message = aerogpu_escape_read_gpa_inout;
  constexpr std::array rows{
      number_operand{"GPA", offsetof(message, gpa), 8, UINT64_MAX},
      number_operand{"SIZE", offsetof(message, size_bytes), 4, AEROGPU_DBGCTL_READ_GPA_MAX_BYTES}};
  return put_numbers(from, bytes, rows);
}

auto encode_set_cursor_shape(const request_source& from, request& bytes) -> std::string {
  using message = aerogpu_escape_set_cursor_shape_in;
  constexpr std::array rows{number_operand{"WIDTH", offsetof(message, width), 4, max_cursor_side},
                            number_operand{"HEIGHT", offsetof(message, height), 4, max_cursor_side},
                            number_operand{"HOT_X", offsetof(message, hot_x), 4, max_cursor_side},
                            number_operand{"HOT_Y", offsetof(message, hot_y), 4, max_cursor_side}};
  if (std::string why = put_numbers(from, bytes, rows); !why.empty()) return why;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::memcpy(&width, bytes.data() + offsetof(message, width), sizeof width);
  std::memcpy(&height, bytes.data() + offsetof(message, height), sizeof height);
  if (width == 0 || height == 0)
    return "a cursor of no pixels is what set-cursor-visibility is for";
  const std::size_t image_bytes = std::size_t{4} * width * height;
  request pixels;
  if (std::string why = read_file(from.operands[4], image_bytes, pixels); !why.empty()) return why;
  if (pixels.size() != image_bytes) {
    return std::string{from.operands[4]} + " has " + std::to_string(pixels.size()) +
           " bytes, not 4 * WIDTH * HEIGHT = " + std::to_string(image_bytes);
  }
  put(bytes, offsetof(message, pitch_bytes), 4 * width);
  put(bytes, offsetof(message, format), AEROGPU_FORMAT_B8G8R8A8_UNORM);
  bytes.insert(bytes.end(), pixels.begin(), pixels.end());
  return {};
}

auto encode_set_cursor_position(const request_source& from, request& bytes) -> std::string {
  using message = aerogpu_escape_set_cursor_position_in;
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  if (!parse_signed(from.operands[0], x)) return wrong("X", from.operands[0], INT32_MAX);
  if (!parse_signed(from.operands[1], y)) return wrong("Y", from.operands[1], INT32_MAX);
  put(bytes, offsetof(message, x), x);
  put(bytes, offsetof(message, y), y);
  return {};
}

auto encode_set_cursor_visibility(const request_source& from, request& bytes) -> std::string {
  using message = aerogpu_escape_set_cursor_visibility_in;
  constexpr std::array rows{number_operand{"VISIBLE", offsetof(message, visible), 4, 1}};
  return put_numbers(from, bytes, rows);
}

}  // namespace aerogpu::dbgctl
