// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compile.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"

#include <string_view>

using namespace aerogpu;

TEST_CASE("a build without the compiler says so, another compiles") {
  const auto made = dxbc::compile(test::sm4::vs_passing());
  if (dxbc::is_available()) {
    CHECK(made);
  } else {
    CHECK(made.why().code == error_code::unsupported);
    CHECK(std::string_view{made.why().what}.find("libvkd3d-dev") != std::string_view::npos);
  }
}
