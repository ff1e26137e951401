// SPDX-License-Identifier: MIT
/// \file What `aerogpu dump` shows of a file, shared by its text and its JSON.
#pragma once

#include "aerogpu/stream/text/describe.hpp"
#include "aerogpu/stream/validate.hpp"
#include "tools/aerogpu/files/recording.hpp"
#include "tools/aerogpu/terminal/options.hpp"

#include <concepts>
#include <optional>

namespace aerogpu::tool {

/// What of a file is shown, and how.
struct dump_choice {
  bool is_strict = false;
  number_range submissions{};
  std::optional<number_range> frames;
  dump_options options{};

  [[nodiscard]] auto wants(const recorded_work& work) const -> bool {
    if (!submissions.contains(work.index)) return false;
    return !frames || (work.frame && frames->contains(*work.frame));
  }
};

/// One packet of the toy ABI: u32 opcode, u32 total_dwords, parameters.
struct toy_packet {
  std::uint64_t offset = 0;
  std::uint32_t opcode = 0;
  std::uint64_t size_bytes = 0;
};
/// Hands on the packets of a record of the toy ABI, up to the first that is not whole. Why it is
/// not: null when all are.
template <std::invocable<const toy_packet&> Visit>
[[nodiscard]] auto visit_toy_packets(const_bytes record, Visit&& visit) -> const char* {
  constexpr std::size_t header = 2 * sizeof(std::uint32_t);
  for (std::uint64_t at = 0; at < record.size();) {
    const const_bytes left = record.subspan(static_cast<std::size_t>(at));
    if (left.size() < header) return "packet header leaves its record";
    const auto opcode = load<std::uint32_t>(left.data());
    const std::uint64_t size = std::uint64_t{load<std::uint32_t>(left.data() + 4)} * 4;
    visit(toy_packet{at, opcode, size});
    if (size < header || size > left.size()) return "packet leaves its record";
    at += size;
  }
  return nullptr;
}

/// Both print to stdout and return an exit_code.
[[nodiscard]] auto dump_as_text(const recording& file, const dump_choice& how) -> int;
[[nodiscard]] auto dump_as_json(const recording& file, const dump_choice& how) -> int;

}  // namespace aerogpu::tool
