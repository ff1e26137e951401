// SPDX-License-Identifier: MIT
#include "aerogpu/stream/text/utf8.hpp"

#include "tests/catch.hpp"

#include <string_view>

using namespace aerogpu;

namespace {

auto size_at(std::string_view text) -> std::size_t {
  return utf8_sequence_size(std::as_bytes(std::span{text}));
}

}  // namespace

TEST_CASE("sequences of UTF-8 have their sizes", "[stream][utf8]") {
  CHECK(size_at("a") == 1);
  CHECK(size_at("\x7F") == 1);
  CHECK(size_at("\xC2\x80") == 2);
  CHECK(size_at("\xDF\xBF") == 2);
  CHECK(size_at("\xE0\xA0\x80") == 3);
  CHECK(size_at("\xED\x9F\xBF") == 3);
  CHECK(size_at("\xEE\x80\x80") == 3);
  CHECK(size_at("\xF0\x90\x80\x80") == 4);
  CHECK(size_at("\xF4\x8F\xBF\xBF") == 4);
}

TEST_CASE("overlong, cut, surrogate and too large sequences are none", "[stream][utf8]") {
  for (const std::string_view text :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x41", "\xE0\x9F\xBF", "\xE2\x82",
        "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
        "\xFF"}) {
    CHECK(size_at(text) == 0);
  }
}
