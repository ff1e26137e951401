// SPDX-License-Identifier: MIT
#include "tests/hostile/attacks/attack.hpp"

#include <array>

namespace aerogpu::hostile {

auto all_attacks() -> std::span<const attack_group> {
  static const std::array groups{
      attack_group{"shader_memory", shader_memory_attacks()},
      attack_group{"shader_cost", shader_cost_attacks()},
      attack_group{"shader_form", shader_form_attacks()},
      attack_group{"disclosure", disclosure_attacks()},
      attack_group{"memory", memory_attacks()},
      attack_group{"cache", cache_attacks()},
      attack_group{"lifetime", lifetime_attacks()},
      attack_group{"vertex", vertex_attacks()},
      attack_group{"hang", hang_attacks()},
      attack_group{"ring", ring_attacks()},
      attack_group{"key", key_attacks()},
      attack_group{"register", register_attacks()},
      attack_group{"snapshot", snapshot_attacks()},
  };
  return groups;
}

auto find_attack(std::string_view name) -> const attack* {
  for (const attack_group& group : all_attacks()) {
    for (const attack& each : group.attacks) {
      if (each.name == name) return &each;
    }
  }
  return nullptr;
}

}  // namespace aerogpu::hostile
