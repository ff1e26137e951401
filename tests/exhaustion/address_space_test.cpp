// SPDX-License-Identifier: MIT
// A session on Vulkan in a process with little address space left, where everything may fail: this
// project's allocations, those of the C library, the driver's and its compiler's.
#include "tests/catch.hpp"
#include "tests/exhaustion/session.hpp"
#include "tests/support/vulkan/vulkan_processor.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr const char* limit_name = "AEROGPU_ADDRESS_SPACE_MIB";

auto mapped_bytes() -> std::uint64_t {
  std::ifstream file{"/proc/self/statm"};
  std::uint64_t pages = 0;
  file >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

auto open_backend() -> result<std::unique_ptr<vulkan::vulkan_backend>> {
  vulkan::backend_options options;
  options.on_progress = [] {};
  options.shader_compiler = vulkan::shader_compiler_place::in_process;
  return vulkan::vulkan_backend::create(options);
}

void check_reported(const error& why, const char* where) {
  CAPTURE(where, why.what, why.detail, why.limit);
  const bool is_told = why.code == error_code::none || why.code == error_code::out_of_memory;
  CHECK(is_told);
}

void run_session(const exhaustion_script& script) {
  auto ballast = std::make_unique<byte_vector>(8u << 20);  // For the test's own memory.
  const rlim_t most = mapped_bytes() + (std::strtoull(std::getenv(limit_name), nullptr, 10) << 20);
  const rlimit limit{most, most};
  REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0);
  const auto backend = open_backend();
  ballast.reset();
  check_reported(backend.why(), "backend");
  if (!backend) return;
  session<vulkan::vulkan_backend> guest{**backend, script};
  if (guest.open()) guest.run();
  const session_outcome outcome = guest.take_outcome();
  check_reported(outcome.first, outcome.where);
  CHECK(std::string{outcome.broken} == "");
}

/// Runs the hidden case in a process of its own.
auto exit_status_within(const char* room_mib) -> int {
  REQUIRE(setenv(limit_name, room_mib, 1) == 0);
  std::array<std::string, 2> words{"exhaustion_vulkan", "a session under a limit"};
  const std::array<char*, 3> arguments{words[0].data(), words[1].data(), nullptr};
  pid_t child = 0;
  REQUIRE(posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments.data(), environ) == 0);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(unsetenv(limit_name) == 0);
  return status;
}

}  // namespace

TEST_CASE("a session under a limit", "[.limited]") {
  REQUIRE(std::getenv(limit_name) != nullptr);
#if defined(AEROGPU_TEST_HAS_DXBC)
  const exhaustion_script script = make_exhaustion_script(script_shaders::all);
#else
  const exhaustion_script script = make_exhaustion_script(script_shaders::d3d9);
#endif
  REQUIRE(open_backend());  // The driver is loaded before.
  run_session(script);
}

TEST_CASE("a process that runs out of address space reports it and goes on", "[exhaustion]") {
  // From no backend over no pipelines to all of the session. In between it is up to the driver,
  // which may end the process where the headroom of backend_limits does not suffice.
  const char* const room_mib = GENERATE("2", "16", "64", "100", "132", "136", "1024");
  CAPTURE(room_mib);
  CHECK(exit_status_within(room_mib) == 0);
}
