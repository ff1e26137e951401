// SPDX-License-Identifier: MIT
/// \file The command processor over the Vulkan backend, made in one unit for all programs that use
/// it.
#pragma once

#include "aerogpu/processor/command_processor.hpp"
#include "vulkan/vulkan_backend.hpp"

extern template class aerogpu::command_processor<aerogpu::vulkan::vulkan_backend>;
