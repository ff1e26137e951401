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

// Values of another implementation: SipHash-1-3 with the number of words as its last one.
TEST_CASE("the rounds of a keyed hash are those of SipHash", "[keyed_hash]") {
  CHECK(hash_of(0, {}) == 0xd1fba762150c532c);
  CHECK(hash_of(0x0123456789ABCDEF, std::array<std::uint64_t, 3>{1, 2, 3}) == 0x15bfc5a06a7a33a5);
  std::array<std::byte, 19> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i + 1);
  keyed_hash hash{7};
  hash.add(bytes);
  CHECK(hash.finish() == 0xd72ae33ccab10c79);
}

TEST_CASE("a handle's hash depends on its seed and on each word and their order", "[keyed_hash]") {
  const auto of = [](std::uint64_t seed, std::uint64_t first, std::uint64_t second) {
    handle_hash hash{seed};
    hash.add(first);
    hash.add(second);
    return hash.finish();
  };
  const std::set<std::uint64_t> seen{of(1, 2, 3), of(2, 2, 3), of(1, 3, 2), of(1, 2, 4),
                                     of(1, 4, 3)};
  CHECK(seen.size() == 5);
  handle_hash one{0};
  one.add(1);
  CHECK(one.finish() == (0x9E3779B97F4A7C15 ^ 0x9E3779B9));
}
