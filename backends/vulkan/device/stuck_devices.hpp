// SPDX-License-Identifier: MIT
/// \file What an embedder asks before its process ends.
#pragma once

namespace aerogpu::vulkan {

/// Whether devices of backends that are gone are still at work; those that came to an end are
/// closed. While there are any, threads of the driver run, and so the process must not run exit
/// handlers, which free what they use: end it with `_exit` or `std::_Exit`. Thread-safe.
[[nodiscard]] auto has_stuck_devices() noexcept -> bool;

}  // namespace aerogpu::vulkan
