/* SPDX-License-Identifier: MIT */
/* Packets for input layouts and the ILAY blob. */
#pragma once

#include "aerogpu/abi/cmd_stream.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_INPUT_LAYOUT_BLOB_VERSION 1u
#define AEROGPU_INPUT_LAYOUT_BLOB_MAGIC 0x59414C49u

#pragma pack(push, 1)

/* Starts an ILAY blob; element_count elements follow. */
struct aerogpu_input_layout_blob_header {
  uint32_t magic;
  uint32_t version;
  uint32_t element_count;
  uint32_t reserved0;
};

/* One vertex attribute of an ILAY blob. */
struct aerogpu_input_layout_element_dxgi {
  uint32_t semantic_name_hash; /* FNV-1a of the name in upper case */
  uint32_t semantic_index;
  uint32_t dxgi_format;             /* DXGI_FORMAT */
  uint32_t input_slot;              /* vertex buffer slot */
  uint32_t aligned_byte_offset;     /* 0xFFFFFFFF appends */
  uint32_t input_slot_class;        /* 0 per vertex, 1 per instance */
  uint32_t instance_data_step_rate; /* instances for each step */
};

/* Creates a layout from the blob that follows: ILAY, or a D3D9 declaration. */
struct aerogpu_cmd_create_input_layout {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t input_layout_handle;
  uint32_t blob_size_bytes; /* before padding to 4 */
  uint32_t reserved0;
};

/* Destroys a layout. */
struct aerogpu_cmd_destroy_input_layout {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t input_layout_handle;
  uint32_t reserved0;
};

/* Binds a layout. */
struct aerogpu_cmd_set_input_layout {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t input_layout_handle; /* 0 unbinds */
  uint32_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
