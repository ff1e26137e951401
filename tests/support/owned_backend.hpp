// SPDX-License-Identifier: MIT
/// \file A backend that a test owns, or has borrowed: what goes back to whoever lent it.
#pragma once

#include <functional>
#include <memory>

namespace aerogpu::test {

/// A plain std::unique_ptr<B> converts to it.
template <class B>
using owned_backend = std::unique_ptr<B, std::function<void(B*)>>;

}  // namespace aerogpu::test
