// SPDX-License-Identifier: MIT
/// \file The bytes of a file that is only looked at.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace aerogpu::tool {

/// A regular file is mapped: only what is looked at is read, and its size is bounded by the address
/// space. Pipes and the like are read to their end. Moving it leaves the bytes where they are.
class file_bytes {
 public:
  /// Whether a file that starts with these bytes, eight or all of it, is worth the rest.
  using head_check = auto(*)(const_bytes head) -> bool;

  file_bytes() = default;
  file_bytes(file_bytes&& other) noexcept
      : mapped_(std::exchange(other.mapped_, {})), read_(std::move(other.read_)) {}
  auto operator=(file_bytes&& other) noexcept -> file_bytes& {
    std::swap(mapped_, other.mapped_);
    std::swap(read_, other.read_);
    return *this;
  }
  ~file_bytes();

  /// Nothing, and a sentence in `why`, when the file cannot be read; nothing and no sentence when
  /// `is_wanted` says no to its first bytes.
  [[nodiscard]] static auto open(const std::string& path, head_check is_wanted, std::string& why)
      -> std::optional<file_bytes>;

  /// The whole of a regular file that is open. Nothing, and a sentence in `why`, on failure.
  [[nodiscard]] static auto map_open(int file, std::string& why) -> std::optional<file_bytes>;

  [[nodiscard]] auto view() const noexcept -> const_bytes {
    return mapped_.empty() ? const_bytes{read_} : mapped_;
  }

 private:
  [[nodiscard]] auto map(int file, std::size_t size) noexcept -> bool;
  [[nodiscard]] auto read(int file, head_check is_wanted) -> bool;

  const_bytes mapped_;
  std::vector<std::byte> read_;
};

}  // namespace aerogpu::tool
