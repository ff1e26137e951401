// SPDX-License-Identifier: MIT
/// \file CP-069..089: shared surfaces.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/processor_host.hpp"

#include <cstdint>

namespace aerogpu::conformance {

namespace share_case {

inline constexpr std::uint32_t original = 1, other = 2, buffer = 3, alias = 10, second_alias = 11;
inline constexpr std::uint64_t token = 0x1122334455667788, other_token = 0x99;

/// A texture with content, and another one.
[[nodiscard]] inline auto two_textures() -> stream_builder {
  return stream_builder{}
      .create_texture(original, {})
      .upload(original, 0, counting(64))
      .create_texture(other, {})
      .create_buffer(buffer, 16);
}

/// The first texture exported, and imported as `alias`.
[[nodiscard]] inline auto shared() -> stream_builder {
  return two_textures().export_surface(original, token).import_surface(alias, token);
}

[[nodiscard]] inline auto exports(std::uint32_t handle, std::uint64_t as) -> stream_builder {
  return stream_builder{}.export_surface(handle, as);
}
[[nodiscard]] inline auto imports(std::uint32_t handle, std::uint64_t from) -> stream_builder {
  return stream_builder{}.import_surface(handle, from);
}

}  // namespace share_case

TEMPLATE_LIST_TEST_CASE("CP-069 EXPORT refuses handle 0, token 0, unknown handles and buffers",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(two_textures()) == error_code::none);
  CHECK(host.run(exports(0, token)) == error_code::invalid_handle);
  CHECK(host.run(exports(0, 0)) == error_code::invalid_handle);
  CHECK(host.run(exports(original, 0)) == error_code::invalid_share_token);
  CHECK(host.run(exports(99, token)) == error_code::unknown_handle);
  CHECK(host.run(exports(99, 0)) == error_code::invalid_share_token);
  CHECK(host.run(exports(buffer, token)) == error_code::unknown_handle);
  CHECK(host.counts().share_tokens == 0);
}

TEMPLATE_LIST_TEST_CASE("CP-070 a token names one resource, which may have several tokens",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(two_textures()) == error_code::none);
  CHECK(host.run(exports(original, token)) == error_code::none);
  CHECK(host.run(exports(original, token)) == error_code::none);
  CHECK(host.run(exports(other, token)) == error_code::share_token_in_use);
  CHECK(host.run(exports(original, other_token)) == error_code::none);
  CHECK(host.run(imports(alias, token).import_surface(second_alias, other_token)) ==
        error_code::none);
  CHECK(host.texture(alias, {}) == counting(64));
  CHECK(host.texture(second_alias, {}) == counting(64));
}

TEMPLATE_LIST_TEST_CASE("CP-071 an export through an alias is one of the resource itself",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared()) == error_code::none);
  CHECK(host.run(exports(alias, other_token)) == error_code::none);
  CHECK(host.run(exports(original, other_token)) == error_code::none);
  CHECK(host.run(exports(alias, token)) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-072 IMPORT refuses handle 0, token 0 and tokens that map to nothing",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared()) == error_code::none);
  CHECK(host.run(imports(0, token)) == error_code::invalid_handle);
  CHECK(host.run(imports(second_alias, 0)) == error_code::invalid_share_token);
  CHECK(host.run(imports(second_alias, token + 1)) == error_code::unknown_share_token);
  CHECK_FALSE(host.is_live(second_alias));
}

TEMPLATE_LIST_TEST_CASE("CP-073 importing twice onto one alias adds no reference",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared()) == error_code::none);
  CHECK(host.run(imports(alias, token)) == error_code::none);
  REQUIRE(host.run(stream_builder{}.destroy(original).destroy(alias)) == error_code::none);
  CHECK(host.run(imports(second_alias, token)) == error_code::unknown_share_token);
  CHECK(host.counts().textures == 1);
}

TEMPLATE_LIST_TEST_CASE("CP-074 IMPORT onto an alias of another resource is AliasAlreadyBound",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared().export_surface(other, other_token)) == error_code::none);
  CHECK(host.run(imports(alias, other_token)) == error_code::alias_already_bound);
  CHECK(host.texture(alias, {}) == counting(64));
}

