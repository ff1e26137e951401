/* Private data of a Windows 7 DMA buffer. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AEROGPU_SUBMIT_RENDER 1u
#define AEROGPU_SUBMIT_PRESENT 2u
#define AEROGPU_SUBMIT_PAGING 3u
#define AEROGPU_WIN7_DMA_BUFFER_PRIVATE_DATA_SIZE_BYTES 16u

typedef uint32_t aerogpu_win7_u32;
typedef uint64_t aerogpu_win7_u64;

#pragma pack(push, 1)

struct AEROGPU_DMA_PRIV {
  uint32_t Type;
  uint32_t Reserved0;
  uint64_t MetaHandle;
};

#pragma pack(pop)

#ifdef __cplusplus
}
#endif
