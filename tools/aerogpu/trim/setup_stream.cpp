// SPDX-License-Identifier: MIT
#include "tools/aerogpu/trim/setup_stream.hpp"

#include "tools/aerogpu/trim/packet_flow.hpp"

namespace aerogpu::tool {

namespace {

auto trace_all(flow_tracer& tracer, const recording& file, const kept_works& kept,
               const effective_ends& ends) -> bool {
  for (const recorded_work& work : file.works()) {
    if (work.index > kept.last) return true;
    const auto end = ends.find(work.index);
    if (!tracer.trace(work, end == ends.end() ? UINT64_MAX : end->second)) return false;
  }
  return true;
}

/// Objects whose guest memory changes without a word. Its packets go before those of another
/// tracer take room.
auto find_unsteady(const recording& file, const kept_works& kept, const effective_ends& ends)
    -> std::optional<std::set<object_number>> {
  flow_tracer scout;
  if (!trace_all(scout, file, kept, ends)) return std::nullopt;
  return scout.unsteady();
}

void append_packet(std::vector<std::byte>& stream, const recorded_work& work, const_bytes packet) {
  if (stream.empty()) stream.resize(sizeof(aerogpu_cmd_stream_header));
  stream.insert(stream.end(), packet.begin(), packet.end());
  auto header = load<aerogpu_cmd_stream_header>(work.what.stream.data());
  header.size_bytes = static_cast<std::uint32_t>(stream.size());
  store(stream.data(), header);
}

}  // namespace

auto make_setup_streams(const recording& file, const kept_works& kept, const effective_ends& ends,
                        earlier_draws draws) -> std::optional<std::vector<std::vector<std::byte>>> {
  auto unsteady = find_unsteady(file, kept, ends);
  if (!unsteady) return std::nullopt;
  flow_tracer tracer{*std::move(unsteady)};
  if (!trace_all(tracer, file, kept, ends)) return std::nullopt;
  std::vector<packet_flow> packets = tracer.take_packets();
  if (draws == earlier_draws::drop) {
    std::erase_if(packets, [&](const packet_flow& packet) {
      return packet.work < kept.first && packet.uses_state;
    });
  }
  const std::vector<bool> is_needed = needed_packets(packets, kept.first);
  std::vector<std::vector<std::byte>> streams(kept.first);
  for (std::size_t i = 0; i < packets.size() && packets[i].work < kept.first; ++i) {
    const std::size_t work = packets[i].work;
    if (is_needed[i]) append_packet(streams[work], file.works()[work], packets[i].bytes);
  }
  return streams;
}

}  // namespace aerogpu::tool
