// SPDX-License-Identifier: MIT
/// \file Who connects, and the threads that serve them.
#pragma once

#include "drivers/sim/kernel/windows.hpp"
#include "drivers/wine/guestd/client_process.hpp"
#include "drivers/wine/transport/lane.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace aerogpu::wine {

/// A descriptor of the server's.
class descriptor {
 public:
  explicit descriptor(int value = -1) noexcept : value_(value) {}
  ~descriptor();
  descriptor(const descriptor&) = delete;
  auto operator=(const descriptor&) -> descriptor& = delete;
  descriptor(descriptor&& from) noexcept : value_(std::exchange(from.value_, -1)) {}
  auto operator=(descriptor&& from) noexcept -> descriptor& {
    std::swap(value_, from.value_);
    return *this;
  }
  [[nodiscard]] auto get() const noexcept -> int { return value_; }
  [[nodiscard]] auto is_open() const noexcept -> bool { return value_ >= 0; }

 private:
  int value_;
};

/// One connected process: a thread for each lane, the first of which ends the others.
class connection {
 public:
  /// Files without names yet; `name` is the path that they begin with.
  connection(sim::windows& windows, std::uint32_t id, std::uint32_t first_shared_page,
             std::string name);
  ~connection();
  connection(const connection&) = delete;
  auto operator=(const connection&) -> connection& = delete;

  /// Makes the files, starts the threads, and then gives the process's file its name.
  [[nodiscard]] auto start(std::uint32_t memory_mib, std::uint64_t life) -> bool;
  void stop();
  [[nodiscard]] auto is_over() const noexcept -> bool { return is_over_.load(); }
  [[nodiscard]] auto id() const noexcept -> std::uint32_t { return process_.id; }

 private:
  struct lane {
    descriptor requests;
    descriptor answers;
    std::thread thread;
  };
  [[nodiscard]] auto make_lane(std::uint32_t index) -> bool;
  void remove_names();
  void run(std::uint32_t index);
  /// False: the client is gone, or has nothing to do with the server.
  [[nodiscard]] auto wait_request(std::uint32_t index, lane_page& page, std::uint32_t last) -> bool;
  [[nodiscard]] auto sleep(int requests, bool is_first) -> bool;
  void serve(lane_page& page, std::vector<std::byte>& copy);

  sim::windows& windows_;
  client_process process_;
  std::string name_;
  descriptor stop_;
  std::array<lane, bounds.lanes> lanes_;
  std::atomic<std::uint32_t> lanes_left_ = 0;
  std::atomic<bool> has_begun_ = false;
  std::atomic<bool> is_over_ = false;
};

class server {
 public:
  /// `memory` is the machine's shared memory; RAM from that page on is in it.
  server(sim::windows& windows, const shared_file& memory, std::uint32_t memory_mib,
         std::uint32_t first_shared_page, std::string folder)
      : windows_(windows),
        memory_(memory),
        memory_mib_(memory_mib),
        first_shared_page_(first_shared_page),
        folder_(std::move(folder)) {
    std::random_device chance;
    life_ = std::uint64_t{chance()} << 32 | chance();
  }

  /// Makes the folder's files. False: they are there, or the system refuses.
  [[nodiscard]] auto open() -> bool;
  /// Serves until `stop` is readable; then everybody is sent away.
  void run(int stop);

 private:
  void accept();
  void greet(const greeting& hello);
  void refuse(const std::string& name);
  void reap();

  sim::windows& windows_;
  const shared_file& memory_;
  std::uint32_t memory_mib_;
  std::uint32_t first_shared_page_;
  std::string folder_;
  std::uint64_t life_ = 0;
  descriptor greetings_;
  std::array<std::unique_ptr<connection>, bounds.processes> connections_;
  std::array<std::unique_ptr<shared_file>, bounds.refusals> refusals_;
  std::array<std::string, bounds.refusals> refused_;
  std::uint32_t next_refusal_ = 0;
};

}  // namespace aerogpu::wine
