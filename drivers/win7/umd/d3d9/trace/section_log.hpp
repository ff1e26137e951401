// SPDX-License-Identifier: MIT
/// \file How a section that processes share was protected, for AEROGPU_LOG_MIC (umd-d3d9.md 2.4).
#pragma once

#include <cstdint>
#include <string_view>

namespace aerogpu::umd {

enum class section_security : std::uint8_t {
  sddl,        ///< Made here, for everyone, with a low integrity label.
  null_dacl,   ///< Made here, for everyone, without a label.
  relabelled,  ///< Made by another process, and given the low label here.
  unchanged,   ///< Made by another process, and left as it was.
};

/// One line of the log for a section that was created or opened, when the environment asks.
void log_section(std::string_view name, section_security taken) noexcept;

}  // namespace aerogpu::umd
