// SPDX-License-Identifier: MIT
/// \file Drivers and layers that stay loaded until the program ends, so that leaks can be told
/// apart.
#pragma once

namespace aerogpu::test {

/// Call it before the first instance. It makes one, with the validation layer where there is one,
/// and pins every library that is loaded while that instance lives. Without it a driver goes with
/// the last instance: what its globals point to then counts as leaked, and LeakSanitizer can no
/// longer name its frames, which tests/support/sanitizer_options.hpp excuses. The validation layer,
/// in 1.3.239, never frees what synchronisation validation knows of a command buffer; llvmpipe, in
/// Mesa 22.3, keeps a hundred bytes of each pipeline. Objects that this project forgets are found
/// by the layer when their device closes, and by tests/vulkan_faults, which counts them.
///
/// Null, or a sentence that says why this machine cannot run tests of Vulkan. Later calls repeat
/// it.
[[nodiscard]] auto keep_vulkan_libraries() -> const char*;

/// The same; where there is no device the program ends with that sentence and exit code 1: a test
/// that cannot run must not pass. Programs that link tests/support/vulkan/vulkan_listener.cpp do so
/// before their first case.
void require_vulkan_device();

}  // namespace aerogpu::test
