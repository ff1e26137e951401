// SPDX-License-Identifier: MIT
// How long shaders rest that a driver took too long for.
#include "vulkan/pipeline/slow_shaders.hpp"

#include "tests/catch.hpp"

#include <cstddef>
#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

constexpr std::uint64_t hour_ms = 3'600'000;
constexpr shader_ids slow_ones{{1, 2, 0, 0, 0}};

auto resting_for(std::uint64_t rest_ms, std::uint64_t most = 16) -> backend_options {
  backend_options options;
  options.bounds.pipeline_rest_ms = rest_ms;
  options.bounds.graphics_pipelines = most;
  return options;
}

}  // namespace

TEST_CASE("slow_shaders: shaders that nobody complained of are free", "[vulkan][slow_shaders]") {
  const backend_options options = resting_for(hour_ms);
  slow_shaders slow{options};
  CHECK(slow.check(slow_ones));
}

TEST_CASE("slow_shaders: slow ones are refused while they rest, with the time that takes",
          "[vulkan][slow_shaders]") {
  const backend_options options = resting_for(hour_ms);
  slow_shaders slow{options};
  slow.add(slow_ones);
  for (int i = 0; i < 2; ++i) {
    const error why = slow.check(slow_ones).why();
    CHECK(why.code == error_code::unsupported);
    CHECK(why.limit == hour_ms);
  }
}

TEST_CASE("slow_shaders: a set of shaders rests as a whole, and no other does",
          "[vulkan][slow_shaders]") {
  const backend_options options = resting_for(hour_ms);
  slow_shaders slow{options};
  slow.add(slow_ones);
  for (std::size_t place = 0; place < graphics_stage_count; ++place) {
    CAPTURE(place);
    shader_ids other = slow_ones;
    other.of[place] = 7;
    CHECK(slow.check(other));
  }
  CHECK(slow.check(shader_ids{{2, 1, 0, 0, 0}}));
  CHECK_FALSE(slow.check(slow_ones));
}

TEST_CASE("slow_shaders: shaders that rested are free, and are not known any more",
          "[vulkan][slow_shaders]") {
  backend_options options = resting_for(hour_ms);
  slow_shaders slow{options};
  slow.add(slow_ones);
  options.bounds.pipeline_rest_ms = 0;
  CHECK(slow.check(slow_ones));
  options.bounds.pipeline_rest_ms = hour_ms;
  CHECK(slow.check(slow_ones));
  slow.add(slow_ones);
  CHECK_FALSE(slow.check(slow_ones));
}

TEST_CASE("slow_shaders: as many are known as a cache has pipelines, those asked for last",
          "[vulkan][slow_shaders]") {
  const backend_options options = resting_for(hour_ms, 2);
  slow_shaders slow{options};
  const shader_ids second{{3, 4, 0, 0, 0}}, third{{5, 6, 0, 0, 0}};
  slow.add(slow_ones);
  slow.add(second);
  CHECK_FALSE(slow.check(slow_ones));
  slow.add(third);
  CHECK_FALSE(slow.check(slow_ones));
  CHECK(slow.check(second));
  CHECK_FALSE(slow.check(third));
}
