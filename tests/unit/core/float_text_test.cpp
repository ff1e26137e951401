// SPDX-License-Identifier: MIT
#include "aerogpu/core/float_text.hpp"

#include "aerogpu/core/bytes.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>

using namespace aerogpu;

namespace {

auto text_of(std::uint32_t bits) -> std::string {
  std::array<char, 32> storage{};
  text_buffer buffer{storage};
  append_float(buffer, bits);
  REQUIRE_FALSE(buffer.truncated());
  return std::string(buffer.view());
}

}  // namespace

TEST_CASE("floats print as people write them", "[core][float_text]") {
  const auto [value, text] = GENERATE(table<float, std::string>({
      {0.0f, "0"},
      {-0.0f, "-0"},
      {1.0f, "1"},
      {-2.5f, "-2.5"},
      {0.1f, "0.1"},
      {0.3f, "0.3"},
      {1.0f / 3, "0.33333334"},
      {640.0f, "640"},
      {16777216.0f, "16777216"},
      {1e9f, "1000000000"},
      {1e10f, "1e+10"},
      {1.5e20f, "1.5e+20"},
      {0.00001f, "0.00001"},
      {0.0000015f, "1.5e-6"},
      {3.4028235e38f, "3.4028235e+38"},
      {1.1754944e-38f, "1.1754944e-38"},
  }));
  CHECK(text_of(as_bits(value)) == text);
}

TEST_CASE("the smallest float and what is no number print too", "[core][float_text]") {
  CHECK(text_of(0x00000001) == "1e-45");
  CHECK(text_of(0x007FFFFF) == "1.1754942e-38");
  CHECK(text_of(0x7F800000) == "inf");
  CHECK(text_of(0xFF800000) == "-inf");
  CHECK(text_of(0x7FC00000) == "nan");
  CHECK(text_of(0xFFFFFFFF) == "nan");
}

TEST_CASE("every float reads back as itself", "[core][float_text]") {
  std::mt19937 random{1};
  for (int i = 0; i < 20'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    if ((bits & 0x7F800000) == 0x7F800000) continue;
    const std::string text = text_of(bits);
    INFO(text);
    CHECK(as_bits(std::strtof(text.c_str(), nullptr)) == bits);
  }
  for (std::uint32_t exponent = 0; exponent < 255; ++exponent) {  // Powers of two: uneven gaps.
    const std::uint32_t bits = exponent << 23;
    CHECK(as_bits(std::strtof(text_of(bits).c_str(), nullptr)) == bits);
  }
}

// As `std::to_chars` has it, which goes to the even one of two that are as near.
TEST_CASE("no shorter text, nor a nearer one as short, reads back as the same float",
          "[core][float_text]") {
  const auto count_digits = [](std::string_view text) {
    std::string digits;
    for (const char c : text.substr(0, text.find('e'))) {
      if (c >= '0' && c <= '9') digits += c;
    }
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    while (digits.ends_with('0')) digits.pop_back();
    return digits.size();
  };
  const auto check = [&](std::uint32_t bits) {
    const auto value = std::bit_cast<float>(bits);
    std::array<char, 32> storage{};
    const auto written = std::to_chars(storage.data(), storage.data() + storage.size(), value,
                                       std::chars_format::scientific);
    const std::string wanted{storage.data(), written.ptr};
    const std::string text = text_of(bits);
    INFO(wanted << " " << text);
    CHECK(count_digits(text) == count_digits(wanted));
    const auto miss = [&](const std::string& of) {
      return std::abs(std::stod(of) - double{value});
    };
    CHECK(miss(text) <= miss(wanted) * 1.001);
  };
  std::mt19937 random{2};
  for (int i = 0; i < 5'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    if ((bits & 0x7F800000) != 0x7F800000) check(bits);
  }
  for (std::uint32_t exponent = 1; exponent < 255; ++exponent) {
    for (const std::uint32_t fraction : {0u, 1u, 2u, 0x7FFFFEu, 0x7FFFFFu}) {
      check(exponent << 23 | fraction);
    }
  }
}
