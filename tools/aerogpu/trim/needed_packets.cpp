// SPDX-License-Identifier: MIT
#include "tools/aerogpu/trim/packet_flow.hpp"

#include <algorithm>

namespace aerogpu::tool {

namespace {

/// Goes from the last packet to the first, with what later packets need.
class backward_pass {
 public:
  /// A packet that stays. What it reads and names is needed, what it replaces is not.
  void keep(const packet_flow& packet) {
    for (const object_number content : packet.replaces) contents_.erase(content);
    contents_.insert(packet.reads.begin(), packet.reads.end());
    names_.insert(packet.names.begin(), packet.names.end());
    // What it finds set must be set in front of it.
    if (packet.uses_state) overwritten_[packet.context].clear();
    if (packet.role == packet_role::sets) overwritten_[packet.context].insert(packet.key);
  }

  /// Whether a packet in front of the kept submissions stays.
  [[nodiscard]] auto is_needed(const packet_flow& packet) -> bool {
    switch (packet.role) {
      case packet_role::nothing: return false;
      case packet_role::always: return true;
      case packet_role::creates: return names_.contains(packet.object);
      case packet_role::destroys: return false;  // Decided when all names are known.
      case packet_role::sets: return overwritten_[packet.context].insert(packet.key).second;
      case packet_role::produces:
        return std::ranges::any_of(packet.writes,
                                   [&](object_number w) { return contents_.contains(w); });
    }
    return true;
  }

  [[nodiscard]] auto is_named(object_number which) const -> bool { return names_.contains(which); }

 private:
  std::set<object_number> contents_;
  std::set<object_number> names_;
  std::map<std::uint32_t, std::set<std::string>> overwritten_;  ///< Keys, by context.
};

}  // namespace

auto needed_packets(const std::vector<packet_flow>& packets, std::size_t first_kept)
    -> std::vector<bool> {
  std::vector<bool> is_needed(packets.size());
  backward_pass pass;
  for (std::size_t i = packets.size(); i-- > 0;) {
    is_needed[i] = packets[i].work >= first_kept || pass.is_needed(packets[i]);
    if (is_needed[i]) pass.keep(packets[i]);
  }
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const bool is_end = packets[i].role == packet_role::destroys;
    if (is_end && pass.is_named(packets[i].object)) is_needed[i] = true;
  }
  return is_needed;
}

}  // namespace aerogpu::tool
