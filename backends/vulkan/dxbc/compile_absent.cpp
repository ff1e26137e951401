#include "vulkan/dxbc/compile.hpp"

namespace aerogpu::vulkan::dxbc {

auto is_available() noexcept -> bool {
  return false;
}

auto compile(const_bytes, const compile_options&) -> result<compiled> {
  return make_error(error_code::unsupported,
                    "this build has no libvkd3d-shader: install libvkd3d-dev and build again");
}

}  // namespace aerogpu::vulkan::dxbc
