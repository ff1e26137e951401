// SPDX-License-Identifier: MIT
/// \file How two packets or two streams differ, in words.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <string>

namespace aerogpu::tool {

/// Names the first packet in which two streams differ and its fields: "packet 4 at 0xa8 and 0xa8:
/// SET_VIEWPORT: width_f32=64 against width_f32=32". Empty when they are the same byte for byte.
[[nodiscard]] auto describe_stream_difference(const_bytes a, const_bytes b) -> std::string;

}  // namespace aerogpu::tool
