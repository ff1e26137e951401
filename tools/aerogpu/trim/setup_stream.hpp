// SPDX-License-Identifier: MIT
/// \file What of a recording's earlier submissions a range of frames depends on.
#pragma once

#include "tools/aerogpu/files/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aerogpu::tool {

/// Whether draws, dispatches and clears of earlier frames stay where later content needs them.
enum class earlier_draws : std::uint8_t { drop, keep };

/// The submissions of a recording that are kept, first and last by index.
struct kept_works {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Where the packets of a submission that had an effect end, by its index; without an entry all
/// had.
using effective_ends = std::map<std::uint64_t, std::uint64_t>;

/// What bounds time and memory: a recording may list one stream very often.
struct setup_limits {
  std::size_t packets_at_once = 1u << 20;  ///< Some hundred bytes each.
  std::uint64_t packets = 256u << 20;      ///< Most of an hour of a desktop.
  std::size_t remembered =
      32u << 20;  ///< Some ten bytes each: what is known where a segment begins, packets found.
  std::uint64_t setup_bytes = 4ull << 30;
};

/// For each submission of a recording in front of `kept` a stream of the packets that those need,
/// so that they do what they did; empty where none is needed. Nothing, and a sentence in `why`,
/// beyond a limit.
[[nodiscard]] auto make_setup_streams(std::span<const recorded_work> works, const kept_works& kept,
                                      const effective_ends& ends, earlier_draws draws,
                                      std::string& why, const setup_limits& most = {})
    -> std::optional<std::vector<std::vector<std::byte>>>;

}  // namespace aerogpu::tool
