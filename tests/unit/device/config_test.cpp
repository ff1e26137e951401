#include "aerogpu/device/config.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstdint>

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

}  // namespace
}  // namespace aerogpu
