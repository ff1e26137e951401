/* SPDX-License-Identifier: MIT */
/* Command stream framing: stream header, packet header, opcodes. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_CMD_STREAM_MAGIC 0x444D4341u

/* None is defined. */
enum aerogpu_cmd_stream_flags {
  AEROGPU_CMD_STREAM_FLAG_NONE = 0x0,
};

/* Names a packet; readers skip values that they do not know. */
enum aerogpu_cmd_opcode {
  AEROGPU_CMD_NOP = 0x000,
  AEROGPU_CMD_DEBUG_MARKER = 0x001,
  AEROGPU_CMD_CREATE_BUFFER = 0x100,
  AEROGPU_CMD_CREATE_TEXTURE2D = 0x101,
  AEROGPU_CMD_DESTROY_RESOURCE = 0x102,
  AEROGPU_CMD_RESOURCE_DIRTY_RANGE = 0x103,
  AEROGPU_CMD_UPLOAD_RESOURCE = 0x104,
  AEROGPU_CMD_COPY_BUFFER = 0x105,
  AEROGPU_CMD_COPY_TEXTURE2D = 0x106,
  AEROGPU_CMD_CREATE_TEXTURE_VIEW = 0x107,
  AEROGPU_CMD_DESTROY_TEXTURE_VIEW = 0x108,
  AEROGPU_CMD_CREATE_SHADER_DXBC = 0x200,
  AEROGPU_CMD_DESTROY_SHADER = 0x201,
  AEROGPU_CMD_BIND_SHADERS = 0x202,
  AEROGPU_CMD_SET_SHADER_CONSTANTS_F = 0x203,
  AEROGPU_CMD_CREATE_INPUT_LAYOUT = 0x204,
  AEROGPU_CMD_DESTROY_INPUT_LAYOUT = 0x205,
  AEROGPU_CMD_SET_INPUT_LAYOUT = 0x206,
  AEROGPU_CMD_SET_SHADER_CONSTANTS_I = 0x207,
  AEROGPU_CMD_SET_SHADER_CONSTANTS_B = 0x208,
  AEROGPU_CMD_SET_BLEND_STATE = 0x300,
  AEROGPU_CMD_SET_DEPTH_STENCIL_STATE = 0x301,
  AEROGPU_CMD_SET_RASTERIZER_STATE = 0x302,
  AEROGPU_CMD_SET_RENDER_TARGETS = 0x400,
  AEROGPU_CMD_SET_VIEWPORT = 0x401,
  AEROGPU_CMD_SET_SCISSOR = 0x402,
  AEROGPU_CMD_SET_VERTEX_BUFFERS = 0x500,
  AEROGPU_CMD_SET_INDEX_BUFFER = 0x501,
  AEROGPU_CMD_SET_PRIMITIVE_TOPOLOGY = 0x502,
  AEROGPU_CMD_SET_TEXTURE = 0x510,
  AEROGPU_CMD_SET_SAMPLER_STATE = 0x511,
  AEROGPU_CMD_SET_RENDER_STATE = 0x512,
  AEROGPU_CMD_CREATE_SAMPLER = 0x520,
  AEROGPU_CMD_DESTROY_SAMPLER = 0x521,
  AEROGPU_CMD_SET_SAMPLERS = 0x522,
  AEROGPU_CMD_SET_CONSTANT_BUFFERS = 0x523,
  AEROGPU_CMD_SET_SHADER_RESOURCE_BUFFERS = 0x524,
  AEROGPU_CMD_SET_UNORDERED_ACCESS_BUFFERS = 0x525,
  AEROGPU_CMD_CLEAR = 0x600,
  AEROGPU_CMD_DRAW = 0x601,
  AEROGPU_CMD_DRAW_INDEXED = 0x602,
  AEROGPU_CMD_DISPATCH = 0x603,
  AEROGPU_CMD_PRESENT = 0x700,
  AEROGPU_CMD_PRESENT_EX = 0x701,
  AEROGPU_CMD_EXPORT_SHARED_SURFACE = 0x710,
  AEROGPU_CMD_IMPORT_SHARED_SURFACE = 0x711,
  AEROGPU_CMD_RELEASE_SHARED_SURFACE = 0x712,
  AEROGPU_CMD_FLUSH = 0x720,
};

/* Guest-chosen nonzero name of a resource, view, shader, sampler or layout; 0 is none. */
typedef uint32_t aerogpu_handle_t;

#pragma pack(push, 1)

/* Starts a stream; packets follow. */
struct aerogpu_cmd_stream_header {
  uint32_t magic;
  uint32_t abi_version; /* major << 16 | minor */
  uint32_t size_bytes;  /* header and packets */
  uint32_t flags;       /* aerogpu_cmd_stream_flags */
  uint32_t reserved0;
  uint32_t reserved1;
};

/* Starts every packet. */
struct aerogpu_cmd_hdr {
  uint32_t opcode;     /* aerogpu_cmd_opcode */
  uint32_t size_bytes; /* of the whole packet; multiple of 4 */
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
