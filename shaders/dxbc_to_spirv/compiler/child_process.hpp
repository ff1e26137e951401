// SPDX-License-Identifier: MIT
/// \file A program that runs beside this one, with a socket to it and nothing else in common.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"

#include <chrono>
#include <sys/types.h>

namespace aerogpu::dxbc {

using deadline = std::chrono::steady_clock::time_point;

enum class transfer { done, closed, late };

/// Killed and waited for when it goes, so that neither a process nor a descriptor is left. A copy
/// of this object that a fork of the host made lets the process alone. Not for two threads at once.
class child_process {
 public:
  child_process() noexcept = default;
  child_process(child_process&& other) noexcept;
  auto operator=(child_process&& other) noexcept -> child_process&;
  ~child_process() { end(); }

  /// Starts a program by its path with a socket as descriptor `compiler_socket`, an environment of
  /// LD_LIBRARY_PATH alone, in a session of its own, no signal blocked or ignored.
  /// Errors: unsupported when it cannot be started; out_of_memory.
  [[nodiscard]] static auto start(const char* program) noexcept -> result<child_process>;

  /// Whether there is a process, and it is this process that started it.
  [[nodiscard]] auto is_started() const noexcept -> bool;
  /// Whether it can take a request: it lives, and has not said anything that nobody asked for.
  [[nodiscard]] auto is_quiet() const noexcept -> bool;
  /// What it used so far; 0 when that is not known.
  [[nodiscard]] auto processor_time() const noexcept -> std::chrono::nanoseconds;
  [[nodiscard]] auto send(const_bytes from, deadline until) noexcept -> transfer;
  [[nodiscard]] auto receive(mutable_bytes to, deadline until) noexcept -> transfer;
  void end() noexcept;
  [[nodiscard]] auto id() const noexcept -> pid_t { return id_; }

 private:
  [[nodiscard]] auto wait_for(short events, deadline until) noexcept -> bool;

  pid_t id_ = -1;
  pid_t owner_ = -1;
  int handle_ = -1;  ///< A pidfd, so that no other process can take the number; -1 without.
  int socket_ = -1;
};

}  // namespace aerogpu::dxbc
