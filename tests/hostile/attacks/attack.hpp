// SPDX-License-Identifier: MIT
/// \file Attacks as rows: what a hostile guest does, the rule that holds against it, and what it
/// may cost the host.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu::hostile {

/// What an attack may take beyond what the host held for an honest guest just before it.
struct cost_limit {
  std::uint32_t resident_mib = 64;
  std::uint32_t address_mib = 1024;      ///< Of address space; not limited under sanitizers.
  std::uint32_t processor_seconds = 10;  ///< Of the whole process, its start included.
  /// Devices, abandoned or the attack's own, whose threads may run beside the honest guest's.
  std::uint32_t more_devices = 0;
};

struct attack {
  std::string_view name;
  std::string_view rule;
  cost_limit most;
  void (*run)();  ///< Uses Catch's checks; a failed one is a lost attack.
};

struct attack_group {
  std::string_view name;
  std::span<const attack> attacks;
};

[[nodiscard]] auto shader_memory_attacks() -> std::span<const attack>;
[[nodiscard]] auto shader_cost_attacks() -> std::span<const attack>;
[[nodiscard]] auto shader_form_attacks() -> std::span<const attack>;
[[nodiscard]] auto disclosure_attacks() -> std::span<const attack>;
[[nodiscard]] auto memory_attacks() -> std::span<const attack>;
[[nodiscard]] auto cache_attacks() -> std::span<const attack>;
[[nodiscard]] auto lifetime_attacks() -> std::span<const attack>;
[[nodiscard]] auto vertex_attacks() -> std::span<const attack>;
[[nodiscard]] auto hang_attacks() -> std::span<const attack>;
[[nodiscard]] auto ring_attacks() -> std::span<const attack>;
[[nodiscard]] auto key_attacks() -> std::span<const attack>;
[[nodiscard]] auto register_attacks() -> std::span<const attack>;
[[nodiscard]] auto snapshot_attacks() -> std::span<const attack>;

/// All of them, by what they are about.
[[nodiscard]] auto all_attacks() -> std::span<const attack_group>;

/// The attack of that name, or null.
[[nodiscard]] auto find_attack(std::string_view name) -> const attack*;

}  // namespace aerogpu::hostile
