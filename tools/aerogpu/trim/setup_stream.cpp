// SPDX-License-Identifier: MIT
#include "tools/aerogpu/trim/setup_stream.hpp"

#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/trim/packet_flow.hpp"
#include "tools/aerogpu/trim/packet_liveness.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <utility>

namespace aerogpu::tool {

namespace {

/// Finds the packets of set-up. Submissions are followed forwards, and a segment of them at a time
/// again, from the last segment to the first: packets of one segment are in memory.
class setup_search {
 public:
  setup_search(std::span<const recorded_work> works, const kept_works& kept,
               const effective_ends& ends, earlier_draws draws, const setup_limits& most)
      : works_(works), kept_(kept), ends_(ends), draws_(draws), most_(most) {}

  [[nodiscard]] auto find(std::string& why) -> bool {
    if (!follow_forwards(why)) return false;
    for (std::uint64_t end = kept_.last + 1; !segments_.empty(); segments_.pop_back()) {
      segment& last = segments_.back();
      if (!follow_backwards(last, end, why)) return false;
      end = last.first;
    }
    return true;
  }

  [[nodiscard]] auto streams() const -> std::vector<std::vector<std::byte>> {
    std::vector<std::vector<std::byte>> made(kept_.first);
    for (auto packet = found_.rbegin(); packet != found_.rend(); ++packet) {
      if (packet->ends && !liveness_.is_named(*packet->ends)) continue;
      append(made[packet->work], *packet);
    }
    return made;
  }

 private:
  /// Submissions that are traced together, up to the first of the next one.
  struct segment {
    std::uint64_t first = 0;
    flow_tracer at_begin;
  };
  struct setup_packet {
    std::uint64_t work = 0;
    const_bytes bytes;
    std::optional<object_number> ends;  ///< Belongs to it where this object does.
  };

  [[nodiscard]] auto trace(flow_tracer& tracer, const recorded_work& work) const
      -> std::vector<packet_flow> {
    const auto end = ends_.find(work.index);
    if (end == ends_.end()) return tracer.trace(work);
    auto packets = tracer.trace(work, end->second);
    if (work.index < kept_.first) return packets;
    // A failure stays the same where the packet finds what it found.
    if (auto failed = tracer.trace_failed(work, end->second); failed) {
      packets.push_back(*std::move(failed));
    }
    return packets;
  }

  [[nodiscard]] auto follow_forwards(std::string& why) -> bool {
    flow_tracer tracer;
    std::uint64_t packets = 0, in_segment = 0;
    for (const recorded_work& work : works_) {
      if (work.index > kept_.last) break;
      if (segments_.empty() || in_segment >= most_.packets_at_once) {
        if (!remember(tracer.remembered(), why)) return false;
        segments_.push_back({work.index, tracer});
        in_segment = 0;
      }
      const std::size_t more = trace(tracer, work).size();
      packets += more;
      in_segment += more;
      if (packets > most_.packets) return refuse(most_.packets, "packets", why);
    }
    unsteady_ = tracer.unsteady();
    return true;
  }

  [[nodiscard]] auto follow_backwards(segment& which, std::uint64_t end, std::string& why) -> bool {
    which.at_begin.set_unsteady(unsteady_);
    std::vector<packet_flow> packets;
    for (std::uint64_t work = which.first; work < end; ++work) {
      std::ranges::move(trace(which.at_begin, works_[work]), std::back_inserter(packets));
    }
    for (auto packet = packets.rbegin(); packet != packets.rend(); ++packet) {
      if (!visit(*packet, why)) return false;
    }
    return true;
  }

  [[nodiscard]] auto visit(const packet_flow& packet, std::string& why) -> bool {
    const bool is_kept = packet.work >= kept_.first;
    if (!is_kept && draws_ == earlier_draws::drop && packet.uses_state) return true;
    const bool may_end = !is_kept && packet.role == packet_role::destroys;
    const bool is_needed = is_kept || liveness_.is_needed(packet);
    if (is_needed) liveness_.keep(packet);
    if (is_kept || !(is_needed || may_end)) return true;
    found_.push_back(
        {packet.work, packet.bytes, may_end ? std::optional{packet.object} : std::nullopt});
    setup_bytes_ += packet.bytes.size();
    if (setup_bytes_ > most_.setup_bytes) return refuse(most_.setup_bytes, "bytes of set-up", why);
    return remember(1, why);
  }

  [[nodiscard]] auto remember(std::size_t more, std::string& why) -> bool {
    remembered_ += more;
    return remembered_ <= most_.remembered || refuse(most_.remembered, "objects to follow", why);
  }

  [[nodiscard]] static auto refuse(std::uint64_t most, const char* things, std::string& why)
      -> bool {
    why = "up to these frames are more than " + decimal(most) + " " + things +
          "; record anew, closer to them";
    return false;
  }

  void append(std::vector<std::byte>& stream, const setup_packet& packet) const {
    if (stream.empty()) stream.resize(sizeof(aerogpu_cmd_stream_header));
    stream.insert(stream.end(), packet.bytes.begin(), packet.bytes.end());
    auto header = load<aerogpu_cmd_stream_header>(works_[packet.work].what.stream.data());
    header.size_bytes = static_cast<std::uint32_t>(stream.size());
    store(stream.data(), header);
  }

  std::span<const recorded_work> works_;
  const kept_works& kept_;
  const effective_ends& ends_;
  earlier_draws draws_;
  const setup_limits& most_;
  std::vector<segment> segments_;
  std::set<object_number> unsteady_;  ///< Of the whole recording.
  packet_liveness liveness_;
  std::vector<setup_packet> found_;  ///< From the last to the first.
  std::uint64_t setup_bytes_ = 0;
  std::size_t remembered_ = 0;
};

}  // namespace

auto make_setup_streams(std::span<const recorded_work> works, const kept_works& kept,
                        const effective_ends& ends, earlier_draws draws, std::string& why,
                        const setup_limits& most)
    -> std::optional<std::vector<std::vector<std::byte>>> {
  setup_search search{works, kept, ends, draws, most};
  if (!search.find(why)) return std::nullopt;
  return search.streams();
}

}  // namespace aerogpu::tool
