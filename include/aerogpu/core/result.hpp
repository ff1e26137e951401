// SPDX-License-Identifier: MIT
/// \file A value or an error, without exceptions or allocation.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/error.hpp"

#include <type_traits>
#include <utility>

namespace aerogpu {

/// Holds a `T`, or the `error` that kept it from being made. `T` may be move-only.
template <class T>
class [[nodiscard]] result {
 public:
  constexpr result(T value) noexcept : value_(std::move(value)), has_value_(true) {}
  constexpr result(const error& why) noexcept : error_(why), has_value_(false) {}

  result(const result&) = delete;
  result(result&&) = delete;  // Returned in place; hand on `*std::move(r)` or `r.why()`.
  auto operator=(const result&) -> result& = delete;
  auto operator=(result&&) -> result& = delete;

  constexpr ~result() {
    if (has_value_) value_.~T();
  }

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return has_value_; }

  /// The value. Precondition: there is one.
  [[nodiscard]] constexpr auto operator*() & noexcept -> T& {
    AEROGPU_CHECK(has_value_);
    return value_;
  }
  [[nodiscard]] constexpr auto operator*() const& noexcept -> const T& {
    AEROGPU_CHECK(has_value_);
    return value_;
  }
  [[nodiscard]] constexpr auto operator*() && noexcept -> T&& {
    AEROGPU_CHECK(has_value_);
    return std::move(value_);
  }
  [[nodiscard]] constexpr auto operator->() noexcept -> T* { return &**this; }
  [[nodiscard]] constexpr auto operator->() const noexcept -> const T* { return &**this; }

  /// Why there is no value; code `none` when there is one.
  [[nodiscard]] constexpr auto why() const noexcept -> error {
    return has_value_ ? error{} : error_;
  }

 private:
  union {
    T value_;
    error error_;
  };
  bool has_value_;
};

/// Success, or the error. Success stores one byte, because most calls that return it are tiny.
template <>
class [[nodiscard]] result<void> {
 public:
  constexpr result() noexcept : has_failed_(false) {}
  constexpr result(const error& why) noexcept
      : error_(why), has_failed_(why.code != error_code::none) {}

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return !has_failed_; }

  /// Why it failed; code `none` on success.
  [[nodiscard]] constexpr auto why() const noexcept -> error {
    return has_failed_ ? error_ : error{};
  }

 private:
  union {
    char nothing_ = 0;
    error error_;
  };
  bool has_failed_;
};

}  // namespace aerogpu
