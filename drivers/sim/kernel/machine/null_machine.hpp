// SPDX-License-Identifier: MIT
/// \file The device model over the null backend, compiled once for all programs that use it.
#pragma once

#include "backends/null/null_backend.hpp"
#include "drivers/sim/kernel/machine.hpp"

namespace aerogpu {

extern template class device<sim::device_host_port, null_backend>;
extern template class sim::machine<null_backend>;

}  // namespace aerogpu
