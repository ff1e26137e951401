// SPDX-License-Identifier: MIT
#include "drivers/wine/d3d9/com/object.hpp"

namespace aerogpu::d3d9 {

void object::end() noexcept {
  delete this;
}

}  // namespace aerogpu::d3d9
