// SPDX-License-Identifier: MIT
// Tests of aerogpu/core/feature_text.hpp.
#include "aerogpu/core/feature_text.hpp"

#include "tests/catch.hpp"

#include <array>
#include <string>

using namespace aerogpu;

namespace {

auto feature_text(std::uint64_t low, std::uint64_t high) -> std::string {
  std::array<char, 4096> storage;
  text_buffer text{storage};
  append_feature_text(text, low, high);
  CHECK_FALSE(text.truncated());
  return std::string{text.view()};
}

}  // namespace

TEST_CASE("feature words read as in wire.md 3.3", "[core]") {
  const auto [low, high, text] = GENERATE(table<std::uint64_t, std::uint64_t, std::string>({
      {0, 0, "(none)"},
      {0x3F, 0, "cursor, scanout, vblank, fence_page, transfer, error_info"},
      {0x3D, 0, "scanout, vblank, fence_page, transfer, error_info"},
      {0x40, 0, "unknown_bit_6"},
      {0x8000000000000008, 1, "vblank, unknown_bit_63, unknown_bit_64"},
      {0x20, 0x8000000000000000, "error_info, unknown_bit_127"},
  }));
  CHECK(feature_text(low, high) == text);
}

TEST_CASE("each of the 128 feature bits has one name of its own", "[core]") {
  const std::string all = feature_text(UINT64_MAX, UINT64_MAX);
  for (int bit = 6; bit < 128; ++bit) {
    CAPTURE(bit);
    const std::string name = "unknown_bit_" + std::to_string(bit);
    const std::uint64_t low = bit < 64 ? 1ull << bit : 0;
    CHECK(feature_text(low, bit < 64 ? 0 : 1ull << (bit - 64)) == name);
    CHECK((all + ",").find(", " + name + ",") != std::string::npos);
  }
  CHECK(feature_text(0x1, 0) == "fence_page");
}
