/// \file Libraries that Vulkan loads, so that leak checks can tell what is theirs.
#pragma once

#include <dlfcn.h>

namespace aerogpu::test {

/// Call it while an instance lives. Layer and driver then stay loaded until the program ends:
/// LeakSanitizer can name only what is loaded, and tests/support/sanitizer_options.hpp excuses
/// both. The layer, in 1.3.239, never frees what synchronisation validation knows of a command
/// buffer; llvmpipe, in Mesa 22.3, keeps a hundred bytes of each pipeline. Objects that this
/// project forgets are found by the layer when their device closes, and by tests/vulkan_faults,
/// which counts them.
inline void keep_vulkan_libraries() {
  for (const char* name : {"libVkLayer_khronos_validation.so", "libvulkan_lvp.so"}) {
    static_cast<void>(dlopen(name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE));
  }
}

}  // namespace aerogpu::test
