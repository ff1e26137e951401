/// \file The Khronos validation layer, so that leak checks can tell what is its own.
#pragma once

#include <dlfcn.h>

namespace aerogpu::test {

/// Call it while an instance with the layer lives. The layer then stays loaded until the program
/// ends: LeakSanitizer can name only what is loaded, and tests/catch_main.cpp excuses the layer,
/// which in 1.3.239 never frees what synchronisation validation knows of a command buffer.
inline void keep_validation_layer() {
  static_cast<void>(
      dlopen("libVkLayer_khronos_validation.so", RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE));
}

}  // namespace aerogpu::test
