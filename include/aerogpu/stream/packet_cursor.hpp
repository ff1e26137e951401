// SPDX-License-Identifier: MIT
/// \file A walk over the packets of a stream, each checked before it is seen.
#pragma once

#include "aerogpu/stream/reader.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Steps through a stream, for tools and filters that look at packets of any type. Unlike `visit`
/// it never branches on the opcode.
///
///     for (packet_cursor at{stream}; at.next();) use(at.packet());
class packet_cursor {
 public:
  explicit packet_cursor(const stream_view& stream) noexcept
      : begin_(stream.bytes().data()),
        end_(begin_ + stream.bytes().size()),
        next_(begin_ + sizeof(aerogpu_cmd_stream_header)) {}

  /// Goes to the next packet; false at the end and at a malformed packet.
  [[nodiscard]] auto next() noexcept -> bool {
    if (left() < sizeof(aerogpu_cmd_hdr)) return false;
    if (!detail::is_framed(next_, left())) [[unlikely]]
      return false;
    at_ = next_;
    kind_ = detail::packet_kind(at_);
    size_ = detail::packet_size(at_);
    next_ += size_;
    return true;
  }

  /// The packet. Precondition: `next` was true.
  [[nodiscard]] auto packet() const noexcept -> raw_packet {
    return detail::packet_access::make_raw(at_, size_, offset_of(at_));
  }
  /// Its row, or null when the opcode is unknown.
  [[nodiscard]] auto row() const noexcept -> const packet_row* {
    return kind_ == 0 ? nullptr : &packet_table[kind_ - 1];
  }

  /// After `next` was false: `none` at the end, else why the packet there is malformed.
  [[nodiscard]] auto why() const noexcept -> error {
    return next_ == end_ ? error{} : detail::check_framing(next_, left(), offset_of(next_));
  }

 private:
  [[nodiscard]] auto left() const noexcept -> std::size_t {
    return static_cast<std::size_t>(end_ - next_);
  }
  [[nodiscard]] auto offset_of(const std::byte* at) const noexcept -> std::uint32_t {
    return static_cast<std::uint32_t>(at - begin_);
  }

  const std::byte* begin_;
  const std::byte* end_;
  const std::byte* next_;
  const std::byte* at_ = nullptr;
  std::uint32_t kind_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace aerogpu
