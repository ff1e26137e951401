// SPDX-License-Identifier: MIT
/// \file What each operation sends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aerogpu::dbgctl {

class escape_channel;

/// What an encoder makes a request from.
struct request_source {
  std::span<const std::string_view> operands;  ///< As many as the command allows.
  escape_channel* channel;                     ///< For a handle of its own.
};

using request = std::vector<std::byte>;

/// Fills in what follows the header of `bytes`, which are zero and as long as the answer. Returns a
/// sentence about the operand that is wrong, or nothing.
using request_encoder = auto(*)(const request_source&, request& bytes) -> std::string;

[[nodiscard]] auto encode_nothing(const request_source&, request&) -> std::string;
[[nodiscard]] auto encode_selftest(const request_source&, request&) -> std::string;
[[nodiscard]] auto encode_dump_ring(const request_source&, request&) -> std::string;
[[nodiscard]] auto encode_dump_ring_v2(const request_source&, request&) -> std::string;
[[nodiscard]] auto encode_dump_createallocation(const request_source&, request&) -> std::string;
[[nodiscard]] auto encode_map_shared_handle(const request_source&, request&) -> std::string;
[[nodiscard]] auto encode_read_gpa(const request_source&, request&) -> std::string;
[[nodiscard]] auto encode_set_cursor_shape(const request_source&, request&) -> std::string;
[[nodiscard]] auto encode_set_cursor_position(const request_source&, request&) -> std::string;
[[nodiscard]] auto encode_set_cursor_visibility(const request_source&, request&) -> std::string;

/// Reads "12" or "0x1f", at most `limit`.
[[nodiscard]] auto parse_number(std::string_view text, std::uint64_t limit, std::uint64_t& value)
    -> bool;

}  // namespace aerogpu::dbgctl
