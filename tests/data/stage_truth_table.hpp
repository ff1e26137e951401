// SPDX-License-Identifier: MIT
// Which stage (stage, stage_ex) names in a stream of a minor, by wire.md 8.
#pragma once

#include <cstdint>
#include <string_view>

namespace aerogpu::test {

struct stage_truth {
  std::uint32_t abi_minor;
  std::uint32_t stage;
  std::uint32_t stage_ex;
  std::string_view meaning;  ///< A stage's name, or "reject".
};

inline constexpr stage_truth stage_truth_table[] = {
#include "tests/data/stage_rows.inc"
};

}  // namespace aerogpu::test
