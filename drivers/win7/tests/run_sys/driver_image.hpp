// SPDX-License-Identifier: MIT
/// \file aerogpu.sys in this process.
#pragma once

#include <cstdint>
#include <string>

namespace aerogpu::run_sys {

/// Where the image lies; set before the first load.
void set_driver_path(std::string path);
/// Loads a fresh copy, gives each of its imports the simulated kernel's, and returns the address of
/// its entry point. A line on stderr and the program's end where that fails.
[[nodiscard]] auto load_driver_image() -> void*;
/// The imports of one copy.
[[nodiscard]] auto replaced_imports() noexcept -> unsigned;

}  // namespace aerogpu::run_sys
