// SPDX-License-Identifier: MIT
/// \file What tests of presents share: chains, and the order of packets in a submission.
#pragma once

#include "aerogpu/stream/packet_cursor.hpp"
#include "drivers/win7/umd/d3d9/present/present.hpp"
#include "drivers/win7/umd/d3d9/present/swap_chain.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::umd::test {

/// A runtime with fences that pass when a test says so.
[[nodiscard]] inline auto fenced() -> fake_runtime_options {
  fake_runtime_options options;
  options.gives_fences = true;
  options.completes_at_once = false;
  return options;
}

[[nodiscard]] inline auto facts_with_vblank() -> adapter_facts {
  adapter_facts facts = plain_facts();
  facts.flags |= AEROGPU_UMDPRIV_FLAG_HAS_VBLANK;
  return facts;
}

/// Of one buffer of `chain_of`.
inline constexpr std::size_t chain_buffer_bytes = std::size_t{32} * 16 * 4;

[[nodiscard]] inline auto chain_of(std::uint32_t buffers = 1,
                                   D3DSWAPEFFECT effect = D3DSWAPEFFECT_DISCARD)
    -> swap_chain_shape {
  swap_chain_shape shape;
  shape.width = 32;
  shape.height = 16;
  shape.format = D3DFMT_A8R8G8B8;
  shape.buffer_count = buffers;
  shape.swap_effect = static_cast<std::uint32_t>(effect);
  return shape;
}

/// Nothing is pending afterwards.
inline auto make_chain(device_rig& rig, const swap_chain_shape& shape) -> swap_chain& {
  swap_chain* made = nullptr;
  REQUIRE(create_swap_chain(rig.device, shape, made) == S_OK);
  REQUIRE(made != nullptr);
  REQUIRE(rig.device.commands.submit() == S_OK);
  return *made;
}

/// What a chain's buffers are on the host.
[[nodiscard]] inline auto handles_of(const swap_chain& chain) -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> handles;
  for (const resource* each : chain.buffers) handles.push_back(raw(each->handle));
  return handles;
}

/// The opcodes of a stream, in order.
[[nodiscard]] inline auto opcodes_of(const_bytes stream) -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> found;
  const auto parsed = parse_stream_header(stream);
  REQUIRE(parsed);
  for (packet_cursor at{*parsed}; at.next();) {
    found.push_back(static_cast<std::uint32_t>(at.packet().opcode()));
  }
  return found;
}
template <class... Packet>
[[nodiscard]] auto opcodes() -> std::vector<std::uint32_t> {
  return {static_cast<std::uint32_t>(packet_traits<Packet>::opcode)...};
}

/// The first colour target of each SET_RENDER_TARGETS in a stream.
[[nodiscard]] inline auto first_targets(const_bytes stream) -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> found;
  for (const auto& packet : packets_of<aerogpu_cmd_set_render_targets>(stream)) {
    found.push_back(packet.fields.colors[0]);
  }
  return found;
}

/// What the host shows, in tight rows.
[[nodiscard]] inline auto shown_texels(device_rig& rig, std::size_t size) -> byte_vector {
  byte_vector shown(size);
  REQUIRE(rig.runtime.host().read_presented(shown));
  return shown;
}

}  // namespace aerogpu::umd::test
