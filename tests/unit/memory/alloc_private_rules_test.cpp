// SPDX-License-Identifier: MIT
// Tests of aerogpu/memory/alloc_private_rules.hpp.
#include "aerogpu/memory/alloc_private_rules.hpp"

#include "tests/catch.hpp"

using namespace aerogpu;

namespace {

/// A private texture of a user-mode driver.
auto private_blob() -> alloc_private_data {
  alloc_private_data data{};
  data.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_2;
  data.alloc_id = 7;
  data.size_bytes = 4096;
  data.kind = AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D;
  data.width = 16;
  data.height = 16;
  data.row_pitch_bytes = 64;
  return data;
}

auto shared_blob(std::uint64_t token) -> alloc_private_data {
  alloc_private_data data = private_blob();
  data.flags = AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED;
  data.share_token = token;
  return data;
}

auto standard_blob(std::uint32_t id) -> alloc_private_data {
  alloc_private_data data = private_blob();
  data.alloc_id = id;
  data.size_bytes = 0;
  return data;
}

constexpr alloc_identity user_mode_object{alloc_id{7}, share_token{0x1122}};

auto opened(const alloc_private_data& data, const alloc_identity& object = user_mode_object)
    -> error_code {
  return check_alloc_open(data, 1, alloc_opening::existing, object).why().code;
}

}  // namespace

TEST_CASE("a blob of version 3 is judged as the same of version 2", "[memory][private_data]") {
  const auto judge = [](alloc_private_data data) {
    data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_3;
    data.resource_handle = 0xFFFFFFFF;  // The host's affair.
    return check_alloc_create(data, 1).why().code;
  };
  CHECK(judge(private_blob()) == error_code::none);
  CHECK(judge(shared_blob(0)) == error_code::none);
  CHECK(judge(standard_blob(0)) == error_code::none);
  CHECK(judge(standard_blob(0x80000000)) == error_code::invalid_parameter);
  alloc_private_data data = private_blob();
  data.row_pitch_bytes = 4097;
  CHECK(judge(data) == error_code::invalid_parameter);
}

TEST_CASE("blobs of every kind may be created", "[memory][private_data]") {
  CHECK(check_alloc_create(private_blob(), 1));
  CHECK(check_alloc_create(private_blob(), 3));
  CHECK(check_alloc_create(shared_blob(0), 1));
  CHECK(check_alloc_create(shared_blob(5), 1));
  CHECK(check_alloc_create(standard_blob(0), 1));
}

TEST_CASE("an id outside the user-mode range is refused at creation", "[memory][private_data]") {
  const std::uint32_t id = GENERATE(0x80000000u, 0xFFFFFFFFu);
  CHECK(check_alloc_create(standard_blob(id), 1).why().code == error_code::invalid_parameter);
  alloc_private_data buffer = private_blob();
  buffer.kind = AEROGPU_WDDM_ALLOC_KIND_BUFFER;
  buffer.alloc_id = id;
  CHECK(check_alloc_create(buffer, 1).why().code == error_code::invalid_parameter);
  buffer.alloc_id = 0;
  CHECK(check_alloc_create(buffer, 1).why().code == error_code::invalid_parameter);
  buffer.alloc_id = 0x7FFFFFFF;
  CHECK(check_alloc_create(buffer, 1));
}

TEST_CASE("a shared resource is exactly one allocation", "[memory][private_data]") {
  const std::uint32_t count = GENERATE(0u, 2u, UINT32_MAX);
  CHECK(check_alloc_create(shared_blob(0), count).why().code == error_code::unsupported);
  CHECK(
      check_alloc_open(shared_blob(5), count, alloc_opening::create, user_mode_object).why().code ==
      error_code::unsupported);
}

TEST_CASE("a token without the shared flag is refused", "[memory][private_data]") {
  alloc_private_data data = shared_blob(5);
  data.flags = 0;
  CHECK(check_alloc_create(data, 1).why().code == error_code::invalid_parameter);
}

