// SPDX-License-Identifier: MIT
// Tests of hosts that call their device from inside one of its callbacks.
#include "aerogpu/device/detail/entry_guard.hpp"
#include "tests/catch.hpp"
#include "tests/support/device_harness.hpp"
#include "tests/support/processors/null_processor.hpp"

#include <csignal>
#include <cstdint>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

using harness = device_harness<null_backend>;

/// Whether a failed check ends the process that does `work`.
template <class Work>
auto is_fatal(Work&& work) -> bool {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const int trap : {SIGILL, SIGTRAP}) std::signal(trap, SIG_DFL);  // The framework's own.
    work();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGILL || WTERMSIG(status) == SIGTRAP);
}

/// A guest's submission whose interrupt makes the host do `call`.
template <class Call>
void submit_and(harness& rig, Call&& call) {
  rig.machine.on_line = [&](bool) { call(); };
  rig.submit({.fence = 1, .stream = idle_stream()});
}

}  // namespace

#ifndef NDEBUG
TEST_CASE("a host that calls the device from inside a callback is ended", "[device]") {
  harness rig{std::make_unique<null_backend>()};
  rig.start();
  rgba8_image image;
  snapshot_writer saved;
  CHECK(is_fatal([&] { submit_and(rig, [&] { rig.dev->tick(); }); }));
  CHECK(is_fatal([&] { submit_and(rig, [&] { rig.acknowledge(all_irqs); }); }));
  CHECK(is_fatal([&] { submit_and(rig, [&] { (void)rig.dev->read_display(image); }); }));
  CHECK(is_fatal([&] { submit_and(rig, [&] { (void)rig.dev->save(saved); }); }));
  CHECK(is_fatal([&] { submit_and(rig, [&] { rig.dev->device_reset(); }); }));
}
#endif

TEST_CASE("a host may look at the device from inside a callback", "[device]") {
  harness rig{std::make_unique<null_backend>()};
  rig.start();
  std::uint64_t completed = 0;
  submit_and(rig, [&] {
    completed = rig.completed();
    static_cast<void>(rig.dev->next_deadline_ns());
  });
  CHECK(completed == 1);
}

TEST_CASE("what the device does inside one call is no call of the host's", "[device]") {
  harness rig{std::make_unique<null_backend>()};
  rig.start();
  rig.push({.fence = 1, .stream = idle_stream()});
  rig.ring();  // Ticks inside the write.
  rig.dev->wait_idle();
  rgba8_image image;
  CHECK_FALSE(rig.dev->read_display(image));
  rig.dev->tick();
  CHECK(rig.completed() == 1);
}

TEST_CASE("a guard without checks lets calls nest", "[device]") {
  detail::entry_flag flag;
  const detail::entry_guard<false> outer{flag};
  const detail::entry_guard<false> inner{flag};
  CHECK_FALSE(flag.is_inside);
}