TEMPLATE_LIST_TEST_CASE("CP-075 IMPORT onto the original's own handle changes nothing",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(two_textures().export_surface(original, token)) == error_code::none);
  CHECK(host.run(imports(original, token)) == error_code::none);
  REQUIRE(host.run(stream_builder{}.destroy(original)) == error_code::none);
  CHECK_FALSE(host.is_live(original));
  CHECK(host.counts().textures == 1);
}

TEMPLATE_LIST_TEST_CASE("CP-076 IMPORT onto a live buffer or another live texture is refused",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared()) == error_code::none);
  CHECK(host.run(imports(buffer, token)) == error_code::handle_in_use);
  CHECK(host.run(imports(other, token)) == error_code::alias_already_bound);
  CHECK(host.run(imports(buffer, 0)) == error_code::handle_in_use);
}

TEMPLATE_LIST_TEST_CASE("CP-077 an alias outlives the original and shares its content",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared()) == error_code::none);
  REQUIRE(host.run(stream_builder{}.upload(alias, 0, filled(16, 0xEE))) == error_code::none);
  byte_vector expected = counting(64);
  overwrite(expected, 0, filled(16, 0xEE));
  CHECK(host.texture(original, {}) == expected);
  REQUIRE(host.run(stream_builder{}.destroy(original)) == error_code::none);
  CHECK(host.texture(alias, {}) == expected);
}

TEMPLATE_LIST_TEST_CASE("CP-077 an alias shares dirty ranges and backing",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 64);
  const texture_spec spec{.pitch = 16, .memory = {1, 0}};
  REQUIRE(host.run(stream_builder{}
                       .create_texture(original, spec)
                       .export_surface(original, token)
                       .import_surface(alias, token)) == error_code::none);
  host.poke(gpa{0x10000}, counting(64));
  CHECK(host.texture(alias, spec) == counting(64));
  host.poke(gpa{0x10000}, filled(64, 7));
  REQUIRE(host.run(stream_builder{}.dirty(alias, 0, 64)) == error_code::none);
  CHECK(host.texture(original, spec) == filled(64, 7));
}

TEMPLATE_LIST_TEST_CASE("CP-078 a destroyed original is unknown while an alias lives",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared().destroy(original)) == error_code::none);
  const auto refused = [&](const stream_builder& stream) {
    return host.run(stream) == error_code::unknown_handle;
  };
  CHECK(refused(stream_builder{}.dirty(original, 0, 4)));
  CHECK(refused(stream_builder{}.upload(original, 0, counting(4))));
  CHECK(refused(stream_builder{}.copy_texture({original}, {other}, 4, 4)));
  CHECK(refused(stream_builder{}.copy_texture({other}, {original}, 4, 4)));
  CHECK(refused(stream_builder{}.targets({original})));
  CHECK(refused(stream_builder{}.targets({}, original)));
  CHECK(refused(stream_builder{}.set_texture(wire_ps, 0, original)));
  CHECK(refused(stream_builder{}.vertex_buffer(0, original)));
  CHECK(refused(stream_builder{}.index_buffer(original)));
  CHECK(refused(stream_builder{}.constant_buffers(wire_vs, 0, {{original, 0, 0}})));
  CHECK(refused(stream_builder{}.resource_buffers(wire_vs, 0, {{original, 0, 0}})));
  CHECK(refused(stream_builder{}.unordered_access(wire_cs, 0, {{original, 0, 0}})));
  CHECK(refused(exports(original, other_token)));
  CHECK(refused(stream_builder{}.create_view(50, original, {})));
}

TEMPLATE_LIST_TEST_CASE("CP-079 a reserved original can be neither created nor imported onto",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared().destroy(original)) == error_code::none);
  CHECK(host.run(stream_builder{}.create_texture(original, {})) == error_code::handle_in_use);
  CHECK(host.run(stream_builder{}.create_buffer(original, 16)) == error_code::handle_in_use);
  CHECK(host.run(stream_builder{}.create_view(original, other, {})) == error_code::handle_in_use);
  CHECK(host.run(imports(original, token)) == error_code::handle_in_use);
}

