// SPDX-License-Identifier: MIT
/// \file Prints described values as "name=value" on one line.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/float_text.hpp"
#include "aerogpu/core/text.hpp"
#include "aerogpu/stream/value_set.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aerogpu {

/// For `describe_packet`. Every value is preceded by a space, or by nothing first in a bracket.
template <text_sink Sink>
class text_printer {
 public:
  explicit text_printer(Sink& sink) noexcept : sink_(&sink) {}

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
    append_hex(*sink_, value);
  }
  void float_bits(std::string_view name, std::uint32_t value) noexcept {
    begin(name);
    append_float(*sink_, value);
  }
  void word(std::string_view name, std::string_view value) noexcept {
    begin(name);
    sink_->append(value);
  }

  /// Known bits by name, the others as one number, joined by '|'.
  void flags(std::string_view name, const value_set_row& set, std::uint32_t value) noexcept {
    begin(name);
    if (value == 0) return sink_->append("0");
    std::string_view separator;
    for (const named_value& flag : set.values) {
      if ((value & flag.value) == 0) continue;
      sink_->append(separator);
      sink_->append(flag.name);
      separator = "|";
      value &= ~flag.value;
    }
    if (value == 0) return;
    sink_->append(separator);
    append_hex(*sink_, value);
  }

  /// At most `limit` bytes in hexadecimal, after how many there are.
  void bytes(std::string_view name, const_bytes value, std::size_t limit) noexcept {
    begin(name);
    append_decimal(*sink_, value.size());
    sink_->append(" bytes");
    if (value.empty()) return;
    sink_->append(":");
    for (std::size_t i = 0; i < value.size() && i < limit; ++i) {
      constexpr std::string_view digits = "0123456789abcdef";
      const auto b = std::to_integer<std::size_t>(value[i]);
      const std::array<char, 3> hex{' ', digits[b >> 4], digits[b & 0xF]};
      sink_->append({hex.data(), hex.size()});
    }
    if (value.size() > limit) sink_->append(" ...");
  }

  /// Quoted; what is not printable ASCII becomes \xNN.
  void text(std::string_view name, const_bytes value) noexcept {
    begin(name);
    sink_->append("\"");
    for (const std::byte b : value) {
      const char c = static_cast<char>(b);
      if (c == '"' || c == '\\') sink_->append("\\");
      if (c >= ' ' && c <= '~') {
        sink_->append({&c, 1});
      } else {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto n = std::to_integer<std::size_t>(b);
        const std::array<char, 4> escape{'\\', 'x', digits[n >> 4], digits[n & 0xF]};
        sink_->append({escape.data(), escape.size()});
      }
    }
    sink_->append("\"");
  }

  void begin_array(std::string_view name) noexcept { open(name, "["); }
  void end_array() noexcept { close("]"); }
  void begin_object(std::string_view name) noexcept { open(name, "{"); }
  void end_object() noexcept { close("}"); }
  void omitted(std::size_t count) noexcept {
    begin({});
    sink_->append("... ");
    append_decimal(*sink_, count);
    sink_->append(" more");
  }

 private:
  void begin(std::string_view name) noexcept {
    if (!is_first_) sink_->append(" ");
    is_first_ = false;
    if (name.empty()) return;
    sink_->append(name);
    sink_->append("=");
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

  Sink* sink_;
  bool is_first_ = false;
};

}  // namespace aerogpu
