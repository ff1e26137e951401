// SPDX-License-Identifier: MIT
/// \file Rules for what a command writes: never over what it reads, and known to be writable before
/// the work begins.
#pragma once

#include <string>
#include <vector>

namespace aerogpu::tool {

/// Refuses a path that is one of the inputs under whatever name. False, and a sentence in `why`.
[[nodiscard]] auto is_no_input(const std::string& output, const std::vector<std::string>& inputs,
                               std::string& why) -> bool;

/// Whether a file of that name could be written now and is no input. False, and a sentence in
/// `why`, when not. Nothing of it stays behind.
[[nodiscard]] auto can_write_file(const std::string& path, const std::vector<std::string>& inputs,
                                  std::string& why) -> bool;

/// Makes a folder where it is missing. False, and a sentence in `why`, when no file can be made in
/// it.
[[nodiscard]] auto can_write_into(const std::string& folder, std::string& why) -> bool;

/// A name for each path, without folder and ".aerogputrace", that no other of them has: the second
/// of one name gets "-2", and so on.
[[nodiscard]] auto unique_stems(const std::vector<std::string>& paths) -> std::vector<std::string>;

}  // namespace aerogpu::tool
