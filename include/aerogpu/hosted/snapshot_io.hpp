// SPDX-License-Identifier: MIT
/// \file Snapshots as bytes: a writer that may run out, and a reader that checks every byte.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/check.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace aerogpu {

/// What a snapshot stores one by one: no padding can carry host memory along.
template <class T>
concept snapshot_scalar = std::integral<T> || std::is_enum_v<T> || std::floating_point<T>;

/// Appends to bytes on the heap. After the first failure every call does nothing, and `why` says
/// what happened, so that a caller checks once at the end.
class snapshot_writer {
 public:
  explicit snapshot_writer(std::uint64_t limit_bytes = UINT64_MAX) noexcept : limit_(limit_bytes) {}

  template <snapshot_scalar T>
  void put(T value) noexcept {
    if constexpr (std::same_as<T, bool>) {
      put(static_cast<std::uint8_t>(value));
    } else {
      put_bytes(bytes_of(value));
    }
  }
  void put_bytes(const_bytes bytes) noexcept {
    const mutable_bytes room = extend(bytes.size());
    if (room.size() == bytes.size()) copy_bytes(room, bytes);
  }

  /// Makes room for about `size_bytes` more, as far as the limit allows, so that they are not moved
  /// as they grow. What is not written is not committed.
  void expect(std::uint64_t size_bytes) noexcept {
    const std::uint64_t size = std::min(size_bytes, limit_ - used_);
    if (why_.code != error_code::none || size <= bytes_.size() - used_) return;
    if (size > SIZE_MAX - used_ || !grow(used_ + static_cast<std::size_t>(size))) {
      fail(make_error(error_code::out_of_memory, "host memory is exhausted", size));
    }
  }

  /// Room for `size_bytes` that the caller fills before the next call; empty after a failure.
  [[nodiscard]] auto extend(std::uint64_t size_bytes) noexcept -> mutable_bytes {
    if (why_.code != error_code::none) return {};
    if (size_bytes > limit_ - used_) {
      fail(make_error(error_code::out_of_memory, "snapshot is larger than its limit", size_bytes,
                      limit_ - used_));
      return {};
    }
    const auto size = static_cast<std::size_t>(size_bytes);
    if (size != size_bytes || !reserve(size)) {
      fail(make_error(error_code::out_of_memory, "host memory is exhausted", size_bytes));
      return {};
    }
    used_ += size;
    return bytes_.view().subspan(used_ - size, size);
  }

  /// Keeps the first failure.
  void fail(const error& why) noexcept {
    if (why_.code == error_code::none) why_ = why;
  }
  /// Takes back what is behind the first `size_bytes`, and a failure. Precondition: so many bytes
  /// were written.
  void rewind(std::size_t size_bytes) noexcept {
    AEROGPU_CHECK(size_bytes <= used_);
    used_ = size_bytes;
    why_ = {};
  }

  [[nodiscard]] auto why() const noexcept -> const error& { return why_; }
  /// What was written. Valid until the next call.
  [[nodiscard]] auto bytes() const noexcept -> const_bytes { return bytes_.view().first(used_); }

 private:
  [[nodiscard]] auto reserve(std::size_t size) noexcept -> bool {
    if (size <= bytes_.size() - used_) return true;
    if (size > SIZE_MAX - used_) return false;
    const std::size_t grown = bytes_.size() + bytes_.size() / 2;
    return grow(std::max({used_ + size, grown, std::size_t{4096}}));
  }
  /// Moves what was written, and leaves the rest to be committed when it is.
  [[nodiscard]] auto grow(std::size_t size) noexcept -> bool {
    bytes_.truncate(used_);
    if (bytes_.resize_for_overwrite(size)) return true;
    AEROGPU_CHECK(bytes_.resize_for_overwrite(bytes_.capacity()));
    return false;
  }

  heap_array<std::byte> bytes_;
  std::size_t used_ = 0;
  std::uint64_t limit_;
  error why_;
};

/// Reads a snapshot that may come from anybody. After the first failure every call returns zeroes,
/// and `why` keeps what was wrong first; loops are bounded by counts that were checked.
class snapshot_reader {
 public:
  explicit snapshot_reader(const_bytes bytes) noexcept : bytes_(bytes) {}

  template <snapshot_scalar T>
  [[nodiscard]] auto take() noexcept -> T {
    if constexpr (std::same_as<T, bool>) {
      const auto value = take<std::uint8_t>();
      require(value <= 1, "a flag is neither 0 nor 1", value, 1);
      return value == 1;
    } else {
      const const_bytes from = take_bytes(sizeof(T));
      return from.size() == sizeof(T) ? load<T>(from.data()) : T{};
    }
  }

  /// `size_bytes` bytes of the snapshot, or none after a failure.
  [[nodiscard]] auto take_bytes(std::uint64_t size_bytes) noexcept -> const_bytes {
    require(size_bytes <= bytes_.size() - at_, "snapshot ends early", size_bytes,
            bytes_.size() - at_);
    if (!is_good()) return {};
    const auto size = static_cast<std::size_t>(size_bytes);
    at_ += size;
    return bytes_.subspan(at_ - size, size);
  }

  /// A count of elements that take at least `element_bytes` each; 0 after a failure.
  /// `limit` bounds what the caller allocates for them.
  [[nodiscard]] auto take_count(std::uint64_t limit, std::uint64_t element_bytes = 1) noexcept
      -> std::uint32_t {
    const auto count = take<std::uint32_t>();
    require(count <= limit, "a count exceeds its limit", count, limit);
    require(count <= (bytes_.size() - at_) / element_bytes, "a count exceeds the snapshot", count);
    return is_good() ? count : 0;
  }

  /// An enumerator at or below `last`.
  template <class E>
  requires std::is_enum_v<E>
  [[nodiscard]] auto take_enum(E last) noexcept -> E {
    using number = std::underlying_type_t<E>;
    const auto value = take<number>();
    require(value <= static_cast<number>(last), "an enumerator is unknown",
            static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(last));
    return is_good() ? static_cast<E>(value) : E{};
  }

  /// Fails with `corrupt` unless the claim holds; returns whether all is good so far.
  auto require(bool claim, const char* what, std::uint64_t detail = 0,
               std::uint64_t limit = 0) noexcept -> bool {
    if (!claim) fail(make_error(error_code::corrupt, what, detail, limit));
    return is_good();
  }

  /// Keeps the first failure, with the offset where it was seen.
  void fail(error why) noexcept {
    if (!is_good()) return;
    why.offset = at_;
    why_ = why;
  }

  [[nodiscard]] auto is_good() const noexcept -> bool { return why_.code == error_code::none; }
  [[nodiscard]] auto why() const noexcept -> const error& { return why_; }
  [[nodiscard]] auto left() const noexcept -> std::size_t { return bytes_.size() - at_; }

 private:
  const_bytes bytes_;
  std::size_t at_ = 0;
  error why_;
};

}  // namespace aerogpu
