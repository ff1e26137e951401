/* Packets that bind textures, samplers, constant buffers, SRVs and UAVs, and raw D3D9 states. */
#pragma once

#include <stdint.h>

#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/shader_stage.h"

#ifdef __cplusplus
extern "C" {
#endif

enum aerogpu_sampler_filter {
  AEROGPU_SAMPLER_FILTER_NEAREST = 0,
  AEROGPU_SAMPLER_FILTER_LINEAR = 1,
};

enum aerogpu_sampler_address_mode {
  AEROGPU_SAMPLER_ADDRESS_CLAMP_TO_EDGE = 0,
  AEROGPU_SAMPLER_ADDRESS_REPEAT = 1,
  AEROGPU_SAMPLER_ADDRESS_MIRROR_REPEAT = 2,
};

#pragma pack(push, 1)

struct aerogpu_cmd_set_texture {
  struct aerogpu_cmd_hdr hdr;
  uint32_t shader_stage;
  uint32_t slot;
  aerogpu_handle_t texture;
  uint32_t reserved0;
};

struct aerogpu_cmd_set_sampler_state {
  struct aerogpu_cmd_hdr hdr;
  uint32_t shader_stage;
  uint32_t slot;
  uint32_t state;
  uint32_t value;
};

struct aerogpu_cmd_set_render_state {
  struct aerogpu_cmd_hdr hdr;
  uint32_t state;
  uint32_t value;
};

struct aerogpu_cmd_create_sampler {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t sampler_handle;
  uint32_t filter;
  uint32_t address_u;
  uint32_t address_v;
  uint32_t address_w;
};

struct aerogpu_cmd_destroy_sampler {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t sampler_handle;
  uint32_t reserved0;
};

struct aerogpu_cmd_set_samplers {
  struct aerogpu_cmd_hdr hdr;
  uint32_t shader_stage;
  uint32_t start_slot;
  uint32_t sampler_count;
  uint32_t reserved0;
};

struct aerogpu_constant_buffer_binding {
  aerogpu_handle_t buffer;
  uint32_t offset_bytes;
  uint32_t size_bytes;
  uint32_t reserved0;
};

struct aerogpu_cmd_set_constant_buffers {
  struct aerogpu_cmd_hdr hdr;
  uint32_t shader_stage;
  uint32_t start_slot;
  uint32_t buffer_count;
  uint32_t reserved0;
};

struct aerogpu_shader_resource_buffer_binding {
  aerogpu_handle_t buffer;
  uint32_t offset_bytes;
  uint32_t size_bytes;
  uint32_t reserved0;
};

struct aerogpu_cmd_set_shader_resource_buffers {
  struct aerogpu_cmd_hdr hdr;
  uint32_t shader_stage;
  uint32_t start_slot;
  uint32_t buffer_count;
  uint32_t reserved0;
};

struct aerogpu_unordered_access_buffer_binding {
  aerogpu_handle_t buffer;
  uint32_t offset_bytes;
  uint32_t size_bytes;
  uint32_t initial_count;
};

struct aerogpu_cmd_set_unordered_access_buffers {
  struct aerogpu_cmd_hdr hdr;
  uint32_t shader_stage;
  uint32_t start_slot;
  uint32_t uav_count;
  uint32_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
