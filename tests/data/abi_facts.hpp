// SPDX-License-Identifier: MIT
// What the ABI says of packets and enumerators, apart from the library's own tables.
#pragma once

#include <cstdint>
#include <string_view>

namespace aerogpu::test {

struct packet_fact {
  std::string_view wire_name;
  std::uint32_t opcode;
  std::uint32_t minimum_size;
  std::uint32_t since_minor;
  std::string_view count_field;  ///< Empty without a counted payload.
  std::uint32_t element_size;    ///< Bytes for each count.
  std::string_view fields;       ///< name:offset:type:length[:h] ...
};

inline constexpr packet_fact packet_facts[] = {
#include "tests/data/packet_rows.inc"
};

struct enum_fact {
  std::string_view type;
  std::string_view name;
  std::uint32_t value;
  std::uint32_t since_minor;
};

inline constexpr enum_fact enum_facts[] = {
#include "tests/data/enumerator_rows.inc"
};

}  // namespace aerogpu::test
