// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/machine/vulkan_machine.hpp"

namespace aerogpu {

template class device<sim::device_host_port, vulkan::vulkan_backend>;
template class sim::machine<vulkan::vulkan_backend>;

}  // namespace aerogpu
