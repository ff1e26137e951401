/* SPDX-License-Identifier: MIT */
/* Packets that create, fill, copy and destroy buffers, textures and views. */
#pragma once

#include "aerogpu/abi/cmd_stream.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Hints on how a resource will be bound. */
enum aerogpu_resource_usage_flags {
  AEROGPU_RESOURCE_USAGE_NONE = 0x0,
  AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER = 0x1,
  AEROGPU_RESOURCE_USAGE_INDEX_BUFFER = 0x2,
  AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER = 0x4,
  AEROGPU_RESOURCE_USAGE_TEXTURE = 0x8, /* sampled */
  AEROGPU_RESOURCE_USAGE_RENDER_TARGET = 0x10,
  AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL = 0x20,
  AEROGPU_RESOURCE_USAGE_SCANOUT = 0x40, /* displayed */
  AEROGPU_RESOURCE_USAGE_STORAGE = 0x80, /* buffer SRV or UAV */
};

/* What a copy does beside copying. */
enum aerogpu_copy_flags {
  AEROGPU_COPY_FLAG_NONE = 0x0,
  AEROGPU_COPY_FLAG_WRITEBACK_DST = 0x1, /* also into guest memory, before the fence */
};

#pragma pack(push, 1)

/* Creates a buffer, or gives a live one another backing. */
struct aerogpu_cmd_create_buffer {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t buffer_handle;
  uint32_t usage_flags;          /* aerogpu_resource_usage_flags */
  uint64_t size_bytes;           /* nonzero multiple of 4 */
  uint32_t backing_alloc_id;     /* 0 = host memory */
  uint32_t backing_offset_bytes; /* from the start of the allocation */
  uint64_t reserved0;
};

/* Creates a 2D texture or array, or gives a live one another backing. */
struct aerogpu_cmd_create_texture2d {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t texture_handle;
  uint32_t usage_flags; /* aerogpu_resource_usage_flags */
  uint32_t format;      /* aerogpu_format */
  uint32_t width;       /* texels of mip 0 */
  uint32_t height;
  uint32_t mip_levels;
  uint32_t array_layers;
  uint32_t row_pitch_bytes;      /* of mip 0; 0 = tight, if host memory */
  uint32_t backing_alloc_id;     /* 0 = host memory */
  uint32_t backing_offset_bytes; /* from the start of the allocation */
  uint64_t reserved0;
};

/* Drops a handle; the content lives until its last handle goes. */
struct aerogpu_cmd_destroy_resource {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t resource_handle;
  uint32_t reserved0;
};

/* Says that the guest CPU changed bytes of a guest-backed resource. */
struct aerogpu_cmd_resource_dirty_range {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t resource_handle;
  uint32_t reserved0;
  uint64_t offset_bytes; /* from the start of the resource */
  uint64_t size_bytes;
};

/* Writes size_bytes bytes that follow into a resource. */
struct aerogpu_cmd_upload_resource {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t resource_handle;
  uint32_t reserved0;
  uint64_t offset_bytes; /* from the start of the resource */
  uint64_t size_bytes;   /* before padding to 4 */
};

/* Copies bytes; offsets and size are multiples of 4. */
struct aerogpu_cmd_copy_buffer {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t dst_buffer;
  aerogpu_handle_t src_buffer;
  uint64_t dst_offset_bytes;
  uint64_t src_offset_bytes;
  uint64_t size_bytes;
  uint32_t flags; /* aerogpu_copy_flags */
  uint32_t reserved0;
};

/* Copies a rectangle of texels between textures of one format. */
struct aerogpu_cmd_copy_texture2d {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t dst_texture;
  aerogpu_handle_t src_texture;
  uint32_t dst_mip_level;
  uint32_t dst_array_layer;
  uint32_t src_mip_level;
  uint32_t src_array_layer;
  uint32_t dst_x; /* texels, as all that follow */
  uint32_t dst_y;
  uint32_t src_x;
  uint32_t src_y;
  uint32_t width;
  uint32_t height;
  uint32_t flags; /* aerogpu_copy_flags */
  uint32_t reserved0;
};

/* Names mips and layers of a texture, read as a compatible format. */
struct aerogpu_cmd_create_texture_view {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t view_handle;
  aerogpu_handle_t texture_handle;
  uint32_t format; /* aerogpu_format */
  uint32_t base_mip_level;
  uint32_t mip_level_count;
  uint32_t base_array_layer;
  uint32_t array_layer_count;
  uint64_t reserved0;
};

/* Drops a view. */
struct aerogpu_cmd_destroy_texture_view {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t view_handle;
  uint32_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
