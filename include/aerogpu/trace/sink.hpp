// SPDX-License-Identifier: MIT
/// \file Where a trace writer's bytes go.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/trace/detail/growing_array.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Takes bytes in order: a file, a socket, memory. `append` stores all of them or returns false;
/// after false the writer gives up and calls it no more.
template <class S>
concept byte_sink = requires(S& sink, const_bytes bytes) {
  { sink.append(bytes) }
  noexcept->std::same_as<bool>;
};

/// A sink that may hold bytes back. `flush` hands them on, so that they survive this process, or
/// returns false; after false the writer gives up.
template <class S>
concept flushing_sink = byte_sink<S> && requires(S& sink) {
  { sink.flush() }
  noexcept->std::same_as<bool>;
};

/// A sink that tells why `append` or `flush` returned false.
template <class S>
concept explaining_sink = byte_sink<S> && requires(const S& sink) {
  { sink.why() }
  noexcept->std::same_as<error>;
};

namespace detail {

/// Why `sink` took no more: its own reason, or that it is full at `at`.
template <byte_sink Sink>
[[nodiscard]] auto sink_failure(const Sink& sink, std::uint64_t bytes, std::uint64_t at) noexcept
    -> error {
  if constexpr (explaining_sink<Sink>) {
    return sink.why();
  } else {
    return make_error(error_code::no_space, "the trace's sink is full", bytes, at);
  }
}

}  // namespace detail

/// Bytes on the heap, at most `max_bytes` of them.
class memory_sink {
 public:
  explicit memory_sink(std::size_t max_bytes = SIZE_MAX / 2) noexcept : max_bytes_(max_bytes) {}

  [[nodiscard]] auto append(const_bytes bytes) noexcept -> bool {
    if (bytes.size() > max_bytes_ - bytes_.size()) return false;
    const mutable_bytes room = bytes_.extend(bytes.size());
    copy_bytes(room, bytes.first(room.size()));
    return room.size() == bytes.size();
  }
  [[nodiscard]] auto bytes() const noexcept -> const_bytes { return bytes_.view(); }

 private:
  std::size_t max_bytes_;
  detail::growing_array<std::byte> bytes_;
};

static_assert(byte_sink<memory_sink>);

}  // namespace aerogpu
