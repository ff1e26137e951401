// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/machine/null_machine.hpp"

namespace aerogpu {

template class device<sim::device_host_port, null_backend>;
template class sim::machine<null_backend>;

}  // namespace aerogpu
