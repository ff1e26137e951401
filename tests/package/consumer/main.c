// SPDX-License-Identifier: MIT
/* The wire ABI and the library's version from C. */
#include "aerogpu/abi.h"
#include "aerogpu/version.h"

#include <stdio.h>

int main(void) {
  printf("library %s, ABI %u.%u\n", aerogpu_version(), AEROGPU_ABI_MAJOR, AEROGPU_ABI_MINOR);
  return AEROGPU_ABI_VERSION_U32 == (AEROGPU_ABI_MAJOR << 16 | AEROGPU_ABI_MINOR) ? 0 : 1;
}
