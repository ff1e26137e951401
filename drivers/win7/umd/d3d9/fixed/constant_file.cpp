// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/fixed/constant_file.hpp"

#include <cstring>

namespace aerogpu::umd::fixed {

void constant_file::note_sent(std::size_t first, std::span<const float4> values) noexcept {
  if (first > registers_.size() || values.size() > registers_.size() - first) return;
  for (std::size_t i = 0; i < values.size(); ++i) registers_[first + i] = {values[i], true};
  ++generation_;
}

void constant_file::forget() noexcept {
  for (host_register& each : registers_) each.is_known = false;
  ++generation_;
}

auto constant_file::has(std::size_t number, const float4& value) const noexcept -> bool {
  const host_register& held = registers_[number];
  return held.is_known && std::memcmp(&held.value, &value, sizeof value) == 0;
}

auto constant_file::missing(register_block block, std::span<const float4> wanted) const noexcept
    -> register_block {
  std::size_t begin = 0;
  std::size_t end = wanted.size();
  while (begin < end && has(block.first + begin, wanted[begin])) ++begin;
  while (end > begin && has(block.first + end - 1, wanted[end - 1])) --end;
  return {static_cast<std::uint16_t>(block.first + begin), static_cast<std::uint16_t>(end - begin)};
}

}  // namespace aerogpu::umd::fixed
