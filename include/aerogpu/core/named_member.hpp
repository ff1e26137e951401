// SPDX-License-Identifier: MIT
/// \file Whether a class has a member of some name, whatever it is: for optional parts of concepts,
/// which would be ignored when their signature is not quite right.
#pragma once

#include "aerogpu/core/language.hpp"

#include <type_traits>

namespace aerogpu::detail {

/// Beside `Name`, a struct with one member, a member of `T` of the same name is ambiguous.
template <class T, class Name>
struct beside : T, Name {};

/// Whether `T` has a member of the name that `Name` has, private ones and overloads included.
/// `finds` says for a class X whether `&X::name` means one thing. Nobody can derive from a final
/// class: of one, overloads and templates are not seen.
template <class T, class Name, class Finds>
[[nodiscard]] consteval auto has_member(Finds finds) noexcept -> bool {
  if constexpr (std::is_final_v<T>) {
    return finds.template operator()<T>();
  } else {
    return !finds.template operator()<beside<T, Name>>();
  }
}

}  // namespace aerogpu::detail
