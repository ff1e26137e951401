// SPDX-License-Identifier: MIT
/// \file An escape's buffer as the packed structure that it holds.
#pragma once

#include "aerogpu/abi/dbgctl_escape.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/check.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace aerogpu::kmd {

/// The structure at the buffer's start; packed, so it may lie anywhere. Precondition: it fits.
template <class T>
requires(std::is_trivially_copyable_v<T> && alignof(T) == 1)
    [[nodiscard]] inline auto escape_as(mutable_bytes buffer) noexcept -> T& {
  AEROGPU_CHECK(sizeof(T) <= buffer.size());
  return *reinterpret_cast<T*>(buffer.data());
}

/// The header of a reply that fills `size_bytes`.
[[nodiscard]] constexpr auto reply_header(std::uint32_t op, std::size_t size_bytes) noexcept
    -> aerogpu_escape_header {
  return {AEROGPU_ESCAPE_VERSION, op, static_cast<std::uint32_t>(size_bytes), 0};
}

/// How many of `room` entries the caller wants: 0 asks for all.
[[nodiscard]] constexpr auto wanted_entries(std::uint32_t asked, std::uint32_t room) noexcept
    -> std::uint32_t {
  return asked == 0 || asked > room ? room : asked;
}

}  // namespace aerogpu::kmd
