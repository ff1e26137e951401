// SPDX-License-Identifier: MIT
/// \file What of a recording's earlier submissions a range of frames depends on.
#pragma once

#include "tools/aerogpu/files/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
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

/// For each submission in front of `kept` a stream of the packets that those need, so that they do
/// what they did; empty where none is needed. Nothing when the packets up to the last kept one are
/// more than `flow_tracer` takes.
[[nodiscard]] auto make_setup_streams(const recording& file, const kept_works& kept,
                                      const effective_ends& ends, earlier_draws draws)
    -> std::optional<std::vector<std::vector<std::byte>>>;

}  // namespace aerogpu::tool
