// SPDX-License-Identifier: MIT
/// \file The guest's count of who holds a share token, and the tokens to be released.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/core/span_map.hpp"
#include "aerogpu/core/span_queue.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu {

/// What dropping a reference did.
enum class token_drop : std::uint8_t {
  unknown,  ///< Nobody held the token: nothing changed.
  kept,     ///< Others hold it.
  last,     ///< Nobody does any more; its release is queued.
  lost,     ///< As `last`, but the release queue is full: the host keeps the token until reset.
};

/// References to share tokens: one for each allocation object and one for each open of it (kmd.md
/// 3.5). A token whose last reference goes is queued for one RELEASE_SHARED_SURFACE, which the
/// driver emits when the ring has room. Storage is the caller's and outlives this; nothing is
/// allocated, so that all can be called under a spin lock. One caller at a time.
class token_lifetime {
 public:
  using slot = span_map<share_token, std::uint32_t>::slot;

  token_lifetime() noexcept = default;

  /// Takes zeroed storage: a power of two slots for live tokens, three quarters of which can be
  /// used, and room for releases that wait.
  token_lifetime(std::span<slot> live, std::span<share_token> releases) noexcept
      : live_(live), releases_(releases) {}

  /// Errors, with nothing changed: invalid_share_token for 0; out_of_memory when there is no slot
  /// or the count is at its end.
  [[nodiscard]] auto add_reference(share_token token) noexcept -> result<void> {
    if (token == share_token{}) {
      return make_error(error_code::invalid_share_token, "share token is zero");
    }
    const auto [references, is_new] = live_.insert(token, 1);
    if (references == nullptr || (!is_new && *references == UINT32_MAX)) {
      return make_error(error_code::out_of_memory, "too many share tokens or references",
                        live_.size(), live_.capacity());
    }
    if (!is_new) ++*references;
    return {};
  }

  /// An allocation object or an open went away. The caller calls once for each.
  auto drop_reference(share_token token) noexcept -> token_drop {
    std::uint32_t* references = live_.find(token);
    if (references == nullptr) return token_drop::unknown;
    if (--*references != 0) return token_drop::kept;
    live_.erase(token);
    return releases_.push_back(token) ? token_drop::last : token_drop::lost;
  }

  /// References to a token.
  [[nodiscard]] auto references(share_token token) const noexcept -> std::uint32_t {
    const std::uint32_t* found = live_.find(token);
    return found != nullptr ? *found : 0;
  }
  [[nodiscard]] auto live_count() const noexcept -> std::size_t { return live_.size(); }

  /// The token to be released next, or 0.
  [[nodiscard]] auto next_release() const noexcept -> share_token {
    return releases_.empty() ? share_token{} : releases_[0];
  }
  /// The release of `next_release` was pushed. Precondition: there is one.
  void release_emitted() noexcept { releases_.pop_front(); }
  [[nodiscard]] auto release_count() const noexcept -> std::size_t { return releases_.size(); }

  /// The device was reset, or will never be asked again: the host knows no tokens, so there is
  /// nothing to release. References stay, with the allocations.
  void forget_releases() noexcept { releases_.clear(); }

  /// The adapter goes away, with everything.
  void clear() noexcept {
    live_.clear();
    releases_.clear();
  }

 private:
  span_map<share_token, std::uint32_t> live_;
  span_queue<share_token> releases_;
};

}  // namespace aerogpu
