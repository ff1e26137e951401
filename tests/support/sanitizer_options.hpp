// SPDX-License-Identifier: MIT
/// \file What the sanitizers are told; included once in each test program.
#pragma once

// Tests ask for more memory than there is. A sanitizer then answers null, as the system does.
extern "C" auto __asan_default_options() -> const char* {
  return "allocator_may_return_null=1";
}
extern "C" auto __tsan_default_options() -> const char* {
  return "allocator_may_return_null=1";
}
// What is not ours to free (tests/support/vulkan/vulkan_leaks.hpp): layers, and the drivers of Mesa
// and NVIDIA.
extern "C" auto __lsan_default_suppressions() -> const char* {
  return "leak:libVkLayer_\nleak:libvulkan_\nleak:libGLX_nvidia\nleak:libnvidia-";
}
