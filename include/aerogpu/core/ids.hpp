// SPDX-License-Identifier: MIT
/// \file Ids that do not mix: one type for each thing the wire names by number.
#pragma once

#include "aerogpu/core/language.hpp"

#include <cstdint>
#include <type_traits>

namespace aerogpu {

enum class resource_handle : std::uint32_t {};      ///< Buffer, texture, view or alias; 0 = none.
enum class shader_handle : std::uint32_t {};        ///< 0 = none.
enum class input_layout_handle : std::uint32_t {};  ///< 0 = none.
enum class sampler_handle : std::uint32_t {};       ///< 0 = none.
enum class alloc_id : std::uint32_t {};             ///< Guest allocation; 0 = no backing.
enum class context_id : std::uint32_t {};           ///< Pipeline state block; 0 is ordinary.
enum class share_token : std::uint64_t {};          ///< Shared surface; 0 is invalid.
enum class fence_value : std::uint64_t {};          ///< Monotonic; 0 = nothing to signal.
enum class gpa : std::uint64_t {};                  ///< Guest physical address.

/// The number behind an id, where it meets the wire.
template <class Id>
requires std::is_enum_v<Id>
[[nodiscard]] constexpr auto raw(Id id) noexcept -> std::underlying_type_t<Id> {
  return static_cast<std::underlying_type_t<Id>>(id);
}

/// `at + offset`. Precondition: the range was checked not to wrap.
[[nodiscard]] constexpr auto advance(gpa at, std::uint64_t offset) noexcept -> gpa {
  return static_cast<gpa>(raw(at) + offset);
}

}  // namespace aerogpu
