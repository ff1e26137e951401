// SPDX-License-Identifier: MIT
// Tests of aerogpu/share/share_registry.hpp.
#include "aerogpu/share/share_registry.hpp"

#include "tests/catch.hpp"

#include <set>
#include <vector>

using namespace aerogpu;

namespace {

struct texture {
  share_token first_token{};
};
static_assert(shareable<texture>);

using registry = share_registry<texture>;
using handle_of = shared_handle<texture>;

auto token(std::uint64_t value) -> share_token {
  return static_cast<share_token>(value);
}

struct fixture {
  explicit fixture(const share_limits& limits = {}) : shares(limits, registry::map{slots}) {}

  std::vector<registry::map::slot> slots = std::vector<registry::map::slot>(64);
  registry shares;
  texture first, second;

  /// Handles 1 and 2 name the textures; 3 is an alias of the first; 9 names nothing.
  [[nodiscard]] auto handle(std::uint32_t number) -> handle_of {
    switch (number) {
      case 1:
      case 3: return {resource_handle{number}, handle_state::texture, &first};
      case 2: return {resource_handle{2}, handle_state::texture, &second};
      default: return {resource_handle{number}, handle_state::none, nullptr};
    }
  }
};

}  // namespace

TEST_CASE("an export is checked in the order of host.md 2.8", "[share]") {
  fixture f;
  REQUIRE(f.shares.export_token(f.handle(2), token(20)));
  REQUIRE(f.shares.export_token(f.handle(2), token(66)));
  f.shares.release(token(66));
  const handle_of view{resource_handle{5}, handle_state::view, &f.first};
  const handle_of buffer{resource_handle{6}, handle_state::buffer, nullptr};
  const handle_of reserved{resource_handle{7}, handle_state::reserved, &f.first};
  struct row {
    const char* why;
    handle_of of;
    std::uint64_t token;
    error_code code;
  };
  const row rows[] = {
      {"handle 0 before token 0", f.handle(0), 0, error_code::invalid_handle},
      {"handle 0", f.handle(0), 1, error_code::invalid_handle},
      {"token 0 before an unknown handle", f.handle(9), 0, error_code::invalid_share_token},
      {"retired before an unknown handle", f.handle(9), 66, error_code::share_token_retired},
      {"retired before a view", view, 66, error_code::share_token_retired},
      {"retired, once its own texture", f.handle(2), 66, error_code::share_token_retired},
      {"retired, another texture", f.handle(1), 66, error_code::share_token_retired},
      {"unknown before a bound token", f.handle(9), 20, error_code::unknown_handle},
      {"unknown", f.handle(9), 1, error_code::unknown_handle},
      {"buffer", buffer, 1, error_code::unknown_handle},
      {"view", view, 1, error_code::wrong_kind},
      {"destroyed original", reserved, 1, error_code::unknown_handle},
      {"bound to another", f.handle(1), 20, error_code::share_token_in_use},
      {"bound to the same", f.handle(2), 20, error_code::none},
      {"good", f.handle(1), 1, error_code::none},
      {"a second token", f.handle(1), 2, error_code::none},
      {"an alias", f.handle(3), 3, error_code::none},
      {"through the original, as before through the alias", f.handle(1), 3, error_code::none},
  };
  for (const row& r : rows) {
    CAPTURE(r.why);
    const auto bound = f.shares.bound_count();
    const bool was_known = f.shares.find(token(r.token)) != nullptr;
    CHECK(f.shares.export_token(r.of, token(r.token)).why().code == r.code);
    const bool is_new = r.code == error_code::none && !was_known;
    CHECK(f.shares.bound_count() == bound + (is_new ? 1 : 0));
  }
}

TEST_CASE("an import is checked in the order of host.md 2.8", "[share]") {
  fixture f;
  REQUIRE(f.shares.export_token(f.handle(1), token(10)));
  REQUIRE(f.shares.export_token(f.handle(1), token(66)));
  f.shares.release(token(66));
  const handle_of view{resource_handle{5}, handle_state::view, &f.first};
  const handle_of buffer{resource_handle{6}, handle_state::buffer, nullptr};
  const handle_of reserved{resource_handle{7}, handle_state::reserved, &f.first};
  struct row {
    const char* why;
    handle_of out;
    std::uint64_t token;
    error_code code;
    bool is_new_alias;
  };
  const row rows[] = {
      {"buffer before token 0", buffer, 0, error_code::handle_in_use, false},
      {"view of the same texture", view, 10, error_code::handle_in_use, false},
      {"handle 0 before token 0", f.handle(0), 0, error_code::invalid_handle, false},
      {"token 0", f.handle(9), 0, error_code::invalid_share_token, false},
      {"unknown token", f.handle(9), 11, error_code::unknown_share_token, false},
      {"retired token", f.handle(9), 66, error_code::unknown_share_token, false},
      {"unknown token before a reserved handle", reserved, 11, error_code::unknown_share_token,
       false},
      {"unknown token before another texture", f.handle(2), 11, error_code::unknown_share_token,
       false},
      {"reserved original", reserved, 10, error_code::handle_in_use, false},
      {"another texture", f.handle(2), 10, error_code::alias_already_bound, false},
      {"an alias of it", f.handle(3), 10, error_code::none, false},
      {"the original itself", f.handle(1), 10, error_code::none, false},
      {"a free handle", f.handle(9), 10, error_code::none, true},
  };
  for (const row& r : rows) {
    CAPTURE(r.why);
    const auto found = f.shares.import_token(r.out, token(r.token));
    CHECK(found.why().code == r.code);
    if (!found) continue;
    CHECK(found->texture == &f.first);
    CHECK(found->is_new_alias == r.is_new_alias);
  }
}

