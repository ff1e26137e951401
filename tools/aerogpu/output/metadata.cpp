// SPDX-License-Identifier: MIT
#include "tools/aerogpu/output/metadata.hpp"

#include "tools/aerogpu/output/json.hpp"

namespace aerogpu::tool {

auto read_metadata(const trace_reader& trace, std::string& why) -> std::optional<trace_metadata> {
  constexpr std::size_t most_bytes = 1u << 20;  // Parsed, it takes many times that.
  if (trace.metadata().size() > most_bytes) {
    why = "the metadata is too long";
    return std::nullopt;
  }
  using sorted_json = nlohmann::json;  // Finds a member among a hundred thousand at once.
  const auto parsed = sorted_json::parse(trace.metadata(), nullptr, false);
  if (!parsed.is_object()) {
    why = "the metadata is not a JSON object";
    return std::nullopt;
  }
  const auto emulator = parsed.find("emulator_version");
  const auto version = parsed.find("command_abi_version");
  if (emulator == parsed.end() || !emulator->is_string()) {
    why = "the metadata has no emulator_version";
    return std::nullopt;
  }
  if (version == parsed.end() || !version->is_number_unsigned() ||
      version->get<std::uint64_t>() != trace.command_abi_version()) {
    why = "the metadata's command_abi_version is not the header's";
    return std::nullopt;
  }
  return trace_metadata{emulator->get<std::string>(), trace.command_abi_version()};
}

}  // namespace aerogpu::tool
