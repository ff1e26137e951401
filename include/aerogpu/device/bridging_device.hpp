// SPDX-License-Identifier: MIT
/// \file The device without a command processor, for who hands submissions to an executor
/// elsewhere.
#pragma once

#include "aerogpu/device/device_model.hpp"
#include "aerogpu/device/no_processor.hpp"

namespace aerogpu {

/// Made like any device, over a `no_backend`, with another executor than `in_process`. Its
/// snapshots load into others, and it refuses (unsupported) those with objects of a command
/// processor.
template <device_host Host>
using bridging_device = device<Host, no_backend>;

}  // namespace aerogpu
