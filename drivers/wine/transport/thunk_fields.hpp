// SPDX-License-Identifier: MIT
/// \file How a thunk's structure goes through a message: its members, one field each.
///
/// A field does four things: the client puts what goes in, the server takes it, the server puts
/// what came out, the client takes that into the caller's memory.
#pragma once

#include "drivers/wine/transport/message.hpp"

#include <cstdint>

namespace aerogpu::wine {

enum class way : std::uint8_t { in, out, both };

[[nodiscard]] constexpr auto goes_in(way of) noexcept -> bool {
  return of != way::out;
}
[[nodiscard]] constexpr auto comes_out(way of) noexcept -> bool {
  return of != way::in;
}

namespace detail {

template <class Member>
struct member_type;
template <class Owner, class Type>
struct member_type<Type Owner::*> {
  using type = Type;
};
template <auto Member>
using type_of = typename member_type<decltype(Member)>::type;
template <auto Pointer>
using pointee_of = std::remove_const_t<std::remove_pointer_t<type_of<Pointer>>>;

/// A pointer and its count, as a message says them.
struct pointed {
  std::uint32_t count = 0;
  std::uint32_t is_there = 0;
};

}  // namespace detail

/// Members that are what they are.
template <way Way, auto... Members>
struct values {
  static_assert((plain<detail::type_of<Members>> && ...));
  static constexpr std::uint32_t bytes =
      (std::uint32_t{sizeof(detail::type_of<Members>)} + ... + 0u);
  static constexpr std::uint32_t request_bytes = goes_in(Way) ? bytes : 0;
  static constexpr std::uint32_t answer_bytes = comes_out(Way) ? bytes : 0;

  template <class S>
  static void put_request(message_writer& to, const S& from) noexcept {
    if constexpr (goes_in(Way)) (to.put(from.*Members), ...);
  }
  template <class S>
  static void take_request(message_reader& from, S& to, pointed_memory&) {
    if constexpr (goes_in(Way)) (from.take_into(to.*Members), ...);
  }
  template <class S>
  static void put_answer(message_writer& to, const S& after, const S&) noexcept {
    if constexpr (comes_out(Way)) (to.put(after.*Members), ...);
  }
  template <class S>
  static void take_answer(message_reader& from, S& to, const S&) noexcept {
    if constexpr (comes_out(Way)) (from.take_into(to.*Members), ...);
  }
};

/// A pointer to `Count` elements without pointers in them; of void, bytes. Without a pointer the
/// server sees a count of 0: nothing that it calls can go through a pointer that is not there.
template <way Way, auto Pointer, auto Count>
struct list {
  using element = std::conditional_t<std::is_void_v<detail::pointee_of<Pointer>>, std::byte,
                                     detail::pointee_of<Pointer>>;
  static_assert(plain<element>);
  static constexpr std::uint32_t request_bytes = sizeof(detail::pointed);
  static constexpr std::uint32_t answer_bytes = 0;

  template <class S>
  [[nodiscard]] static auto bytes_of_list(const S& of) noexcept -> const_bytes {
    if (of.*Pointer == nullptr) return {};
    return {static_cast<const std::byte*>(static_cast<const void*>(of.*Pointer)),
            std::size_t{of.*Count} * sizeof(element)};
  }
  template <class S>
  static void put_request(message_writer& to, const S& from) noexcept {
    to.put(detail::pointed{from.*Count, from.*Pointer != nullptr ? 1u : 0u});
    if constexpr (goes_in(Way)) to.put_bytes(bytes_of_list(from));
  }
  template <class S>
  static void take_request(message_reader& from, S& to, pointed_memory& memory) {
    const auto said = from.take<detail::pointed>();
    to.*Count = 0;
    to.*Pointer = nullptr;
    if (said.is_there == 0) return;
    const auto size = std::uint64_t{said.count} * sizeof(element);
    auto* const room = memory.allocate(size);
    if (room == nullptr) return from.refuse();
    if constexpr (goes_in(Way)) {
      const auto content = from.take_bytes(size);
      if (!content.empty()) std::memcpy(room, content.data(), content.size());
    }
    to.*Count = said.count;
    to.*Pointer = static_cast<detail::type_of<Pointer>>(static_cast<void*>(room));
  }
  template <class S>
  static void put_answer(message_writer& to, const S&, const S& before) noexcept {
    if constexpr (comes_out(Way)) to.put_bytes(bytes_of_list(before));
  }
  template <class S>
  static void take_answer(message_reader& from, S&, const S& before) noexcept {
    if constexpr (comes_out(Way)) {
      const auto room = bytes_of_list(before);
      const auto content = from.take_bytes(room.size());
      if (!content.empty())
        std::memcpy(const_cast<std::byte*>(room.data()), content.data(), content.size());
    }
  }
};

/// Two lists of one length, which go in.
template <auto Count, auto First, auto Second>
struct paired_lists {
  using first = list<way::in, First, Count>;
  using second = list<way::in, Second, Count>;
  static constexpr std::uint32_t request_bytes = first::request_bytes + second::request_bytes;
  static constexpr std::uint32_t answer_bytes = 0;

  template <class S>
  static void put_request(message_writer& to, const S& from) noexcept {
    first::put_request(to, from);
    second::put_request(to, from);
  }
  template <class S>
  static void take_request(message_reader& from, S& to, pointed_memory& memory) {
    first::take_request(from, to, memory);
    const auto length = to.*Count;
    second::take_request(from, to, memory);
    if (to.*Count != length) from.refuse();
  }
  template <class S>
  static void put_answer(message_writer&, const S&, const S&) noexcept {}
  template <class S>
  static void take_answer(message_reader&, S&, const S&) noexcept {}
};

/// A pointer to `Count` structures with fields of their own.
template <auto Pointer, auto Count, class... Fields>
struct records {
  using element = detail::pointee_of<Pointer>;
  static constexpr std::uint32_t request_bytes = sizeof(detail::pointed);
  static constexpr std::uint32_t answer_bytes = 0;

  template <class S>
  [[nodiscard]] static auto all(const S& of) noexcept -> std::span<element> {
    return {const_cast<element*>(of.*Pointer), of.*Pointer != nullptr ? of.*Count : 0};
  }
  template <class S>
  static void put_request(message_writer& to, const S& from) noexcept {
    to.put(detail::pointed{from.*Count, from.*Pointer != nullptr ? 1u : 0u});
    for (const auto& one : all(from)) (Fields::put_request(to, one), ...);
  }
  template <class S>
  static void take_request(message_reader& from, S& to, pointed_memory& memory) {
    const auto said = from.take<detail::pointed>();
    to.*Count = 0;
    to.*Pointer = nullptr;
    if (said.is_there == 0) return;
    auto* const room = memory.allocate(std::uint64_t{said.count} * sizeof(element));
    if (room == nullptr) return from.refuse();
    to.*Count = said.count;
    to.*Pointer = reinterpret_cast<element*>(room);
    for (auto& one : all(to)) {
      (Fields::take_request(from, one, memory), ...);
      if (from.is_bad()) return;
    }
  }
  template <class S>
  static void put_answer(message_writer& to, const S&, const S& before) noexcept {
    for (const auto& one : all(before)) (Fields::put_answer(to, one, one), ...);
  }
  template <class S>
  static void take_answer(message_reader& from, S&, const S& before) noexcept {
    for (auto& one : all(before)) {
      const auto kept = one;
      (Fields::take_answer(from, one, kept), ...);
    }
  }
};

}  // namespace aerogpu::wine
