// SPDX-License-Identifier: MIT
#include "drivers/wine/guestd/picture_series.hpp"

#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/files/png_file.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <pthread.h>
#include <utility>

namespace aerogpu::wine {
namespace {

constexpr std::chrono::seconds interval{1};

[[nodiscard]] auto file_name(std::uint32_t number) -> std::string {
  std::array<char, 32> text;
  const int length = std::snprintf(text.data(), text.size(), "desktop-%04u.png", number);
  return {text.data(), static_cast<std::size_t>(length)};
}

/// A monitor has no use for alpha, and a surface often none to show.
void make_opaque(mutable_bytes rgba8) {
  constexpr std::size_t alpha = 3;
  for (std::size_t i = alpha; i < rgba8.size(); i += rgba8_bytes_per_pixel)
    rgba8[i] = std::byte{0xFF};
}

}  // namespace

picture_series::picture_series(std::string folder, reader read)
    : folder_(std::move(folder)), read_(std::move(read)), thread_([this] { run(); }) {}

picture_series::~picture_series() {
  stop();
}

void picture_series::run() {
  pthread_setname_np(pthread_self(), "guestd pictures");
  std::unique_lock hold{mutex_};
  while (!ends_.wait_for(hold, interval, [this] { return is_over_; })) take();
}

void picture_series::stop() {
  {
    const std::lock_guard hold{mutex_};
    is_over_ = true;
  }
  ends_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void picture_series::take() {
  if (!why_.empty() || !read_(image_)) return;
  make_opaque(image_.pixels());
  const auto pixels = std::as_const(image_).pixels();
  if (last_width_ == image_.width() && std::ranges::equal(last_, pixels)) return;
  last_.assign(pixels.begin(), pixels.end());
  last_width_ = image_.width();
  if (!tool::make_folder(folder_, why_)) return;
  const auto path = tool::join(folder_, file_name(written_ + 1));
  if (tool::write_png(path, pixels, image_.width(), image_.height(), why_)) ++written_;
}

auto picture_series::finish(std::string& why) -> bool {
  stop();
  take();
  why = why_;
  return why_.empty();
}

}  // namespace aerogpu::wine
