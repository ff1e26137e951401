// SPDX-License-Identifier: MIT
// A session on the null backend, with each of its allocations failing once.
#include "tests/exhaustion/every_allocation.hpp"
#include "tests/support/processors/null_processor.hpp"

#include <memory>
#include <new>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

struct null_maker {
  static auto make() noexcept -> result<std::unique_ptr<null_backend>> {
    std::unique_ptr<null_backend> made{new (std::nothrow) null_backend};
    if (made == nullptr) return make_error(error_code::out_of_memory, "no memory for a backend");
    return made;
  }
};

using runner = exhaustion_runner<null_backend, null_maker>;

}  // namespace

TEST_CASE("no allocation of library and null backend is of a form that cannot report",
          "[exhaustion]") {
  const std::uint64_t calls = runner{script_shaders::all}.run_clean();
  CHECK(calls > 100);
  for (const heap_call_stack& stack : failing_heap::throwing_calls()) {
    FAIL_CHECK("throws:" + runner::describe(stack));
  }
}

TEST_CASE("whichever allocation fails, the device reports it and goes on", "[exhaustion]") {
  runner sessions{script_shaders::all};
  const std::uint64_t calls = sessions.run_clean();
  std::uint64_t number = 1;
  while (sessions.survives(number)) ++number;
  CHECK(number > calls);
  CHECK(sessions.reports() > calls / 2);
}
