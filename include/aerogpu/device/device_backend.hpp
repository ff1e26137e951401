// SPDX-License-Identifier: MIT
/// \file What a device stands on: a backend under a command processor, or nothing of its own.
#pragma once

#include "aerogpu/backend/backend.hpp"

#include <concepts>

namespace aerogpu {

/// In a backend's place for a device that processes nothing itself: its submissions go to an
/// external executor, wait, or end at once (host.md 1.13).
struct no_backend {};

template <class B>
concept device_backend = std::same_as<B, no_backend> || backend<B>;

/// What processes a device's submissions. `device.hpp` has it of backends, `bridging_device.hpp` of
/// `no_backend`.
template <class B>
struct processor_of;

template <device_backend B>
using processor_for = typename processor_of<B>::type;

}  // namespace aerogpu
