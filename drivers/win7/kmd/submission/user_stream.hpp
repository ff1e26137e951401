// SPDX-License-Identifier: MIT
/// \file A command stream in memory of the calling process, each byte of which is fetched once.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu::kmd {

/// Hands out bytes in order, through a window in kernel memory: what was checked there is what
/// `take` gives, whatever the process does to its own memory meanwhile (kmd.md 3.24). PASSIVE.
class user_stream {
 public:
  /// [first, end) are offsets from `source`. Precondition: first <= end.
  user_stream(const void* source, std::uint32_t first, std::uint32_t end,
              mutable_bytes window) noexcept
      : source_(static_cast<const std::byte*>(source)), window_(window), next_(first), end_(end) {}

  /// Bytes that were not taken yet.
  [[nodiscard]] auto remaining() const noexcept -> std::uint32_t { return end_ - next_ + held(); }

  /// The next bytes, `least` of them or more; empty when the process cannot be read.
  /// Precondition: least <= remaining(), and the window holds as many.
  [[nodiscard]] auto peek(std::uint32_t least) noexcept -> const_bytes {
    if (held() < least && !refill()) return {};
    return window_.subspan(first_, held());
  }

  /// Moves bytes to `to`, those that were seen as they were seen. Precondition: there are as many.
  [[nodiscard]] auto take(mutable_bytes to) noexcept -> bool {
    const std::size_t seen = to.size() < held() ? to.size() : held();
    copy_bytes(to.first(seen), window_.subspan(first_, seen));
    first_ += static_cast<std::uint32_t>(seen);
    const mutable_bytes rest = to.subspan(seen);
    if (rest.empty()) return true;
    if (!os::copy_from_user(rest, source_ + next_)) return false;
    next_ += static_cast<std::uint32_t>(rest.size());
    return true;
  }

 private:
  [[nodiscard]] auto held() const noexcept -> std::uint32_t { return last_ - first_; }

  [[nodiscard]] auto refill() noexcept -> bool {
    const std::uint32_t kept = held();
    if (kept != 0) std::memmove(window_.data(), window_.data() + first_, kept);
    first_ = 0;
    last_ = kept;
    const std::size_t room = window_.size() - kept;
    const std::size_t wanted = end_ - next_ < room ? end_ - next_ : room;
    if (!os::copy_from_user(window_.subspan(kept, wanted), source_ + next_)) return false;
    next_ += static_cast<std::uint32_t>(wanted);
    last_ += static_cast<std::uint32_t>(wanted);
    return true;
  }

  const std::byte* source_;
  mutable_bytes window_;
  std::uint32_t first_ = 0, last_ = 0;  ///< Bytes of the window that were not taken.
  std::uint32_t next_;                  ///< What is fetched next, from `source_`.
  std::uint32_t end_;
};

}  // namespace aerogpu::kmd
