// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/core/handles.hpp"

#include "aerogpu/abi/wddm_alloc.h"
#include "drivers/win7/umd/d3d9/core/log.hpp"

#include <array>

namespace aerogpu::umd {

namespace {

constexpr std::uint32_t random_handle_bit = 0x80000000;

once rng_fallback;

/// Local\AeroGPU.D3D9.ShareToken.<LUID>: the word is history, the numbers are allocation ids.
auto counter_of(os::adapter_luid luid) noexcept -> std::array<char, 48> {
  std::array<char, 48> name{};
  text_buffer text{std::span{name}.first(name.size() - 1)};
  text.append("Local\\AeroGPU.D3D9.ShareToken.");
  const std::uint64_t number =
      std::uint64_t{static_cast<std::uint32_t>(luid.high)} << 32 | luid.low;
  for (int shift = 60; shift >= 0; shift -= 4) {
    text.append({&"0123456789ABCDEF"[number >> shift & 0xF], 1});
  }
  return name;
}

}  // namespace

shared_numbers::shared_numbers(const char* name, std::uint32_t mask,
                               std::uint32_t random_bits) noexcept
    : counter_(os::shared_counter(name)), mask_(mask), random_bits_(random_bits) {}

auto shared_numbers::next() noexcept -> std::uint32_t {
  for (;;) {
    const std::uint32_t number =
        counter_ != nullptr
            ? static_cast<std::uint32_t>(os::increment(*counter_)) & mask_
            : (static_cast<std::uint32_t>(os::random_bits()) & mask_) | random_bits_;
    if (number != 0) return number;
  }
}

protocol_handles::protocol_handles() noexcept
    : numbers_("Local\\AeroGPU.GlobalHandleCounter", 0xFFFFFFFF, random_handle_bit) {}

alloc_ids::alloc_ids(os::adapter_luid luid) noexcept
    : numbers_(counter_of(luid).data(), AEROGPU_WDDM_ALLOC_ID_UMD_MAX, 0) {
  if (numbers_.is_shared() || !rng_fallback.is_first()) return;
  log_line{"alloc_id allocator: shared mapping unavailable; using RNG fallback"};
}

}  // namespace aerogpu::umd
