// SPDX-License-Identifier: MIT
#include "vulkan/device/checked_thread.hpp"

#include "tests/catch.hpp"
#include "vulkan/shared_state.hpp"

#include <cstddef>
#include <semaphore>
#include <utility>

using namespace aerogpu;
using aerogpu::vulkan::checked_thread;
using aerogpu::vulkan::shared_state;

namespace {

constexpr std::size_t impossible_stack_bytes = std::size_t{1} << 60;

}  // namespace

TEST_CASE("a checked thread runs its body once and ends with it", "[vulkan][thread]") {
  int runs = 0;
  {
    const auto made = checked_thread::create([&runs]() noexcept { ++runs; });
    REQUIRE(made);
    CHECK(made->is_running());
  }
  CHECK(runs == 1);
}

TEST_CASE("a thread that the system cannot start is an error, and its body never runs",
          "[vulkan][thread]") {
  bool has_run = false;
  const auto made =
      checked_thread::create([&has_run]() noexcept { has_run = true; }, impossible_stack_bytes);
  CHECK(made.why().code == error_code::out_of_memory);
  CHECK_FALSE(has_run);
}

TEST_CASE("a checked thread that is moved runs on, and the one moved from has none",
          "[vulkan][thread]") {
  std::binary_semaphore may_end{0};
  auto made = checked_thread::create([&may_end]() noexcept { may_end.acquire(); });
  REQUIRE(made);
  checked_thread kept;
  kept = *std::move(made);
  CHECK(kept.is_running());
  CHECK_FALSE(made->is_running());
  may_end.release();
  kept.join();
  CHECK_FALSE(kept.is_running());
}

TEST_CASE("an abandoned thread keeps the state that it shares", "[vulkan][thread]") {
  struct shared {
    explicit shared(std::binary_semaphore& end) noexcept : has_ended(end) {}
    shared(shared&&) = delete;
    ~shared() { has_ended.release(); }
    std::binary_semaphore& has_ended;
    std::binary_semaphore may_end{0};
  };
  std::binary_semaphore has_ended{0};
  {
    const auto state = shared_state<shared>::make(has_ended);
    REQUIRE(state);
    auto made = checked_thread::create([state]() noexcept { state->may_end.acquire(); });
    REQUIRE(made);
    made->abandon();
    CHECK_FALSE(made->is_running());
    CHECK_FALSE(has_ended.try_acquire());
    state->may_end.release();
  }
  has_ended.acquire();  // Released by whoever of both came last.
  SUCCEED();
}
