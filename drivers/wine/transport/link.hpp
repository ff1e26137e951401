// SPDX-License-Identifier: MIT
/// \file What the transport's client needs of its system: a mapped file, the ends of FIFOs, chance.
///
/// Paths are the server's, with slashes. Apart from the thunks, because Windows' own headers and
/// the driver's do not go together.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstdint>
#include <string>

namespace aerogpu::wine {

/// All of a file, to read and write, for as long as this lives.
class mapped_file {
 public:
  mapped_file() = default;
  ~mapped_file() { close(); }
  mapped_file(const mapped_file&) = delete;
  auto operator=(const mapped_file&) -> mapped_file& = delete;

  /// False: it is not there, is shorter, or the system has no addresses left.
  [[nodiscard]] auto open(const std::string& path, std::uint64_t size_bytes) -> bool;
  void close();
  [[nodiscard]] auto bytes() const noexcept -> mutable_bytes { return bytes_; }

 private:
  mutable_bytes bytes_;
};

/// One end of a FIFO that the server made.
class fifo_end {
 public:
  fifo_end() = default;
  ~fifo_end() { close(); }
  fifo_end(const fifo_end&) = delete;
  auto operator=(const fifo_end&) -> fifo_end& = delete;

  /// For writing: never waits for a reader, and a reader that is gone is no signal.
  [[nodiscard]] auto open_to_write(const std::string& path) -> bool;
  [[nodiscard]] auto open_to_read(const std::string& path) -> bool;
  void close();
  /// All of it at once, or false.
  [[nodiscard]] auto write(const_bytes bytes) -> bool;
  /// Waits for a byte. False: whoever wrote is gone.
  [[nodiscard]] auto wait_byte() -> bool;

 private:
  std::intptr_t handle_ = -1;
};

void fill_random(mutable_bytes bytes);
/// The server's folder: AEROGPU_GUESTD; empty when it is not set.
[[nodiscard]] auto folder_of_environment() -> std::string;

}  // namespace aerogpu::wine
