// SPDX-License-Identifier: MIT
/// \file How the suite makes a backend.
#pragma once

#include "aerogpu/backend/backend.hpp"

#include <memory>

namespace aerogpu::conformance {

/// Specialise for a backend that is not made by its default constructor.
template <backend B>
struct backend_traits {
  /// A backend without objects; called once or more for each case. Null ends the case as passed:
  /// this machine cannot run the backend.
  [[nodiscard]] static auto make() -> std::unique_ptr<B> { return std::make_unique<B>(); }
};

}  // namespace aerogpu::conformance
