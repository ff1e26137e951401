// SPDX-License-Identifier: MIT
/// \file The four numbers that a record keeps of a call's arguments.
#pragma once

#include "drivers/win7/umd/d3d9/trace/entries.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace aerogpu::umd::trace {

using packed_arguments = std::array<std::uint64_t, 4>;

[[nodiscard]] constexpr auto pack(std::uint32_t low, std::uint32_t high) noexcept -> std::uint64_t {
  return low | std::uint64_t{high} << 32;
}

/// A handle of the portable shape: a structure around a pointer.
template <class T>
concept pointer_handle = requires(T handle) {
  { handle.pDrvPrivate } -> std::same_as<void*&>;
};

template <class T>
concept structure_pointer = std::is_pointer_v<T> && std::is_class_v<std::remove_pointer_t<T>>;

/// One argument as a number: pointers and handles by address, floats by their bits.
template <class T>
[[nodiscard]] auto word(T value) noexcept -> std::uint64_t {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<std::uintptr_t>(value);
  } else if constexpr (pointer_handle<T>) {
    return reinterpret_cast<std::uintptr_t>(value.pDrvPrivate);
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else if constexpr (std::is_enum_v<T>) {
    return word(static_cast<std::underlying_type_t<T>>(value));
  } else {
    static_assert(std::is_integral_v<T>);
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

/// Words in their order, up to four.
template <class... Words>
[[nodiscard]] auto pack_words(Words... values) noexcept -> packed_arguments {
  const std::array<std::uint64_t, sizeof...(Words) + 4> all{word(values)...};
  return {all[0], all[1], all[2], all[3]};
}

/// An entry as a type, for rows that belong to one entry rather than to a structure.
template <entry_id Id>
struct entry_tag {};
/// What every tag converts to, for rows that a structure's type tells apart.
struct any_entry {
  template <entry_id Id>
  constexpr any_entry(entry_tag<Id>) noexcept {}
};

/// The call's arguments by the row of `Packing` that takes them: `row(tag, arguments...)`, with a
/// reference for the first pointer to a structure that is not null. Without such a row, and when
/// that pointer is null, as they come.
template <class Packing, entry_id Id, class... Arguments>
[[nodiscard]] auto pack_call(Arguments... arguments) noexcept -> packed_arguments {
  if constexpr (requires { Packing::row(entry_tag<Id>{}, arguments...); }) {
    return Packing::row(entry_tag<Id>{}, arguments...);
  }
  return pack_words(arguments...);
}
template <class Packing, entry_id Id, class First, class Structure, class... More>
requires(std::is_class_v<Structure> && !structure_pointer<First>)
    [[nodiscard]] auto pack_call(First first, Structure* second, More... more) noexcept
    -> packed_arguments {
  if constexpr (requires { Packing::row(entry_tag<Id>{}, first, *second, more...); }) {
    if (second != nullptr) return Packing::row(entry_tag<Id>{}, first, *second, more...);
  }
  if constexpr (requires { Packing::row(entry_tag<Id>{}, first, second, more...); }) {
    return Packing::row(entry_tag<Id>{}, first, second, more...);
  }
  return pack_words(first, second, more...);
}
template <class Packing, entry_id Id, class Structure, class... More>
requires(std::is_class_v<Structure>)
    [[nodiscard]] auto pack_call(Structure* first, More... more) noexcept -> packed_arguments {
  if constexpr (requires { Packing::row(entry_tag<Id>{}, *first, more...); }) {
    if (first != nullptr) return Packing::row(entry_tag<Id>{}, *first, more...);
  }
  return pack_words(first, more...);
}

}  // namespace aerogpu::umd::trace
