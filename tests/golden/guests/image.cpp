// SPDX-License-Identifier: MIT
#include "tests/golden/guests/image.hpp"

#include "tests/catch.hpp"
#include "tools/aerogpu/files/png_file.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace aerogpu::golden {

namespace {

[[nodiscard]] auto channels(const rgba& texel) -> std::array<int, 4> {
  return {texel.r, texel.g, texel.b, texel.a};
}

[[nodiscard]] auto distance(const rgba& a, const rgba& b) -> int {
  const auto left = channels(a), right = channels(b);
  int most = 0;
  for (std::size_t i = 0; i < left.size(); ++i) most = std::max(most, std::abs(left[i] - right[i]));
  return most;
}

[[nodiscard]] auto to_text(const rgba& texel) -> std::string {
  std::ostringstream text;
  text << "(" << int{texel.r} << ", " << int{texel.g} << ", " << int{texel.b} << ", "
       << int{texel.a} << ")";
  return text.str();
}

/// Empty when all is within the tolerance.
[[nodiscard]] auto describe_difference(const image& actual, const image& expected,
                                       const tolerance& allowed) -> std::string {
  std::ostringstream text;
  int wrong = 0;
  for (int y = 0; y < expected.height(); ++y) {
    for (int x = 0; x < expected.width(); ++x) {
      const rgba& is = actual.at(x, y);
      const rgba& wanted = expected.at(x, y);
      if (distance(is, wanted) <= allowed.per_channel) continue;
      if (wrong++ < 4) {
        text << "\n  (" << x << ", " << y << ") is " << to_text(is) << ", expected "
             << to_text(wanted);
      }
    }
  }
  if (wrong <= allowed.edge_pixels) return {};
  return std::to_string(wrong) + " pixels differ:" + text.str();
}

/// Differences times 8, opaque, so that one step can be seen.
[[nodiscard]] auto difference_of(const image& actual, const image& expected) -> image {
  return image::made_by(expected.width(), expected.height(), [&](int x, int y) {
    const auto is = channels(actual.at(x, y)), wanted = channels(expected.at(x, y));
    const auto show = [&](std::size_t i) {
      return static_cast<std::uint8_t>(std::min(255, std::abs(is[i] - wanted[i]) * 8));
    };
    return rgba{show(0), show(1), std::max(show(2), show(3)), 255};
  });
}

[[nodiscard]] auto file_stem() -> std::string {
  static int count = 0;
  std::string name = Catch::getResultCapture().getCurrentTestName().substr(0, 60);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  return name + "-" + std::to_string(++count);
}

void write_pictures(const image& actual, const image& expected) {
  const char* wanted = std::getenv("AEROGPU_GOLDEN_OUT");
  const std::filesystem::path folder = wanted != nullptr ? wanted : "golden-failures";
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  const std::string stem = (folder / file_stem()).string();
  const auto write = [&](const image& picture, const std::string& kind) {
    std::string why;
    const std::string path = stem + "." + kind + ".png";
    const bool is_written =
        tool::write_png(path, picture.bytes(), static_cast<std::uint32_t>(picture.width()),
                        static_cast<std::uint32_t>(picture.height()), why);
    WARN((is_written ? "see " + path : "cannot write " + path + ": " + why));
  };
  write(actual, "actual");
  write(expected, "expected");
  write(difference_of(actual, expected), "difference");
}

}  // namespace

auto image::fill(const area& where, rgba color) -> image& {
  for (int y = std::max(0, where.y); y < std::min(height(), where.y + where.height); ++y) {
    for (int x = std::max(0, where.x); x < std::min(width(), where.x + where.width); ++x) {
      at(x, y) = color;
    }
  }
  return *this;
}

void check_image(const image& actual, const image& expected, const tolerance& allowed) {
  REQUIRE(actual.width() == expected.width());
  REQUIRE(actual.height() == expected.height());
  const std::string difference = describe_difference(actual, expected, allowed);
  CHECK(difference == std::string{});
  if (!difference.empty()) write_pictures(actual, expected);
}

}  // namespace aerogpu::golden
