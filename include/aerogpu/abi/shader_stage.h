/* SPDX-License-Identifier: MIT */
/* Shader stages and the stage_ex extension. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Streams of an older minor have no stage_ex. */
#define AEROGPU_STAGE_EX_MIN_ABI_MINOR 3u

/* Base stage of a packet. */
enum aerogpu_shader_stage {
  AEROGPU_SHADER_STAGE_VERTEX = 0,
  AEROGPU_SHADER_STAGE_PIXEL = 1,
  AEROGPU_SHADER_STAGE_COMPUTE = 2,
  AEROGPU_SHADER_STAGE_GEOMETRY = 3,
};

/* Overrides the base stage COMPUTE, from ABI 1.3 on. */
enum aerogpu_shader_stage_ex {
  AEROGPU_SHADER_STAGE_EX_NONE = 0,
  AEROGPU_SHADER_STAGE_EX_GEOMETRY = 2,
  AEROGPU_SHADER_STAGE_EX_HULL = 3,
  AEROGPU_SHADER_STAGE_EX_DOMAIN = 4,
  AEROGPU_SHADER_STAGE_EX_COMPUTE = 5, /* accepted, not written */
};

#ifdef __cplusplus
}
#endif
