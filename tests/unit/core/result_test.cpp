// SPDX-License-Identifier: MIT
// Tests of aerogpu/core/result.hpp, error.hpp and ids.hpp.
#include "aerogpu/core/result.hpp"

#include "aerogpu/core/ids.hpp"
#include "tests/catch.hpp"

#include <memory>
#include <string_view>
#include <type_traits>

using namespace aerogpu;

namespace {

auto owned(bool fail) -> result<std::unique_ptr<int>> {
  if (fail) return make_error(error_code::out_of_memory, "no room", 7, 5);
  return std::make_unique<int>(3);
}

}  // namespace

TEST_CASE("a result holds a move-only value or the reason there is none", "[core]") {
  auto good = owned(false);
  REQUIRE(good);
  CHECK(good.why().code == error_code::none);
  const std::unique_ptr<int> value = *std::move(good);
  CHECK(*value == 3);

  const auto bad = owned(true);
  REQUIRE_FALSE(bad);
  CHECK(bad.why().code == error_code::out_of_memory);
  CHECK(bad.why().detail == 7);
  CHECK(bad.why().limit == 5);
  CHECK(std::string_view{bad.why().what} == "no room");
}

TEST_CASE("an empty result is success and an error makes it fail", "[core]") {
  CHECK(result<void>{});
  CHECK_FALSE(result<void>{make_error(error_code::framing, "")});
}

TEST_CASE("every error code has the spec's name, and unknown values read as Internal", "[core]") {
  CHECK(std::string_view{kind_name(error_code::none)} == "None");
  CHECK(std::string_view{kind_name(error_code::framing)} == "Framing");
  CHECK(std::string_view{kind_name(error_code::missing_alloc_table)} == "MissingAllocTable");
  CHECK(std::string_view{kind_name(error_code::guest_memory_fault)} == "GuestMemoryFault");
  CHECK(std::string_view{kind_name(error_code::out_of_memory)} == "OutOfMemory");
  CHECK(std::string_view{kind_name(error_code::cmd_decode)} == "CmdDecode");
  CHECK(std::string_view{kind_name(error_code::internal)} == "Internal");
  CHECK(std::string_view{kind_name(static_cast<error_code>(999))} == "Internal");
}

TEST_CASE("ids of different kinds do not convert into each other", "[core]") {
  STATIC_REQUIRE_FALSE(std::is_convertible_v<resource_handle, shader_handle>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::uint32_t, alloc_id>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<alloc_id, std::uint32_t>);
  CHECK(raw(advance(gpa{0x1000}, 0x20)) == 0x1020);
}
