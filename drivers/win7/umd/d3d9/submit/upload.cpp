#include "drivers/win7/umd/d3d9/submit/upload.hpp"

#include "aerogpu/core/check.hpp"
#include "drivers/win7/umd/d3d9/submit/emit.hpp"

#include <algorithm>

namespace aerogpu::umd {

namespace {

constexpr std::uint32_t packet_header_bytes = sizeof(aerogpu_cmd_upload_resource);

/// How much of `left` the next piece takes: what fits beside the recorded packets, unless that is
/// too little to bother, and then what fits into a submission of its own.
[[nodiscard]] auto next_piece(const recorder& commands, std::size_t left,
                              std::uint32_t unit_bytes) noexcept -> std::size_t {
  const auto units_of = [&](std::uint32_t room) -> std::size_t {
    if (room <= packet_header_bytes) return 0;
    return (room - packet_header_bytes) / unit_bytes * unit_bytes;
  };
  const std::size_t here = units_of(commands.room_bytes());
  if (here >= left) return left;
  const std::size_t most = units_of(commands.largest_room_bytes());
  const bool is_worth_it = here >= most / 4 && here != 0;
  return std::min(left, is_worth_it ? here : most);
}

}  // namespace

auto upload_bytes(recorder& commands, resource_handle to, std::uint64_t offset_bytes,
                  const_bytes bytes, std::uint32_t unit_bytes) noexcept -> HRESULT {
  AEROGPU_CHECK(unit_bytes != 0);
  while (!bytes.empty()) {
    const std::size_t piece = next_piece(commands, bytes.size(), unit_bytes);
    if (piece == 0) return E_OUTOFMEMORY;
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
