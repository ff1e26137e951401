// SPDX-License-Identifier: MIT
#include "tests/support/failing_heap.hpp"

#include "tests/catch.hpp"
#include "tests/support/sanitized.hpp"

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

extern "C" auto foreign_allocate() noexcept -> void*;
extern "C" void foreign_give_back(void* block) noexcept;

using namespace aerogpu::test;

namespace {

struct alignas(64) aligned {
  int value = 0;
};

/// Counted allocations of a call.
template <class Call>
auto calls_of(Call&& call) -> std::uint64_t {
  failing_heap::plan(0);
  {
    const heap_scope armed;
    call();
  }
  return failing_heap::calls();
}

}  // namespace

TEST_CASE("allocations count while a scope lives, and not before or after", "[failing_heap]") {
  failing_heap::plan(0);
  std::unique_ptr<int> before{new (std::nothrow) int};
  CHECK(calls_of([] { delete new (std::nothrow) int; }) == 1);
  std::unique_ptr<int> after{new (std::nothrow) int};
  CHECK(failing_heap::calls() == 1);
}

TEST_CASE("the planned allocation fails, and only that one", "[failing_heap]") {
  failing_heap::plan(2);
  const heap_scope armed;
  std::unique_ptr<int> first{new (std::nothrow) int};
  std::unique_ptr<int[]> second{new (std::nothrow) int[8]};
  std::unique_ptr<aligned> third{new (std::nothrow) aligned};
  CHECK(first != nullptr);
  CHECK(second == nullptr);
  CHECK(third != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(third.get()) % alignof(aligned) == 0);
  CHECK(failing_heap::has_failed());
  CHECK(failing_heap::failed_at()[0] != 0);
}

TEST_CASE("blocks that were not given back are known", "[failing_heap]") {
  const std::int64_t before = failing_heap::live_blocks();
  std::unique_ptr<int> kept;
  CHECK(calls_of([&] { kept.reset(new (std::nothrow) int); }) == 1);
  CHECK(failing_heap::live_blocks() == before + 1);
  kept.reset();
  CHECK(failing_heap::live_blocks() == before);
}

TEST_CASE("what a standard container allocates for the program counts as a throwing call",
          "[failing_heap]") {
  const auto before = failing_heap::throwing_calls().size();
  CHECK(calls_of([] { std::vector<int>(100).push_back(1); }) == 2);
  CHECK(failing_heap::throwing_calls().size() > before);
}

TEST_CASE("what libstdc++ allocates for the program counts too", "[failing_heap]") {
  CHECK(calls_of([] { std::string(100, 'x').append(200, 'y'); }) >= 2);
}

TEST_CASE("what another library allocates passes through", "[failing_heap]") {
  failing_heap::plan(1);
  void* block = nullptr;
  {
    const heap_scope armed;
    block = foreign_allocate();
  }
  CHECK(block != nullptr);
  CHECK(failing_heap::calls() == 0);
  CHECK(failing_heap::foreign_calls() == 1);
  foreign_give_back(block);
}

namespace {

/// A library that throws, behind a function that catches.
[[gnu::noinline]] auto guarded_call() noexcept -> bool {
  try {
    return std::vector<int>(100).size() == 100;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

TEST_CASE("below a guarded function allocations count apart, and throw", "[failing_heap]") {
  constexpr std::size_t function_bytes = is_sanitized ? 2048 : 64;
  failing_heap::guard(reinterpret_cast<const void*>(&guarded_call), function_bytes);
  const auto throwing = failing_heap::throwing_calls().size();
  bool is_good = false;
  CHECK(calls_of([&] { is_good = guarded_call(); }) == 0);
  CHECK(is_good);
  CHECK(failing_heap::calls(failing_heap::origin::guarded) == 1);
  failing_heap::plan(1, failing_heap::origin::guarded);
  {
    const heap_scope armed;
    is_good = guarded_call();
  }
  CHECK_FALSE(is_good);
  CHECK(failing_heap::throwing_calls().size() == throwing);
  failing_heap::guard(nullptr, 0);
}
