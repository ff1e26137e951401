// SPDX-License-Identifier: MIT
/// \file How Catch2 prints the library's types when a case fails.
#pragma once

#include "aerogpu/core/error.hpp"
#include "tests/catch.hpp"

#include <string>

namespace Catch {

template <>
struct StringMaker<aerogpu::error_code> {
  static auto convert(aerogpu::error_code code) -> std::string { return aerogpu::kind_name(code); }
};

}  // namespace Catch
