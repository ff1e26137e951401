// SPDX-License-Identifier: MIT
#include "aerogpu/device/config.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu {
namespace {

TEST_CASE("the VBLANK feature follows the configuration", "[device]") {
  device_config config;
  CHECK(feature_bits(config) == 0x3F);
  config.vblank_hz = 0;
  CHECK(feature_bits(config) == 0x37);
}

TEST_CASE("BAR1 is a power of two in range and covers lent memory", "[device]") {
  device_config config;
  CHECK(check_config(config));
  for (const std::uint32_t size : {0u, 256u << 10, 3u << 20, (64u << 20) + 1}) {
    config.bar1_bytes = size;
    CHECK(check_config(config).why().code == error_code::invalid_parameter);
  }
  config.bar1_bytes = 512u << 10;
  CHECK(check_config(config));
  config.bar1_bytes = 1u << 31;
  CHECK(check_config(config));
  std::array<std::byte, 16> lent;
  config.bar1_bytes = 512u << 10;
  config.vram = mutable_bytes{lent.data(), (512u << 10) + 1};
  CHECK_FALSE(check_config(config));
}

TEST_CASE("a poll interval that would keep the embedder's loop busy is refused", "[device]") {
  const auto [interval, is_good] = GENERATE(
      table<std::uint32_t, bool>({{0, false}, {999, false}, {1'000, true}, {1'001, true}}));
  device_config config;
  config.poll_interval_ns = interval;
  const auto checked = check_config(config);
  CHECK(static_cast<bool>(checked) == is_good);
  if (is_good) return;
  CHECK(checked.why().code == error_code::invalid_parameter);
  CHECK(checked.why().detail == interval);
  CHECK(std::string_view{checked.why().what}.find("poll_interval_ns") == 0);
}

TEST_CASE("a refresh rate above 1,000 is refused", "[device]") {
  device_config config;
  config.vblank_hz = 1'000;
  CHECK(check_config(config));
  config.vblank_hz = 1'001;
  CHECK(check_config(config).why().detail == 1'001);
}

TEST_CASE("a configuration with a limit out of its range makes no device", "[device]") {
  device_config config;
  config.bounds.pending_fences = 0;
  const auto checked = check_config(config);
  CHECK(checked.why().code == error_code::invalid_parameter);
  CHECK(std::string_view{checked.why().what}.find("limits.pending_fences") == 0);
}

}  // namespace
}  // namespace aerogpu
