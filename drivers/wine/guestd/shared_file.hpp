// SPDX-License-Identifier: MIT
/// \file A file of the server's that a client may map: of one size for ever, and gone with the
/// server.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstdint>
#include <string>

namespace aerogpu::wine {

/// Memory without a name on a disk. A client that maps it cannot shorten it under the server.
class shared_file {
 public:
  shared_file() = default;
  ~shared_file();
  shared_file(const shared_file&) = delete;
  auto operator=(const shared_file&) -> shared_file& = delete;

  [[nodiscard]] auto create(std::uint64_t size_bytes) -> bool;
  /// Maps it here, too.
  [[nodiscard]] auto map() -> bool;
  /// Gives it a name that others may open.
  [[nodiscard]] auto publish(const std::string& path) const -> bool;
  [[nodiscard]] auto bytes() const noexcept -> mutable_bytes { return bytes_; }
  [[nodiscard]] auto descriptor() const noexcept -> int { return file_; }

 private:
  int file_ = -1;
  std::uint64_t size_bytes_ = 0;
  mutable_bytes bytes_;
};

}  // namespace aerogpu::wine
