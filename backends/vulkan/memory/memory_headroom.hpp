// SPDX-License-Identifier: MIT
/// \file Whether the process has memory left for libraries that end it when they get none.
#pragma once

#include <cstdint>

namespace aerogpu::vulkan {

/// Whether the system would give the process `size_bytes` more at this moment: takes them and gives
/// them back at once, untouched, which costs microseconds. Drivers and their compilers (Mesa's
/// llvmpipe, LLVM) crash or abort without memory, so that the backend asks first. Other threads may
/// take it meanwhile, and a system that promises more than it has says yes: this keeps a process
/// that meets its limit of address space or of committed memory, and no other.
[[nodiscard]] auto has_memory_left(std::uint64_t size_bytes) noexcept -> bool;

}  // namespace aerogpu::vulkan
