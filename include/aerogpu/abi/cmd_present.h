/* Packets that present, share surfaces across processes and flush. */
#pragma once

#include <stdint.h>

#include "aerogpu/abi/cmd_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

enum aerogpu_present_flags {
  AEROGPU_PRESENT_FLAG_NONE = 0x0,
  AEROGPU_PRESENT_FLAG_VSYNC = 0x1,
};

#pragma pack(push, 1)

struct aerogpu_cmd_present {
  struct aerogpu_cmd_hdr hdr;
  uint32_t scanout_id;
  uint32_t flags;
};

struct aerogpu_cmd_present_ex {
  struct aerogpu_cmd_hdr hdr;
  uint32_t scanout_id;
  uint32_t flags;
  uint32_t d3d9_present_flags;
  uint32_t reserved0;
};

struct aerogpu_cmd_export_shared_surface {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t resource_handle;
  uint32_t reserved0;
  uint64_t share_token;
};

struct aerogpu_cmd_import_shared_surface {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t out_resource_handle;
  uint32_t reserved0;
  uint64_t share_token;
};

struct aerogpu_cmd_release_shared_surface {
  struct aerogpu_cmd_hdr hdr;
  uint64_t share_token;
  uint64_t reserved0;
};

struct aerogpu_cmd_flush {
  struct aerogpu_cmd_hdr hdr;
  uint32_t reserved0;
  uint32_t reserved1;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
