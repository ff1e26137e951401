// SPDX-License-Identifier: MIT
/// \file One object on the heap, where running out is a value.
#pragma once

#include "aerogpu/core/language.hpp"

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace aerogpu {

/// std::make_unique, but null when the heap is exhausted. Its constructor does not throw.
template <class T, class... Args>
requires(!std::is_array_v<T>) && requires(Args&&... args) {
  T(std::forward<Args>(args)...);
}
[[nodiscard]] auto make_heap(Args&&... args) noexcept -> std::unique_ptr<T> {
  return std::unique_ptr<T>{new (std::nothrow) T(std::forward<Args>(args)...)};
}

}  // namespace aerogpu
