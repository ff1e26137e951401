// SPDX-License-Identifier: MIT
/// \file Every scalar of a structure, found by the compiler: a member that is added later is
/// compared too.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

namespace aerogpu::test {

namespace leaf_search {

/// Initialises a member of any type.
struct any_member {
  template <class T>
  operator T() const noexcept;
};

template <class T, class... Members>
[[nodiscard]] consteval auto count_members() noexcept -> std::size_t {
  if constexpr (requires { T{Members{}..., any_member{}}; }) {
    return count_members<T, Members..., any_member>();
  } else {
    return sizeof...(Members);
  }
}

template <class T>
concept scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

// A macro, because a structured binding cannot have as many names as a parameter says.
#define AEROGPU_TEST_MEMBERS(count, ...) \
  if constexpr (names == count) {        \
    auto& [__VA_ARGS__] = value;         \
    return std::tie(__VA_ARGS__);        \
  } else

/// References to the members of an aggregate, in order.
template <class T>
[[nodiscard]] constexpr auto members_of(T& value) noexcept {
  constexpr std::size_t names = count_members<std::remove_const_t<T>>();
  // clang-format off
  AEROGPU_TEST_MEMBERS(1, a)
  AEROGPU_TEST_MEMBERS(2, a, b)
  AEROGPU_TEST_MEMBERS(3, a, b, c)
  AEROGPU_TEST_MEMBERS(4, a, b, c, d)
  AEROGPU_TEST_MEMBERS(5, a, b, c, d, e)
  AEROGPU_TEST_MEMBERS(6, a, b, c, d, e, f)
  AEROGPU_TEST_MEMBERS(7, a, b, c, d, e, f, g)
  AEROGPU_TEST_MEMBERS(8, a, b, c, d, e, f, g, h)
  AEROGPU_TEST_MEMBERS(9, a, b, c, d, e, f, g, h, i)
  AEROGPU_TEST_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
  AEROGPU_TEST_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, k)
  AEROGPU_TEST_MEMBERS(12, a, b, c, d, e, f, g, h, i, j, k, l)
  AEROGPU_TEST_MEMBERS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  AEROGPU_TEST_MEMBERS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
  AEROGPU_TEST_MEMBERS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
  AEROGPU_TEST_MEMBERS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
  AEROGPU_TEST_MEMBERS(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
  AEROGPU_TEST_MEMBERS(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
  AEROGPU_TEST_MEMBERS(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
  AEROGPU_TEST_MEMBERS(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
  AEROGPU_TEST_MEMBERS(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
  AEROGPU_TEST_MEMBERS(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
  AEROGPU_TEST_MEMBERS(23, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w)
  AEROGPU_TEST_MEMBERS(24, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x)
  AEROGPU_TEST_MEMBERS(25, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y)
  AEROGPU_TEST_MEMBERS(26, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z)
  AEROGPU_TEST_MEMBERS(27, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa)
  AEROGPU_TEST_MEMBERS(28, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb)
  static_assert(names == 0, "more members than there are lines above");
  // clang-format on
}

#undef AEROGPU_TEST_MEMBERS

}  // namespace leaf_search

/// Members of an aggregate; those of its members do not count.
template <class T>
inline constexpr std::size_t member_count = leaf_search::count_members<T>();

/// Calls `visit(scalar)` for each scalar in `value`, which consists of aggregates and arrays.
template <class T, class Visit>
constexpr void for_each_leaf(T& value, Visit&& visit) {
  using type = std::remove_const_t<T>;
  if constexpr (leaf_search::scalar<type>) {
    visit(value);
  } else if constexpr (leaf_search::is_array<type>) {
    for (auto& element : value) for_each_leaf(element, visit);
  } else {
    std::apply([&](auto&... member) { (for_each_leaf(member, visit), ...); },
               leaf_search::members_of(value));
  }
}

/// The value of a scalar, for comparisons and messages.
template <leaf_search::scalar T>
[[nodiscard]] constexpr auto leaf_value(T leaf) noexcept -> std::uint64_t {
  if constexpr (std::same_as<T, float>) {
    return std::bit_cast<std::uint32_t>(leaf);
  } else {
    return static_cast<std::uint64_t>(leaf);
  }
}

/// Every scalar of `value`, in order.
template <class T>
[[nodiscard]] auto leaves_of(const T& value) -> std::vector<std::uint64_t> {
  std::vector<std::uint64_t> leaves;
  for_each_leaf(value, [&](const auto& leaf) { leaves.push_back(leaf_value(leaf)); });
  return leaves;
}

/// Gives a scalar another value, and a small one where it was small.
template <leaf_search::scalar T>
constexpr void change_leaf(T& leaf) noexcept {
  if constexpr (std::same_as<T, bool>) {
    leaf = !leaf;
  } else if constexpr (std::floating_point<T>) {
    leaf += T{0.125};
  } else {
    const std::uint64_t now = leaf_value(leaf);
    leaf = static_cast<T>(now == 0 ? 1 : now - 1);
  }
}

/// Calls `act(changed, number)` for each scalar of `base`, with a copy that differs in it alone.
template <class T, class Act>
void with_each_leaf_changed(const T& base, Act&& act) {
  const std::size_t count = leaves_of(base).size();
  for (std::size_t number = 0; number < count; ++number) {
    T changed = base;
    std::size_t at = 0;
    for_each_leaf(changed, [&](auto& leaf) {
      if (at++ == number) change_leaf(leaf);
    });
    act(changed, number);
  }
}

}  // namespace aerogpu::test
