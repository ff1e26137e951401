// SPDX-License-Identifier: MIT
/// \file What the library knows about a packet type: one specialisation each, in stream/packets/.
#pragma once

#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/stream/field.hpp"
#include "aerogpu/stream/stage.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu {

/// NOP and DEBUG_MARKER have no struct in the ABI; a type each lets them be told apart.
struct nop_packet {
  aerogpu_cmd_hdr hdr;
};
struct debug_marker_packet {
  aerogpu_cmd_hdr hdr;
};

/// What follows the fixed struct (wire.md 7.3).
enum class payload_kind : std::uint8_t {
  none,
  bytes,     ///< `count` bytes, zero-padded to a multiple of 4.
  elements,  ///< `count` elements.
  text,      ///< The rest of the packet, zero-padded; there is no count.
};

/// When a packet's submission needs an allocation table: when a bit of `mask` is set in its u32 at
/// `offset`. An empty mask: never.
struct table_need {
  std::uint16_t offset = 0;
  std::uint32_t mask = 0;
};

/// The row of packet `P`: `opcode`, `wire_name`, `summary`, `minimum_size`, `fields` and what
/// `packet_defaults` holds where it differs.
template <class P>
struct packet_traits;

struct packet_defaults : field_vocabulary {
  static constexpr std::uint32_t since_minor = 0;  ///< First ABI minor that has the packet.
  static constexpr std::string_view details{};     ///< What the rows cannot say; for documents.
  static constexpr payload_kind payload = payload_kind::none;
  using element = std::byte;  ///< Type of one payload element.
  /// Bytes of an element in a second form that readers accept: it is told by the packet's size,
  /// which is then exact. 0 = there is none.
  static constexpr std::uint32_t compact_element_size = 0;
  static constexpr std::array<packet_field, 0> element_fields{};
  static constexpr table_need table{};  ///< Empty: when its field of the role allocation is not 0.
  static constexpr bool presents = false;

  /// A need for rows whose packet always has one: no opcode but NOP's is 0.
  static constexpr table_need always_needed{offsetof(aerogpu_cmd_hdr, opcode), UINT32_MAX};
  /// A need for rows whose packet has one when a flag is set.
  template <class Struct>
  [[nodiscard]] static constexpr auto needed_with(std::uint32_t Struct::*flags,
                                                  std::uint32_t flag) noexcept -> table_need {
    return {detail::offset_of(flags), flag};
  }
};

/// Payload of `count` bytes.
struct packet_with_bytes : packet_defaults {
  static constexpr payload_kind payload = payload_kind::bytes;
};

/// Payload of `count` elements; `element_fields` describes one.
template <class Element>
struct packet_with_elements : packet_defaults {
  static constexpr payload_kind payload = payload_kind::elements;
  using element = Element;
};

/// A type that is in the packet table.
template <class P>
concept wire_packet = requires {
  { packet_traits<P>::opcode } -> std::convertible_to<std::uint32_t>;
  { packet_traits<P>::minimum_size } -> std::convertible_to<std::uint32_t>;
};

namespace detail {

[[nodiscard]] constexpr auto find_role(std::span<const packet_field> fields,
                                       field_role role) noexcept -> optional_field {
  for (const packet_field& f : fields) {
    if (f.rule.role == role) return f;
  }
  return {};
}

/// Whether the rows cover [begin, size) without gap or overlap, in order.
[[nodiscard]] constexpr auto fields_tile(std::span<const packet_field> fields, std::uint32_t begin,
                                         std::uint32_t size) noexcept -> bool {
  for (const packet_field& f : fields) {
    if (f.offset != begin) return false;
    begin = f.end();
  }
  return begin == size;
}

[[nodiscard]] constexpr auto stride_of(payload_kind kind, std::size_t size) noexcept
    -> std::uint32_t {
  return kind == payload_kind::none ? 0 : static_cast<std::uint32_t>(size);
}

/// "CREATE_TEXTURE2D" as "CreateTexture2D".
template <wire_packet P>
[[nodiscard]] consteval auto spoken_name_of() noexcept {
  std::array<char, packet_traits<P>::wire_name.size() + 1> text{};
  std::size_t size = 0;
  bool is_first = true;
  for (const char c : packet_traits<P>::wire_name) {
    if (c == '_') {
      is_first = true;
      continue;
    }
    const bool is_digit = c >= '0' && c <= '9';
    text[size++] = is_first || is_digit ? c : static_cast<char>(c - 'A' + 'a');
    is_first = is_digit;
  }
  return text;
}

template <wire_packet P>
inline constexpr auto spoken_name_text = spoken_name_of<P>();

}  // namespace detail

/// Name of a packet in messages: "CreateTexture2D".
template <wire_packet P>
inline constexpr std::string_view spoken_name{detail::spoken_name_text<P>.data()};

/// Field that counts the payload, or null.
template <wire_packet P>
inline constexpr optional_field count_field = detail::find_role(packet_traits<P>::fields,
                                                                field_role::count);

/// Base stage field and its extension, or null. A packet with an extension alone has the implied
/// base stage COMPUTE.
template <wire_packet P>
inline constexpr optional_field stage_field = detail::find_role(packet_traits<P>::fields,
                                                                field_role::stage);
template <wire_packet P>
inline constexpr optional_field stage_ex_field = detail::find_role(packet_traits<P>::fields,
                                                                   field_role::stage_ex);

/// Whether packets of this type name a shader stage.
template <wire_packet P>
inline constexpr bool has_stage = stage_field<P> != nullptr || stage_ex_field<P> != nullptr;

/// Base stage and extension of a packet whose struct is at `at`; COMPUTE and 0 where it has none.
template <wire_packet P>
requires has_stage<P>
[[nodiscard]] inline auto load_stage(const std::byte* at) noexcept -> encoded_stage {
  encoded_stage words{AEROGPU_SHADER_STAGE_COMPUTE, AEROGPU_SHADER_STAGE_EX_NONE};
  if constexpr (stage_field<P> != nullptr) {
    constexpr std::size_t offset = stage_field<P>->offset;
    words.stage = load<std::uint32_t>(at + offset);
  }
  if constexpr (stage_ex_field<P> != nullptr) {
    constexpr std::size_t offset = stage_ex_field<P>->offset;
    words.stage_ex = load<std::uint32_t>(at + offset);
  }
  return words;
}

/// Bytes of one payload element; 0 without a payload.
template <wire_packet P>
inline constexpr std::uint32_t element_size =
    detail::stride_of(packet_traits<P>::payload, sizeof(typename packet_traits<P>::element));

}  // namespace aerogpu
