// SPDX-License-Identifier: MIT
/// \file Where an answer's values lie and what they mean: one row a value, read by both printers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu::dbgctl {

enum class value_kind : std::uint8_t {
  number,
  signed_number,
  hex,            ///< Addresses, sizes of hardware words.
  truth,          ///< 0 is no, anything else yes.
  version,        ///< major << 16 | minor.
  magic,          ///< Four characters.
  format,         ///< aerogpu_format.
  one_of,         ///< A value of `names`.
  bits,           ///< Any bits of `names`.
  features_low,   ///< Feature bits 0 to 63.
  features_high,  ///< 64 to 127.
};

/// A set, of which each bit has a text of its own.
[[nodiscard]] constexpr auto is_set(value_kind kind) noexcept -> bool {
  return kind >= value_kind::bits;
}

struct value_name {
  std::uint64_t value;
  std::string_view name;
};

struct field {
  std::string_view name;
  std::uint32_t offset;
  std::uint32_t width;  ///< 4 or 8 bytes.
  value_kind kind = value_kind::number;
  std::span<const value_name> names = {};
  std::uint32_t valid_with = 0;  ///< Bits of the flags word, without which the value means nothing.
};

/// Entries behind the fields; an answer holds `count` of them.
struct entry_list {
  std::uint32_t count_at;
  std::uint32_t first_at;
  std::uint32_t stride;
  std::uint32_t capacity;
  std::span<const field> fields;
};

/// Raw bytes behind the fields.
struct byte_list {
  std::uint32_t count_at;
  std::uint32_t first_at;
  std::uint32_t capacity;
};

struct answer_layout {
  std::uint32_t size;          ///< Of the largest answer, header included.
  std::uint32_t minimum_size;  ///< Of an answer that an older driver may give.
  std::span<const field> fields;
  std::uint32_t flags_at = 0;  ///< The flags word, 0 = there is none.
  const entry_list* entries = nullptr;
  const byte_list* bytes = nullptr;
};

}  // namespace aerogpu::dbgctl
