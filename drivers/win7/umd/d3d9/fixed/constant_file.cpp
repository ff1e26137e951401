// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/fixed/constant_file.hpp"

#include <cstring>

namespace aerogpu::umd::fixed {

void constant_file::note_sent(std::size_t first, std::span<const float4> values) noexcept {
  if (first > values_.size() || values.size() > values_.size() - first) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values_[first + i] = values[i];
    known_[first + i] = true;
  }
  ++generation_;
}

void constant_file::forget() noexcept {
  known_.reset();
  ++generation_;
}

auto constant_file::has(std::size_t number, const float4& value) const noexcept -> bool {
  return known_[number] && std::memcmp(&values_[number], &value, sizeof value) == 0;
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
