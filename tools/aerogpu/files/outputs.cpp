// SPDX-License-Identifier: MIT
#include "tools/aerogpu/files/outputs.hpp"

#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/files/pending_file.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#if !defined(_WIN32)
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace aerogpu::tool {

namespace {

/// Also where it is a pipe, which std::filesystem does not compare.
auto is_stdout([[maybe_unused]] const std::string& path) -> bool {
#if defined(_WIN32)
  return false;
#else
  struct stat file {};
  struct stat out {};
  return ::stat(path.c_str(), &file) == 0 && ::fstat(STDOUT_FILENO, &out) == 0 &&
         file.st_dev == out.st_dev && file.st_ino == out.st_ino;
#endif
}

}  // namespace

auto is_no_input(const std::string& output, const std::vector<std::string>& inputs,
                 std::string& why) -> bool {
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(output, input, ignored)) continue;
    why = output + ": it is read by this command, so it is not written; name another file";
    return false;
  }
  return true;
}

auto claim_output(const std::string& path, std::string& why) -> bool {
  namespace fs = std::filesystem;
  static std::map<fs::path, std::string> claimed;  // One run of a program is one command.
  std::error_code failed;
  const fs::file_status there = fs::status(path, failed);
  if (fs::exists(there) && !fs::is_regular_file(there)) return true;
  const fs::path whole = fs::absolute(path, failed);
  const fs::path resolved = fs::weakly_canonical(whole, failed);
  const auto [known, is_new] = claimed.try_emplace(failed ? whole : resolved, path);
  if (is_new) return true;
  why = path + ": this command writes it already, as " + known->second + "; name another file";
  return false;
}

auto can_write_file(const std::string& path, const std::vector<std::string>& inputs,
                    std::string& why) -> bool {
  return is_no_input(path, inputs, why) && pending_file::create(path, why).has_value() &&
         claim_output(path, why);
}

auto can_write_recording(const std::string& path, const std::vector<std::string>& inputs,
                         std::string& why) -> bool {
  if (path != "-") return can_write_file(path, inputs, why);
  why = "-: name a file, ./- for one of that name, or /dev/stdout";
  return false;
}

void print_about(const std::string& output, std::string_view text) {
  if (!is_stdout(output)) return print(text);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

auto can_write_into(const std::string& folder, std::string& why) -> bool {
  if (!make_folder(folder, why)) return false;
  return pending_file::create(join(folder, "aerogpu"), why).has_value();
}

auto unique_stems(const std::vector<std::string>& paths) -> std::vector<std::string> {
  std::set<std::string> taken;
  for (const std::string& path : paths) taken.insert(stem_of(path));
  std::set<std::string> given;
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    const std::string stem = stem_of(path);
    std::string name = stem;
    for (int number = 2; !given.insert(name).second; ++number) {
      name = stem + "-" + std::to_string(number);
      if (taken.contains(name)) name = stem;  // Another path's own name; the next number.
    }
    names.push_back(name);
  }
  return names;
}

}  // namespace aerogpu::tool
