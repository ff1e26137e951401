/* SPDX-License-Identifier: MIT */
/* Packets that present, share surfaces across processes and flush. */
#pragma once

#include "aerogpu/abi/cmd_stream.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a present is paced. */
enum aerogpu_present_flags {
  AEROGPU_PRESENT_FLAG_NONE = 0x0,
  AEROGPU_PRESENT_FLAG_VSYNC = 0x1, /* completes at a vblank */
};

#pragma pack(push, 1)

/* Shows the bound render target on a scanout. */
struct aerogpu_cmd_present {
  struct aerogpu_cmd_hdr hdr;
  uint32_t scanout_id; /* 0 */
  uint32_t flags;      /* aerogpu_present_flags */
};

/* Presents with the flags of D3D9Ex. */
struct aerogpu_cmd_present_ex {
  struct aerogpu_cmd_hdr hdr;
  uint32_t scanout_id;         /* 0 */
  uint32_t flags;              /* aerogpu_present_flags */
  uint32_t d3d9_present_flags; /* PresentEx dwFlags */
  uint32_t reserved0;
};

/* Publishes a texture under a token. */
struct aerogpu_cmd_export_shared_surface {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t resource_handle;
  uint32_t reserved0;
  uint64_t share_token; /* nonzero, never reused */
};

/* Makes another handle for a published texture. */
struct aerogpu_cmd_import_shared_surface {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t out_resource_handle; /* the new handle */
  uint32_t reserved0;
  uint64_t share_token;
};

/* Retires a token for ever; imported handles live on. */
struct aerogpu_cmd_release_shared_surface {
  struct aerogpu_cmd_hdr hdr;
  uint64_t share_token;
  uint64_t reserved0;
};

/* Asks that everything before it start now. */
struct aerogpu_cmd_flush {
  struct aerogpu_cmd_hdr hdr;
  uint32_t reserved0;
  uint32_t reserved1;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
