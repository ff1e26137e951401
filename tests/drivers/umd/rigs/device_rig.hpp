// SPDX-License-Identifier: MIT
/// \file A device of the driver's core on a fake runtime and a fake system.
#pragma once

#include "aerogpu/abi/umd_private.h"
#include "aerogpu/abi/version.h"
#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"
#include "drivers/win7/umd/d3d9/device/device.hpp"
#include "tests/drivers/umd/rigs/fake_runtime.hpp"
#include "tests/drivers/umd/rigs/fake_system.hpp"

#include <cstdint>

namespace aerogpu::umd::test {

/// Facts of a device of today's ABI.
[[nodiscard]] inline auto plain_facts() -> adapter_facts {
  adapter_facts facts;
  facts.has_device_facts = true;
  facts.device_magic = AEROGPU_UMDPRIV_MMIO_MAGIC_NEW_AGPU;
  facts.abi_version = AEROGPU_ABI_VERSION_U32;
  facts.features = 0x3F;
  return facts;
}

/// Starts the device, ends it, and finds that nothing is left.
class device_rig {
 public:
  explicit device_rig(const fake_runtime_options& options = {},
                      const adapter_facts& facts = plain_facts())
      : runtime(options), adapter({0x40000040, {0x1234, 0x5}}, facts), device(adapter, runtime) {
    REQUIRE(start_device(device) == S_OK);
  }
  device_rig(const device_rig&) = delete;
  auto operator=(const device_rig&) -> device_rig& = delete;
  ~device_rig() { stop_device(device); }

  fake_system system;
  fake_runtime runtime;
  umd::adapter adapter;
  umd::device device;
};

}  // namespace aerogpu::umd::test
