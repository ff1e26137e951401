// SPDX-License-Identifier: MIT
/// \file Which packets of a recording later ones need.
#pragma once

#include "tools/aerogpu/trim/packet_flow.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace aerogpu::tool {

/// Liveness of objects, contents and state. It is told of packets from the last to the first.
class packet_liveness {
 public:
  /// A packet that stays. What it reads and names is needed, what it replaces is not.
  void keep(const packet_flow& packet);

  /// Whether packets that stay need this one in front of them. One that destroys is needed where
  /// its object `is_named`, which is known when the first packet was looked at.
  [[nodiscard]] auto is_needed(const packet_flow& packet) -> bool;
  [[nodiscard]] auto is_named(object_number which) const -> bool { return names_.contains(which); }

 private:
  std::set<object_number> contents_;
  std::set<object_number> names_;
  std::map<std::uint32_t, std::set<std::string>> overwritten_;  ///< Keys, by context.
};

}  // namespace aerogpu::tool
