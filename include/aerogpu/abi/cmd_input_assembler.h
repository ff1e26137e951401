/* SPDX-License-Identifier: MIT */
/* Packets for vertex buffers, index buffer and topology. */
#pragma once

#include "aerogpu/abi/cmd_stream.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Size of an index. */
enum aerogpu_index_format {
  AEROGPU_INDEX_FORMAT_UINT16 = 0,
  AEROGPU_INDEX_FORMAT_UINT32 = 1,
};

/* D3D11 numbers, but for the fan, which is D3D9's. */
enum aerogpu_primitive_topology {
  AEROGPU_TOPOLOGY_POINTLIST = 1,
  AEROGPU_TOPOLOGY_LINELIST = 2,
  AEROGPU_TOPOLOGY_LINESTRIP = 3,
  AEROGPU_TOPOLOGY_TRIANGLELIST = 4,
  AEROGPU_TOPOLOGY_TRIANGLESTRIP = 5,
  AEROGPU_TOPOLOGY_TRIANGLEFAN = 6,
  AEROGPU_TOPOLOGY_LINELIST_ADJ = 10,
  AEROGPU_TOPOLOGY_LINESTRIP_ADJ = 11,
  AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ = 12,
  AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ = 13,
  AEROGPU_TOPOLOGY_PATCHLIST_1 = 33, /* control points = value - 32 */
  AEROGPU_TOPOLOGY_PATCHLIST_2 = 34,
  AEROGPU_TOPOLOGY_PATCHLIST_3 = 35,
  AEROGPU_TOPOLOGY_PATCHLIST_4 = 36,
  AEROGPU_TOPOLOGY_PATCHLIST_5 = 37,
  AEROGPU_TOPOLOGY_PATCHLIST_6 = 38,
  AEROGPU_TOPOLOGY_PATCHLIST_7 = 39,
  AEROGPU_TOPOLOGY_PATCHLIST_8 = 40,
  AEROGPU_TOPOLOGY_PATCHLIST_9 = 41,
  AEROGPU_TOPOLOGY_PATCHLIST_10 = 42,
  AEROGPU_TOPOLOGY_PATCHLIST_11 = 43,
  AEROGPU_TOPOLOGY_PATCHLIST_12 = 44,
  AEROGPU_TOPOLOGY_PATCHLIST_13 = 45,
  AEROGPU_TOPOLOGY_PATCHLIST_14 = 46,
  AEROGPU_TOPOLOGY_PATCHLIST_15 = 47,
  AEROGPU_TOPOLOGY_PATCHLIST_16 = 48,
  AEROGPU_TOPOLOGY_PATCHLIST_17 = 49,
  AEROGPU_TOPOLOGY_PATCHLIST_18 = 50,
  AEROGPU_TOPOLOGY_PATCHLIST_19 = 51,
  AEROGPU_TOPOLOGY_PATCHLIST_20 = 52,
  AEROGPU_TOPOLOGY_PATCHLIST_21 = 53,
  AEROGPU_TOPOLOGY_PATCHLIST_22 = 54,
  AEROGPU_TOPOLOGY_PATCHLIST_23 = 55,
  AEROGPU_TOPOLOGY_PATCHLIST_24 = 56,
  AEROGPU_TOPOLOGY_PATCHLIST_25 = 57,
  AEROGPU_TOPOLOGY_PATCHLIST_26 = 58,
  AEROGPU_TOPOLOGY_PATCHLIST_27 = 59,
  AEROGPU_TOPOLOGY_PATCHLIST_28 = 60,
  AEROGPU_TOPOLOGY_PATCHLIST_29 = 61,
  AEROGPU_TOPOLOGY_PATCHLIST_30 = 62,
  AEROGPU_TOPOLOGY_PATCHLIST_31 = 63,
  AEROGPU_TOPOLOGY_PATCHLIST_32 = 64,
};

#pragma pack(push, 1)

/* A vertex buffer in a slot. */
struct aerogpu_vertex_buffer_binding {
  aerogpu_handle_t buffer; /* 0 unbinds */
  uint32_t stride_bytes;
  uint32_t offset_bytes;
  uint32_t reserved0;
};

/* Binds buffer_count vertex buffers that follow. */
struct aerogpu_cmd_set_vertex_buffers {
  struct aerogpu_cmd_hdr hdr;
  uint32_t start_slot;
  uint32_t buffer_count;
};

/* Binds the index buffer. */
struct aerogpu_cmd_set_index_buffer {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t buffer; /* 0 unbinds */
  uint32_t format;         /* aerogpu_index_format */
  uint32_t offset_bytes;
  uint32_t reserved0;
};

/* Says how vertices form primitives. */
struct aerogpu_cmd_set_primitive_topology {
  struct aerogpu_cmd_hdr hdr;
  uint32_t topology; /* aerogpu_primitive_topology */
  uint32_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
