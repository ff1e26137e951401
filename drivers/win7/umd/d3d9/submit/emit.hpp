// SPDX-License-Identifier: MIT
/// \file One packet that refers to no guest memory: room for it, then its bytes.
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/submit/recorder.hpp"

namespace aerogpu::umd {

/// S_OK, or D3DERR_INVALIDCALL for a packet that breaks a rule of the wire. Room was reserved.
[[nodiscard]] inline auto to_hresult(const result<void>& written) noexcept -> HRESULT {
  return written ? S_OK : D3DERR_INVALIDCALL;
}

/// `write` gets the packet writer. Errors of `recorder::reserve`, D3DERR_INVALIDCALL.
template <class Packet, class Write>
[[nodiscard]] auto emit(recorder& commands, Write&& write, std::uint64_t payload_bytes = 0) noexcept
    -> HRESULT {
  const HRESULT reserved = commands.reserve(packet_bytes<Packet>(payload_bytes));
  return FAILED(reserved) ? reserved : to_hresult(write(commands.packets()));
}

/// The same for fields and payload as they stand. Inlined by force: a packet that a call takes by
/// its address goes through memory.
template <class Packet>
[[nodiscard, gnu::always_inline]] inline auto emit_packet(recorder& commands, Packet fields,
                                                          const_bytes payload = {}) noexcept
    -> HRESULT {
  const HRESULT reserved = commands.reserve(packet_bytes<Packet>(payload.size()));
  return FAILED(reserved) ? reserved : to_hresult(commands.packets().write(fields, payload));
}

}  // namespace aerogpu::umd
