// SPDX-License-Identifier: MIT
/// \file Where a writer puts a stream: a fixed span, nowhere, or a container that grows.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/check.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace aerogpu {

/// Bytes in order. `append(size, fill)` makes room and calls `fill` with the first new byte, or
/// leaves everything as it was and says false; a sink without memory does not call `fill`.
/// `patch` overwrites bytes that were appended.
template <class S>
concept stream_sink = requires(S& sink, const S& fixed, std::size_t n, const_bytes bytes,
                               void (*fill)(std::byte*) noexcept) {
  { sink.append(n, fill) }
  noexcept->std::same_as<bool>;
  { sink.patch(n, bytes) }
  noexcept;
  { fixed.size() }
  noexcept->std::same_as<std::size_t>;
};

/// A fixed span, such as a DMA buffer. The memory outlives the sink.
class span_sink {
 public:
  explicit constexpr span_sink(mutable_bytes storage) noexcept
      : data_(storage.data()), capacity_(storage.size()) {}

  template <class Fill>
  [[nodiscard]] auto append(std::size_t size, Fill&& fill) noexcept -> bool {
    if (size > capacity_ - size_) [[unlikely]]
      return false;
    std::byte* const at = data_ + size_;
    size_ += size;
    fill(at);
    return true;
  }
  void patch(std::size_t offset, const_bytes bytes) noexcept {
    AEROGPU_CHECK(offset <= size_ && bytes.size() <= size_ - offset);
    copy_bytes({data_ + offset, bytes.size()}, bytes);
  }
  [[nodiscard]] constexpr auto size() const noexcept -> std::size_t { return size_; }
  [[nodiscard]] constexpr auto room() const noexcept -> std::size_t { return capacity_ - size_; }
  [[nodiscard]] auto bytes() const noexcept -> const_bytes { return {data_, size_}; }
  /// Starts over at the front, as after a flush.
  constexpr void clear() noexcept { size_ = 0; }

 private:
  std::byte* data_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

/// Counts what a stream would take, without memory.
class counting_sink {
 public:
  template <class Fill>
  [[nodiscard]] auto append(std::size_t size, Fill&&) noexcept -> bool {
    if (size > std::numeric_limits<std::size_t>::max() - size_) return false;
    size_ += size;
    return true;
  }
  void patch(std::size_t, const_bytes) noexcept {}
  [[nodiscard]] constexpr auto size() const noexcept -> std::size_t { return size_; }
  constexpr void clear() noexcept { size_ = 0; }

 private:
  std::size_t size_ = 0;
};

/// A container of bytes that grows up to a limit. One whose `resize` says whether it succeeded is
/// believed; one that does not is the embedder's choice to never fail.
template <class Container>
requires requires(Container& c, std::size_t n) {
  c.resize(n);
  { c.data() } -> std::same_as<std::byte*>;
}
class growing_sink {
 public:
  explicit growing_sink(Container& bytes, std::size_t limit_bytes =
                                              std::numeric_limits<std::uint32_t>::max()) noexcept
      : bytes_(&bytes), limit_(limit_bytes) {}

  template <class Fill>
  [[nodiscard]] auto append(std::size_t size, Fill&& fill) noexcept -> bool {
    const std::size_t old = bytes_->size();
    if (old > limit_ || size > limit_ - old) return false;
    if constexpr (std::convertible_to<decltype(bytes_->resize(old)), bool>) {
      if (!bytes_->resize(old + size)) return false;
    } else {
      bytes_->resize(old + size);
    }
    fill(bytes_->data() + old);
    return true;
  }
  void patch(std::size_t offset, const_bytes bytes) noexcept {
    AEROGPU_CHECK(offset <= size() && bytes.size() <= size() - offset);
    copy_bytes({bytes_->data() + offset, bytes.size()}, bytes);
  }
  [[nodiscard]] auto size() const noexcept -> std::size_t { return bytes_->size(); }

 private:
  Container* bytes_;
  std::size_t limit_;
};

static_assert(stream_sink<span_sink> && stream_sink<counting_sink>);

}  // namespace aerogpu
