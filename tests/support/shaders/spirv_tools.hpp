// SPDX-License-Identifier: MIT
/// \file What SPIRV-Tools says of a module.
#pragma once

#include <cstdint>
#include <span>
#include <spirv-tools/libspirv.hpp>
#include <string>
#include <vector>

namespace aerogpu::test {

/// What the validator says about a module; empty when it is valid.
[[nodiscard]] inline auto spirv_complaints(std::span<const std::uint32_t> module,
                                           spv_target_env target) -> std::string {
  spvtools::SpirvTools tools{target};
  std::string said = "invalid: ";
  tools.SetMessageConsumer([&said](spv_message_level_t, const char*, const spv_position_t&,
                                   const char* message) { said += message; });
  return tools.Validate(module.data(), module.size()) ? std::string{} : said;
}

/// The module as assembly; empty when it cannot be read.
[[nodiscard]] inline auto spirv_text(std::span<const std::uint32_t> module) -> std::string {
  std::string text;
  const std::vector<std::uint32_t> words{module.begin(), module.end()};
  const bool is_read = spvtools::SpirvTools{SPV_ENV_UNIVERSAL_1_3}.Disassemble(
      words, &text, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER);
  return is_read ? text : std::string{};
}

}  // namespace aerogpu::test
