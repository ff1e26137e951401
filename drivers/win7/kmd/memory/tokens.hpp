// SPDX-License-Identifier: MIT
/// \file Share tokens of the adapter: made here, counted here, released to the host (kmd.md 3.5).
#pragma once

#include "aerogpu/core/span_queue.hpp"
#include "aerogpu/share/token_lifetime.hpp"
#include "aerogpu/share/token_source.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/memory/process_counts.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace aerogpu::kmd {

/// Live tokens and releases that wait, together: each live token keeps room for its release, so
/// that none is ever lost.
inline constexpr std::uint32_t max_tokens = 65536;
/// Of them, those that one process may have made.
inline constexpr std::uint32_t max_process_tokens = 8192;

/// A token, and whom it counts for until its release was sent.
struct owned_token {
  share_token token{};  ///< 0 = none.
  process_counts::line maker = process_counts::no_line;
};

/// Any thread; a spin lock of its own. Lives with the adapter, over Stop and Start.
class tokens {
 public:
  /// Storage for max_tokens. STATUS_NO_MEMORY. PASSIVE.
  [[nodiscard]] auto create() noexcept -> NTSTATUS;
  void destroy() noexcept;

  /// A new token with one reference; none when there is no room, or the process has its share.
  [[nodiscard]] auto make(const os::process_identity& process) noexcept -> owned_token;
  [[nodiscard]] auto add_reference(share_token token) noexcept -> bool;
  /// True when that was the last one: the engine is then to be told.
  [[nodiscard]] auto drop_reference(const owned_token& held) noexcept -> bool;

  /// The release that is due, or 0; `emitted` takes it off.
  [[nodiscard]] auto next_release() noexcept -> share_token;
  void emitted(share_token token) noexcept;
  /// The host forgot all tokens.
  void forget_releases() noexcept;

  [[nodiscard]] auto live_count() noexcept -> std::size_t;
  [[nodiscard]] auto references(share_token token) noexcept -> std::uint32_t;

 private:
  /// The release in front is gone.
  void forget_maker() noexcept;

  os::spin_lock lock_;
  token_lifetime lifetime_;
  process_counts counts_;
  span_queue<process_counts::line> released_makers_;  ///< In the order of the releases.
  std::optional<token_source> source_;
  void* live_storage_ = nullptr;
  void* release_storage_ = nullptr;
  void* maker_storage_ = nullptr;
};

}  // namespace aerogpu::kmd
