/* SPDX-License-Identifier: MIT */
/* Adapter blob that the kernel-mode driver hands to the user-mode driver. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_UMDPRIV_STRUCT_VERSION_V1 1u

/* Bits of flags; HAS_FENCE_PAGE says that a page is in use. */
#define AEROGPU_UMDPRIV_FLAG_IS_LEGACY 1u
#define AEROGPU_UMDPRIV_FLAG_HAS_VBLANK 2u
#define AEROGPU_UMDPRIV_FLAG_HAS_FENCE_PAGE 4u

/* Bits of device_features, as in the registers. */
#define AEROGPU_UMDPRIV_FEATURE_FENCE_PAGE 1ull
#define AEROGPU_UMDPRIV_FEATURE_CURSOR 2ull
#define AEROGPU_UMDPRIV_FEATURE_SCANOUT 4ull
#define AEROGPU_UMDPRIV_FEATURE_VBLANK 8ull
#define AEROGPU_UMDPRIV_FEATURE_TRANSFER 0x10ull
#define AEROGPU_UMDPRIV_FEATURE_ERROR_INFO 0x20ull

/* What device_mmio_magic may be. */
#define AEROGPU_UMDPRIV_MMIO_MAGIC_LEGACY_ARGP 0x41524750u
#define AEROGPU_UMDPRIV_MMIO_MAGIC_NEW_AGPU 0x55504741u

/* Where the values come from: byte offsets in BAR0. */
#define AEROGPU_UMDPRIV_MMIO_REG_MAGIC 0u
#define AEROGPU_UMDPRIV_MMIO_REG_ABI_VERSION 4u
#define AEROGPU_UMDPRIV_MMIO_REG_FEATURES_LO 8u
#define AEROGPU_UMDPRIV_MMIO_REG_FEATURES_HI 12u

typedef uint32_t aerogpu_umdpriv_u32;
typedef uint64_t aerogpu_umdpriv_u64;

#pragma pack(push, 1)

/* What the kernel driver knows of the device; device_features is not aligned. */
struct aerogpu_umd_private_v1 {
  uint32_t size_bytes;             /* at least 64 */
  uint32_t struct_version;         /* AEROGPU_UMDPRIV_STRUCT_VERSION_V1 */
  uint32_t device_mmio_magic;      /* BAR0 word 0 */
  uint32_t device_abi_version_u32; /* BAR0 word 1 */
  uint32_t reserved0;
  uint64_t device_features; /* AEROGPU_UMDPRIV_FEATURE_*; 0 if legacy */
  uint32_t flags;           /* AEROGPU_UMDPRIV_FLAG_* */
  uint32_t reserved1;
  uint32_t reserved2;
  uint64_t reserved3[3];
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
