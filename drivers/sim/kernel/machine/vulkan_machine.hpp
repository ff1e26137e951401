// SPDX-License-Identifier: MIT
/// \file The device model over the Vulkan backend, compiled once for all programs that use it.
#pragma once

#include "drivers/sim/kernel/machine.hpp"
#include "vulkan/vulkan_backend.hpp"

namespace aerogpu {

extern template class device<sim::device_host_port, vulkan::vulkan_backend>;
extern template class sim::machine<vulkan::vulkan_backend>;

}  // namespace aerogpu
