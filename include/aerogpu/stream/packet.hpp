// SPDX-License-Identifier: MIT
/// \file A packet whose size and payload count were checked, as a view over private bytes.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/stream/packed_array.hpp"
#include "aerogpu/stream/packet_table.hpp"
#include "aerogpu/stream/stage.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace aerogpu {

namespace detail {
struct packet_access;
}

/// A framed packet of type `P`. Its bytes are a copy that no guest can change and that outlives
/// the view; only the reader makes one.
template <wire_packet P>
class packet {
  /// The struct is there as a whole, and may be read at any address.
  static constexpr bool is_in_place =
      packet_traits<P>::minimum_size == sizeof(P) && alignof(P) == 1;

 public:
  /// The struct, in place: a copy would cost more than most handlers do, because members are read
  /// back before its wide stores are done. Only a short SET_BLEND_STATE is copied, and reads 0
  /// where it ends; see `resolve_blend_state`.
  [[nodiscard]] auto fields() const noexcept -> std::conditional_t<is_in_place, const P&, P> {
    if constexpr (is_in_place) {
      return *reinterpret_cast<const P*>(at_);
    } else {
      P value{};
      std::memcpy(&value, at_, size_ < sizeof value ? size_ : sizeof value);
      return value;
    }
  }

  /// Bytes from the start of the stream.
  [[nodiscard]] auto offset() const noexcept -> std::uint32_t { return offset_; }

  /// Bytes of the whole packet as the guest wrote it: header, payload, padding and unknown tail.
  [[nodiscard]] auto size() const noexcept -> std::uint32_t { return size_; }
  [[nodiscard]] auto bytes() const noexcept -> const_bytes { return {at_, size_}; }

  /// Whether the payload has the elements of a second form; see `packet_defaults`.
  [[nodiscard]] auto is_compact() const noexcept -> bool {
    constexpr std::uint64_t stride = packet_traits<P>::compact_element_size;
    if constexpr (stride == 0) return false;
    if constexpr (stride != 0) return count() != 0 && size_ == sizeof(P) + count() * stride;
  }

  /// The counted payload without padding. Of DEBUG_MARKER the text without trailing zeros.
  [[nodiscard]] auto payload() const noexcept -> const_bytes {
    constexpr payload_kind kind = packet_traits<P>::payload;
    if constexpr (kind == payload_kind::none) return {};
    if constexpr (kind == payload_kind::text) return text();
    if constexpr (kind == payload_kind::bytes || kind == payload_kind::elements) {
      const std::size_t stride =
          is_compact() ? packet_traits<P>::compact_element_size : element_size<P>;
      return {at_ + sizeof(P), static_cast<std::size_t>(count()) * stride};
    }
  }

  /// The payload by elements.
  [[nodiscard]] auto elements() const noexcept -> packed_array<typename packet_traits<P>::element>
  requires(packet_traits<P>::payload == payload_kind::elements &&
           packet_traits<P>::compact_element_size == 0) {
    return packed_array<typename packet_traits<P>::element>{payload()};
  }

 private:
  friend struct detail::packet_access;
  packet(const std::byte* at, std::uint32_t size, std::uint32_t offset) noexcept
      : at_(at), size_(size), offset_(offset) {}

  [[nodiscard]] auto count() const noexcept -> std::uint64_t {
    constexpr packet_field field = *count_field<P>;
    if constexpr (field.type == field_type::u64) return load<std::uint64_t>(at_ + field.offset);
    if constexpr (field.type == field_type::u32) return load<std::uint32_t>(at_ + field.offset);
  }
  [[nodiscard]] auto text() const noexcept -> const_bytes {
    std::size_t size = size_;
    while (size > sizeof(P) && at_[size - 1] == std::byte{0}) --size;
    return {at_ + sizeof(P), size - sizeof(P)};
  }

  const std::byte* at_;
  std::uint32_t size_;
  std::uint32_t offset_;
};

/// A framed packet of any opcode.
class raw_packet {
 public:
  [[nodiscard]] auto opcode() const noexcept -> std::uint32_t { return load<std::uint32_t>(at_); }
  [[nodiscard]] auto offset() const noexcept -> std::uint32_t { return offset_; }
  [[nodiscard]] auto size() const noexcept -> std::uint32_t { return size_; }
  [[nodiscard]] auto bytes() const noexcept -> const_bytes { return {at_, size_}; }

  /// Its row, or null when the opcode is unknown.
  [[nodiscard]] auto row() const noexcept -> const packet_row* { return find_packet(opcode()); }

  /// Whether `as<P>()` may be called.
  template <wire_packet P>
  [[nodiscard]] auto is() const noexcept -> bool {
    return opcode() == packet_traits<P>::opcode;
  }
  /// The packet by its type. Precondition: `is<P>()`.
  template <wire_packet P>
  [[nodiscard]] auto as() const noexcept -> packet<P>;

 private:
  friend struct detail::packet_access;
  raw_packet(const std::byte* at, std::uint32_t size, std::uint32_t offset) noexcept
      : at_(at), size_(size), offset_(offset) {}

  const std::byte* at_;
  std::uint32_t size_;
  std::uint32_t offset_;
};

namespace detail {

/// The reader's way to make views of what it checked.
struct packet_access {
  template <wire_packet P>
  [[nodiscard]] static auto make(const std::byte* at, std::uint32_t size,
                                 std::uint32_t offset) noexcept -> packet<P> {
    return {at, size, offset};
  }
  [[nodiscard]] static auto make_raw(const std::byte* at, std::uint32_t size,
                                     std::uint32_t offset) noexcept -> raw_packet {
    return {at, size, offset};
  }
};

}  // namespace detail

template <wire_packet P>
auto raw_packet::as() const noexcept -> packet<P> {
  AEROGPU_CHECK(is<P>());
  return detail::packet_access::make<P>(at_, size_, offset_);
}

/// Effective stage of a packet that names one, in a stream of `abi_minor` (host.md 2.11).
/// DISPATCH has the base stage COMPUTE; SET_SAMPLER_STATE has no extension.
/// Errors: invalid_parameter.
template <wire_packet P>
requires has_stage<P>
[[nodiscard]] auto stage_of(const packet<P>& from, std::uint32_t abi_minor) noexcept
    -> result<shader_stage> {
  const encoded_stage words = load_stage<P>(from.bytes().data());
  return resolve_stage(words.stage, words.stage_ex, abi_minor);
}

}  // namespace aerogpu
