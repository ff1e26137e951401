// SPDX-License-Identifier: MIT
#include "aerogpu/device/state/queued_fences.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu {
namespace {

struct fences_rig {
  fences_rig() { REQUIRE(fences.reserve(limits{})); }

  auto submit(std::uint64_t value, fence_kind kind = fence_kind::immediate) -> fence_ticket {
    return fences.submit(
        {.value = fence_value{value}, .kind = kind, .wants_irq = true, .consumed_at_ns = 0});
  }

  queued_fences fences;
};

}  // namespace

TEST_CASE("what retired is handed out once", "[device][state]") {
  fences_rig rig;
  rig.fences.finish(rig.submit(1));
  CHECK_FALSE(rig.fences.take_progress().has_advanced);
  rig.fences.release(false);
  const auto progress = rig.fences.take_progress();
  CHECK(progress.completed == fence_value{1});
  CHECK(progress.wants_irq);
  CHECK_FALSE(rig.fences.take_progress().has_advanced);
}

TEST_CASE("an edge retires the paced fence that a release leaves", "[device][state]") {
  fences_rig rig;
  rig.fences.finish(rig.submit(1, fence_kind::vsync_paced));
  rig.fences.release(true);
  CHECK(rig.fences.timeline().completed() == fence_value{});
  rig.fences.on_vblank_edge(1);
  CHECK(rig.fences.timeline().completed() == fence_value{1});
  CHECK(rig.fences.take_progress().has_advanced);
}

TEST_CASE("forgotten fences show no progress", "[device][state]") {
  fences_rig rig;
  rig.fences.finish(rig.submit(1));
  rig.fences.release(false);
  rig.fences.forget();
  CHECK(rig.fences.timeline().completed() == fence_value{});
  CHECK_FALSE(rig.fences.take_progress().has_advanced);
}

TEST_CASE("adopted fences go on from their own timeline", "[device][state]") {
  fences_rig rig;
  rig.fences.finish(rig.submit(1));
  rig.fences.release(false);
  fence_store store;
  REQUIRE(store.reserve(limits{}));
  fence_timeline timeline = store.make_timeline();
  const auto ticket =
      timeline.submit({fence_value{7}, fence_kind::immediate, true, std::uint64_t{0}});
  rig.fences.adopt(std::move(store), timeline);
  CHECK_FALSE(rig.fences.take_progress().has_advanced);
  rig.fences.finish(ticket);
  rig.fences.release(false);
  CHECK(rig.fences.take_progress().completed == fence_value{7});
}

}  // namespace aerogpu
