// SPDX-License-Identifier: MIT
// Tests of aerogpu/core/hash.hpp.
#include "aerogpu/core/hash.hpp"

#include "tests/catch.hpp"
#include "tests/support/colliding_ids.hpp"

#include <random>
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

TEST_CASE("a hash_key puts ids where its seed says, and another seed elsewhere", "[core]") {
  CHECK(hash_key{} == hash_key{0});
  CHECK(hash_key{5} == hash_key{5});
  CHECK_FALSE(hash_key{5} == hash_key{6});
  CHECK_FALSE(hash_key{5} == hash_key{5}.next());
  int same = 0;
  for (std::uint64_t id = 1; id <= 1'000; ++id) {
    CHECK(hash_key{5}.mix(id) == hash_key{5}.mix(id));
    same += (hash_key{5}.mix(id) & 1023) == (hash_key{6}.mix(id) & 1023) ? 1 : 0;
  }
  CHECK(same < 20);
}

TEST_CASE("a product is folded alike on 32 and 64 bits", "[core]") {
  STATIC_REQUIRE(detail::fold_product(UINT64_MAX, UINT64_MAX) == UINT64_MAX);
  std::mt19937_64 random{4};
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t a = random() >> (random() % 64), b = random() >> (random() % 64);
    CHECK(detail::fold_product(a, b) == detail::fold_product_by_parts(a, b));
  }
  CHECK(detail::fold_product_by_parts(UINT64_MAX, UINT64_MAX) ==
        detail::fold_product(UINT64_MAX, UINT64_MAX));
}

TEST_CASE("ids that meet under one key are spread by the next", "[core]") {
  const hash_key known{1};
  const auto ids = test::ids_that_meet(known, 1'024, 1, 500);
  std::set<std::uint32_t> places;
  for (const std::uint32_t id : ids) places.insert(known.next().mix(id) & 1'023);
  CHECK(places.size() > 350);  // 396 on average.
}

TEST_CASE("a hash_key spreads what ids have in common: steps, high bits, a few low bits",
          "[core]") {
  const auto [step, shift] = GENERATE(table<std::uint64_t, int>({{1, 0},
                                                                 {7, 0},
                                                                 {64, 0},
                                                                 {4096, 0},
                                                                 {1, 20},
                                                                 {1, 44},
                                                                 {1, 52},
                                                                 {1, 54},
                                                                 {0x55555555, 51},
                                                                 {0x9E3779B97F4A7C15ull, 0},
                                                                 {0xF1DE83E19937733Dull, 0}}));
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const hash_key key{seed};
    std::set<std::uint32_t> places;
    for (std::uint64_t i = 1; i <= 1'024; ++i) places.insert(key.mix((i * step) << shift) & 1'023);
    INFO("step " << step << ", shift " << shift << ", seed " << seed);
    CHECK(places.size() > 512);  // 647 on average.
  }
}

TEST_CASE("the table of crc32 is made alike at compile time and when the program runs", "[core]") {
  CHECK(detail::make_crc32_table() == detail::crc32_table);
}
