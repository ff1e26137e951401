// SPDX-License-Identifier: MIT
#include "tests/support/vulkan/vulkan_processor.hpp"

template class aerogpu::command_processor<aerogpu::vulkan::vulkan_backend>;
