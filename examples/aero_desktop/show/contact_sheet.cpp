// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/show/contact_sheet.hpp"

#include "tools/aerogpu/files/png_file.hpp"

namespace desktop {

contact_sheet::contact_sheet(std::uint32_t frame_count, std::uint32_t frame_width,
                             std::uint32_t frame_height)
    : frame_count_(frame_count),
      cell_width_(frame_width / 2),
      cell_height_(frame_height / 2),
      width_(columns * (cell_width_ + gap) + gap),
      height_(rows * (cell_height_ + gap) + gap),
      pixels_(std::size_t{4} * width_ * height_, std::byte{0xFF}) {}

/// The frames are spread evenly, from the first to the last.
auto contact_sheet::frame_at(std::uint32_t cell) const -> std::uint32_t {
  return cell * (frame_count_ - 1) / (columns * rows - 1);
}

void contact_sheet::add(std::uint32_t index, const aerogpu::rgba8_image& frame) {
  if (frame.width() / 2 != cell_width_ || frame.height() / 2 != cell_height_) return;
  for (std::uint32_t cell = 0; cell < columns * rows; ++cell) {
    if (frame_at(cell) == index) put(cell, frame);
  }
}

/// Each pixel is the mean of four.
void contact_sheet::put(std::uint32_t cell, const aerogpu::rgba8_image& frame) {
  const std::size_t left = gap + cell % columns * (cell_width_ + gap);
  const std::size_t top = gap + cell / columns * (cell_height_ + gap);
  for (std::uint32_t y = 0; y < cell_height_; ++y) {
    const auto upper = frame.row(2 * y), lower = frame.row(2 * y + 1);
    std::byte* to = pixels_.data() + ((top + y) * width_ + left) * 4;
    for (std::size_t x = 0; x < std::size_t{4} * cell_width_; ++x) {
      const std::size_t from = x / 4 * 8 + x % 4;
      const unsigned sum =
          std::to_integer<unsigned>(upper[from]) + std::to_integer<unsigned>(upper[from + 4]) +
          std::to_integer<unsigned>(lower[from]) + std::to_integer<unsigned>(lower[from + 4]);
      to[x] = static_cast<std::byte>((sum + 2) / 4);
    }
  }
}

auto contact_sheet::write(const std::string& path, std::string& why) const -> bool {
  return aerogpu::tool::write_png(path, pixels_, width_, height_, why);
}

}  // namespace desktop
