// SPDX-License-Identifier: MIT
#include "aerogpu/device/address_latch.hpp"

#include "tests/catch.hpp"

namespace aerogpu {
namespace {

auto committed(std::uint64_t address) -> address_latch {
  address_latch latch;
  latch.restore(gpa{address}, false, 0);
  return latch;
}

TEST_CASE("a low half waits: it reads back, and nobody uses it yet", "[device]") {
  auto latch = committed(0x1'00000020);
  latch.write_low(0x9000);
  CHECK(latch.read_low() == 0x9000);
  CHECK(latch.read_high() == 1);
  CHECK(latch.address() == gpa{0x1'00000020});
  CHECK(latch.is_pending());
}

TEST_CASE("a high half commits both at once", "[device]") {
  auto latch = committed(0x1'00000020);
  latch.write_low(0x8000);
  latch.write_low(0x9000);
  latch.write_high(2);
  CHECK(latch.address() == gpa{0x2'00009000});
  CHECK_FALSE(latch.is_pending());
}

TEST_CASE("a high half alone keeps the committed low half", "[device]") {
  auto latch = committed(0x1'00000020);
  latch.write_high(3);
  CHECK(latch.address() == gpa{0x3'00000020});
}

TEST_CASE("a dropped low half reads as committed again", "[device]") {
  auto latch = committed(0x1'00000020);
  latch.write_low(0);
  latch.drop_pending();
  CHECK(latch.read_low() == 0x20);
  latch.write_high(1);
  CHECK(latch.address() == gpa{0x1'00000020});
}

}  // namespace
}  // namespace aerogpu
