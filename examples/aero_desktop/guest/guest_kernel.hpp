// SPDX-License-Identifier: MIT
/// \file The kernel-mode half of this guest: memory, fences, interrupts, vblanks and share tokens.
#pragma once

#include "aerogpu/memory/alloc_table_builder.hpp"
#include "aerogpu/share/token_lifetime.hpp"
#include "aerogpu/share/token_source.hpp"
#include "aerogpu/sync/fence_extender.hpp"
#include "aerogpu/sync/frame_latency.hpp"
#include "examples/aero_desktop/guest/hardware.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace desktop {

inline constexpr std::uint32_t screen_width = 1024;
inline constexpr std::uint32_t screen_height = 640;

/// Guest memory that belongs to one process.
struct memory_block {
  aerogpu::alloc_id id{};
  aerogpu::gpa at{};
  std::uint32_t size_bytes = 0;
};

/// Shared by all processes of the guest.
class guest_kernel {
 public:
  explicit guest_kernel(hardware& pc);

  /// Ring, interrupts and a mode. False, and a sentence in `why`, when the device refuses.
  [[nodiscard]] auto start(std::string& why) -> bool;

  [[nodiscard]] auto allocate(std::uint32_t size_bytes) -> memory_block;
  void write(const memory_block& to, aerogpu::const_bytes bytes);
  /// Never 0, never the same twice.
  [[nodiscard]] auto new_handle() -> std::uint32_t { return ++last_handle_; }

  /// One stream with a fence of its own, and the memory that it may touch. 0 when the ring or the
  /// allocation table refuses.
  [[nodiscard]] auto submit(aerogpu::context_id process, aerogpu::const_bytes stream,
                            std::span<const memory_block> memory, std::uint32_t flags)
      -> aerogpu::fence_value;

  /// Sleeps until a fence is complete. False when it never is.
  [[nodiscard]] auto wait_for(aerogpu::fence_value fence) -> bool;
  /// Sleeps until another present may be queued.
  void throttle();
  void presented(aerogpu::fence_value fence) { frames_ahead_.presented(fence); }

  // Shared allocations: one reference for the object, and one for each process that opened it.
  [[nodiscard]] auto create_shared() -> aerogpu::share_token;
  [[nodiscard]] auto open_shared(aerogpu::share_token token) -> bool;
  /// The last one tells the host, behind all earlier work. False when that cannot be submitted.
  [[nodiscard]] auto close_shared(aerogpu::share_token token) -> bool;

  [[nodiscard]] auto time_ns() const -> std::uint64_t { return pc_.host().now; }
  [[nodiscard]] auto vblanks() const -> std::uint64_t { return vblanks_; }
  [[nodiscard]] auto last_fence() const -> aerogpu::fence_value { return fences_.last(); }
  [[nodiscard]] auto submissions() const -> std::uint64_t { return submissions_; }
  /// Errors that the device reported, and the first one in words.
  [[nodiscard]] auto errors() const -> std::uint64_t { return errors_; }
  [[nodiscard]] auto first_error() const -> const std::string& { return first_error_; }

  /// A line for whoever watches; the console window shows the last ones.
  void log(std::string line) { log_.push_back(std::move(line)); }
  [[nodiscard]] auto log() const -> const std::vector<std::string>& { return log_; }

 private:
  void collect_errors();
  void handle_interrupt();
  [[nodiscard]] auto push(const aerogpu::tool::guest_submission& work) -> bool;

  /// A driver asks the processor for randomness; an example is the same on every run.
  struct fixed_seed {
    std::uint64_t value = 0x13198A2E03707344;
    auto operator()() noexcept -> std::uint64_t { return value += 0x9E3779B97F4A7C15; }
  };

  hardware& pc_;
  std::uint64_t next_free_;
  std::uint32_t last_alloc_ = 0;
  std::uint32_t last_handle_ = 0;
  std::uint32_t os_fence_id_ = 0;
  std::uint64_t vblanks_ = 0;
  std::uint64_t submissions_ = 0;
  std::uint64_t errors_ = 0;
  std::string first_error_;
  aerogpu::fence_extender fences_;
  aerogpu::fence_value completed_{};
  aerogpu::frame_latency frames_ahead_;
  fixed_seed seed_;
  aerogpu::token_source tokens_{seed_};
  std::array<aerogpu::token_lifetime::slot, 16> live_{};
  std::array<aerogpu::share_token, 16> releases_{};
  aerogpu::token_lifetime lifetime_{live_, releases_};
  std::array<std::byte, 1024> table_bytes_{};
  std::array<aerogpu::alloc_table_builder::slot, 16> table_slots_{};
  std::vector<std::string> log_;
};

}  // namespace desktop
