/// \file The call into libvkd3d-shader, the only file that includes its header.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "vulkan/dxbc/compile.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::vulkan::dxbc {

/// Compiles a container that `put_together` made of checked parts, with the bindings of `facts`.
/// Calls are made one at a time. Errors: unsupported, with the library's code as `detail`;
/// out_of_memory.
[[nodiscard]] auto call_vkd3d(const_bytes container, const compiled& facts,
                              const compile_options& options) -> result<std::vector<std::uint32_t>>;

}  // namespace aerogpu::vulkan::dxbc
