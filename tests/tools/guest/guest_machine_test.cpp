// SPDX-License-Identifier: MIT
/// \file The guest of a replay whose memory has no room left.
#include "tools/aerogpu/guest/guest_machine.hpp"

#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

TEST_CASE("a submission whose stream finds no memory is not handed over without it", "[tools]") {
  constexpr std::uint64_t limit = 1u << 20;
  constexpr gpa content{0x8000'0000};
  null_backend backend;
  tool::guest_machine<null_backend> machine{backend, limit};
  machine.memory().map(content, limit);
  std::string why;
  REQUIRE(machine.start(4096, why));
  const byte_vector stream = stream_builder{}.nop().bytes();
  std::uint64_t pages = limit / 4096;
  const byte_vector page(4096, std::byte{1});
  while (machine.memory().write(gpa{raw(content) + --pages * 4096}, page) && pages != 0) {
  }
  tool::guest_submission work;
  work.fence = fence_value{1};
  work.stream = stream;
  CHECK_FALSE(machine.submit(work));
  CHECK(machine.completed_fence() == fence_value{0});
  work.stream = {};  // Needs no room.
  CHECK(machine.submit(work));
  CHECK(machine.completed_fence() == fence_value{1});
}
