// SPDX-License-Identifier: MIT
/// \file The command stream that tells the host of a context's end.
#pragma once

#include "aerogpu/abi/cmd_binding.h"
#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/stream/d3d9_state_ids.hpp"

namespace aerogpu {

#pragma pack(push, 1)
/// A whole stream of one packet (docs/extensions.md). It is submitted in the context that ends,
/// with the fence submitted last, without table and without interrupt.
struct context_end_stream {
  aerogpu_cmd_stream_header header;
  aerogpu_cmd_set_render_state end;
};
#pragma pack(pop)
static_assert(sizeof(context_end_stream) == 40);

[[nodiscard]] constexpr auto make_context_end_stream() noexcept -> context_end_stream {
  return {.header = {.magic = AEROGPU_CMD_STREAM_MAGIC,
                     .abi_version = AEROGPU_ABI_VERSION_U32,
                     .size_bytes = sizeof(context_end_stream),
                     .flags = AEROGPU_CMD_STREAM_FLAG_NONE,
                     .reserved0 = 0,
                     .reserved1 = 0},
          .end = {.hdr = {.opcode = AEROGPU_CMD_SET_RENDER_STATE,
                          .size_bytes = sizeof(aerogpu_cmd_set_render_state)},
                  .state = aerogpurs_end_of_context,
                  .value = 1}};
}

}  // namespace aerogpu
