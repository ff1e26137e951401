// SPDX-License-Identifier: MIT
/// \file Bytes that resources take, in all and for each context that created some.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_map.hpp"
#include "aerogpu/hosted/limits.hpp"

#include <cstdint>

namespace aerogpu {

/// Charges and refunds bytes (limits: resource_bytes, resource_bytes_per_context).
class byte_quota {
 public:
  explicit byte_quota(hash_key places = {}) noexcept : used_(places) {}

  /// Errors: out_of_memory; nothing is charged then. Precondition: there are bytes.
  [[nodiscard]] auto charge(context_id creator, std::uint64_t size_bytes,
                            const limits& most) noexcept -> result<void> {
    if (size_bytes > most.resource_bytes || total_ > most.resource_bytes - size_bytes) {
      return make_error(error_code::out_of_memory, "all resources take too much memory", size_bytes,
                        most.resource_bytes);
    }
    const std::uint64_t* known = used_.find(key_of(creator));
    const std::uint64_t before = known != nullptr ? *known : 0;
    if (size_bytes > most.resource_bytes_per_context ||
        before > most.resource_bytes_per_context - size_bytes) {
      return make_error(error_code::out_of_memory, "one context's resources take too much memory",
                        size_bytes, most.resource_bytes_per_context);
    }
    std::uint64_t* used = used_.insert(key_of(creator), 0).first;
    if (used == nullptr) return make_error(error_code::out_of_memory, "host memory is exhausted");
    *used += size_bytes;
    total_ += size_bytes;
    return {};
  }

  /// Precondition: that much was charged to `creator`.
  void refund(context_id creator, std::uint64_t size_bytes) noexcept {
    std::uint64_t* used = used_.find(key_of(creator));
    AEROGPU_CHECK(used != nullptr && *used >= size_bytes);
    *used -= size_bytes;
    total_ -= size_bytes;
    if (*used == 0) used_.erase(key_of(creator));  // Contexts come and go.
  }

  [[nodiscard]] auto total_bytes() const noexcept -> std::uint64_t { return total_; }

 private:
  enum class key : std::uint64_t {};

  /// Context 0 is ordinary, and 0 is no key.
  [[nodiscard]] static auto key_of(context_id creator) noexcept -> key {
    return static_cast<key>(std::uint64_t{raw(creator)} + 1);
  }

  heap_map<key, std::uint64_t> used_;
  std::uint64_t total_ = 0;
};

}  // namespace aerogpu
