/* Packets for blend, depth-stencil, rasterizer, target, viewport and scissor state. */
#pragma once

#include <stdint.h>

#include "aerogpu/abi/cmd_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_MAX_RENDER_TARGETS 8u

enum aerogpu_blend_factor {
  AEROGPU_BLEND_ZERO = 0,
  AEROGPU_BLEND_ONE = 1,
  AEROGPU_BLEND_SRC_ALPHA = 2,
  AEROGPU_BLEND_INV_SRC_ALPHA = 3,
  AEROGPU_BLEND_DEST_ALPHA = 4,
  AEROGPU_BLEND_INV_DEST_ALPHA = 5,
  AEROGPU_BLEND_CONSTANT = 6,
  AEROGPU_BLEND_INV_CONSTANT = 7,
};

enum aerogpu_blend_op {
  AEROGPU_BLEND_OP_ADD = 0,
  AEROGPU_BLEND_OP_SUBTRACT = 1,
  AEROGPU_BLEND_OP_REV_SUBTRACT = 2,
  AEROGPU_BLEND_OP_MIN = 3,
  AEROGPU_BLEND_OP_MAX = 4,
};

enum aerogpu_compare_func {
  AEROGPU_COMPARE_NEVER = 0,
  AEROGPU_COMPARE_LESS = 1,
  AEROGPU_COMPARE_EQUAL = 2,
  AEROGPU_COMPARE_LESS_EQUAL = 3,
  AEROGPU_COMPARE_GREATER = 4,
  AEROGPU_COMPARE_NOT_EQUAL = 5,
  AEROGPU_COMPARE_GREATER_EQUAL = 6,
  AEROGPU_COMPARE_ALWAYS = 7,
};

enum aerogpu_fill_mode {
  AEROGPU_FILL_SOLID = 0,
  AEROGPU_FILL_WIREFRAME = 1,
};

enum aerogpu_cull_mode {
  AEROGPU_CULL_NONE = 0,
  AEROGPU_CULL_FRONT = 1,
  AEROGPU_CULL_BACK = 2,
};

enum aerogpu_rasterizer_flags {
  AEROGPU_RASTERIZER_FLAG_NONE = 0x0,
  AEROGPU_RASTERIZER_FLAG_DEPTH_CLIP_DISABLE = 0x1,
};

#pragma pack(push, 1)

struct aerogpu_blend_state {
  uint32_t enable;
  uint32_t src_factor;
  uint32_t dst_factor;
  uint32_t blend_op;
  uint8_t color_write_mask;
  uint8_t reserved0[3];
  uint32_t src_factor_alpha;
  uint32_t dst_factor_alpha;
  uint32_t blend_op_alpha;
  uint32_t blend_constant_rgba_f32[4];
  uint32_t sample_mask;
};

struct aerogpu_cmd_set_blend_state {
  struct aerogpu_cmd_hdr hdr;
  struct aerogpu_blend_state state;
};

struct aerogpu_depth_stencil_state {
  uint32_t depth_enable;
  uint32_t depth_write_enable;
  uint32_t depth_func;
  uint32_t stencil_enable;
  uint8_t stencil_read_mask;
  uint8_t stencil_write_mask;
  uint8_t reserved0[2];
};

struct aerogpu_cmd_set_depth_stencil_state {
  struct aerogpu_cmd_hdr hdr;
  struct aerogpu_depth_stencil_state state;
};

struct aerogpu_rasterizer_state {
  uint32_t fill_mode;
  uint32_t cull_mode;
  uint32_t front_ccw;
  uint32_t scissor_enable;
  int32_t depth_bias;
  uint32_t flags;
};

struct aerogpu_cmd_set_rasterizer_state {
  struct aerogpu_cmd_hdr hdr;
  struct aerogpu_rasterizer_state state;
};

struct aerogpu_cmd_set_render_targets {
  struct aerogpu_cmd_hdr hdr;
  uint32_t color_count;
  aerogpu_handle_t depth_stencil;
  aerogpu_handle_t colors[8];
};

struct aerogpu_cmd_set_viewport {
  struct aerogpu_cmd_hdr hdr;
  uint32_t x_f32;
  uint32_t y_f32;
  uint32_t width_f32;
  uint32_t height_f32;
  uint32_t min_depth_f32;
  uint32_t max_depth_f32;
};

struct aerogpu_cmd_set_scissor {
  struct aerogpu_cmd_hdr hdr;
  int32_t x;
  int32_t y;
  int32_t width;
  int32_t height;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
