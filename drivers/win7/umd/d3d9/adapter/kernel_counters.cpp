// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/adapter/kernel_counters.hpp"

#include "aerogpu/abi/dbgctl_escape.h"

namespace aerogpu::umd {

auto query_fences(const adapter& of, fence_counters& out) noexcept -> bool {
  aerogpu_escape_query_fence_out query{};
  query.hdr = {AEROGPU_ESCAPE_VERSION, AEROGPU_ESCAPE_OP_QUERY_FENCE, sizeof query, 0};
  if (of.kernel_handle() == 0) return false;
  if (!os::escape(of.kernel_handle(), mutable_bytes_of(query))) return false;
  out = {query.last_submitted_fence, query.last_completed_fence};
  return true;
}

}  // namespace aerogpu::umd
