// SPDX-License-Identifier: MIT
// Relations between values of the wire that no single fact shows.
#include "aerogpu/abi.h"
#include "tests/catch.hpp"

#include <cstring>
#include <map>
#include <set>
#include <string>
#include <string_view>

extern "C" auto aerogpu_abi_facts_c11() -> int;
extern "C" auto aerogpu_abi_facts_cpp20() -> int;

namespace {

auto in_memory(std::uint32_t magic) -> std::string {
  std::string text(4, '\0');
  std::memcpy(text.data(), &magic, 4);
  return text;
}

}  // namespace

TEST_CASE("the facts of the wire held in C11 and in C++20", "[abi]") {
  CHECK(aerogpu_abi_facts_c11() + aerogpu_abi_facts_cpp20() == 2);
}

TEST_CASE("magic numbers are what wire.md 1 shows in memory", "[abi]") {
  CHECK(in_memory(AEROGPU_MMIO_MAGIC) == "AGPU");
  CHECK(in_memory(AEROGPU_RING_MAGIC) == "ARNG");
  CHECK(in_memory(AEROGPU_FENCE_PAGE_MAGIC) == "FENC");
  CHECK(in_memory(AEROGPU_ALLOC_TABLE_MAGIC) == "ALOC");
  CHECK(in_memory(AEROGPU_CMD_STREAM_MAGIC) == "ACMD");
  CHECK(in_memory(AEROGPU_INPUT_LAYOUT_BLOB_MAGIC) == "ILAY");
  CHECK(in_memory(AEROGPU_WDDM_ALLOC_PRIV_MAGIC) == "OLLA");
  CHECK(in_memory(AEROGPU_UMDPRIV_MMIO_MAGIC_LEGACY_ARGP) == "PGRA");
}

TEST_CASE("the version word is made of major and minor", "[abi]") {
  CHECK(AEROGPU_ABI_VERSION_U32 == (AEROGPU_ABI_MAJOR << 16 | AEROGPU_ABI_MINOR));
}

TEST_CASE("the adapter blob repeats the device's own values", "[abi]") {
  CHECK(AEROGPU_UMDPRIV_MMIO_MAGIC_NEW_AGPU == AEROGPU_MMIO_MAGIC);
  CHECK(AEROGPU_UMDPRIV_MMIO_REG_MAGIC == AEROGPU_MMIO_REG_MAGIC);
  CHECK(AEROGPU_UMDPRIV_MMIO_REG_ABI_VERSION == AEROGPU_MMIO_REG_ABI_VERSION);
  CHECK(AEROGPU_UMDPRIV_MMIO_REG_FEATURES_LO == AEROGPU_MMIO_REG_FEATURES_LO);
  CHECK(AEROGPU_UMDPRIV_MMIO_REG_FEATURES_HI == AEROGPU_MMIO_REG_FEATURES_HI);
  CHECK(AEROGPU_UMDPRIV_FEATURE_FENCE_PAGE == AEROGPU_FEATURE_FENCE_PAGE);
  CHECK(AEROGPU_UMDPRIV_FEATURE_CURSOR == AEROGPU_FEATURE_CURSOR);
  CHECK(AEROGPU_UMDPRIV_FEATURE_SCANOUT == AEROGPU_FEATURE_SCANOUT);
  CHECK(AEROGPU_UMDPRIV_FEATURE_VBLANK == AEROGPU_FEATURE_VBLANK);
  CHECK(AEROGPU_UMDPRIV_FEATURE_TRANSFER == AEROGPU_FEATURE_TRANSFER);
  CHECK(AEROGPU_UMDPRIV_FEATURE_ERROR_INFO == AEROGPU_FEATURE_ERROR_INFO);
}

TEST_CASE("no two enumerators of one enumeration, and no two registers, are equal", "[abi]") {
  std::map<std::string_view, std::set<std::uint64_t>> seen;
  bool is_unique = true;
#define AEROGPU_ENUMERATOR(enumeration, name, value) \
  is_unique &= seen[#enumeration].insert(name).second;
#define AEROGPU_CONSTANT(name, type, value)                           \
  if (std::string_view{#name}.starts_with("AEROGPU_MMIO_REG_")) {     \
    is_unique &= seen["registers"].insert(name).second;               \
    is_unique &= name % 4 == 0 && name < AEROGPU_PCI_BAR0_SIZE_BYTES; \
  }
#include "tests/unit/abi/abi_facts.inc"
  CHECK(is_unique);
  CHECK(seen["aerogpu_cmd_opcode"].size() == 48);
}
