// SPDX-License-Identifier: MIT
// Tests of aerogpu/core/text.hpp.
#include "aerogpu/core/text.hpp"

#include "tests/catch.hpp"

#include <array>
#include <limits>
#include <string>

using namespace aerogpu;

namespace {

template <class Append>
auto written(Append append) -> std::string {
  std::array<char, 64> storage{};
  text_buffer text{storage};
  append(text);
  return std::string{text.view()};
}

}  // namespace

TEST_CASE("numbers are written in decimal, signed and hexadecimal at their extremes", "[core]") {
  CHECK(written([](auto& t) { append_decimal(t, 0); }) == "0");
  CHECK(written([](auto& t) { append_decimal(t, UINT64_MAX); }) == "18446744073709551615");
  CHECK(written([](auto& t) { append_signed(t, -1); }) == "-1");
  CHECK(written([](auto& t) { append_signed(t, std::numeric_limits<std::int64_t>::min()); }) ==
        "-9223372036854775808");
  CHECK(written([](auto& t) { append_hex(t, 0); }) == "0x0");
  CHECK(written([](auto& t) { append_hex(t, 0x1C0, 4); }) == "0x01c0");
  CHECK(written([](auto& t) { append_hex(t, UINT64_MAX, 20); }) == "0xffffffffffffffff");
}

TEST_CASE("a text_buffer cuts what does not fit and says so", "[core]") {
  std::array<char, 4> storage{};
  text_buffer text{storage};
  text.append("abcd");
  CHECK_FALSE(text.truncated());
  text.append("e");
  CHECK(text.truncated());
  CHECK(text.view() == "abcd");
}
