// SPDX-License-Identifier: MIT
#include "drivers/wine/guestd/picture_series.hpp"

#include "tests/catch.hpp"
#include "tools/aerogpu/files/png_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace aerogpu;
using namespace aerogpu::wine;

namespace {

/// Gone with the case.
class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "aerogpu-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~scratch_folder() { std::filesystem::remove_all(path_); }
  scratch_folder(const scratch_folder&) = delete;
  auto operator=(const scratch_folder&) -> scratch_folder& = delete;
  [[nodiscard]] auto operator/(const char* name) const -> std::string {
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

constexpr std::uint32_t width = 3, height = 2;

/// One shade in each byte, alpha too.
[[nodiscard]] auto show(rgba8_image& image, unsigned char shade) -> bool {
  if (!image.resize(width, height, 1u << 20)) return false;
  for (auto& byte : image.pixels()) byte = std::byte{shade};
  return true;
}

}  // namespace

TEST_CASE("the last picture of a series shows what the desktop showed, opaque") {
  const scratch_folder scratch;
  picture_series series{scratch / "made", [](rgba8_image& image) { return show(image, 0x40); }};
  std::string why;
  CHECK(series.finish(why));
  CHECK(why.empty());
  const auto picture = tool::read_png(scratch / "made/desktop-0001.png", why);
  REQUIRE(picture);
  CHECK(picture->width == width);
  CHECK(picture->height == height);
  CHECK(picture->pixels[0] == std::byte{0x40});
  CHECK(picture->pixels[3] == std::byte{0xFF});
}

TEST_CASE("a picture is written when it differs from the one before") {
  const scratch_folder scratch;
  unsigned char shade = 1;
  picture_series series{scratch / "made",
                        [&shade](rgba8_image& image) { return show(image, shade); }};
  std::string why;
  REQUIRE(series.finish(why));
  REQUIRE(series.finish(why));
  shade = 2;
  REQUIRE(series.finish(why));
  CHECK(std::filesystem::exists(scratch / "made/desktop-0002.png"));
  CHECK_FALSE(std::filesystem::exists(scratch / "made/desktop-0003.png"));
}

TEST_CASE("where nothing is shown there is no picture, and no folder") {
  const scratch_folder scratch;
  picture_series series{scratch / "made", [](rgba8_image&) { return false; }};
  std::string why;
  CHECK(series.finish(why));
  CHECK_FALSE(std::filesystem::exists(scratch / "made"));
}

TEST_CASE("a series that cannot be written says why") {
  const scratch_folder scratch;
  std::ofstream{scratch / "file"} << "no folder";
  picture_series series{scratch / "file", [](rgba8_image& image) { return show(image, 1); }};
  std::string why;
  CHECK_FALSE(series.finish(why));
  CHECK(why.find("file") != std::string::npos);
}
