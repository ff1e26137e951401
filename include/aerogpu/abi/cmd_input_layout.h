/* Packets for input layouts and the ILAY blob. */
#pragma once

#include <stdint.h>

#include "aerogpu/abi/cmd_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_INPUT_LAYOUT_BLOB_VERSION 1u
#define AEROGPU_INPUT_LAYOUT_BLOB_MAGIC 0x59414C49u

#pragma pack(push, 1)

struct aerogpu_input_layout_blob_header {
  uint32_t magic;
  uint32_t version;
  uint32_t element_count;
  uint32_t reserved0;
};

struct aerogpu_input_layout_element_dxgi {
  uint32_t semantic_name_hash;
  uint32_t semantic_index;
  uint32_t dxgi_format;
  uint32_t input_slot;
  uint32_t aligned_byte_offset;
  uint32_t input_slot_class;
  uint32_t instance_data_step_rate;
};

struct aerogpu_cmd_create_input_layout {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t input_layout_handle;
  uint32_t blob_size_bytes;
  uint32_t reserved0;
};

struct aerogpu_cmd_destroy_input_layout {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t input_layout_handle;
  uint32_t reserved0;
};

struct aerogpu_cmd_set_input_layout {
  struct aerogpu_cmd_hdr hdr;
  aerogpu_handle_t input_layout_handle;
  uint32_t reserved0;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
