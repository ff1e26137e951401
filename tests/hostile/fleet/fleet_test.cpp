// SPDX-License-Identifier: MIT
// One hostile guest and one honest desktop in the same process, each with a device and a thread of
// its own. Whatever the one does in a loop, the other's frames are what they are alone.
#include "tests/catch.hpp"
#include "tests/hostile/fleet/fleet_desktop.hpp"
#include "tests/hostile/fleet/fleet_guests.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::hostile;

namespace {

constexpr std::uint32_t frame_count = honest_desktop::frame_count;

auto median_ms(const std::vector<shown_frame>& frames, std::uint64_t shown_frame::*what) -> double {
  std::vector<std::uint64_t> values;
  for (const shown_frame& each : frames) values.push_back(each.*what);
  std::ranges::sort(values);
  return static_cast<double>(values[values.size() / 2]) / 1e6;
}

struct watched_desktop {
  honest_desktop desktop;
  std::vector<shown_frame> alone = desktop.show();
};

auto the_desktop() -> watched_desktop& {
  static watched_desktop only;
  return only;
}

/// The frames are equal, and the desktop's thread has no more to do than twice what it has alone.
/// Time on the wall depends on how many processors there are: it is told, and fleet_bench keeps it.
void frames_are_the_same(const char* name) {
  const std::vector<shown_frame>& alone = the_desktop().alone;
  const hostile_loop other{neighbour_of(name)};
  const std::vector<shown_frame> beside = the_desktop().desktop.show();
  REQUIRE(alone.size() == frame_count);
  for (std::size_t i = 0; i < frame_count; ++i) {
    INFO(name << ": frame " << i);
    CHECK((beside[i].pixels == alone[i].pixels));
  }
  const double before = median_ms(alone, &shown_frame::thread_ns);
  const double after = median_ms(beside, &shown_frame::thread_ns);
  std::printf(
      "%-10s %3u rounds; a frame takes %5.1f ms (alone %5.1f), of its thread %5.1f (%5.1f)\n", name,
      other.rounds(), median_ms(beside, &shown_frame::wall_ns),
      median_ms(alone, &shown_frame::wall_ns), after, before);
  constexpr double noise_ms = 2;
  CHECK(after <= 2 * before + noise_ms);
}

}  // namespace

TEST_CASE("a desktop alone draws the same frames every time") {
  const std::vector<shown_frame> again = the_desktop().desktop.show();
  for (std::size_t i = 0; i < frame_count; ++i) {
    CHECK((again[i].pixels == the_desktop().alone[i].pixels));
  }
  CHECK((the_desktop().alone[0].pixels != the_desktop().alone[frame_count - 1].pixels));
}

TEST_CASE("a desktop beside a guest that draws without an end") {
  frames_are_the_same("draws");
}

TEST_CASE("a desktop beside a guest that moves memory without an end") {
  frames_are_the_same("copies");
}

TEST_CASE("a desktop beside a guest whose every draw is another pipeline") {
  frames_are_the_same("pipelines");
}

TEST_CASE("a desktop beside a guest whose every shader is wrong") {
  frames_are_the_same("shaders");
}

TEST_CASE("a desktop beside a guest that shares and takes back") {
  frames_are_the_same("tokens");
}

/// The last one: what it abandons may run until this process ends.
TEST_CASE("~ a desktop beside a guest that hangs its device") {
  frames_are_the_same("hangs");
}
