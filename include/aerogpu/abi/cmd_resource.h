/* Packets that create, fill, copy and destroy buffers, textures and views. */
#pragma once

#include <stdint.h>

#include "aerogpu/abi/cmd_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

enum aerogpu_resource_usage_flags {
  AEROGPU_RESOURCE_USAGE_NONE = 0x0,
  AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER = 0x1,
  AEROGPU_RESOURCE_USAGE_INDEX_BUFFER = 0x2,
  AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER = 0x4,
  AEROGPU_RESOURCE_USAGE_TEXTURE = 0x8,
  AEROGPU_RESOURCE_USAGE_RENDER_TARGET = 0x10,
  AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL = 0x20,
  AEROGPU_RESOURCE_USAGE_SCANOUT = 0x40,
  AEROGPU_RESOURCE_USAGE_STORAGE = 0x80,
};

enum aerogpu_copy_flags {
  AEROGPU_COPY_FLAG_NONE = 0x0,
  AEROGPU_COPY_FLAG_WRITEBACK_DST = 0x1,
};

#pragma pack(push, 1)

struct aerogpu_cmd_create_buffer {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t buffer_handle;
  uint32_t usage_flags;
  uint64_t size_bytes;
  uint32_t backing_alloc_id;
  uint32_t backing_offset_bytes;
  uint64_t reserved0;
};

struct aerogpu_cmd_create_texture2d {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t texture_handle;
  uint32_t usage_flags;
  uint32_t format;
  uint32_t width;
  uint32_t height;
  uint32_t mip_levels;
  uint32_t array_layers;
  uint32_t row_pitch_bytes;
  uint32_t backing_alloc_id;
  uint32_t backing_offset_bytes;
  uint64_t reserved0;
};

struct aerogpu_cmd_destroy_resource {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t resource_handle;
  uint32_t reserved0;
};

struct aerogpu_cmd_resource_dirty_range {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t resource_handle;
  uint32_t reserved0;
  uint64_t offset_bytes;
  uint64_t size_bytes;
};

struct aerogpu_cmd_upload_resource {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t resource_handle;
  uint32_t reserved0;
  uint64_t offset_bytes;
  uint64_t size_bytes;
};

struct aerogpu_cmd_copy_buffer {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t dst_buffer;
  aerogpu_handle_t src_buffer;
  uint64_t dst_offset_bytes;
  uint64_t src_offset_bytes;
  uint64_t size_bytes;
  uint32_t flags;
  uint32_t reserved0;
};

struct aerogpu_cmd_copy_texture2d {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t dst_texture;
  aerogpu_handle_t src_texture;
  uint32_t dst_mip_level;
  uint32_t dst_array_layer;
  uint32_t src_mip_level;
  uint32_t src_array_layer;
  uint32_t dst_x;
  uint32_t dst_y;
  uint32_t src_x;
  uint32_t src_y;
  uint32_t width;
  uint32_t height;
  uint32_t flags;
  uint32_t reserved0;
};

struct aerogpu_cmd_create_texture_view {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t view_handle;
  aerogpu_handle_t texture_handle;
  uint32_t format;
  uint32_t base_mip_level;
  uint32_t mip_level_count;
  uint32_t base_array_layer;
  uint32_t array_layer_count;
  uint64_t reserved0;
};

struct aerogpu_cmd_destroy_texture_view {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t view_handle;
  uint32_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
