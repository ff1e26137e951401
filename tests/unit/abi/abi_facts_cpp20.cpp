// SPDX-License-Identifier: MIT
// The facts of the wire, checked against the headers by a C++20 compiler. Compiling is the test.
#include "aerogpu/abi.h"

#include <cstddef>
#include <type_traits>

#define AEROGPU_CONSTANT(name, type, value)                         \
  static_assert((name) == (value) && sizeof(name) == sizeof(type)); \
  static_assert(std::is_signed_v<decltype(name)> == std::is_signed_v<type>);
#define AEROGPU_ENUMERATOR(enumeration, name, value) \
  static_assert((name) == (value) && std::is_same_v<decltype(name), enumeration>);
#define AEROGPU_STRUCT(name, size)                             \
  static_assert(sizeof(name) == (size) && alignof(name) == 1); \
  static_assert(std::is_trivial_v<name> && std::is_standard_layout_v<name>);
#define AEROGPU_FIELD(structure, field, offset, size, type, count)                            \
  static_assert(offsetof(structure, field) == (offset));                                      \
  static_assert(sizeof(structure::field) == (size));                                          \
  static_assert(std::is_same_v<std::remove_all_extents_t<decltype(structure::field)>, type>); \
  static_assert(std::extent_v<decltype(structure::field)> == (count));
#define AEROGPU_TYPEDEF(name, type) static_assert(std::is_same_v<name, type>);
#include "tests/unit/abi/abi_facts.inc"

static_assert(AEROGPU_WDDM_ALLOC_PRIV_DESC_PACK(21, 1920, 1080) == 0x8438078000000015);
static_assert(sizeof(AEROGPU_WDDM_ALLOC_PRIV_DESC_PACK(0, 0, 0)) == 8);
static_assert(std::is_same_v<decltype(AEROGPU_WDDM_ALLOC_PRIV_DESC_FORMAT(0)), uint32_t>);
static_assert(AEROGPU_WDDM_ALLOC_PRIV_DESC_WIDTH(0x8200010031545844) == 256);

extern "C" auto aerogpu_abi_facts_cpp20() -> int {
  return 1;
}
