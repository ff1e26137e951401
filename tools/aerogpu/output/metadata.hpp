// SPDX-License-Identifier: MIT
/// \file The JSON metadata of a trace.
#pragma once

#include "aerogpu/trace/reader.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace aerogpu::tool {

struct trace_metadata {
  std::string emulator_version;
  std::uint32_t command_abi_version = 0;
};

/// Nothing, and a sentence in `why`, when the text is not JSON, lacks a member, or names another
/// ABI version than the header.
[[nodiscard]] auto read_metadata(const trace_reader& trace, std::string& why)
    -> std::optional<trace_metadata>;

}  // namespace aerogpu::tool
