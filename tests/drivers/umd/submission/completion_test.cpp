// SPDX-License-Identifier: MIT
/// Fences, markers and the throttles of umd-d3d9.md 4.7 and 4.8.
#include "tests/drivers/umd/rigs/device_rig.hpp"
#include "tests/drivers/umd/rigs/recording.hpp"

#include <atomic>
#include <set>
#include <thread>

namespace aerogpu::umd::test {

namespace {

constexpr fake_runtime_options held{.completes_at_once = false};
constexpr fake_runtime_options held_with_fences{.gives_fences = true, .completes_at_once = false};

void submit_one(recorder& commands) {
  record_viewport(commands);
  REQUIRE(commands.submit() == S_OK);
}

}  // namespace

TEST_CASE("the kernel is asked at most once in 4 ms", "[umd][T024]") {
  const bool gives_fences = GENERATE(false, true);
  device_rig rig(gives_fences ? held_with_fences : held);
  completion& done = rig.device.commands.completion();
  submit_one(rig.device.commands);
  const auto questions = [&] { return rig.runtime.polls() + rig.runtime.locks(); };
  const std::uint64_t before = questions();
  const std::uint64_t start = rig.system.now_ns();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    CHECK(done.poll(start + i * 3'999) == fence_value{0});
  }
  CHECK(questions() == before + 1);
  rig.runtime.complete_all();
  CHECK(done.poll(start + 3'999'999) == fence_value{0});
  CHECK(done.poll(start + 4'000'000) == fence_value{1});
  CHECK(questions() == before + 2);
  CHECK(done.poll(start + 9'000'000) == fence_value{1});  // Nothing is open: no question.
  CHECK(questions() == before + 2);
}

TEST_CASE("a marker is busy before completion and free after it", "[umd][T027]") {
  device_rig rig(held);
  completion& done = rig.device.commands.completion();
  for (int i = 0; i < 10; ++i) submit_one(rig.device.commands);
  std::uint64_t now = rig.system.now_ns();
  for (const std::uint64_t complete : {0u, 1u, 2u, 7u, 7u, 9u, 10u}) {
    rig.runtime.complete(fence_value{complete});
    const std::uint64_t locks = rig.runtime.locks();
    CHECK(done.poll(now += completion::poll_interval_ns) == fence_value{complete});
    CHECK(rig.runtime.locks() - locks <= 5);
  }
}

TEST_CASE("each submission lists one marker, in turn, with an entry kept for it", "[umd][T027]") {
  device_rig rig;
  std::set<std::uint32_t> markers;
  for (std::uint64_t i = 0; i < marker_ring::slots; ++i) {
    submit_one(rig.device.commands);
    REQUIRE(rig.runtime.last().allocations.size() == 1);
    markers.insert(raw(rig.runtime.last().allocations[0].allocation));
    CHECK(rig.runtime.last().allocations[0].is_written);
  }
  CHECK(markers.size() == marker_ring::slots);
}

TEST_CASE("a full list still has room for the marker", "[umd][T027]") {
  device_rig rig({.list_entries = 2});
  const guest_backing one = allocate_backing(rig, 64);
  const guest_backing two = allocate_backing(rig, 64);
  recorder& commands = rig.device.commands;
  REQUIRE(commands.reserve(64, std::array{allocation_use{one, false}}) == S_OK);
  REQUIRE(commands.packets().set_viewport({0, 0, 4, 4, 0, 1}));
  CHECK(commands.reserve(64, std::array{allocation_use{two, false}}) == S_OK);
  REQUIRE(commands.packets().set_viewport({0, 0, 4, 4, 0, 1}));
  REQUIRE(commands.submit() == S_OK);
  REQUIRE(rig.runtime.submissions().size() == 2);
  for (const seen_submission& each : rig.runtime.submissions()) {
    CHECK(each.allocations.size() == 2);
  }
  rig.runtime.deallocate(one.allocation, nullptr);
  rig.runtime.deallocate(two.allocation, nullptr);
}

TEST_CASE("a marker is not listed again before its submission is complete", "[umd][T027]") {
  device_rig rig(held);
  recorder& commands = rig.device.commands;
  for (std::uint64_t i = 0; i < marker_ring::slots; ++i) submit_one(commands);
  CHECK(rig.system.slept_ms() == 0);
  rig.runtime.complete(fence_value{1});
  submit_one(commands);
  CHECK(rig.system.slept_ms() == 0);
  CHECK(commands.completion().completed() == fence_value{1});
}

TEST_CASE("a device that never completes delays a submission by the idle limit alone",
          "[umd][T027]") {
  device_rig rig(held);
  recorder& commands = rig.device.commands;
  for (std::uint64_t i = 0; i < marker_ring::slots; ++i) submit_one(commands);
  const std::uint64_t before = rig.system.now_ns();
  submit_one(commands);
  const std::uint64_t waited = rig.system.now_ns() - before;
  CHECK(waited >= completion::idle_limit_ns);
  CHECK(waited < completion::idle_limit_ns + 10'000'000);
  CHECK(commands.completion().completed() == fence_value{0});
  // The shared marker proves no more than it may.
  rig.runtime.complete(fence_value{1});
  CHECK(commands.completion().poll(rig.system.now_ns() + 5'000'000) <= fence_value{1});
  rig.runtime.complete_all();
}

TEST_CASE("a wait ends when the fence passes, and at its limit otherwise", "[umd][T025]") {
  device_rig rig(held);
  completion& done = rig.device.commands.completion();
  CHECK(done.wait(fence_value{0}, 0));
  CHECK_FALSE(done.wait(fence_value{1}, 1'000'000'000));  // Never submitted: no wait.
  CHECK(rig.system.slept_ms() == 0);
  submit_one(rig.device.commands);
  const std::uint64_t before = rig.system.now_ns();
  CHECK_FALSE(done.wait(fence_value{1}, 100'000'000));
  CHECK(rig.system.now_ns() - before >= 100'000'000);
  CHECK(rig.system.now_ns() - before < 102'000'000);
  rig.runtime.complete_all();
  CHECK(done.wait(fence_value{1}, 100'000'000));
}

TEST_CASE("a wait asks at once and in each round, and leaves no question to polls for 4 ms",
          "[umd][T025]") {
  const bool gives_fences = GENERATE(false, true);
  device_rig rig(gives_fences ? held_with_fences : held);
  completion& done = rig.device.commands.completion();
  submit_one(rig.device.commands);
  const auto questions = [&] { return rig.runtime.polls() + rig.runtime.locks(); };
  CHECK(done.poll(rig.system.now_ns()) == fence_value{0});
  const std::uint64_t before = questions();
  CHECK_FALSE(done.wait(fence_value{1}, 100'000'000));
  CHECK(questions() - before >= 100);
  CHECK(questions() - before <= 106);
  const std::uint64_t asked = questions();
  CHECK(done.poll(rig.system.now_ns()) == fence_value{0});
  CHECK(questions() == asked);
  const std::uint64_t slept = rig.system.slept_ms();
  rig.runtime.complete_all();
  CHECK(done.wait(fence_value{1}, 100'000'000));
  CHECK(rig.system.slept_ms() == slept);
}

TEST_CASE("three questions that fail in a row buy a second of silence", "[umd]") {
  device_rig rig(held_with_fences);
  completion& done = rig.device.commands.completion();
  submit_one(rig.device.commands);
  rig.runtime.break_polls(true);
  std::uint64_t now = rig.system.now_ns();
  for (int i = 0; i < 3; ++i) {
    CHECK(done.poll(now) == fence_value{0});
    if (i != 2) now += completion::poll_interval_ns;
  }
  rig.runtime.break_polls(false);
  rig.runtime.complete_all();
  CHECK(rig.runtime.polls() == 3);
  CHECK(done.poll(now + completion::silence_ns - 1) == fence_value{0});
  CHECK(rig.runtime.polls() == 3);
  CHECK(done.poll(now + completion::silence_ns) == fence_value{1});
}

TEST_CASE("a kernel that claims more than was submitted is not believed", "[umd]") {
  device_rig rig(held_with_fences);
  submit_one(rig.device.commands);
  rig.runtime.complete(fence_value{77});
  completion& done = rig.device.commands.completion();
  CHECK(done.poll(rig.system.now_ns()) == fence_value{1});
}

TEST_CASE("fences do not wrap at 2^32", "[umd]") {
  fake_runtime runtime({.gives_fences = true, .runs_streams = false});
  device_loss loss;
  completion done{runtime, loss};
  constexpr std::uint64_t large = 0x1'0000'0003;
  done.note_submitted(fence_value{large});
  runtime.complete(fence_value{large - 1});
  CHECK(done.poll(1) == fence_value{large - 1});
  CHECK_FALSE(done.is_complete(fence_value{large}));
  CHECK(done.is_complete(fence_value{3}));
}

TEST_CASE("any thread reads the fences while the device submits and asks", "[umd][threads]") {
  device_rig rig;
  completion& done = rig.device.commands.completion();
  std::atomic<bool> is_over{false};
  std::thread reader([&] {
    fence_value last{};
    while (!is_over.load()) {
      const fence_value seen = done.completed();
      if (seen < last || seen > done.submitted()) std::abort();
      last = seen;
    }
  });
  std::uint64_t now = 1;
  for (int i = 0; i < 200; ++i) {
    done.note_submitted(fence_value{raw(done.submitted()) + 1});
    static_cast<void>(done.poll(now += completion::poll_interval_ns));
  }
  is_over.store(true);
  reader.join();
  CHECK(done.submitted() == fence_value{200});
}

TEST_CASE("a submission that lists a locked allocation is refused by the runtime", "[umd][T028]") {
  device_rig rig;
  const guest_backing memory = allocate_backing(rig, 64);
  std::byte* bytes = nullptr;
  REQUIRE(rig.runtime.lock(memory.allocation, lock_access::write, true, bytes) == S_OK);
  recorder& commands = rig.device.commands;
  REQUIRE(commands.reserve(64, std::array{allocation_use{memory, false}}) == S_OK);
  REQUIRE(commands.packets().set_viewport({0, 0, 4, 4, 0, 1}));
  CHECK(commands.submit() == D3DERR_DEVICELOST);
  rig.runtime.unlock(memory.allocation);
  rig.runtime.deallocate(memory.allocation, nullptr);
}

}  // namespace aerogpu::umd::test
