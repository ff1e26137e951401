// SPDX-License-Identifier: MIT
#include "aerogpu/stream/text/json_printer.hpp"

#include "tests/unit/stream/streams.hpp"

#include <array>
#include <string>
#include <string_view>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

template <class Print>
auto json_of_calls(Print&& print) -> std::string {
  string_sink sink;
  json_printer<string_sink> printer{sink};
  print(printer);
  return sink.text;
}

auto json_string(std::string_view characters) -> std::string {
  return json_of_calls([&](auto& p) { p.text({}, std::as_bytes(std::span{characters})); });
}

}  // namespace

TEST_CASE("JSON values stand apart by commas, and behind their names", "[stream][printer]") {
  CHECK(json_of_calls([](auto& p) {
          p.begin_object({});
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
          p.null("g");
          p.end_object();
        }) == R"({"a":1,"b":-2,"c":[3,{"d":"0x10"},{"omitted":4}],"e":"f","g":null})");
}

TEST_CASE("floats that JSON cannot hold are strings", "[stream][printer]") {
  const auto text = [](std::uint32_t bits) {
    return json_of_calls([&](auto& p) { p.float_bits("f", bits); });
  };
  CHECK(text(0x3F000000) == R"("f":0.5)");
  CHECK(text(0x7F7FFFFF) == R"("f":3.4028235e+38)");
  CHECK(text(0x7F800000) == R"("f":"inf")");
  CHECK(text(0xFF800000) == R"("f":"-inf")");
  CHECK(text(0x7FC00000) == R"("f":"nan")");
}

TEST_CASE("flags in JSON are names, and one number for the rest", "[stream][printer]") {
  const auto text = [](std::uint32_t flags) {
    return json_of_calls([&](auto& p) { p.flags("f", row_of(value_set::clear_flags), flags); });
  };
  CHECK(text(0) == R"("f":[])");
  CHECK(text(AEROGPU_CLEAR_COLOR) == R"("f":["COLOR"])");
  CHECK(text(AEROGPU_CLEAR_COLOR | AEROGPU_CLEAR_DEPTH | 0x30) == R"("f":["COLOR","DEPTH",48])");
  CHECK(text(1u << 31) == R"("f":[2147483648])");
}

TEST_CASE("bytes in JSON are hexadecimal up to a limit, beside how many there are",
          "[stream][printer]") {
  const std::array bytes{std::byte{0x0F}, std::byte{0xA0}, std::byte{0x99}};
  const auto text = [&](std::size_t limit) {
    return json_of_calls([&](auto& p) { p.bytes("b", bytes, limit); });
  };
  CHECK(text(3) == R"("b":{"size_bytes":3,"hex":"0fa099"})");
  CHECK(text(4) == R"("b":{"size_bytes":3,"hex":"0fa099"})");
  CHECK(text(2) == R"("b":{"size_bytes":3,"hex":"0fa0"})");
  CHECK(text(0) == R"("b":{"size_bytes":3,"hex":""})");
}

TEST_CASE("JSON escapes what it must and keeps the rest", "[stream][printer]") {
  CHECK(json_string("") == R"("")");
  CHECK(json_string(" ~Az09") == R"(" ~Az09")");
  CHECK(json_string("a\"b\\c") == R"("a\"b\\c")");
  CHECK(json_string("\x1F\x7F\n") == R"("\u001f\u007f\u000a")");
  CHECK(json_string("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80") ==
        "\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\"");
  CHECK(json_string("\xFFz\xE2\x82") == R"("\ufffdz\ufffd\ufffd")");
}

TEST_CASE("members on lines of their own", "[stream][printer]") {
  CHECK(json_of_calls([](auto& p) {
          p.begin_array("list");
          p.begin_line();
          p.number({}, 1);
          p.begin_line();
          p.number({}, 2);
          p.end_array();
          p.number("next", 3);
        }) == "\"list\":[\n1,\n2],\"next\":3");
}
