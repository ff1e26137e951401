#include "aerogpu/processor/share_table.hpp"

#include "aerogpu/processor/resource_rules.hpp"
#include "null/null_backend.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <optional>

using namespace aerogpu;

namespace {

/// Tokens look at nothing of a texture but its address and list head.
struct bare_textures {
  texture_object<null_backend> first{make(), {}, layout(), {}, {}, {}};
  texture_object<null_backend> second{make(), {}, layout(), {}, {}, {}};

  static auto layout() -> texture_layout {
    return *plan_layout({AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1, 1, 1, 0}, 0);
  }
  static auto make() -> null_texture {
    return *null_texture::create(desc_of(resource_handle{1}, 0, layout()));
  }
};

constexpr auto token(std::uint64_t value) {
  return share_token{value};
}

}  // namespace

TEST_CASE("a bound token names its texture until it is released", "[share_table]") {
  bare_textures t;
  const limits most;
  share_table<null_backend> shares{most};
  REQUIRE(shares.bind(token(7), t.first));
  CHECK(shares.find(token(7)) == &t.first);
  shares.release(token(7));
  CHECK(shares.find(token(7)) == nullptr);
  CHECK(shares.is_retired(token(7)));
  CHECK(t.first.first_token == share_token{});
}

TEST_CASE("a token of one texture is refused for another", "[share_table]") {
  bare_textures t;
  const limits most;
  share_table<null_backend> shares{most};
  REQUIRE(shares.bind(token(7), t.first));
  CHECK(shares.bind(token(7), t.first));
  CHECK(shares.bind(token(7), t.second).why().code == error_code::share_token_in_use);
  CHECK(shares.bound_count() == 1);
}

TEST_CASE("releasing what is not bound retires nothing", "[share_table]") {
  bare_textures t;
  const limits most;
  share_table<null_backend> shares{most};
  shares.release(share_token{});
  shares.release(token(9));
  CHECK(shares.retired_count() == 0);
  CHECK(shares.bind(token(9), t.first));
}

TEST_CASE("any token of a texture can go, and the rest go with it", "[share_table]") {
  const auto released = GENERATE(1u, 2u, 3u);
  bare_textures t;
  const limits most;
  share_table<null_backend> shares{most};
  for (std::uint64_t i = 1; i <= 3; ++i) REQUIRE(shares.bind(token(i), t.first));
  REQUIRE(shares.bind(token(4), t.second));
  shares.release(token(released));
  CHECK(shares.bound_count() == 3);
  shares.retire_all(t.first);
  CHECK(shares.bound_count() == 1);
  CHECK(shares.retired_count() == 3);
  CHECK(shares.find(token(4)) == &t.second);
}

TEST_CASE("an export fails while the retired set could not take its token", "[share_table]") {
  bare_textures t;
  const limits most{.retired_share_tokens = 2};
  share_table<null_backend> shares{most};
  REQUIRE(shares.bind(token(1), t.first));
  shares.release(token(1));
  REQUIRE(shares.bind(token(2), t.first));
  CHECK(shares.bind(token(3), t.first).why().code == error_code::out_of_memory);
  shares.release(token(2));
  CHECK(shares.is_retired(token(1)));
  CHECK(shares.is_retired(token(2)));
}

TEST_CASE("bound tokens have a limit", "[share_table]") {
  bare_textures t;
  const limits most{.share_tokens = 1};
  share_table<null_backend> shares{most};
  REQUIRE(shares.bind(token(1), t.first));
  CHECK(shares.bind(token(2), t.first).why().code == error_code::out_of_memory);
}
