// SPDX-License-Identifier: MIT
/// \file Share tokens of the adapter: made here, counted here, released to the host (kmd.md 3.5).
#pragma once

#include "aerogpu/share/token_lifetime.hpp"
#include "aerogpu/share/token_source.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace aerogpu::kmd {

/// Live tokens and releases that wait, together: each live token keeps room for its release, so
/// that none is ever lost.
inline constexpr std::uint32_t max_tokens = 65536;

/// Any thread; a spin lock of its own. Lives with the adapter, over Stop and Start.
class tokens {
 public:
  /// Storage for max_tokens. STATUS_NO_MEMORY. PASSIVE.
  [[nodiscard]] auto create() noexcept -> NTSTATUS;
  void destroy() noexcept;

  /// A new token with one reference, or 0 when there is no room.
  [[nodiscard]] auto make() noexcept -> share_token;
  [[nodiscard]] auto add_reference(share_token token) noexcept -> bool;
  /// True when that was the last one: the engine is then to be told.
  [[nodiscard]] auto drop_reference(share_token token) noexcept -> bool;

  /// The release that is due, or 0; `emitted` takes it off.
  [[nodiscard]] auto next_release() noexcept -> share_token;
  void emitted(share_token token) noexcept;
  /// The host forgot all tokens.
  void forget_releases() noexcept;

  [[nodiscard]] auto live_count() noexcept -> std::size_t;
  [[nodiscard]] auto references(share_token token) noexcept -> std::uint32_t;

 private:
  os::spin_lock lock_;
  token_lifetime lifetime_;
  std::optional<token_source> source_;
  void* live_storage_ = nullptr;
  void* release_storage_ = nullptr;
};

}  // namespace aerogpu::kmd