TEST_CASE("a release retires a bound token for ever and leaves all others alone", "[share]") {
  fixture f;
  REQUIRE(f.shares.export_token(f.handle(1), token(1)));
  REQUIRE(f.shares.export_token(f.handle(1), token(2)));
  f.shares.release(token(1));
  f.shares.release(token(1));
  f.shares.release(token(0));
  f.shares.release(token(99));
  CHECK(f.shares.is_retired(token(1)));
  CHECK_FALSE(f.shares.is_retired(token(99)));
  CHECK(f.shares.find(token(1)) == nullptr);
  CHECK(f.shares.find(token(2)) == &f.first);
  CHECK(f.shares.retired_count() == 1);
  CHECK(f.shares.export_token(f.handle(1), token(99)));  // a late release poisons nothing
}

TEST_CASE("the end of a texture retires all of its tokens and no other", "[share]") {
  fixture f;
  for (std::uint64_t i = 1; i <= 5; ++i) REQUIRE(f.shares.export_token(f.handle(1), token(i)));
  REQUIRE(f.shares.export_token(f.handle(2), token(6)));
  f.shares.release(token(3));
  f.shares.retire_all(f.first);
  CHECK(f.first.first_token == token(0));
  for (std::uint64_t i = 1; i <= 5; ++i) CHECK(f.shares.is_retired(token(i)));
  CHECK(f.shares.find(token(6)) == &f.second);
  CHECK(f.shares.bound_count() == 1);
  CHECK(f.shares.retired_count() == 5);
}

TEST_CASE("exports fail at the limits, and no retired token is forgotten", "[share]") {
  fixture f{{.bound_tokens = 2, .known_tokens = 3}};
  REQUIRE(f.shares.export_token(f.handle(1), token(1)));
  REQUIRE(f.shares.export_token(f.handle(1), token(2)));
  CHECK(f.shares.export_token(f.handle(1), token(3)).why().code == error_code::out_of_memory);
  f.shares.release(token(1));
  REQUIRE(f.shares.export_token(f.handle(1), token(3)));
  f.shares.release(token(2));
  CHECK(f.shares.export_token(f.handle(1), token(4)).why().code == error_code::out_of_memory);
  f.shares.release(token(3));
  CHECK(f.shares.retired_count() == 3);
  for (std::uint64_t i = 1; i <= 3; ++i) CHECK(f.shares.is_retired(token(i)));
}

TEST_CASE("exports fail when the storage is full, and a release still has room", "[share]") {
  fixture f;
  std::uint64_t next = 1;
  while (f.shares.export_token(f.handle(1), token(next))) ++next;
  CHECK(f.shares.export_token(f.handle(1), token(next)).why().code == error_code::out_of_memory);
  CHECK(f.shares.bound_count() == 48);
  CHECK(f.shares.export_token(f.handle(1), token(5)));  // known already
  f.shares.retire_all(f.first);
  CHECK(f.shares.retired_count() == 48);
}

TEST_CASE("a reset forgets retired tokens as well", "[share]") {
  fixture f;
  REQUIRE(f.shares.export_token(f.handle(1), token(1)));
  f.shares.release(token(1));
  f.shares.clear();
  CHECK(f.shares.retired_count() == 0);
  CHECK(f.shares.export_token(f.handle(2), token(1)));
}

TEST_CASE("a snapshot of the rows makes an equal registry", "[share]") {
  fixture a;
  for (std::uint64_t i = 1; i <= 6; ++i) {
    REQUIRE(a.shares.export_token(a.handle(1 + i % 2), token(i)));
  }
  a.shares.release(token(2));
  a.shares.release(token(5));
  fixture b;
  a.shares.for_each_retired([&](share_token t) { REQUIRE(b.shares.restore_retired(t)); });
  a.shares.for_each_bound([&](share_token t, const texture& named) {
    REQUIRE(b.shares.bind(t, &named == &a.first ? b.first : b.second));
  });
  CHECK(b.shares.bound_count() == 4);
  CHECK(b.shares.retired_count() == 2);
  CHECK(b.shares.find(token(1)) == &b.second);
  CHECK(b.shares.find(token(4)) == &b.first);
  b.shares.retire_all(b.second);
  CHECK(b.shares.is_retired(token(1)));
  CHECK(b.shares.is_retired(token(3)));
  CHECK(b.shares.find(token(4)) == &b.first);
}
