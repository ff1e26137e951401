// SPDX-License-Identifier: MIT
// Golden bytes of the wire (wire.md 15) and streams to refuse, as data for every test.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace aerogpu::test {

enum class golden_kind { packet, stream, alloc_table, ring, wddm, escape };

/// One vector. Fields are text, `name=value` in struct order, separated by spaces; nested members
/// and elements are written `state.enable` and `colors[1]`; floats are their bits.
struct golden_vector {
  std::string_view name;
  golden_kind kind;
  std::string_view type;         ///< Wire structure at the start of the bytes.
  std::string_view opcode;       ///< AEROGPU_CMD_..., for packets.
  std::string_view hex;          ///< Memory order, two digits a byte.
  std::string_view fields;       ///< Of `type`.
  std::string_view extra;        ///< Of what follows: entries, slots, packets, payload, gs/hs/ds.
  std::string_view payload_hex;  ///< Counted bytes after a packet's structure, without padding.
  std::uint32_t padding_bytes;   ///< After the payload.
};

/// A whole stream, and why it is refused.
struct rejected_stream {
  std::string_view name;
  std::string_view reason;
  std::string_view hex;
};

inline constexpr golden_vector golden_vectors[] = {
#include "tests/data/golden_rows.inc"
};

inline constexpr rejected_stream rejected_streams[] = {
#include "tests/data/rejected_rows.inc"
};

/// The vector of that name. Precondition: there is one.
constexpr auto golden(std::string_view name) -> const golden_vector& {
  for (const golden_vector& vector : golden_vectors) {
    if (vector.name == name) return vector;
  }
  __builtin_trap();
}

/// The bytes that hexadecimal digits spell.
inline auto bytes_from_hex(std::string_view hex) -> std::vector<std::byte> {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
    bytes.push_back(static_cast<std::byte>(value));
  }
  return bytes;
}

/// Calls `visit(name, value)` for each field; negative values are their two's complement.
template <class Visit>
void for_each_field(std::string_view fields, Visit&& visit) {
  while (!fields.empty()) {
    const std::string_view field = fields.substr(0, fields.find(' '));
    fields.remove_prefix(field.size() < fields.size() ? field.size() + 1 : field.size());
    const std::size_t equals = field.find('=');
    const std::string_view number = field.substr(equals + 1);
    std::uint64_t value = 0;
    const bool is_negative = number.front() == '-';
    std::from_chars(number.data() + (is_negative ? 1 : 0), number.data() + number.size(), value);
    visit(field.substr(0, equals), is_negative ? ~value + 1 : value);
  }
}

/// The value of one field. Precondition: it is there.
inline auto field_value(std::string_view fields, std::string_view wanted) -> std::uint64_t {
  std::uint64_t found = 0;
  bool is_found = false;
  for_each_field(fields, [&](std::string_view name, std::uint64_t value) {
    if (name == wanted) found = value, is_found = true;
  });
  if (!is_found) __builtin_trap();
  return found;
}

}  // namespace aerogpu::test
