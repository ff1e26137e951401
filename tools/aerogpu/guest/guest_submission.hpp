// SPDX-License-Identifier: MIT
/// \file One submission as the driver makes it.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"

#include <cstdint>

namespace aerogpu::tool {

struct guest_submission {
  std::uint32_t flags = 0;
  context_id context{};
  fence_value fence{};
  const_bytes stream;
  const_bytes alloc_table;
};

}  // namespace aerogpu::tool
