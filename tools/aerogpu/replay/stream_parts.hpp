// SPDX-License-Identifier: MIT
/// \file A stream up to one of its packets, and a stream in pieces that end at each draw.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aerogpu::tool {

/// A place in a recording: `dump` names both numbers.
struct replay_stop {
  std::uint64_t submission = 0;
  std::optional<std::uint64_t> offset;  ///< Of the last packet that runs; none = the last there is.
};

/// "3" or "3:0x1c0". Nothing when it is neither.
[[nodiscard]] auto parse_stop(std::string_view text) -> std::optional<replay_stop>;

/// A copy of `stream` that ends behind the packet at `offset`. Nothing, and a sentence in `why`,
/// when no packet starts there.
[[nodiscard]] auto stream_until(const_bytes stream, std::uint64_t offset, std::string& why)
    -> std::optional<std::vector<std::byte>>;

/// A stream of a version's own with one packet, PRESENT to scanout 0.
[[nodiscard]] auto present_stream(const_bytes like) -> std::vector<std::byte>;

/// Some packets of a stream as a stream.
struct stream_piece {
  std::uint64_t offset = 0;  ///< Of its last packet in the whole stream.
  std::uint32_t opcode = 0;  ///< Of that packet.
  std::vector<std::byte> bytes;
};

/// The stream in pieces: each ends behind a draw, dispatch or clear; the last one has the rest.
/// Nothing when the stream is malformed.
[[nodiscard]] auto pieces_of(const_bytes stream) -> std::optional<std::vector<stream_piece>>;

}  // namespace aerogpu::tool
