// SPDX-License-Identifier: MIT
/// \file Debug numbers for section handles, for MAP_SHARED_HANDLE. No protocol tokens.
#pragma once

#include "drivers/win7/kmd/system/os.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::kmd {

/// The same object has the same number as long as it is among the newest that were asked for. Any
/// thread; a spin lock of its own.
class shared_handles {
 public:
  static constexpr std::uint32_t capacity = 1024;

  /// Never 0. `object` is compared alone. DISPATCH.
  [[nodiscard]] auto number_of(const void* object) noexcept -> std::uint32_t;

 private:
  struct entry {
    const void* object = nullptr;
    std::uint32_t number = 0;
    std::uint32_t last_use = 0;
  };
  [[nodiscard]] auto find(const void* object) noexcept -> entry&;

  os::spin_lock lock_;
  std::uint32_t uses_ = 0;
  std::uint32_t last_number_ = 0;
  std::array<entry, capacity> entries_{};
};

}  // namespace aerogpu::kmd
