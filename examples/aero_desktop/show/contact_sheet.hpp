// SPDX-License-Identifier: MIT
/// \file Many frames on one picture, at half their size.
#pragma once

#include "aerogpu/device/rgba8_image.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace desktop {

class contact_sheet {
 public:
  static constexpr std::uint32_t columns = 4, rows = 3, gap = 12;

  /// Of a show of `frame_count` frames of one size.
  contact_sheet(std::uint32_t frame_count, std::uint32_t frame_width, std::uint32_t frame_height);

  /// Keeps the frame if it is one of those on the sheet.
  void add(std::uint32_t index, const aerogpu::rgba8_image& frame);
  [[nodiscard]] auto write(const std::string& path, std::string& why) const -> bool;

 private:
  [[nodiscard]] auto frame_at(std::uint32_t cell) const -> std::uint32_t;
  void put(std::uint32_t cell, const aerogpu::rgba8_image& frame);

  std::uint32_t frame_count_, cell_width_, cell_height_, width_, height_;
  std::vector<std::byte> pixels_;  ///< R8G8B8A8.
};

}  // namespace desktop
