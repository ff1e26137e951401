/* SPDX-License-Identifier: MIT */
/* WDDM allocation private data, exchanged between user-mode and kernel-mode driver. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_WDDM_ALLOC_PRIV_MAGIC 0x414C4C4Fu
#define AEROGPU_WDDM_ALLOC_PRIV_VERSION 1u
#define AEROGPU_WDDM_ALLOC_PRIV_VERSION_2 2u
#define AEROGPU_WDDM_ALLOC_PRIV_VERSION_3 3u /* this project's addition */

/* Other names of the same. */
#define AEROGPU_WDDM_ALLOC_PRIVATE_DATA_MAGIC 0x414C4C4Fu
#define AEROGPU_WDDM_ALLOC_PRIVATE_DATA_VERSION 1u
#define AEROGPU_WDDM_ALLOC_PRIV_FLAG_SHARED 1

/* The user-mode driver chooses ids from 1 to UMD_MAX, the kernel-mode driver from KMD_MIN up. */
#define AEROGPU_WDDM_ALLOC_ID_UMD_MAX 0x7FFFFFFFu
#define AEROGPU_WDDM_ALLOC_ID_KMD_MIN 0x80000000u

/* Tells a description in reserved0 from a pitch, and what a description can hold. */
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_MARKER 0x8000000000000000ull
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_MAX_WIDTH 0xFFFFu
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_MAX_HEIGHT 0x7FFFu

/* What an allocation holds. */
enum aerogpu_wddm_alloc_kind {
  AEROGPU_WDDM_ALLOC_KIND_UNKNOWN = 0,
  AEROGPU_WDDM_ALLOC_KIND_BUFFER = 1,
  AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D = 2,
};

/* How an allocation is used. */
enum aerogpu_wddm_alloc_private_flags {
  AEROGPU_WDDM_ALLOC_PRIV_FLAG_NONE = 0x0,
  AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED = 0x1,
  AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE = 0x2,
  AEROGPU_WDDM_ALLOC_PRIV_FLAG_STAGING = 0x4,
  AEROGPU_WDDM_ALLOC_PRIV_FLAG_PRIMARY = 0x8, /* this project's addition */
};

typedef uint32_t aerogpu_wddm_u32;
typedef uint64_t aerogpu_wddm_u64;

#pragma pack(push, 1)

/* Version 1 of the blob. */
struct aerogpu_wddm_alloc_priv {
  uint32_t magic;
  uint32_t version;     /* AEROGPU_WDDM_ALLOC_PRIV_VERSION */
  uint32_t alloc_id;    /* 1..AEROGPU_WDDM_ALLOC_ID_UMD_MAX */
  uint32_t flags;       /* aerogpu_wddm_alloc_private_flags */
  uint64_t share_token; /* 0 = not shared */
  uint64_t size_bytes;  /* of the allocation */
  uint64_t reserved0;   /* marked description, or row pitch in bytes */
};

/* Version 2 of the blob: version 1 and the shape of a surface. */
struct aerogpu_wddm_alloc_priv_v2 {
  uint32_t magic;
  uint32_t version;         /* AEROGPU_WDDM_ALLOC_PRIV_VERSION_2 */
  uint32_t alloc_id;        /* 1..AEROGPU_WDDM_ALLOC_ID_UMD_MAX */
  uint32_t flags;           /* aerogpu_wddm_alloc_private_flags */
  uint64_t share_token;     /* 0 = not shared */
  uint64_t size_bytes;      /* of the allocation */
  uint64_t reserved0;       /* as in version 1 */
  uint32_t kind;            /* aerogpu_wddm_alloc_kind */
  uint32_t width;           /* texels; 0 for buffers */
  uint32_t height;          /* texels */
  uint32_t format;          /* DXGI_FORMAT */
  uint32_t row_pitch_bytes; /* 0 = unknown */
  uint32_t reserved1;
};

/* Version 3 of the blob: version 2 and the host's name of the surface. */
struct aerogpu_wddm_alloc_priv_v3 {
  uint32_t magic;
  uint32_t version;         /* AEROGPU_WDDM_ALLOC_PRIV_VERSION_3 */
  uint32_t alloc_id;        /* 1..AEROGPU_WDDM_ALLOC_ID_UMD_MAX */
  uint32_t flags;           /* aerogpu_wddm_alloc_private_flags */
  uint64_t share_token;     /* 0 = not shared */
  uint64_t size_bytes;      /* of the allocation */
  uint64_t reserved0;       /* as in version 1 */
  uint32_t kind;            /* aerogpu_wddm_alloc_kind */
  uint32_t width;           /* texels; 0 for buffers */
  uint32_t height;          /* texels */
  uint32_t format;          /* DXGI_FORMAT */
  uint32_t row_pitch_bytes; /* 0 = unknown */
  uint32_t reserved1;
  uint32_t resource_handle; /* of the creator's CREATE packet; 0 = unknown */
  uint32_t reserved2;
};

#pragma pack(pop)

typedef struct aerogpu_wddm_alloc_priv aerogpu_wddm_alloc_private_data;

#ifdef __cplusplus /* C's casts are warnings there */
#define AEROGPU_WDDM_ALLOC_CAST(type, value) static_cast<type>(value)
#else
#define AEROGPU_WDDM_ALLOC_CAST(type, value) ((type)(value))
#endif
#define AEROGPU_WDDM_ALLOC_U32(value) AEROGPU_WDDM_ALLOC_CAST(uint32_t, value)
#define AEROGPU_WDDM_ALLOC_U64(value) AEROGPU_WDDM_ALLOC_CAST(uint64_t, value)

/* reserved0 as a D3D9 surface: the marker, D3DFORMAT, width and height. Sizes are cut silently. */
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_PACK(format_u32, width_u32, height_u32)     \
  (AEROGPU_WDDM_ALLOC_PRIV_DESC_MARKER |                                         \
   AEROGPU_WDDM_ALLOC_U64(AEROGPU_WDDM_ALLOC_U32(format_u32)) |                  \
   (AEROGPU_WDDM_ALLOC_U64(0xFFFFu & AEROGPU_WDDM_ALLOC_U32(width_u32)) << 32) | \
   (AEROGPU_WDDM_ALLOC_U64(0x7FFFu & AEROGPU_WDDM_ALLOC_U32(height_u32)) << 48))
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_PRESENT(desc_u64) \
  ((AEROGPU_WDDM_ALLOC_PRIV_DESC_MARKER & AEROGPU_WDDM_ALLOC_U64(desc_u64)) != 0)
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_FORMAT(desc_u64) \
  AEROGPU_WDDM_ALLOC_U32(AEROGPU_WDDM_ALLOC_U64(desc_u64))
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_WIDTH(desc_u64) \
  AEROGPU_WDDM_ALLOC_U32((AEROGPU_WDDM_ALLOC_U64(desc_u64) >> 32) & 0xFFFFu)
#define AEROGPU_WDDM_ALLOC_PRIV_DESC_HEIGHT(desc_u64) \
  AEROGPU_WDDM_ALLOC_U32((AEROGPU_WDDM_ALLOC_U64(desc_u64) >> 48) & 0x7FFFu)

#ifdef __cplusplus
}
#endif
