/* SPDX-License-Identifier: MIT */
/* Packets for shaders and Direct3D 9 constant registers. */
#pragma once

#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/shader_stage.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma pack(push, 1)

/* Creates a shader from the bytes that follow: DXBC, or D3D9 tokens. */
struct aerogpu_cmd_create_shader_dxbc {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t shader_handle;
  uint32_t stage;           /* base stage, aerogpu_shader_stage */
  uint32_t dxbc_size_bytes; /* before padding to 4 */
  uint32_t reserved0;       /* stage_ex when the base stage is COMPUTE, else 0 */
};

/* Destroys a shader. */
struct aerogpu_cmd_destroy_shader {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t shader_handle;
  uint32_t reserved0;
};

/* Sets all stages; gs, hs and ds follow in packets of 36 bytes and more. */
struct aerogpu_cmd_bind_shaders {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t vs; /* 0 unbinds, as in all */
  aerogpu_handle_t ps;
  aerogpu_handle_t cs;
  uint32_t reserved0; /* geometry shader in packets of 24 bytes */
};

/* Sets vec4_count registers of four f32 that follow. */
struct aerogpu_cmd_set_shader_constants_f {
  struct aerogpu_cmd_hdr hdr;
  uint32_t stage; /* base stage, aerogpu_shader_stage */
  uint32_t start_register;
  uint32_t vec4_count;
  uint32_t reserved0; /* stage_ex when the base stage is COMPUTE, else 0 */
};

/* Sets vec4_count registers of four i32 that follow. */
struct aerogpu_cmd_set_shader_constants_i {
  struct aerogpu_cmd_hdr hdr;
  uint32_t stage; /* VERTEX or PIXEL */
  uint32_t start_register;
  uint32_t vec4_count;
  uint32_t reserved0;
};

/* Sets bool_count registers that follow, each four u32 of one value. */
struct aerogpu_cmd_set_shader_constants_b {
  struct aerogpu_cmd_hdr hdr;
  uint32_t stage; /* VERTEX or PIXEL */
  uint32_t start_register;
  uint32_t bool_count; /* registers of 16 bytes */
  uint32_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
