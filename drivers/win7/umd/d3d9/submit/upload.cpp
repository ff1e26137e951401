// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/submit/upload.hpp"

#include "aerogpu/core/check.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <algorithm>

namespace aerogpu::umd {

namespace {

constexpr std::uint32_t packet_header_bytes = sizeof(aerogpu_cmd_upload_resource);

/// How much of `left` goes into the buffer that is there: nothing when that is too little to
/// bother beside what is recorded.
[[nodiscard]] auto next_piece(const recorder& commands, std::size_t left,
                              std::uint32_t unit_bytes) noexcept -> std::size_t {
  const auto units_of = [&](std::uint32_t room) -> std::size_t {
    if (room <= packet_header_bytes) return 0;
    return (room - packet_header_bytes) / unit_bytes * unit_bytes;
  };
  const std::uint32_t most = commands.largest_packet_bytes();
  const std::size_t here = units_of(std::min(commands.room_bytes(), most));
  if (here >= left) return left;
  const bool is_worth_it = commands.is_empty() || here >= units_of(most) / 4;
  return is_worth_it ? here : 0;
}

}  // namespace

auto upload_bytes(recorder& commands, resource_handle to, std::uint64_t offset_bytes,
                  const_bytes bytes, std::uint32_t unit_bytes) noexcept -> HRESULT {
  AEROGPU_CHECK(unit_bytes != 0);
  while (!bytes.empty()) {
    if (const HRESULT ready = commands.make_ready(); FAILED(ready)) return ready;
    std::size_t piece = next_piece(commands, bytes.size(), unit_bytes);
    if (piece == 0 && !commands.is_empty()) {
      if (const HRESULT split = commands.split(); FAILED(split)) return split;
      piece = next_piece(commands, bytes.size(), unit_bytes);
    }
    if (piece == 0) piece = std::min<std::size_t>(bytes.size(), unit_bytes);
    const HRESULT sent = emit<aerogpu_cmd_upload_resource>(
        commands,
        [&](auto& packets) {
          return packets.upload_resource(to, offset_bytes, bytes.first(piece));
        },
        piece);
    if (FAILED(sent)) return sent;
    offset_bytes += piece;
    bytes = bytes.subspan(piece);
  }
  return S_OK;
}

}  // namespace aerogpu::umd
