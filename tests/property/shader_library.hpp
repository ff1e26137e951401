// SPDX-License-Identifier: MIT
/// \file The shaders that generated guests create.
#pragma once

#include "tests/property/objects.hpp"

#include <vector>

namespace aerogpu::property {

struct library_shader {
  object_kind kind;
  test::wire_stage stage;
  bool is_d3d9;
  test::byte_vector code;
};

/// Every sample of tests/support, in a fixed order.
[[nodiscard]] auto shader_library() -> const std::vector<library_shader>&;

}  // namespace aerogpu::property
