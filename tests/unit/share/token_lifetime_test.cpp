// SPDX-License-Identifier: MIT
// Tests of aerogpu/share/token_lifetime.hpp.
#include "aerogpu/share/token_lifetime.hpp"

#include "tests/catch.hpp"

#include <array>
#include <deque>
#include <map>
#include <random>

using namespace aerogpu;

namespace {

auto named(std::uint64_t value) -> share_token {
  return static_cast<share_token>(value);
}

struct lifetime_fixture {
  std::array<token_lifetime::slot, 16> live{};
  std::array<share_token, 4> waiting{};
  token_lifetime tokens{live, waiting};
};

}  // namespace

TEST_CASE("the last reference queues one release", "[share]") {
  lifetime_fixture f;
  REQUIRE(f.tokens.add_reference(named(7)));  // the allocation
  REQUIRE(f.tokens.add_reference(named(7)));  // two opens
  REQUIRE(f.tokens.add_reference(named(7)));
  CHECK(f.tokens.references(named(7)) == 3);
  CHECK(f.tokens.drop_reference(named(7)) == token_drop::kept);
  CHECK(f.tokens.drop_reference(named(7)) == token_drop::kept);
  CHECK(f.tokens.release_count() == 0);
  CHECK(f.tokens.drop_reference(named(7)) == token_drop::last);
  CHECK(f.tokens.next_release() == named(7));
  CHECK(f.tokens.live_count() == 0);
  f.tokens.release_emitted();
  CHECK(f.tokens.next_release() == named(0));
}

TEST_CASE("a duplicate drop changes nothing and releases nothing", "[share]") {
  lifetime_fixture f;
  REQUIRE(f.tokens.add_reference(named(7)));
  CHECK(f.tokens.drop_reference(named(7)) == token_drop::last);
  CHECK(f.tokens.drop_reference(named(7)) == token_drop::unknown);
  CHECK(f.tokens.drop_reference(named(8)) == token_drop::unknown);
  CHECK(f.tokens.drop_reference(named(0)) == token_drop::unknown);
  CHECK(f.tokens.release_count() == 1);
}

TEST_CASE("token 0 takes no reference", "[share]") {
  lifetime_fixture f;
  CHECK(f.tokens.add_reference(named(0)).why().code == error_code::invalid_share_token);
  CHECK(f.tokens.live_count() == 0);
}

TEST_CASE("a full table refuses new tokens, still counts known ones, and changes nothing",
          "[share]") {
  lifetime_fixture f;
  for (std::uint64_t i = 1; i <= 12; ++i) REQUIRE(f.tokens.add_reference(named(i)));
  CHECK(f.tokens.add_reference(named(13)).why().code == error_code::out_of_memory);
  CHECK(f.tokens.live_count() == 12);
  CHECK(f.tokens.references(named(13)) == 0);
  CHECK(f.tokens.add_reference(named(12)));
  CHECK(f.tokens.drop_reference(named(1)) == token_drop::last);
  CHECK(f.tokens.add_reference(named(13)));
}

TEST_CASE("releases wait in order, and one too many is lost and says so", "[share]") {
  lifetime_fixture f;
  for (std::uint64_t i = 1; i <= 5; ++i) REQUIRE(f.tokens.add_reference(named(i)));
  for (std::uint64_t i = 1; i <= 4; ++i) {
    CHECK(f.tokens.drop_reference(named(i)) == token_drop::last);
  }
  CHECK(f.tokens.drop_reference(named(5)) == token_drop::lost);
  CHECK(f.tokens.live_count() == 0);
  for (std::uint64_t i = 1; i <= 4; ++i, f.tokens.release_emitted()) {
    CHECK(f.tokens.next_release() == named(i));
  }
  CHECK(f.tokens.release_count() == 0);
}

TEST_CASE("a device reset drops the releases and keeps the references", "[share]") {
  lifetime_fixture f;
  REQUIRE(f.tokens.add_reference(named(1)));
  REQUIRE(f.tokens.add_reference(named(2)));
  (void)f.tokens.drop_reference(named(1));
  f.tokens.forget_releases();
  CHECK(f.tokens.next_release() == named(0));
  CHECK(f.tokens.references(named(2)) == 1);
  f.tokens.clear();
  CHECK(f.tokens.references(named(2)) == 0);
}

TEST_CASE("each token is released once, whatever the order of opens and closes", "[share]") {
  const auto seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  std::mt19937 random{seed};
  lifetime_fixture f;
  std::map<std::uint64_t, std::uint32_t> model;
  std::deque<std::uint64_t> releases;
  for (int step = 0; step < 20'000; ++step) {
    const std::uint64_t value = 1 + random() % 20;
    switch (random() % 5) {
      case 0:
      case 1: {
        const bool fits = model.count(value) != 0 || model.size() < 12;
        REQUIRE(static_cast<bool>(f.tokens.add_reference(named(value))) == fits);
        if (fits) ++model[value];
        break;
      }
      case 2:
      case 3: {
        const auto drop = f.tokens.drop_reference(named(value));
        if (model.count(value) == 0) {
          REQUIRE(drop == token_drop::unknown);
        } else if (--model[value] != 0) {
          REQUIRE(drop == token_drop::kept);
        } else {
          model.erase(value);
          REQUIRE(drop == (releases.size() < 4 ? token_drop::last : token_drop::lost));
          if (releases.size() < 4) releases.push_back(value);
        }
        break;
      }
      default:
        REQUIRE(raw(f.tokens.next_release()) == (releases.empty() ? 0 : releases.front()));
        if (!releases.empty()) {
          f.tokens.release_emitted();
          releases.pop_front();
        }
    }
    REQUIRE(f.tokens.live_count() == model.size());
    REQUIRE(f.tokens.release_count() == releases.size());
  }
}

TEST_CASE("an adapter that goes away leaves no reference and no release", "[share]") {
  lifetime_fixture f;
  REQUIRE(f.tokens.add_reference(named(1)));
  REQUIRE(f.tokens.drop_reference(named(1)) == token_drop::last);
  REQUIRE(f.tokens.add_reference(named(2)));
  f.tokens.clear();
  CHECK(f.tokens.live_count() == 0);
  CHECK(f.tokens.references(named(2)) == 0);
  CHECK(f.tokens.release_count() == 0);
  CHECK(f.tokens.next_release() == named(0));
}
