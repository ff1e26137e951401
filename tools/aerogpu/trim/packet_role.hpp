// SPDX-License-Identifier: MIT
/// \file What a packet is to the recording that it is in, as its row and its bytes say.
#pragma once

#include "aerogpu/stream/packet.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace aerogpu::tool {

/// What becomes of a packet that comes before the frames of interest.
enum class packet_role : std::uint8_t {
  nothing,  ///< Of no use later: PRESENT, FLUSH, a marker, NOP.
  always,   ///< Stays: what happens outside a context's state and an object's content.
  creates,
  destroys,
  sets,      ///< State of its context.
  produces,  ///< Content of objects.
};

[[nodiscard]] auto role_of(const packet_row& row) -> packet_role;

/// Whether it uses the state of its context.
[[nodiscard]] auto uses_state(std::uint32_t opcode) -> bool;

/// Of a packet that sets state: what is the same in a later one that undoes it.
[[nodiscard]] auto key_of(const raw_packet& packet) -> std::string;

/// A handle and its space.
using handle_name = std::pair<handle_space, std::uint32_t>;

/// The handle that a packet creates or destroys.
[[nodiscard]] auto own_handle(const raw_packet& packet) -> handle_name;

/// All handles in a packet, without those that are 0.
[[nodiscard]] auto handles_of(const raw_packet& packet) -> std::vector<handle_name>;

}  // namespace aerogpu::tool
