// SPDX-License-Identifier: MIT
/// \file The metadata of a trace as JSON text.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/text.hpp"
#include "aerogpu/trace/sink.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu::detail {

/// A sink that only counts.
class byte_counter {
 public:
  auto append(const_bytes bytes) noexcept -> bool {
    size_ += bytes.size();
    return true;
  }
  [[nodiscard]] auto size() const noexcept -> std::size_t { return size_; }

 private:
  std::size_t size_ = 0;
};

template <byte_sink Sink>
[[nodiscard]] auto put_text(Sink& sink, std::string_view text) noexcept -> bool {
  return sink.append(std::as_bytes(std::span{text.data(), text.size()}));
}

/// `text` inside a JSON string: quotes, backslashes and control characters are escaped.
template <byte_sink Sink>
[[nodiscard]] auto put_json_string(Sink& sink, std::string_view text) noexcept -> bool {
  if (!put_text(sink, "\"")) return false;
  for (const char& c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && c != '"' && c != '\\') {
      if (!put_text(sink, {&c, 1})) return false;
      continue;
    }
    const std::array<char, 6> escape{
        '\\', 'u', '0', '0', "0123456789abcdef"[code >> 4], "0123456789abcdef"[code & 0xF]};
    if (!put_text(sink, {escape.data(), escape.size()})) return false;
  }
  return put_text(sink, "\"");
}

template <byte_sink Sink>
[[nodiscard]] auto write_metadata(Sink& sink, std::string_view emulator_version,
                                  std::uint32_t command_abi_version) noexcept -> bool {
  std::array<char, 10> storage{};
  text_buffer number{storage};
  append_decimal(number, command_abi_version);
  return put_text(sink, "{\"emulator_version\":") && put_json_string(sink, emulator_version) &&
         put_text(sink, ",\"command_abi_version\":") && put_text(sink, number.view()) &&
         put_text(sink, "}");
}

}  // namespace aerogpu::detail
