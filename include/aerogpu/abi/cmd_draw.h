/* Packets that clear, draw and dispatch. */
#pragma once

#include <stdint.h>

#include "aerogpu/abi/cmd_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

enum aerogpu_clear_flags {
  AEROGPU_CLEAR_COLOR = 0x1,
  AEROGPU_CLEAR_DEPTH = 0x2,
  AEROGPU_CLEAR_STENCIL = 0x4,
};

#pragma pack(push, 1)

struct aerogpu_cmd_clear {
  struct aerogpu_cmd_hdr hdr;
  uint32_t flags;
  uint32_t color_rgba_f32[4];
  uint32_t depth_f32;
  uint32_t stencil;
};

struct aerogpu_cmd_draw {
  struct aerogpu_cmd_hdr hdr;
  uint32_t vertex_count;
  uint32_t instance_count;
  uint32_t first_vertex;
  uint32_t first_instance;
};

struct aerogpu_cmd_draw_indexed {
  struct aerogpu_cmd_hdr hdr;
  uint32_t index_count;
  uint32_t instance_count;
  uint32_t first_index;
  int32_t base_vertex;
  uint32_t first_instance;
};

struct aerogpu_cmd_dispatch {
  struct aerogpu_cmd_hdr hdr;
  uint32_t group_count_x;
  uint32_t group_count_y;
  uint32_t group_count_z;
  uint32_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
