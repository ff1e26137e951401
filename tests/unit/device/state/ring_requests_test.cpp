// SPDX-License-Identifier: MIT
#include "aerogpu/device/state/ring_requests.hpp"

#include "tests/catch.hpp"

namespace aerogpu {

TEST_CASE("a doorbell of a disabled ring is lost", "[device][state]") {
  ring_requests requests;
  CHECK_FALSE(requests.ring_doorbell(false));
  CHECK_FALSE(requests.has_doorbell());
  CHECK(requests.ring_doorbell(true));
  CHECK_FALSE(requests.begin_doorbell(false, true));
  CHECK_FALSE(requests.has_doorbell());
}

TEST_CASE("a doorbell waits for DMA, and until it is answered", "[device][state]") {
  ring_requests requests;
  CHECK(requests.ring_doorbell(true));
  CHECK_FALSE(requests.begin_doorbell(true, false));
  CHECK(requests.begin_doorbell(true, true));
  requests.end_doorbell(false);
  CHECK(requests.begin_doorbell(true, true));
  requests.end_doorbell(true);
  CHECK_FALSE(requests.begin_doorbell(true, true));
}

TEST_CASE("a ring reset is taken once, with DMA", "[device][state]") {
  ring_requests requests;
  requests.ask_for_reset();
  CHECK_FALSE(requests.take_reset(false));
  CHECK(requests.has_reset());
  CHECK(requests.take_reset(true));
  CHECK_FALSE(requests.take_reset(true));
}

TEST_CASE("a doorbell and a ring reset are dropped one without the other", "[device][state]") {
  ring_requests requests{true, true};
  requests.drop_doorbell();
  CHECK_FALSE(requests.has_doorbell());
  CHECK(requests.has_reset());
  requests = {true, true};
  requests.drop_reset();
  CHECK(requests.has_doorbell());
  CHECK_FALSE(requests.has_reset());
}

}  // namespace aerogpu
