// SPDX-License-Identifier: MIT
#include "tools/aerogpu/trim/packet_liveness.hpp"

#include <algorithm>

namespace aerogpu::tool {

void packet_liveness::keep(const packet_flow& packet) {
  for (const object_number content : packet.replaces) contents_.erase(content);
  contents_.insert(packet.reads.begin(), packet.reads.end());
  names_.insert(packet.names.begin(), packet.names.end());
  // What it finds set must be set in front of it.
  if (packet.uses_state) overwritten_[packet.context].clear();
  if (packet.role == packet_role::sets) overwritten_[packet.context].insert(packet.key);
}

auto packet_liveness::is_needed(const packet_flow& packet) -> bool {
  switch (packet.role) {
    case packet_role::nothing:
    case packet_role::destroys: return false;
    case packet_role::always: return true;
    case packet_role::creates: return names_.contains(packet.object);
    case packet_role::sets: return overwritten_[packet.context].insert(packet.key).second;
    case packet_role::produces:
      return std::ranges::any_of(packet.writes,
                                 [&](object_number w) { return contents_.contains(w); });
  }
  return true;
}

}  // namespace aerogpu::tool
