// SPDX-License-Identifier: MIT
#include "tools/aerogpu/files/png_file.hpp"

#include "tools/aerogpu/files/pending_file.hpp"

#include <png.h>

namespace aerogpu::tool {

namespace {

auto describe_image(std::uint32_t width, std::uint32_t height) -> png_image {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGBA;
  return image;
}

/// libpng's own way into a file removes it when it fails, whatever it is.
auto encode(const_bytes rgba8, std::uint32_t width, std::uint32_t height, std::string& why)
    -> std::optional<std::vector<std::byte>> {
  png_image image = describe_image(width, height);
  if (rgba8.size() != PNG_IMAGE_SIZE(image)) {
    why = "the picture's bytes do not fit its size";
    return std::nullopt;
  }
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::byte> bytes(size);
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, rgba8.data(), 0, nullptr) == 0) {
    why = std::string{"the picture cannot be encoded: "} + image.message;
    return std::nullopt;
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace

auto write_png(const std::string& path, const_bytes rgba8, std::uint32_t width,
               std::uint32_t height, std::string& why) -> bool {
  const auto bytes = encode(rgba8, width, height, why);
  if (!bytes) {
    why = path + ": " + why;
    return false;
  }
  return replace_file(path, *bytes, why);
}

auto read_png(const std::string& path, std::string& why) -> std::optional<png_picture> {
  constexpr std::uint64_t most_pixels = 64u << 20;
  png_image image = describe_image(0, 0);
  if (png_image_begin_read_from_file(&image, path.c_str()) == 0) {
    why = path + ": " + image.message;
    return std::nullopt;
  }
  if (std::uint64_t{image.width} * image.height > most_pixels) {
    png_image_free(&image);
    why = path + ": the picture has more than 64 Mi pixels";
    return std::nullopt;
  }
  image.format = PNG_FORMAT_RGBA;
  png_picture picture{image.width, image.height, std::vector<std::byte>(PNG_IMAGE_SIZE(image))};
  if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr) == 0) {
    why = path + ": " + image.message;
    return std::nullopt;
  }
  return picture;
}

auto encode_png(const png_picture& picture, std::string& why)
    -> std::optional<std::vector<std::byte>> {
  return encode(picture.pixels, picture.width, picture.height, why);
}

}  // namespace aerogpu::tool
