// SPDX-License-Identifier: MIT
/// \file How much of the ring one tick takes, so that no guest keeps the embedder's thread.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/device/scratch_bytes.hpp"
#include "aerogpu/hosted/limits.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Counts what a tick did. A submission that began runs to its end, so the last one may pass a
/// limit by as much as one submission may take.
class tick_budget {
 public:
  explicit constexpr tick_budget(const limits& bounds) noexcept
      : descriptors_(bounds.descriptors_per_tick),
        packets_(bounds.packets_per_tick),
        fetched_bytes_(bounds.fetched_bytes_per_tick),
        transfer_bytes_(bounds.transfer_bytes_per_tick),
        most_ns_(std::uint64_t{bounds.tick_ms} * 1'000'000) {}

  /// Whether the next entry waits for another tick.
  [[nodiscard]] constexpr auto is_spent() const noexcept -> bool {
    return descriptors_ == 0 || packets_ == 0 || fetched_bytes_ == 0 || transfer_bytes_ == 0 ||
           elapsed_ns_ >= most_ns_;
  }

  constexpr void spend_descriptor() noexcept { take(descriptors_, 1); }
  constexpr void spend_packets(std::uint64_t count) noexcept { take(packets_, count); }
  constexpr void spend_fetched(std::uint64_t size_bytes) noexcept {
    take(fetched_bytes_, size_bytes);
  }
  constexpr void spend_transfers(std::uint64_t size_bytes) noexcept {
    take(transfer_bytes_, size_bytes);
  }
  /// How long the tick has been at work.
  constexpr void set_elapsed(std::uint64_t ns) noexcept { elapsed_ns_ = ns; }

 private:
  static constexpr void take(std::uint64_t& left, std::uint64_t used) noexcept {
    left -= used < left ? used : left;
  }

  std::uint64_t descriptors_;
  std::uint64_t packets_;
  std::uint64_t fetched_bytes_;
  std::uint64_t transfer_bytes_;
  std::uint64_t most_ns_;
  std::uint64_t elapsed_ns_ = 0;
};

/// Models `byte_storage`: what a copy asks for is spent, whether or not the copy succeeds then.
class budgeted_storage {
 public:
  budgeted_storage(scratch_bytes& storage, tick_budget& budget) noexcept
      : storage_(storage), budget_(budget) {}

  [[nodiscard]] auto reserve(std::size_t size) noexcept -> mutable_bytes {
    budget_.spend_fetched(size);
    return storage_.reserve(size);
  }

 private:
  scratch_bytes& storage_;
  tick_budget& budget_;
};

}  // namespace aerogpu
