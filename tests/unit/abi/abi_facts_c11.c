// SPDX-License-Identifier: MIT
/* The facts of the wire, checked against the headers by a C11 compiler. Compiling is the test. */
#include "aerogpu/abi.h"

#include <stddef.h>

#define AEROGPU_CONSTANT(name, type, value) \
  _Static_assert((name) == (value) && sizeof(name) == sizeof(type), #name);
#define AEROGPU_ENUMERATOR(enumeration, name, value) \
  _Static_assert((name) == (value) && sizeof(enum enumeration) == 4, #name);
#define AEROGPU_STRUCT(name, size) _Static_assert(sizeof(struct name) == (size), #name);
#define AEROGPU_FIELD(structure, field, offset, size, type, count)                      \
  _Static_assert(offsetof(struct structure, field) == (offset), #structure "." #field); \
  _Static_assert(sizeof(((struct structure*)0)->field) == (size), #structure "." #field);
#define AEROGPU_TYPEDEF(name, type) \
  _Static_assert(_Generic((name*)0, type * : 1, default : 0), #name);
#include "tests/unit/abi/abi_facts.inc"

_Static_assert(AEROGPU_WDDM_ALLOC_PRIV_DESC_PACK(21, 1920, 1080) == 0x8438078000000015ull, "pack");
_Static_assert(AEROGPU_WDDM_ALLOC_PRIV_DESC_PACK(22, 1, 1) == 0x8001000100000016ull, "pack");
_Static_assert(AEROGPU_WDDM_ALLOC_PRIV_DESC_PACK(0x31545844, 256, 512) == 0x8200010031545844ull,
               "pack");
_Static_assert(AEROGPU_WDDM_ALLOC_PRIV_DESC_PACK(21, 65535, 32767) == 0xFFFFFFFF00000015ull,
               "pack");
_Static_assert(AEROGPU_WDDM_ALLOC_PRIV_DESC_PACK(-1, 0x10001, 0x8001) == 0x80010001FFFFFFFFull,
               "sizes are cut");
_Static_assert(AEROGPU_WDDM_ALLOC_PRIV_DESC_PRESENT(0x8000000000000000ull), "zeros are present");
_Static_assert(!AEROGPU_WDDM_ALLOC_PRIV_DESC_PRESENT(0x7FFFFFFFFFFFFFFFull), "no marker");
_Static_assert(AEROGPU_WDDM_ALLOC_PRIV_DESC_FORMAT(0x8200010031545844ull) == 0x31545844u, "format");
_Static_assert(AEROGPU_WDDM_ALLOC_PRIV_DESC_WIDTH(0x8200010031545844ull) == 256, "width");
_Static_assert(AEROGPU_WDDM_ALLOC_PRIV_DESC_HEIGHT(0x8200010031545844ull) == 512, "height");
_Static_assert(AEROGPU_WDDM_ALLOC_PRIV_DESC_HEIGHT(0xFFFFFFFF00000015ull) == 32767, "height");

int aerogpu_abi_facts_c11(void) {
  return 1;
}