TEST_CASE("a pitch larger than the allocation is refused", "[memory][private_data]") {
  alloc_private_data data = private_blob();
  data.row_pitch_bytes = 4096;
  CHECK(check_alloc_create(data, 1));
  data.row_pitch_bytes = 4097;
  CHECK(check_alloc_create(data, 1).why().code == error_code::invalid_parameter);
  CHECK(check_alloc_open(data, 1, alloc_opening::create, user_mode_object).why().code ==
        error_code::invalid_parameter);
  data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION;
  data.reserved0 = 4097;
  CHECK(check_alloc_create(data, 1).why().code == error_code::invalid_parameter);
  data.reserved0 |= AEROGPU_WDDM_ALLOC_PRIV_DESC_MARKER;
  CHECK(check_alloc_create(data, 1));
}

TEST_CASE("an allocation has bytes, and no more than can be addressed", "[memory][private_data]") {
  alloc_private_data data = private_blob();
  data.row_pitch_bytes = 0;
  data.size_bytes = 0;
  CHECK(check_alloc_create(data, 1).why().code == error_code::invalid_parameter);
  data.size_bytes = UINT32_MAX;
  CHECK(check_alloc_create(data, 1, UINT32_MAX));
  data.size_bytes = std::uint64_t{UINT32_MAX} + 1;
  CHECK(check_alloc_create(data, 1, UINT32_MAX).why().code == error_code::size_overflow);
}

TEST_CASE("rules are tried in the order of kmd.md 3.4", "[memory][private_data]") {
  alloc_private_data data = shared_blob(0);
  data.alloc_id = 0x80000000;
  data.size_bytes = 0;
  CHECK(check_alloc_create(data, 2).why().code == error_code::invalid_parameter);
  data.alloc_id = 7;
  CHECK(check_alloc_create(data, 2).why().code == error_code::unsupported);
  CHECK(check_alloc_create(data, 1).why().code == error_code::invalid_parameter);
}

TEST_CASE("an existing shared allocation opens with its own blob only", "[memory][private_data]") {
  CHECK(opened(shared_blob(0x1122)) == error_code::none);
  alloc_private_data data = shared_blob(0x1122);
  SECTION("not shared") {
    data.flags = 0;
  }
  SECTION("no token") {
    data.share_token = 0;
  }
  SECTION("another token") {
    data.share_token = 0x1123;
  }
  SECTION("another id") {
    data.alloc_id = 8;
  }
  SECTION("id 0") {
    data.alloc_id = 0;
  }
  SECTION("no size") {
    data.size_bytes = 0;
    data.row_pitch_bytes = 0;
  }
  CHECK(opened(data) == error_code::invalid_parameter);
}

TEST_CASE("a shared allocation without a token cannot be opened by others",
          "[memory][private_data]") {
  CHECK(opened(shared_blob(0), {alloc_id{7}, share_token{0}}) == error_code::invalid_parameter);
}

TEST_CASE("a creator opens its allocation before the token is in the blob",
          "[memory][private_data]") {
  CHECK(check_alloc_open(shared_blob(0), 1, alloc_opening::create, user_mode_object));
  CHECK(check_alloc_open(private_blob(), 2, alloc_opening::create, user_mode_object));
  CHECK(check_alloc_open(standard_blob(0), 1, alloc_opening::create, user_mode_object));
}

TEST_CASE("anybody may open a standard allocation by its own id", "[memory][private_data]") {
  const alloc_identity primary{alloc_id{0x80000003}, share_token{0}};
  CHECK(opened(standard_blob(0x80000003), primary) == error_code::none);
  CHECK(opened(standard_blob(0x80000004), primary) == error_code::invalid_parameter);
  CHECK(opened(standard_blob(0x80000003), {alloc_id{0x80000003}, share_token{5}}) ==
        error_code::invalid_parameter);
}
