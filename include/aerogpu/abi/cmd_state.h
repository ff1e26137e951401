/* SPDX-License-Identifier: MIT */
/* Packets for blend, depth-stencil, rasterizer, target, viewport and scissor state. */
#pragma once

#include "aerogpu/abi/cmd_stream.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_MAX_RENDER_TARGETS 8u

/* No factor takes a color; D3D9 render states do. */
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

/* Same numbers as VkBlendOp. */
enum aerogpu_blend_op {
  AEROGPU_BLEND_OP_ADD = 0,
  AEROGPU_BLEND_OP_SUBTRACT = 1,
  AEROGPU_BLEND_OP_REV_SUBTRACT = 2,
  AEROGPU_BLEND_OP_MIN = 3,
  AEROGPU_BLEND_OP_MAX = 4,
};

/* Same numbers as VkCompareOp. */
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

/* Triangles or their edges. */
enum aerogpu_fill_mode {
  AEROGPU_FILL_SOLID = 0,
  AEROGPU_FILL_WIREFRAME = 1,
};

/* Same numbers as VkCullModeFlagBits. */
enum aerogpu_cull_mode {
  AEROGPU_CULL_NONE = 0,
  AEROGPU_CULL_FRONT = 1,
  AEROGPU_CULL_BACK = 2,
};

/* Rasterizer switches. */
enum aerogpu_rasterizer_flags {
  AEROGPU_RASTERIZER_FLAG_NONE = 0x0,
  AEROGPU_RASTERIZER_FLAG_DEPTH_CLIP_DISABLE = 0x1, /* clamp depth */
};

#pragma pack(push, 1)

/* How color targets blend; one state for all. */
struct aerogpu_blend_state {
  uint32_t enable;     /* 0 or 1 */
  uint32_t src_factor; /* aerogpu_blend_factor, as dst */
  uint32_t dst_factor;
  uint32_t blend_op;        /* aerogpu_blend_op */
  uint8_t color_write_mask; /* bits 0..3 = R G B A */
  uint8_t reserved0[3];
  uint32_t src_factor_alpha;
  uint32_t dst_factor_alpha;
  uint32_t blend_op_alpha;
  uint32_t blend_constant_rgba_f32[4]; /* f32 bits */
  uint32_t sample_mask;
};

/* Sets the blend state; may be cut from 28 bytes on. */
struct aerogpu_cmd_set_blend_state {
  struct aerogpu_cmd_hdr hdr;
  struct aerogpu_blend_state state;
};

/* How depth and stencil are tested and written. */
struct aerogpu_depth_stencil_state {
  uint32_t depth_enable; /* 0 or 1, as the other enables */
  uint32_t depth_write_enable;
  uint32_t depth_func; /* aerogpu_compare_func */
  uint32_t stencil_enable;
  uint8_t stencil_read_mask;
  uint8_t stencil_write_mask;
  uint8_t reserved0[2];
};

/* Sets the depth-stencil state. */
struct aerogpu_cmd_set_depth_stencil_state {
  struct aerogpu_cmd_hdr hdr;
  struct aerogpu_depth_stencil_state state;
};

/* How triangles become pixels. */
struct aerogpu_rasterizer_state {
  uint32_t fill_mode;      /* aerogpu_fill_mode */
  uint32_t cull_mode;      /* aerogpu_cull_mode */
  uint32_t front_ccw;      /* 0 or 1 */
  uint32_t scissor_enable; /* 0 or 1 */
  int32_t depth_bias;
  uint32_t flags; /* aerogpu_rasterizer_flags */
};

/* Sets the rasterizer state. */
struct aerogpu_cmd_set_rasterizer_state {
  struct aerogpu_cmd_hdr hdr;
  struct aerogpu_rasterizer_state state;
};

/* Binds color targets and the depth-stencil target. */
struct aerogpu_cmd_set_render_targets {
  struct aerogpu_cmd_hdr hdr;
  uint32_t color_count;           /* at most AEROGPU_MAX_RENDER_TARGETS */
  aerogpu_handle_t depth_stencil; /* 0 = none */
  aerogpu_handle_t colors[8];     /* 0 = a gap */
};

/* Sets the viewport, all as f32 bits. */
struct aerogpu_cmd_set_viewport {
  struct aerogpu_cmd_hdr hdr;
  uint32_t x_f32; /* pixels, as the next three */
  uint32_t y_f32;
  uint32_t width_f32;
  uint32_t height_f32;
  uint32_t min_depth_f32;
  uint32_t max_depth_f32;
};

/* Sets the scissor rectangle, in pixels. */
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
