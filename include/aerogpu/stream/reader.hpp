// SPDX-License-Identifier: MIT
/// \file Command streams in: the header, the framing pass and the execution pass.
#pragma once

#include "aerogpu/abi/version.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/stream/framing.hpp"
#include "aerogpu/stream/packet.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

/// A stream whose header was checked. The bytes are a private copy and outlive the view.
class stream_view {
 public:
  [[nodiscard]] auto header() const noexcept -> const aerogpu_cmd_stream_header& { return header_; }
  [[nodiscard]] auto abi_minor() const noexcept -> std::uint32_t {
    return header_.abi_version & 0xFFFF;
  }
  /// The header and the packets, without slack.
  [[nodiscard]] auto bytes() const noexcept -> const_bytes { return bytes_; }

 private:
  friend auto parse_stream_header(const_bytes bytes) noexcept -> result<stream_view>;
  stream_view(const aerogpu_cmd_stream_header& header, const_bytes bytes) noexcept
      : header_(header), bytes_(bytes) {}

  aerogpu_cmd_stream_header header_;
  const_bytes bytes_;
};

/// Checks what a stream header says of itself; its `size_bytes` is still to be compared with the
/// buffer (wire.md 7.1). Errors: framing, with the offset of the field.
[[nodiscard]] inline auto check_stream_header(const aerogpu_cmd_stream_header& h) noexcept
    -> result<void> {
  using header = aerogpu_cmd_stream_header;
  const auto fail = [](std::size_t offset, const char* what, std::uint64_t detail,
                       std::uint64_t limit) {
    return error{error_code::framing, 0, static_cast<std::uint32_t>(offset), detail, limit, what};
  };
  if (h.magic != AEROGPU_CMD_STREAM_MAGIC) {
    return fail(offsetof(header, magic), "magic is not that of a command stream", h.magic,
                AEROGPU_CMD_STREAM_MAGIC);
  }
  if (h.abi_version >> 16 != AEROGPU_ABI_MAJOR) {
    return fail(offsetof(header, abi_version), "abi_version has another major", h.abi_version >> 16,
                AEROGPU_ABI_MAJOR);
  }
  if (h.size_bytes < sizeof(header)) {
    return fail(offsetof(header, size_bytes), "size_bytes is less than the stream header",
                h.size_bytes, sizeof(header));
  }
  if (h.size_bytes % 4 != 0) {
    return fail(offsetof(header, size_bytes), "size_bytes is not a multiple of 4", h.size_bytes, 4);
  }
  return {};
}

/// Reads a stream's header out of a private copy of the command buffer (wire.md 7.1, host.md 2.1).
/// What lies beyond the header's `size_bytes` is slack and never looked at.
/// Errors: framing, with the offset of the field.
[[nodiscard]] inline auto parse_stream_header(const_bytes bytes) noexcept -> result<stream_view> {
  using header = aerogpu_cmd_stream_header;
  const auto fail = [](std::size_t offset, const char* what, std::uint64_t detail,
                       std::uint64_t limit) {
    return error{error_code::framing, 0, static_cast<std::uint32_t>(offset), detail, limit, what};
  };
  if (bytes.size() < sizeof(header)) {
    return fail(0, "the buffer is smaller than a stream header", bytes.size(), sizeof(header));
  }
  const auto h = load<header>(bytes.data());
  if (const auto good = check_stream_header(h); !good) return good.why();
  if (h.size_bytes > bytes.size()) {
    return fail(offsetof(header, size_bytes), "size_bytes is more than the buffer", h.size_bytes,
                bytes.size());
  }
  return stream_view{h, bytes.first(h.size_bytes)};
}

struct frame_report;

/// A stream in which every packet was framed; only `frame` makes one.
class framed_stream {
 public:
  [[nodiscard]] auto header() const noexcept -> const aerogpu_cmd_stream_header& {
    return stream_.header();
  }
  [[nodiscard]] auto abi_minor() const noexcept -> std::uint32_t { return stream_.abi_minor(); }
  [[nodiscard]] auto bytes() const noexcept -> const_bytes { return stream_.bytes(); }

 private:
  friend struct frame_report;
  explicit framed_stream(const stream_view& stream) noexcept : stream_(stream) {}
  stream_view stream_;
};

/// What the framing pass saw.
struct frame_report {
  /// A constructor, because compilers clear an aggregate of this size with a slow loop first.
  explicit frame_report(const stream_view& of) noexcept : stream(of) {}

  error why;  ///< `none` when every packet is well formed.
  stream_view stream;
  std::uint32_t packet_count = 0;   ///< Packets before the end or the malformed one.
  std::uint32_t unknown_count = 0;  ///< Those of unknown opcodes among them.
  /// A PRESENT or PRESENT_EX with VSYNC stands before any malformed packet (host.md 1.14).
  bool has_vsync_present = false;

  [[nodiscard]] explicit operator bool() const noexcept { return why.code == error_code::none; }
  /// The stream for `visit_framed`. Precondition: no error.
  [[nodiscard]] auto framed() const noexcept -> framed_stream {
    AEROGPU_CHECK(why.code == error_code::none);
    return framed_stream{stream};
  }
};

namespace detail {

/// Goes the slow way with a packet that is not plain, and notes what only such packets have. False
/// when it is malformed. Not inlined, so that the framing pass keeps no registers for it.
[[nodiscard, gnu::noinline]] inline auto frame_rare(const std::byte* at, std::size_t left,
                                                    frame_report& report) noexcept -> bool {
  if (check_framing(at, left, 0).code != error_code::none) return false;
  const packet_row* row = find_packet(load<std::uint32_t>(at));
  if (row == nullptr) {
    ++report.unknown_count;
    return true;
  }
  const packet_field* flags = present_flags_of(*row);
  if (flags == nullptr) return true;
  const auto value = load<std::uint32_t>(at + flags->offset);
  report.has_vsync_present |= (value & AEROGPU_PRESENT_FLAG_VSYNC) != 0;
  return true;
}

}  // namespace detail

