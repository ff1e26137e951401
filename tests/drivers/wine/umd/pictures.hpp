// SPDX-License-Identifier: MIT
/// \file Pictures that a Direct3D 9 program draws through the driver's interface.
#pragma once

#include "drivers/sim/runtime/runtime.hpp"

#include <cstdint>
#include <string>

namespace aerogpu::test {

/// Opens the driver, makes a device, presents once, and ends it. Failures come back.
[[nodiscard]] auto open_device(sim::user_driver driver) -> int;

/// Draws each picture in a process of its own number and writes it as FOLDER/NAME.ppm. Every call
/// that fails and every breach of the driver's contract is printed; their number is what comes
/// back.
[[nodiscard]] auto draw_pictures(sim::user_driver driver, const std::string& folder) -> int;

/// A process shows its surface to another one by a number: makes a texture, fills it, and prints
/// "share NUMBER"; then waits for a line on its standard input. Failures come back.
[[nodiscard]] auto produce_surface(sim::user_driver driver) -> int;
/// Opens the surface of that number and writes it as FOLDER/shared.ppm.
[[nodiscard]] auto consume_surface(sim::user_driver driver, std::uint32_t share,
                                   const std::string& folder) -> int;

}  // namespace aerogpu::test
