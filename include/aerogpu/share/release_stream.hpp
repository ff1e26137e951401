// SPDX-License-Identifier: MIT
/// \file The command stream that tells the host of a share token's end.
#pragma once

#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/core/ids.hpp"

#include <cstdint>

namespace aerogpu {

#pragma pack(push, 1)
/// A whole stream of one packet (kmd.md 3.5). It is submitted without table and without
/// interrupt, in context 0, with the fence submitted last, so that it makes no new one.
struct release_stream {
  aerogpu_cmd_stream_header header;
  aerogpu_cmd_release_shared_surface release;
};
#pragma pack(pop)
static_assert(sizeof(release_stream) == 48);

[[nodiscard]] constexpr auto make_release_stream(share_token token) noexcept -> release_stream {
  return {.header = {.magic = AEROGPU_CMD_STREAM_MAGIC,
                     .abi_version = AEROGPU_ABI_VERSION_U32,
                     .size_bytes = sizeof(release_stream),
                     .flags = AEROGPU_CMD_STREAM_FLAG_NONE,
                     .reserved0 = 0,
                     .reserved1 = 0},
          .release = {.hdr = {.opcode = AEROGPU_CMD_RELEASE_SHARED_SURFACE,
                              .size_bytes = sizeof(aerogpu_cmd_release_shared_surface)},
                      .share_token = raw(token),
                      .reserved0 = 0}};
}

}  // namespace aerogpu
