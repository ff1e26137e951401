// SPDX-License-Identifier: MIT
/// \file Prints described values as JSON.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/float_text.hpp"
#include "aerogpu/core/text.hpp"
#include "aerogpu/stream/text/utf8.hpp"
#include "aerogpu/stream/value_set.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu {

/// For `describe_packet` and documents around it. Enumerators and flags are their names, bits are
/// strings in hexadecimal, and floats that JSON cannot hold are strings.
template <text_sink Sink>
class json_printer {
 public:
  explicit json_printer(Sink& sink) noexcept : sink_(&sink) {}

  void number(std::string_view name, std::uint64_t value) noexcept {
    begin(name);
    append_decimal(*sink_, value);
  }
  void integer(std::string_view name, std::int64_t value) noexcept {
    begin(name);
    append_signed(*sink_, value);
  }
  void bits(std::string_view name, std::uint64_t value) noexcept {
    begin(name);
    sink_->append("\"");
    append_hex(*sink_, value);
    sink_->append("\"");
  }
  void float_bits(std::string_view name, std::uint32_t value) noexcept {
    begin(name);
    const bool is_finite = (value & 0x7F800000) != 0x7F800000;
    if (!is_finite) sink_->append("\"");
    append_float(*sink_, value);
    if (!is_finite) sink_->append("\"");
  }
  /// `value` needs no escapes.
  void word(std::string_view name, std::string_view value) noexcept {
    begin(name);
    sink_->append("\"");
    sink_->append(value);
    sink_->append("\"");
  }
  void null(std::string_view name) noexcept {
    begin(name);
    sink_->append("null");
  }

  /// Known bits by name, the others as one last number.
  void flags(std::string_view name, const value_set_row& set, std::uint32_t value) noexcept {
    begin_array(name);
    for (const named_value& flag : set.values) {
      if ((value & flag.value) != 0) word({}, flag.name);
      value &= ~flag.value;
    }
    if (value != 0) number({}, value);
    end_array();
  }

  void bytes(std::string_view name, const_bytes value, std::size_t limit) noexcept {
    begin_object(name);
    number("size_bytes", value.size());
    begin("hex");
    sink_->append("\"");
    for (std::size_t i = 0; i < value.size() && i < limit; ++i) {
      const auto b = std::to_integer<std::size_t>(value[i]);
      append_pair(b);
    }
    sink_->append("\"");
    end_object();
  }

  /// Bytes that are no UTF-8 become U+FFFD.
  void text(std::string_view name, const_bytes value) noexcept {
    begin(name);
    sink_->append("\"");
    while (!value.empty()) {
      const std::size_t size = utf8_sequence_size(value);
      if (size == 0) {
        sink_->append("\\ufffd");
      } else if (size == 1) {
        append_ascii(static_cast<char>(value[0]));
      } else {
        std::array<char, 4> sequence{};
        for (std::size_t i = 0; i < size; ++i) sequence[i] = static_cast<char>(value[i]);
        sink_->append({sequence.data(), size});
      }
      value = value.subspan(size == 0 ? 1 : size);
    }
    sink_->append("\"");
  }

  void begin_array(std::string_view name) noexcept { open(name, "["); }
  void end_array() noexcept { close("]"); }
  void begin_object(std::string_view name) noexcept { open(name, "{"); }
  void end_object() noexcept { close("}"); }
  void omitted(std::size_t count) noexcept {
    begin_object({});
    number("omitted", count);
    end_object();
  }
  /// Puts the next array member on a line of its own.
  void begin_line() noexcept {
    if (!is_first_) sink_->append(",");
    sink_->append("\n");
    is_first_ = true;
  }

 private:
  void begin(std::string_view name) noexcept {
    if (!is_first_) sink_->append(",");
    is_first_ = false;
    if (name.empty()) return;
    sink_->append("\"");
    sink_->append(name);
    sink_->append("\":");
  }
  void open(std::string_view name, std::string_view bracket) noexcept {
    begin(name);
    sink_->append(bracket);
    is_first_ = true;
  }
  void close(std::string_view bracket) noexcept {
    sink_->append(bracket);
    is_first_ = false;
  }
  void append_pair(std::size_t b) noexcept {
    constexpr std::string_view digits = "0123456789abcdef";
    const std::array<char, 2> hex{digits[b >> 4], digits[b & 0xF]};
    sink_->append({hex.data(), hex.size()});
  }
  void append_ascii(char c) noexcept {
    if (c == '"' || c == '\\') sink_->append("\\");
    if (c >= ' ' && c != 0x7F) return sink_->append({&c, 1});
    sink_->append("\\u00");
    append_pair(static_cast<std::size_t>(c));
  }

  Sink* sink_;
  bool is_first_ = true;
};

}  // namespace aerogpu
