// SPDX-License-Identifier: MIT
/// \file Whole files, with sentences for what goes wrong.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aerogpu::dbgctl {

/// Reads at most `limit + 1` bytes: one more tells that the file is longer. Returns what went
/// wrong.
[[nodiscard]] auto read_file(std::string_view path, std::size_t limit,
                             std::vector<std::byte>& bytes) -> std::string;
[[nodiscard]] auto write_file(std::string_view path, std::span<const std::byte> bytes)
    -> std::string;

}  // namespace aerogpu::dbgctl
