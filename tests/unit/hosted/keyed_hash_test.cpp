// SPDX-License-Identifier: MIT
#include "aerogpu/hosted/keyed_hash.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <span>

using namespace aerogpu;

namespace {

auto hash_of(std::uint64_t seed, std::span<const std::uint64_t> words) -> std::uint64_t {
  keyed_hash hash{seed};
  for (const std::uint64_t word : words) hash.add(word);
  return hash.finish();
}

}  // namespace

TEST_CASE("the same words give the same hash, another seed another one", "[keyed_hash]") {
  constexpr std::array<std::uint64_t, 3> words{1, 2, 3};
  CHECK(hash_of(7, words) == hash_of(7, words));
  CHECK(hash_of(7, words) != hash_of(8, words));
  CHECK(hash_of(7, words) != hash_of(7, std::span{words}.first(2)));
  CHECK(hash_of(7, std::array<std::uint64_t, 2>{0, 0}) !=
        hash_of(7, std::array<std::uint64_t, 1>{0}));
}

TEST_CASE("bytes that end in zeros differ from fewer of them", "[keyed_hash]") {
  std::set<std::uint64_t> seen;
  for (std::size_t size = 0; size <= 24; ++size) {
    const std::array<std::byte, 24> zeros{};
    keyed_hash hash{1};
    hash.add(const_bytes{zeros}.first(size));
    seen.insert(hash.finish());
  }
  CHECK(seen.size() == 25);
}

TEST_CASE("words that differ in high bits alone do not meet in the low bits", "[keyed_hash]") {
  // A multiplication keeps the top bit to itself: hashes of that kind meet whatever the seed.
  for (const std::uint64_t seed : {0ull, 1ull, 0x123456789ABCDEFull}) {
    std::set<std::uint64_t> buckets;
    for (std::uint64_t i = 0; i < 256; ++i) {
      buckets.insert(hash_of(seed, std::array{i << 56, i << 24}) & 0xFFFF);
    }
    CHECK(buckets.size() > 250);
  }
}
