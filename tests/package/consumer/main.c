/* The wire ABI from C. */
#include "aerogpu/abi.h"

#include <stdio.h>

int main(void) {
  printf("ABI %u.%u\n", AEROGPU_ABI_MAJOR, AEROGPU_ABI_MINOR);
  return AEROGPU_ABI_VERSION_U32 == (AEROGPU_ABI_MAJOR << 16 | AEROGPU_ABI_MINOR) ? 0 : 1;
}
