// SPDX-License-Identifier: MIT
/// \file A simulated machine whose device draws with Vulkan, and what its monitor shows.
#pragma once

#include "drivers/sim/kernel/machine/vulkan_machine.hpp"
#include "tests/drivers/support/running_windows.hpp"
#include "tests/golden/guests/image.hpp"
#include "tests/support/vulkan/vulkan_pool.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::test {

/// Opening a device takes longer than most cases do with it.
template <>
inline auto make_backend<vulkan::vulkan_backend>() -> owned_backend<vulkan::vulkan_backend> {
  return borrow_vulkan_backend();
}

/// What the monitor of a running Windows shows.
template <class Windows>
[[nodiscard]] auto displayed(Windows& w) -> golden::image {
  rgba8_image shown;
  REQUIRE(static_cast<bool>(w.machine.get().read_display(shown)));
  return golden::image::made_by(
      static_cast<int>(shown.width()), static_cast<int>(shown.height()), [&](int x, int y) {
        const auto at =
            (static_cast<std::size_t>(y) * shown.width() + static_cast<std::size_t>(x)) * 4;
        const auto channel = [&](std::size_t i) {
          return static_cast<std::uint8_t>(shown.pixels()[at + i]);
        };
        return golden::rgba{channel(0), channel(1), channel(2), 255};
      });
}

}  // namespace aerogpu::test
