/* SPDX-License-Identifier: MIT */
/* Packets that clear, draw and dispatch. */
#pragma once

#include "aerogpu/abi/cmd_stream.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which targets a clear touches. */
enum aerogpu_clear_flags {
  AEROGPU_CLEAR_COLOR = 0x1,
  AEROGPU_CLEAR_DEPTH = 0x2,
  AEROGPU_CLEAR_STENCIL = 0x4,
};

#pragma pack(push, 1)

/* Clears the bound targets. */
struct aerogpu_cmd_clear {
  struct aerogpu_cmd_hdr hdr;
  uint32_t flags;             /* aerogpu_clear_flags */
  uint32_t color_rgba_f32[4]; /* f32 bits, for every color target */
  uint32_t depth_f32;         /* f32 bits */
  uint32_t stencil;           /* low 8 bits */
};

/* Draws vertices in order. */
struct aerogpu_cmd_draw {
  struct aerogpu_cmd_hdr hdr;
  uint32_t vertex_count;
  uint32_t instance_count;
  uint32_t first_vertex;
  uint32_t first_instance;
};

/* Draws vertices that the index buffer names. */
struct aerogpu_cmd_draw_indexed {
  struct aerogpu_cmd_hdr hdr;
  uint32_t index_count;
  uint32_t instance_count;
  uint32_t first_index;
  int32_t base_vertex; /* added to each index */
  uint32_t first_instance;
};

/* Runs the compute shader; a count of 0 runs nothing. */
struct aerogpu_cmd_dispatch {
  struct aerogpu_cmd_hdr hdr;
  uint32_t group_count_x;
  uint32_t group_count_y;
  uint32_t group_count_z;
  uint32_t reserved0; /* stage_ex; the base stage is COMPUTE */
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
