// SPDX-License-Identifier: MIT
/// \file The guest tests pass on the driver, and their programs say so.
#include "drivers/win7/tests/guest/tests.hpp"
#include "tests/drivers/guest/simulated_desktop.hpp"

#include <sstream>

using namespace aerogpu;
using test::guest_machine;
using test::run_guest_test;

namespace {

auto last_line(const std::string& text) -> std::string {
  const auto end = text.find_last_not_of('\n');
  const auto begin = text.find_last_of('\n', end);
  return text.substr(begin + 1, end - begin);
}

auto is_gated(const guest::guest_test& test) -> bool {
  return &test == &guest::map_shared_handle_stress;
}

}  // namespace

TEST_CASE("every guest test passes on the simulated kernel",
          "[drivers][guest][G31][G32][G36][G37]") {
  for (const auto* const test : guest::all_tests) {
    guest_machine machine{{.allows_gated_escapes = true}};
    const auto code = run_guest_test(machine, *test);
    INFO(machine.text);
    CHECK(code == guest::exit_code::pass);
    CHECK(last_line(machine.text) == "PASS " + std::string{test->name});
  }
}

TEST_CASE("with the gates shut one guest test is skipped and the others pass", "[drivers][guest]") {
  for (const auto* const test : guest::all_tests) {
    guest_machine machine;
    const auto code = run_guest_test(machine, *test);
    INFO(machine.text);
    CHECK(code == (is_gated(*test) ? guest::exit_code::skip : guest::exit_code::pass));
  }
}

TEST_CASE("the guest tests pass one after the other on one machine", "[drivers][guest]") {
  guest_machine machine{{.allows_gated_escapes = true}};
  for (int round = 0; round < 2; ++round) {
    for (const auto* const test : guest::all_tests) {
      machine.text.clear();
      const auto code = run_guest_test(machine, *test);
      INFO(machine.text);
      CHECK(code == guest::exit_code::pass);
    }
  }
}

TEST_CASE("what is built for Windows is every guest test", "[drivers][guest]") {
  std::istringstream names{AEROGPU_GUEST_TEST_NAMES};
  std::string name;
  for (const auto* const test : guest::all_tests) {
    REQUIRE(names >> name);
    CHECK(name == test->name);
  }
  CHECK_FALSE(names >> name);
}

TEST_CASE("the allocation table is read back while the device has not taken it",
          "[drivers][guest]") {
  guest_machine machine{{.allows_gated_escapes = true}};
  machine.pc.bus.host.doorbells = sim::doorbell_mode::delayed;
  const auto code = run_guest_test(machine, guest::alloc_table_readonly_sanity);
  INFO(machine.text);
  CHECK(code == guest::exit_code::pass);
  CHECK(machine.text.find("it has read-only and writable entries") != std::string::npos);
}

TEST_CASE("without an AeroGPU a guest test is skipped, and fails where one is required",
          "[drivers][guest]") {
  const auto found = GENERATE(guest::display_search::absent, guest::display_search::remote,
                              guest::display_search::no_thunks);
  guest_machine machine;
  machine.found = found;
  CHECK(run_guest_test(machine, guest::device_state_sanity) == guest::exit_code::skip);
  CHECK(last_line(machine.text).starts_with("SKIP device_state_sanity: "));
  CHECK(run_guest_test(machine, guest::device_state_sanity, {"--require-agpu"}) ==
        guest::exit_code::fail);
  CHECK(last_line(machine.text).starts_with("FAIL device_state_sanity: "));
}

TEST_CASE("a guest test's help names its options and exit codes, and runs nothing",
          "[drivers][guest]") {
  for (const auto* const test : guest::all_tests) {
    guest_machine machine;
    machine.found = guest::display_search::absent;
    CHECK(run_guest_test(machine, *test, {"--help"}) == guest::exit_code::pass);
    for (const char* const word : {"--json", "--require-agpu", "--timeout-ms", "77"})
      CHECK(machine.text.find(word) != std::string::npos);
    CHECK(machine.text.find(test->summary) != std::string::npos);
  }
}

TEST_CASE("a guest test refuses options that do not exist", "[drivers][guest]") {
  const auto word =
      GENERATE("--jsn", "x", "--timeout-ms=0", "--timeout-ms=", "--timeout-ms=3600001",
               "--timeout-ms=99999999999999999999", "--timeout-ms=1x");
  guest_machine machine;
  CHECK(run_guest_test(machine, guest::device_state_sanity, {word}) ==
        guest::exit_code::wrong_usage);
  CHECK(machine.text.find("PASS") == std::string::npos);
}

TEST_CASE("a guest test's JSON is one object with every finding", "[drivers][guest]") {
  guest_machine machine;
  CHECK(run_guest_test(machine, guest::segment_budget_sanity, {"--json"}) ==
        guest::exit_code::pass);
  CHECK(machine.text ==
        "{\"test\":\"segment_budget_sanity\",\"result\":\"PASS\",\"reason\":\"\",\"findings\":["
        "{\"rule\":\"the segments' sizes can be had\",\"seen\":\"0x0\",\"holds\":true},"
        "{\"rule\":\"dedicated video memory\",\"seen\":\"60 MiB\"},"
        "{\"rule\":\"shared memory is 128 MiB or more\",\"seen\":\"512 MiB\",\"holds\":true},"
        "{\"rule\":\"it is what the registry asks for\",\"seen\":\"512 of 512 MiB\",\"holds\":true}"
        "]}\n");
}

TEST_CASE("the aperture that the registry asks for is clamped", "[drivers][guest]") {
  const std::uint32_t asked = GENERATE(1u, 127u, 128u, 129u, 256u, 2047u, 2048u, 2049u);
  guest_machine machine{{.aperture_mib = asked}};
  const auto code = run_guest_test(machine, guest::segment_budget_sanity);
  INFO(machine.text);
  CHECK(code == guest::exit_code::pass);
}
