/* Packets for shaders and Direct3D 9 constant registers. */
#pragma once

#include <stdint.h>

#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/abi/shader_stage.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma pack(push, 1)

struct aerogpu_cmd_create_shader_dxbc {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t shader_handle;
  uint32_t stage;
  uint32_t dxbc_size_bytes;
  uint32_t reserved0;
};

struct aerogpu_cmd_destroy_shader {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t shader_handle;
  uint32_t reserved0;
};

struct aerogpu_cmd_bind_shaders {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t vs;
  aerogpu_handle_t ps;
  aerogpu_handle_t cs;
  uint32_t reserved0;
};

struct aerogpu_cmd_set_shader_constants_f {
  struct aerogpu_cmd_hdr hdr;
  uint32_t stage;
  uint32_t start_register;
  uint32_t vec4_count;
  uint32_t reserved0;
};

struct aerogpu_cmd_set_shader_constants_i {
  struct aerogpu_cmd_hdr hdr;
  uint32_t stage;
  uint32_t start_register;
  uint32_t vec4_count;
  uint32_t reserved0;
};

struct aerogpu_cmd_set_shader_constants_b {
  struct aerogpu_cmd_hdr hdr;
  uint32_t stage;
  uint32_t start_register;
  uint32_t bool_count;
  uint32_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
