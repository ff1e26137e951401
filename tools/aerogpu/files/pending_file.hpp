// SPDX-License-Identifier: MIT
/// \file A file that is written under another name and takes its own when it is whole.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace aerogpu::tool {

/// Nobody sees half a file: `path` is a new file beside the one wanted, and `commit` renames it.
/// What is not committed is removed. A device, a pipe or a socket is written as it is, and a
/// symbolic link is followed.
class pending_file {
 public:
  /// Nothing, and a sentence in `why`, when a file of that name cannot be written.
  [[nodiscard]] static auto create(const std::string& wanted, std::string& why)
      -> std::optional<pending_file>;
  pending_file(pending_file&& other) noexcept
      : wanted_(std::move(other.wanted_)), path_(std::exchange(other.path_, {})) {}
  auto operator=(pending_file&&) -> pending_file& = delete;
  ~pending_file();

  /// Where to write: exists, and is empty unless it is a device.
  [[nodiscard]] auto path() const -> const std::string& { return path_; }
  /// False, and a sentence in `why`, when it cannot be renamed.
  [[nodiscard]] auto commit(std::string& why) -> bool;

 private:
  pending_file() = default;
  [[nodiscard]] auto is_beside() const -> bool { return path_ != wanted_ && !path_.empty(); }
  [[nodiscard]] auto reserve(std::string& why) -> bool;

  std::string wanted_;
  std::string path_;
};

/// Replaces a file by a whole one. False, and a sentence in `why`, when it cannot be written; what
/// was there is there still.
[[nodiscard]] auto replace_file(const std::string& path, const_bytes bytes, std::string& why)
    -> bool;

inline auto pending_file::create(const std::string& wanted, std::string& why)
    -> std::optional<pending_file> {
  namespace fs = std::filesystem;
  std::error_code failed;
  pending_file file;
  file.wanted_ = wanted;
  const fs::file_status there = fs::status(wanted, failed);
  if (fs::is_directory(there)) {
    why = wanted + ": it is a folder";
    return std::nullopt;
  }
  if (fs::exists(there) && !fs::is_regular_file(there)) {
    file.path_ = wanted;
    return file;
  }
  if (fs::is_symlink(wanted, failed)) file.wanted_ = fs::weakly_canonical(wanted, failed).string();
  if (!fs::exists(there)) return file.reserve(why) ? std::optional{std::move(file)} : std::nullopt;
  // Renaming would replace a file that may not be written.
  std::FILE* const writable = std::fopen(wanted.c_str(), "ab");
  if (writable == nullptr) {
    why = wanted + ": " + std::strerror(errno);
    return std::nullopt;
  }
  std::fclose(writable);
  if (!file.reserve(why)) return std::nullopt;
  fs::permissions(file.path_, there.permissions(), failed);
  return file;
}

/// Makes a file of a name that nobody else has.
inline auto pending_file::reserve(std::string& why) -> bool {
  constexpr int most_names = 1000;
  for (int i = 0; i < most_names; ++i) {
    const std::string name = wanted_ + ".tmp" + std::to_string(i);
    std::FILE* const made = std::fopen(name.c_str(), "wbx");
    if (made != nullptr) {
      std::fclose(made);
      path_ = name;
      return true;
    }
    if (errno != EEXIST) break;
  }
  why = wanted_ + ": " + std::strerror(errno);
  return false;
}

inline auto pending_file::commit(std::string& why) -> bool {
  std::error_code failed;
  if (is_beside()) std::filesystem::rename(path_, wanted_, failed);
  if (failed) {
    why = wanted_ + ": " + failed.message();
    return false;
  }
  path_.clear();
  return true;
}

inline pending_file::~pending_file() {
  std::error_code ignored;
  if (is_beside()) std::filesystem::remove(path_, ignored);
}

inline auto replace_file(const std::string& path, const_bytes bytes, std::string& why) -> bool {
  auto pending = pending_file::create(path, why);
  if (!pending) return false;
  std::FILE* const file = std::fopen(pending->path().c_str(), "wb");
  bool is_written =
      file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  if (!is_written) why = path + ": " + std::strerror(errno);
  if (file != nullptr && std::fclose(file) != 0 && is_written) {
    why = path + ": " + std::strerror(errno);
    is_written = false;
  }
  return is_written && pending->commit(why);
}

}  // namespace aerogpu::tool
