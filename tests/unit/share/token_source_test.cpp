// SPDX-License-Identifier: MIT
// Tests of aerogpu/share/token_source.hpp.
#include "aerogpu/share/token_source.hpp"

#include "tests/catch.hpp"

#include <bit>
#include <set>

using namespace aerogpu;

namespace {

struct counting_random {
  std::uint64_t value;
  int calls = 0;
  auto operator()() noexcept -> std::uint64_t {
    ++calls;
    return value++;
  }
};
static_assert(random_source<counting_random>);

/// Randomness as broken as it can be.
struct zero_random {
  auto operator()() noexcept -> std::uint64_t { return 0; }
};

template <class Random>
auto take(Random random, int count) -> std::set<std::uint64_t> {
  token_source source{random};
  std::set<std::uint64_t> tokens;
  for (int i = 0; i < count; ++i) tokens.insert(raw(source.next()));
  return tokens;
}

}  // namespace

TEST_CASE("100,000 tokens are unique and never 0, also with broken randomness", "[share]") {
  for (const auto& tokens : {take(counting_random{42}, 100'000), take(zero_random{}, 100'000)}) {
    CHECK(tokens.size() == 100'000);
    CHECK(tokens.count(0) == 0);
  }
}

TEST_CASE("a source asks for randomness when it is made, and never again", "[share]") {
  counting_random random{1};
  token_source source{random};
  CHECK(random.calls == 2);
  for (int i = 0; i < 1'000; ++i) (void)source.next();
  CHECK(random.calls == 2);
}

TEST_CASE("equal randomness gives equal tokens, so that tests can repeat them", "[share]") {
  CHECK(take(counting_random{5}, 100) == take(counting_random{5}, 100));
}

TEST_CASE("sources of different randomness share no token", "[share]") {
  std::set<std::uint64_t> all;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto tokens = take(counting_random{seed * 2}, 5'000);
    all.insert(tokens.begin(), tokens.end());
  }
  CHECK(all.size() == 20 * 5'000);
}

TEST_CASE("a token tells nothing of the next: half of the bits differ on average", "[share]") {
  counting_random random{9};
  token_source source{random};
  int changed = 0;
  std::uint64_t last = raw(source.next());
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t token = raw(source.next());
    changed += std::popcount(token ^ last);
    last = token;
  }
  CHECK(changed > 10'000 * 31);
  CHECK(changed < 10'000 * 33);
}

TEST_CASE("the permutation hits no value twice on a run of inputs", "[share]") {
  const detail::speck64 permutation{0x0123456789ABCDEF, 0xFEDCBA9876543210};
  std::set<std::uint64_t> seen;
  for (std::uint64_t i = 0; i < 20'000; ++i) seen.insert(permutation.encrypt(i));
  CHECK(seen.size() == 20'000);
}
