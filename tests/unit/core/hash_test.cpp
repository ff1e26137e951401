// Tests of aerogpu/core/hash.hpp.
#include "aerogpu/core/hash.hpp"

#include "tests/catch.hpp"

#include <set>
#include <string_view>

using namespace aerogpu;

TEST_CASE("semantic names hash as in wire.md 11.2, whatever their case", "[core]") {
  struct row {
    std::string_view name;
    std::uint32_t hash;
  };
  constexpr row rows[] = {
      {"", 0x811C9DC5},
      {"A", 0xC40BF6CC},
      {"POSITION", 0x7808E88A},
      {"COLOR", 0xE7C308F8},
      {"TEXCOORD", 0x0BC45413},
      {"NORMAL", 0x3C329992},
      {"TANGENT", 0x999442E2},
      {"BINORMAL", 0x856485E7},
      {"BLENDWEIGHT", 0xD99AFBF8},
      {"BLENDWEIGHTS", 0x39FA2E31},
      {"BLENDINDICES", 0x124DBC05},
      {"PSIZE", 0xEC468126},
      {"POSITIONT", 0xD406957A},
      {"FOG", 0xE4CD895F},
      {"DEPTH", 0xCE61558A},
      {"SAMPLE", 0x348EEE67},
      {"TESSFACTOR", 0x3846D563},
      {"SV_POSITION", 0x178476AE},
      {"SV_TARGET", 0x976BEBCC},
      {"SV_VERTEXID", 0xBB638E06},
      {"SV_INSTANCEID", 0xCB2D2E9B},
      {"SV_PRIMITIVEID", 0x1020CF6F},
      {"SV_ISFRONTFACE", 0x0761DB15},
      {"INSTANCE", 0x780E2692},
      {"ATTRIBUTE", 0x19FAFFCF},
  };
  for (const row& r : rows) {
    CAPTURE(r.name);
    CHECK(semantic_name_hash(r.name) == r.hash);
  }
  CHECK(semantic_name_hash("pOsItIoN") == semantic_name_hash("POSITION"));
}

TEST_CASE("crc32 matches the standard check value and continues over pieces", "[core]") {
  constexpr std::string_view text = "123456789";
  const auto bytes = std::as_bytes(std::span{text.data(), text.size()});
  CHECK(crc32(bytes) == 0xCBF43926u);
  CHECK(crc32(bytes.subspan(4), crc32(bytes.first(4))) == 0xCBF43926u);
  CHECK(crc32({}) == 0);
}

TEST_CASE("mix_id spreads consecutive ids over a small table", "[core]") {
  std::set<std::uint32_t> used;
  for (std::uint64_t id = 1; id <= 32; ++id) used.insert(mix_id(id) & 63);
  CHECK(used.size() >= 20);
}
