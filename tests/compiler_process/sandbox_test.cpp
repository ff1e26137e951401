// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/sanitized.hpp"
#include "tests/compiler_process/sandbox_probe.hpp"
#include "tests/compiler_process/support.hpp"

using namespace aerogpu;
using test::probe;

namespace {

enum class ending { could, could_not, was_ended, did_not_start };

auto ending_of(probe what, bool is_inside) -> ending {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  auto child = dxbc::child_process::start(SANDBOX_PROBE);
  REQUIRE(child.why().code == error_code::none);
  const test::probe_request request{what, is_inside};
  REQUIRE(child->send(bytes_of(request), until) == dxbc::transfer::done);
  char ready = 0, answer = 0;
  if (child->receive(mutable_bytes_of(ready), until) != dxbc::transfer::done || ready != 'r')
    return ending::did_not_start;
  if (child->receive(mutable_bytes_of(answer), until) != dxbc::transfer::done)
    return ending::was_ended;
  return answer == 'y' ? ending::could : ending::could_not;
}

}  // namespace

TEST_CASE("the sandbox itself does not end a process") {
  CHECK(ending_of(probe::nothing, true) == ending::could);
}

#if AEROGPU_HAS_SECCOMP
TEST_CASE("the sandbox ends a process that makes a call it has no use for") {
  const auto what = GENERATE(probe::open_file, probe::create_file, probe::open_socket,
                             probe::connect, probe::fork, probe::signal_host, probe::read_host,
                             probe::map_code, probe::make_code, probe::copy_descriptor,
                             probe::send_descriptor, probe::raise_limits, probe::set_other_timer);
  CAPTURE(static_cast<int>(what));
  CHECK(ending_of(what, false) == ending::could);
  CHECK(ending_of(what, true) == ending::was_ended);
}

TEST_CASE("the sandbox ends a process that becomes another program") {
  // Outside of it the other program says nothing to the socket, and ends.
  CHECK(ending_of(probe::execute, true) == ending::was_ended);
}
#else
TEST_CASE("without a filter of system calls no file, socket or process can be made") {
  const auto what = GENERATE(probe::open_file, probe::create_file, probe::open_socket,
                             probe::connect, probe::copy_descriptor);
  CAPTURE(static_cast<int>(what));
  CHECK(ending_of(what, false) == ending::could);
  CHECK(ending_of(what, true) == ending::could_not);
}
#endif

TEST_CASE("the sandbox bounds memory") {
  CHECK(ending_of(probe::allocate, false) == ending::could);
  if (!dxbc::is_sanitized) CHECK(ending_of(probe::allocate, true) == ending::could_not);
}

TEST_CASE("a request has a bound of processor time") {
  CHECK(ending_of(probe::spin, true) == ending::was_ended);
}

TEST_CASE("a process that sets itself no bound has one of processor time in all its life") {
  CHECK(ending_of(probe::spin_without_timer, false) == ending::could);
  CHECK(ending_of(probe::spin_without_timer, true) == ending::was_ended);
}

TEST_CASE("the sandbox leaves no descriptor but the socket") {
  if (dxbc::is_sanitized) return;  // Their reports go to the standard error.
  CHECK(ending_of(probe::write_standard_error, false) == ending::could);
  CHECK(ending_of(probe::write_standard_error, true) == ending::could_not);
}
