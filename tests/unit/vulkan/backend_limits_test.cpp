// SPDX-License-Identifier: MIT
#include "vulkan/backend_limits.hpp"

#include "tests/catch.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <string>

using namespace aerogpu;
using namespace aerogpu::vulkan;

TEST_CASE("the default limits of the backend are good", "[limits]") {
  CHECK(check_limits(backend_limits{}));
}

TEST_CASE("a backend limit outside its range is refused by name, its ends are not", "[limits]") {
  for (const backend_limit_row& row : backend_limit_rows) {
    CAPTURE(row.refusal);
    const auto check = [&](std::uint64_t value) {
      backend_limits bounds;
      bounds.*row.member = value;
      return check_limits(bounds);
    };
    CHECK(check(row.least));
    CHECK(check(row.most));
    CHECK(check(0).why().code == error_code::invalid_parameter);
    CHECK(check(row.least - 1).why().limit == row.least);
    CHECK(check(row.most + 1).why().limit == row.most);
    CHECK(check(UINT64_MAX).why().detail == UINT64_MAX);
    CHECK(std::string{check(0).why().what} == row.refusal);
  }
}

TEST_CASE("a backend with a limit of 0 is not made, with a sentence", "[limits]") {
  backend_options options;
  options.bounds.image_views = 0;
  const auto made = vulkan_backend::create(options);
  REQUIRE_FALSE(made);
  CHECK(made.why().code == error_code::invalid_parameter);
  CHECK(std::string{made.why().what} ==
        "image_views of the backend's limits is not from 1 to 2^20");
}