/// Checks every packet header, minimum size and payload count (wire.md 7.2 and 7.3). One pass, no
/// effects; unknown opcodes are skipped and counted.
[[nodiscard]] inline auto frame(const stream_view& stream) noexcept -> frame_report {
  const const_bytes bytes = stream.bytes();
  const std::byte* at = bytes.data() + sizeof(aerogpu_cmd_stream_header);
  std::size_t left = bytes.size() - sizeof(aerogpu_cmd_stream_header);
  std::uint32_t packets = 0;
  frame_report report{stream};
  while (left >= sizeof(aerogpu_cmd_hdr)) {
    if (!detail::is_plain(at, left) && !detail::frame_rare(at, left, report)) [[unlikely]]
      break;
    const std::uint32_t size = detail::packet_size(at);
    packets += 1;
    at += size;
    left -= size;
  }
  report.packet_count = packets;
  if (left != 0) {
    report.why = detail::check_framing(at, left, static_cast<std::uint32_t>(at - bytes.data()));
  }
  return report;
}

namespace detail {

template <class Visitor, class P>
concept handles_packet = requires(Visitor& visitor, const packet<P>& p) {
  { visitor.on_packet(p) }
  noexcept->std::same_as<error_code>;
};

template <class Visitor, class... P>
consteval auto handles_all(packet_type_list<P...>) noexcept -> bool {
  return (handles_packet<Visitor, P> && ...);
}

}  // namespace detail

/// Takes each packet of a stream in order: one `on_packet` for every packet type (a template
/// serves), and `on_unknown` for the rest. A code other than `none` ends the visit.
template <class Visitor>
concept packet_visitor = detail::handles_all<Visitor>(packet_types{}) &&
    requires(Visitor& visitor, const raw_packet& raw) {
  { visitor.on_unknown(raw) }
  noexcept->std::same_as<error_code>;
};

namespace detail {

[[nodiscard]] inline auto offset_of(const std::byte* at, const std::byte* begin) noexcept
    -> std::uint32_t {
  return static_cast<std::uint32_t>(at - begin);
}

template <class Visitor>
using handler = error_code (*)(Visitor&, const std::byte* at, const std::byte* begin) noexcept;

// Size and offset are worked out where a packet is looked at: most handlers need neither.
template <class Visitor>
auto hand_unknown(Visitor& visitor, const std::byte* at, const std::byte* begin) noexcept
    -> error_code {
  return visitor.on_unknown(packet_access::make_raw(at, packet_size(at), offset_of(at, begin)));
}
template <class Visitor, wire_packet P>
auto hand_packet(Visitor& visitor, const std::byte* at, const std::byte* begin) noexcept
    -> error_code {
  return visitor.on_packet(packet_access::make<P>(at, packet_size(at), offset_of(at, begin)));
}

template <class Visitor, wire_packet... P>
[[nodiscard]] consteval auto make_handlers(packet_type_list<P...>) noexcept {
  return std::array<handler<Visitor>, sizeof...(P) + 1>{&hand_unknown<Visitor>,
                                                        &hand_packet<Visitor, P>...};
}

/// Handlers by kind: 0 unknown, else 1 + row.
template <class Visitor>
inline constexpr auto handlers = make_handlers<Visitor>(packet_types{});

[[nodiscard]] inline auto stopped_at(error_code code, const std::byte* at,
                                     std::uint32_t offset) noexcept -> error {
  return {code, load<std::uint32_t>(at), offset, 0, 0, "the packet is refused"};
}

}  // namespace detail

/// The execution pass: hands every packet to the visitor, in order, and stops at the first that it
/// refuses. The result is `none`, or the visitor's code with opcode and offset of the packet.
template <packet_visitor Visitor>
auto visit_framed(const framed_stream& stream, Visitor& visitor) noexcept -> error {
  const const_bytes bytes = stream.bytes();
  const std::byte* const begin = bytes.data();
  const std::byte* const end = begin + bytes.size();
  for (const std::byte* at = begin + sizeof(aerogpu_cmd_stream_header); at != end;) {
    const error_code code = detail::handlers<Visitor>[detail::packet_kind(at)](visitor, at, begin);
    if (code != error_code::none) [[unlikely]]
      return detail::stopped_at(code, at, detail::offset_of(at, begin));
    at += detail::packet_size(at);
  }
  return {};
}

/// Checks and visits in one pass, for tools: packets before a malformed one have been visited when
/// its framing error comes back.
template <packet_visitor Visitor>
auto visit(const stream_view& stream, Visitor& visitor) noexcept -> error {
  const const_bytes bytes = stream.bytes();
  const std::byte* const begin = bytes.data();
  const std::byte* const end = begin + bytes.size();
  for (const std::byte* at = begin + sizeof(aerogpu_cmd_stream_header); at != end;) {
    const auto left = static_cast<std::size_t>(end - at);
    if (left < sizeof(aerogpu_cmd_hdr) || !detail::is_framed(at, left)) [[unlikely]]
      return detail::check_framing(at, left, detail::offset_of(at, begin));
    const std::uint32_t size = detail::packet_size(at);  // Not behind the call, to wait for.
    const error_code code = detail::handlers<Visitor>[detail::packet_kind(at)](visitor, at, begin);
    if (code != error_code::none) [[unlikely]]
      return detail::stopped_at(code, at, detail::offset_of(at, begin));
    at += size;
  }
  return {};
}

}  // namespace aerogpu
