// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"
#include "drivers/win7/umd/d3d9/adapter/kernel_counters.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"

#include <array>
#include <cstddef>

namespace aerogpu::umd {

namespace {

/// The four characters of a magic, those that print.
auto characters_of(std::uint32_t magic) noexcept -> std::array<char, 4> {
  std::array<char, 4> text{};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(magic >> 8 * i);
    text[i] = byte >= 0x20 && byte < 0x7F ? static_cast<char>(byte) : '.';
  }
  return text;
}

void log_fences(const adapter& opened) noexcept {
  fence_counters counters;
  if (!query_fences(opened, counters)) return;
  log_line{"KMD fence submitted="}
      .number(counters.submitted)
      .text(" completed=")
      .number(counters.completed);
}

}  // namespace

void log_adapter(const adapter& opened) noexcept {
  const adapter_facts& facts = opened.facts();
  const auto characters = characters_of(facts.device_magic);
  if (facts.has_device_facts) {
    log_line{"UMDRIVERPRIVATE magic="}
        .hex(facts.device_magic, 8)
        .text(" (")
        .text({characters.data(), characters.size()})
        .text(") abi=")
        .hex(facts.abi_version, 8)
        .text(" features=")
        .hex(facts.features)
        .text(" flags=")
        .hex(facts.flags, 8);
  } else {
    log_line{"UMDRIVERPRIVATE invalid"};
  }
  log_fences(opened);
  log_line{"KMD MaxAllocationListSlotId="}.number(facts.max_list_slot);
}

}  // namespace aerogpu::umd
