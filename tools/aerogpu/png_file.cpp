#include "png_file.hpp"

#include <png.h>

namespace aerogpu::tool {

auto write_png(const std::string& path, const_bytes rgba8, std::uint32_t width,
               std::uint32_t height, std::string& why) -> bool {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGBA;
  if (rgba8.size() != PNG_IMAGE_SIZE(image)) {
    why = path + ": the picture's bytes do not fit its size";
    return false;
  }
  const int is_written = png_image_write_to_file(&image, path.c_str(), 0, rgba8.data(), 0, nullptr);
  if (is_written == 0) why = path + ": " + image.message;
  return is_written != 0;
}

}  // namespace aerogpu::tool
