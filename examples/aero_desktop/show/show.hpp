// SPDX-License-Identifier: MIT
/// \file One run of the desktop on a computer: frames, pictures, a trace, and a verdict.
#pragma once

#include "examples/aero_desktop/guest/hardware.hpp"

#include <cstdint>
#include <string>

namespace desktop {

/// What the command line asks for; empty names ask for nothing.
struct show_choice {
  std::uint32_t frames = 60;
  std::string backend = "null";
  std::string device;     ///< Of the vulkan backend.
  bool validate = false;  ///< The same.
  std::string png_folder;
  std::string trace_file;
  std::string sheet_file;
};

/// Runs the guest and prints what it did. An exit code, with a sentence in `why` when it is not 0:
/// 1 when a packet is refused, the device or a validation layer reports an error or an object stays
/// behind; 2 when a file or the backend cannot be used. The trace takes its name unless it is 2.
[[nodiscard]] auto run_show(hardware& pc, const show_choice& how, std::string& why) -> int;

/// The same on one backend.
using show_function = auto(const show_choice& how, std::string& why) -> int;
[[nodiscard]] auto show_on_null(const show_choice& how, std::string& why) -> int;
/// Built where the Vulkan backend is.
[[nodiscard]] auto show_on_vulkan(const show_choice& how, std::string& why) -> int;

}  // namespace desktop
