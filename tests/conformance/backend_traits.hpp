// SPDX-License-Identifier: MIT
/// \file How the suite makes a backend.
#pragma once

#include "aerogpu/backend/backend.hpp"

#include <memory>

namespace aerogpu::conformance {

/// Specialise for a backend that is not made by its default constructor. A backend that tests can
/// hold back has, besides, `hold(B&)`, after which it reports nothing, and `release_one(B&)`, which
/// lets it report the oldest submission.
template <backend B>
struct backend_traits {
  /// A backend without objects; called once or more for each case. Null ends the case as passed:
  /// this machine cannot run the backend.
  [[nodiscard]] static auto make() -> std::unique_ptr<B> { return std::make_unique<B>(); }
};

/// Whether CLEAR changes texels, which host.md 2.13 leaves to a backend that does not draw. One
/// that wants to be asked says `static constexpr bool clears = true;` in its traits.
template <backend B>
[[nodiscard]] consteval auto clears() noexcept -> bool {
  if constexpr (requires { backend_traits<B>::clears; }) {
    return backend_traits<B>::clears;
  } else {
    return false;
  }
}

}  // namespace aerogpu::conformance
