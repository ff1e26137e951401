// SPDX-License-Identifier: MIT
/// \file A Windows with the real driver on the real device, for one test case; and applications.
#pragma once

#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "drivers/sim/kernel/windows.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace aerogpu::test {

/// Boots, and shuts down at the end of the case: what anybody left behind fails it.
template <class Backend = null_backend>
class running_windows : public simulated_pc<Backend> {
 public:
  explicit running_windows(const sim::windows_options& options = small_desktop(),
                           const sim::pc_config& config = {}, const device_config& device = {})
      : simulated_pc<Backend>(config, device), session(this->windows, options) {
    REQUIRE(session.boot(&DriverEntry) == STATUS_SUCCESS);
  }
  [[nodiscard]] static auto small_desktop() -> sim::windows_options {
    sim::windows_options options;
    options.width = 640;
    options.height = 480;
    return options;
  }

  [[nodiscard]] auto reg(std::uint32_t offset) -> std::uint32_t {
    return this->pc.bus.peek(offset);
  }
  [[nodiscard]] auto display() -> sim::display_manager& { return session.session().display; }
  /// A pixel of the scanout, as guest memory has it.
  [[nodiscard]] auto pixel_in_memory(std::uint32_t x, std::uint32_t y) -> std::uint32_t {
    const auto base = this->pc.bus.peek64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO);
    const auto pitch = reg(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES);
    const auto* const at = this->pc.bus.at(base + std::uint64_t{pitch} * y + 4 * x, 4);
    std::uint32_t pixel = 0;
    if (at != nullptr) std::memcpy(&pixel, at, sizeof pixel);
    return pixel;
  }

  sim::windows session;
};

}  // namespace aerogpu::test