TEMPLATE_LIST_TEST_CASE("CP-080 destroying a reserved original again does nothing",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared().destroy(original).destroy(original)) == error_code::none);
  CHECK(host.is_live(alias));
  CHECK(host.texture(alias, {}) == counting(64));
}

TEMPLATE_LIST_TEST_CASE("CP-081 a token is importable after its original was destroyed",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared().destroy(original).import_surface(second_alias, token).destroy(alias)) ==
          error_code::none);
  CHECK(host.texture(second_alias, {}) == counting(64));
}

TEMPLATE_LIST_TEST_CASE("CP-082 the last handle retires the token and frees the number",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared().destroy(original).destroy(alias)) == error_code::none);
  CHECK(host.run(imports(alias, token)) == error_code::unknown_share_token);
  CHECK(host.run(exports(other, token)) == error_code::share_token_retired);
  CHECK(host.run(stream_builder{}.create_buffer(original, 16)) == error_code::none);
  CHECK(host.run(imports(alias, token)) == error_code::unknown_share_token);
}

TEMPLATE_LIST_TEST_CASE("CP-083 every token of a resource retires with it",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared().export_surface(alias, other_token).destroy(alias).destroy(original)) ==
          error_code::none);
  CHECK(host.run(exports(other, token)) == error_code::share_token_retired);
  CHECK(host.run(exports(other, other_token)) == error_code::share_token_retired);
  CHECK(host.counts().share_tokens == 0);
  CHECK(host.counts().retired_tokens == 2);
}

TEMPLATE_LIST_TEST_CASE("CP-084 RELEASE retires a token and leaves aliases alone",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared().release_surface(token)) == error_code::none);
  CHECK(host.run(imports(second_alias, token)) == error_code::unknown_share_token);
  CHECK(host.run(exports(original, token)) == error_code::share_token_retired);
  CHECK(host.texture(alias, {}) == counting(64));
  REQUIRE(host.run(stream_builder{}.destroy(original).destroy(alias)) == error_code::none);
  CHECK(host.counts().textures == 1);
}

TEMPLATE_LIST_TEST_CASE("CP-085 RELEASE of an unknown token is forgotten",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(two_textures()) == error_code::none);
  CHECK(host.run(stream_builder{}.release_surface(token)) == error_code::none);
  CHECK(host.run(exports(original, token)) == error_code::none);
  CHECK(host.run(imports(alias, token)) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-086 RELEASE twice, and of token 0, does nothing",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared().release_surface(token).release_surface(token).release_surface(0)) ==
          error_code::none);
  CHECK(host.counts().retired_tokens == 1);
  CHECK(host.is_live(alias));
}

TEMPLATE_LIST_TEST_CASE("CP-087 a retired token stays retired in every context until the reset",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared().release_surface(token)) == error_code::none);
  CHECK(host.run(exports(original, token), 0) == error_code::share_token_retired);
  CHECK(host.run(exports(other, token), 5) == error_code::share_token_retired);
  host.reset();
  REQUIRE(host.run(two_textures()) == error_code::none);
  CHECK(host.run(exports(other, token), 5) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-088 one context exports, another imports in a later submission",
                        "[conformance][processor]", backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(two_textures().export_surface(original, token), 1) == error_code::none);
  REQUIRE(host.run(imports(alias, token), 2) == error_code::none);
  CHECK(host.texture(alias, {}) == counting(64));
}

TEMPLATE_LIST_TEST_CASE("CP-089 RELEASE reads its token at offset 8", "[conformance][processor]",
                        backends) {
  using namespace share_case;
  processor_host<TestType> host;
  REQUIRE(host.run(shared().export_surface(other, other_token)) == error_code::none);
  // The reserved word at 16, where the other packets have their token, names the other one.
  REQUIRE(host.run(stream_builder{}.add(
              aerogpu_cmd_release_shared_surface{{}, token, other_token})) == error_code::none);
  CHECK(host.run(imports(second_alias, token)) == error_code::unknown_share_token);
  CHECK(host.run(imports(second_alias, other_token)) == error_code::none);
}

}  // namespace aerogpu::conformance
