// SPDX-License-Identifier: MIT
/// \file Rules for what a command writes: never over what it reads or has written, and known to be
/// writable before the work begins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aerogpu::tool {

/// Refuses a path that is one of the inputs under whatever name. False, and a sentence in `why`.
[[nodiscard]] auto is_no_input(const std::string& output, const std::vector<std::string>& inputs,
                               std::string& why) -> bool;

/// Refuses a path that was claimed before, under whatever name: no two outputs of one run are one
/// file. A device or a pipe may be. False, and a sentence in `why`.
[[nodiscard]] auto claim_output(const std::string& path, std::string& why) -> bool;

/// Claims a file that is no input and could be written now. False, and a sentence in `why`, when it
/// is one or could not. Nothing of it stays behind.
[[nodiscard]] auto can_write_file(const std::string& path, const std::vector<std::string>& inputs,
                                  std::string& why) -> bool;

/// The same of a recording, for which "-" is no name: whoever means stdout says /dev/stdout.
[[nodiscard]] auto can_write_recording(const std::string& path,
                                       const std::vector<std::string>& inputs, std::string& why)
    -> bool;

/// Prints what a command tells about what it wrote to `output`: to stderr where that is stdout.
void print_about(const std::string& output, std::string_view text);

/// Makes a folder where it is missing. False, and a sentence in `why`, when no file can be made in
/// it.
[[nodiscard]] auto can_write_into(const std::string& folder, std::string& why) -> bool;

/// A name for each path, without folder and ".aerogputrace", that no other of them has: the second
/// of one name gets "-2", and so on.
[[nodiscard]] auto unique_stems(const std::vector<std::string>& paths) -> std::vector<std::string>;

}  // namespace aerogpu::tool
