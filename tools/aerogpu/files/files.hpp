// SPDX-License-Identifier: MIT
/// \file Files in and out, whole.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace aerogpu::tool {

/// A whole file. Nothing, and a sentence in `why`, when it cannot be read or has more than `most`
/// bytes.
[[nodiscard]] auto read_file(const std::string& path, std::size_t most, std::string& why)
    -> std::optional<std::vector<std::byte>>;

/// All of stdin, with the same limit.
[[nodiscard]] auto read_standard_input(std::size_t most, std::string& why)
    -> std::optional<std::vector<std::byte>>;

/// Replaces a file by a whole one. False, and a sentence in `why`, when it cannot be written; what
/// was there is there still.
[[nodiscard]] auto write_file(const std::string& path, const_bytes bytes, std::string& why) -> bool;

/// Makes a folder and those above it, where they are missing.
[[nodiscard]] auto make_folder(const std::string& path, std::string& why) -> bool;

/// The name behind the last slash, without ".aerogputrace" and ".zst" unless that would leave "."
/// or "..", which name folders.
[[nodiscard]] auto stem_of(const std::string& path) -> std::string;

/// "folder/name".
[[nodiscard]] auto join(const std::string& folder, const std::string& name) -> std::string;

}  // namespace aerogpu::tool
