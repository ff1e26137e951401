/* SPDX-License-Identifier: MIT */
/* Packets that bind textures, samplers, constant buffers, SRVs and UAVs, and raw D3D9 states. */
#pragma once

#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/shader_stage.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Minification, magnification and mip filter in one. */
enum aerogpu_sampler_filter {
  AEROGPU_SAMPLER_FILTER_NEAREST = 0,
  AEROGPU_SAMPLER_FILTER_LINEAR = 1,
};

/* What lies outside the texture. */
enum aerogpu_sampler_address_mode {
  AEROGPU_SAMPLER_ADDRESS_CLAMP_TO_EDGE = 0,
  AEROGPU_SAMPLER_ADDRESS_REPEAT = 1,
  AEROGPU_SAMPLER_ADDRESS_MIRROR_REPEAT = 2,
};

#pragma pack(push, 1)

/* Binds a texture or view, or a buffer as SRV, to a slot. */
struct aerogpu_cmd_set_texture {
  struct aerogpu_cmd_hdr hdr;
  uint32_t shader_stage; /* base stage, aerogpu_shader_stage */
  uint32_t slot;
  aerogpu_handle_t texture; /* 0 unbinds */
  uint32_t reserved0;       /* stage_ex when the base stage is COMPUTE, else 0 */
};

/* Sets a raw D3D9 sampler state. */
struct aerogpu_cmd_set_sampler_state {
  struct aerogpu_cmd_hdr hdr;
  uint32_t shader_stage; /* VERTEX or PIXEL */
  uint32_t slot;         /* sampler */
  uint32_t state;        /* D3DSAMPLERSTATETYPE */
  uint32_t value;        /* as D3D9 encodes it */
};

/* Sets a raw D3D9 render state. */
struct aerogpu_cmd_set_render_state {
  struct aerogpu_cmd_hdr hdr;
  uint32_t state; /* D3DRENDERSTATETYPE */
  uint32_t value; /* as D3D9 encodes it */
};

/* Creates a sampler object, or replaces one. */
struct aerogpu_cmd_create_sampler {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t sampler_handle;
  uint32_t filter;    /* aerogpu_sampler_filter */
  uint32_t address_u; /* aerogpu_sampler_address_mode, as v and w */
  uint32_t address_v;
  uint32_t address_w;
};

/* Destroys a sampler object and unbinds it. */
struct aerogpu_cmd_destroy_sampler {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t sampler_handle;
  uint32_t reserved0;
};

/* Binds sampler_count handles that follow; 0 unbinds. */
struct aerogpu_cmd_set_samplers {
  struct aerogpu_cmd_hdr hdr;
  uint32_t shader_stage; /* base stage, aerogpu_shader_stage */
  uint32_t start_slot;
  uint32_t sampler_count;
  uint32_t reserved0; /* stage_ex when the base stage is COMPUTE, else 0 */
};

/* A constant buffer in a slot. */
struct aerogpu_constant_buffer_binding {
  aerogpu_handle_t buffer; /* 0 unbinds */
  uint32_t offset_bytes;
  uint32_t size_bytes; /* 0 reaches to the end */
  uint32_t reserved0;
};

/* Binds buffer_count constant buffers that follow. */
struct aerogpu_cmd_set_constant_buffers {
  struct aerogpu_cmd_hdr hdr;
  uint32_t shader_stage; /* base stage, aerogpu_shader_stage */
  uint32_t start_slot;
  uint32_t buffer_count;
  uint32_t reserved0; /* stage_ex when the base stage is COMPUTE, else 0 */
};

/* A buffer that shaders read through a t register. */
struct aerogpu_shader_resource_buffer_binding {
  aerogpu_handle_t buffer; /* 0 unbinds */
  uint32_t offset_bytes;
  uint32_t size_bytes; /* 0 reaches to the end */
  uint32_t reserved0;
};

/* Binds buffer_count SRV buffers that follow. */
struct aerogpu_cmd_set_shader_resource_buffers {
  struct aerogpu_cmd_hdr hdr;
  uint32_t shader_stage; /* base stage, aerogpu_shader_stage */
  uint32_t start_slot;
  uint32_t buffer_count;
  uint32_t reserved0; /* stage_ex when the base stage is COMPUTE, else 0 */
};

/* A buffer that shaders read and write through a u register. */
struct aerogpu_unordered_access_buffer_binding {
  aerogpu_handle_t buffer; /* 0 unbinds */
  uint32_t offset_bytes;
  uint32_t size_bytes;
  uint32_t initial_count; /* append counter; 0xFFFFFFFF keeps it */
};

/* Binds uav_count UAV buffers that follow. */
struct aerogpu_cmd_set_unordered_access_buffers {
  struct aerogpu_cmd_hdr hdr;
  uint32_t shader_stage; /* base stage, aerogpu_shader_stage */
  uint32_t start_slot;
  uint32_t uav_count;
  uint32_t reserved0; /* stage_ex when the base stage is COMPUTE, else 0 */
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
