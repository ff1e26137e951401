// SPDX-License-Identifier: MIT
#include "aerogpu/processor/state/constants.hpp"

#include "tests/catch.hpp"

#include <vector>

namespace aerogpu {
namespace {

auto floats(std::size_t count, float value) -> std::vector<vec4f> {
  return std::vector<vec4f>(count, vec4f{value, value, value, value});
}
template <class T>
auto bytes_in(const std::vector<T>& values) -> const_bytes {
  return std::as_bytes(std::span{values});
}

}  // namespace

TEST_CASE("a constant file grows with what is written and stays bounded", "[constants]") {
  constant_file file;
  CHECK(file.view().floats.empty());
  CHECK(file.view().ints.empty());
  CHECK(file.view().bools.size() == bool_constant_count);
  const auto set = [&](std::size_t start, float value) {
    REQUIRE(file.grow_floats(start + 1));
    REQUIRE(file.set_floats(start, bytes_in(floats(1, value))));
  };
  CHECK_FALSE(file.has_floats(1));
  set(0, 1);
  CHECK(file.has_floats(256));
  CHECK(file.view().floats.size() == d3d9_float_constants);
  set(256, 2);
  CHECK(file.view().floats.size() == 512);
  set(4095, 3);
  CHECK(file.view().floats.size() == float_constant_count);
  CHECK(file.view().floats[0] == vec4f{1, 1, 1, 1});
  CHECK(file.view().floats[1] == vec4f{});
  CHECK(file.view().floats[256] == vec4f{2, 2, 2, 2});
  CHECK(file.view().floats[4095] == vec4f{3, 3, 3, 3});
}

TEST_CASE("a bool register is 0 or 1, and the last one is written too", "[constants]") {
  constant_file file;
  file.set_bool(255, true);
  CHECK(file.view().bools[254] == 0);
  CHECK(file.view().bools[255] == 1);
  file.set_bool(255, false);
  CHECK(file.view().bools[255] == 0);
}

}  // namespace aerogpu
