// SPDX-License-Identifier: MIT
/// \file What the desktop shows, a PNG file for each second in which it changed.
#pragma once

#include "aerogpu/device/rgba8_image.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace aerogpu::wine {

/// Files are FOLDER/desktop-0001.png and so on; the folder is made with the first. A failure ends
/// the series, and nothing else.
class picture_series {
 public:
  /// False when nothing is shown. Called on the series' thread, and by `finish`.
  using reader = std::function<bool(rgba8_image&)>;

  picture_series(std::string folder, reader read);
  ~picture_series();
  picture_series(const picture_series&) = delete;
  auto operator=(const picture_series&) -> picture_series& = delete;

  /// The last picture. False, and a sentence in `why`, when one of the series cannot be written.
  [[nodiscard]] auto finish(std::string& why) -> bool;

 private:
  void run();
  void stop();
  void take();

  std::string folder_;
  reader read_;
  rgba8_image image_;
  std::vector<std::byte> last_;
  std::uint32_t last_width_ = 0;
  std::uint32_t written_ = 0;
  std::string why_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace aerogpu::wine
