// SPDX-License-Identifier: MIT
#include "aerogpu/stream/text/text_printer.hpp"

#include "tests/unit/stream/streams.hpp"

#include <array>
#include <string>
#include <string_view>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// What `print(printer)` prints, without the space in front of the first value.
template <class Print>
auto printed(Print&& print) -> std::string {
  string_sink sink;
  text_printer<string_sink> printer{sink};
  print(printer);
  REQUIRE_FALSE(sink.text.empty());
  CHECK(sink.text[0] == ' ');
  return sink.text.substr(1);
}

auto quoted(std::string_view characters) -> std::string {
  return printed([&](auto& p) { p.text({}, std::as_bytes(std::span{characters})); });
}

}  // namespace

TEST_CASE("printable characters are themselves, and the others numbers", "[stream][printer]") {
  CHECK(quoted("") == R"("")");
  CHECK(quoted(" ~Az09") == R"(" ~Az09")");
  CHECK(quoted("\x1F") == R"("\x1f")");
  CHECK(quoted("\x7F") == R"("\x7f")");
  CHECK(quoted("\x80\xFF") == R"("\x80\xff")");
  CHECK(quoted(std::string_view{"\0\n", 2}) == R"("\x00\x0a")");
  CHECK(quoted("a\"b\\c") == R"("a\"b\\c")");
}

TEST_CASE("bytes are printed up to a limit, after how many there are", "[stream][printer]") {
  const std::array bytes{std::byte{0x0F}, std::byte{0xA0}, std::byte{0x99}};
  const auto with = [&](std::size_t count, std::size_t limit) {
    return printed([&](auto& p) { p.bytes("b", const_bytes{bytes}.first(count), limit); });
  };
  CHECK(with(0, 2) == "b=0 bytes");
  CHECK(with(2, 2) == "b=2 bytes: 0f a0");
  CHECK(with(3, 2) == "b=3 bytes: 0f a0 ...");
  CHECK(with(3, 3) == "b=3 bytes: 0f a0 99");
  CHECK(with(1, 0) == "b=1 bytes: ...");
}

TEST_CASE("values stand apart by one space, and the first in a bracket by none",
          "[stream][printer]") {
  CHECK(printed([](auto& p) {
          p.number("a", 1);
          p.integer("b", -2);
          p.begin_array("c");
          p.number({}, 3);
          p.begin_object({});
          p.bits("d", 16);
          p.end_object();
          p.omitted(4);
          p.end_array();
          p.word("e", "f");
        }) == "a=1 b=-2 c=[3 {d=0x10} ... 4 more] e=f");
}
