// SPDX-License-Identifier: MIT
/// \file A view of tightly packed elements that sit at no particular alignment.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/check.hpp"

#include <cstddef>
#include <type_traits>

namespace aerogpu {

/// Elements of `T` in private bytes; each access copies one out. The bytes outlive the view.
template <class T>
requires std::is_trivially_copyable_v<T>
class packed_array {
 public:
  constexpr packed_array() noexcept = default;
  /// Takes whole elements; a cut last one is left out.
  constexpr explicit packed_array(const_bytes bytes) noexcept
      : at_(bytes.data()), size_(bytes.size() / sizeof(T)) {}

  [[nodiscard]] auto operator[](std::size_t i) const noexcept -> T {
    AEROGPU_CHECK(i < size_);
    return load<T>(at_ + i * sizeof(T));
  }
  [[nodiscard]] constexpr auto size() const noexcept -> std::size_t { return size_; }
  [[nodiscard]] constexpr auto empty() const noexcept -> bool { return size_ == 0; }
  [[nodiscard]] constexpr auto bytes() const noexcept -> const_bytes {
    return {at_, size_ * sizeof(T)};
  }

  class iterator {
   public:
    constexpr explicit iterator(const std::byte* at) noexcept : at_(at) {}
    [[nodiscard]] auto operator*() const noexcept -> T { return load<T>(at_); }
    constexpr auto operator++() noexcept -> iterator& {
      at_ += sizeof(T);
      return *this;
    }
    [[nodiscard]] constexpr auto operator==(const iterator&) const noexcept -> bool = default;

   private:
    const std::byte* at_;
  };
  [[nodiscard]] constexpr auto begin() const noexcept -> iterator { return iterator{at_}; }
  [[nodiscard]] constexpr auto end() const noexcept -> iterator {
    return iterator{at_ + size_ * sizeof(T)};
  }

 private:
  const std::byte* at_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace aerogpu
