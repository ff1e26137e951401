// SPDX-License-Identifier: MIT
// The state of a device without the device around it.
#pragma once

#include "aerogpu/device/device_state.hpp"
#include "tests/catch.hpp"
#include "tests/support/device_harness.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace aerogpu::test {

/// A device's state on a machine of its own, whose clock says something else than the snapshot.
struct state_rig {
  static constexpr std::uint32_t bar1_bytes = 1u << 20;

  state_rig() {
    machine.time_ns = 1'000'000;
    auto video = video_memory::create(bar1_bytes, bar1_bytes);
    REQUIRE(video);
    device_config config;
    config.bar1_bytes = bar1_bytes;
    state = std::make_unique<device_state<fake_machine>>(machine, config, *std::move(video));
    REQUIRE(state->reserve());
  }

  fake_machine machine{memory_mood::calm};
  std::unique_ptr<device_state<fake_machine>> state;
};

}  // namespace aerogpu::test
