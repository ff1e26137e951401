// SPDX-License-Identifier: MIT
#include "tests/compiler_process/support.hpp"

#include <csignal>
#include <fcntl.h>
#include <thread>

using namespace aerogpu;
using dxbc::compiler_limits;
using dxbc::compiler_process;

namespace {

constexpr char fake[] = FAKE_COMPILER;
/// Long enough for a busy machine; the tests of the limit itself have a short one.
constexpr compiler_limits patient{.start_timeout_ms = 60'000, .timeout_ms = 60'000, .deaths = 1000};

auto compile(compiler_process& process, char what, int number = 0) -> error {
  return process.compile(fake, test::job_that(what, number), nullptr).why();
}

auto works(compiler_process& process) -> bool {
  const auto words = process.compile(fake, test::job_that('w'), nullptr);
  return words && words->size() == 6 && (*words)[0] == 0x07230203;
}

}  // namespace

TEST_CASE("no process runs before the first program, and one runs for all") {
  compiler_process process{patient};
  CHECK_FALSE(test::has_children());
  CHECK(works(process));
  const pid_t first = process.process_id();
  CHECK(works(process));
  CHECK(process.process_id() == first);
  CHECK(process.counters().starts == 1);
  CHECK(process.counters().answers == 2);
}

TEST_CASE("a process ends with its host object, and leaves no descriptor") {
  const auto before = test::open_descriptors();
  {
    compiler_process process{patient};
    CHECK(works(process));
    CHECK(test::has_children());
  }
  CHECK_FALSE(test::has_children());
  CHECK(test::open_descriptors() == before);
}

TEST_CASE("a program that ends the process is refused, and the next one compiles") {
  const char what = GENERATE('c', 'e', 't');
  CAPTURE(what);
  compiler_process process{patient};
  CHECK(works(process));
  CHECK(compile(process, what).code == error_code::unsupported);
  CHECK(works(process));
  CHECK(process.counters().deaths == 2);  // A fresh process showed whose fault it was.
  CHECK(process.counters().starts == 3);
}

TEST_CASE("a program that meets a process that an earlier one broke is compiled by the next") {
  compiler_process process{patient};
  CHECK(compile(process, 'b').code == error_code::none);  // Ends at the next request.
  CHECK(works(process));
  CHECK(process.counters().deaths == 1);
  CHECK(process.counters().starts == 2);
}

TEST_CASE("a program that ended a process is not tried again") {
  compiler_process process{patient};
  CHECK(compile(process, 'c').code == error_code::unsupported);
  const auto why = compile(process, 'c');
  CHECK(why.code == error_code::unsupported);
  CHECK(test::says(why, "before"));
  CHECK(process.counters().deaths == 1);
  CHECK(compile(process, 'c', 1).code == error_code::unsupported);
  CHECK(process.counters().deaths == 2);
}

TEST_CASE("the oldest of too many refused programs is forgotten") {
  dxbc::refused_programs refused;
  const auto number = [](std::uint32_t i) { return test::job_that('c', static_cast<int>(i)); };
  for (std::uint32_t i = 0; i < dxbc::max_refused_programs; ++i) refused.add(number(i));
  CHECK(refused.contains(number(0)));
  CHECK(refused.contains(number(dxbc::max_refused_programs - 1)));
  refused.add(number(dxbc::max_refused_programs));
  CHECK_FALSE(refused.contains(number(0)));
  CHECK(refused.contains(number(1)));
  CHECK(refused.contains(number(dxbc::max_refused_programs)));
}

TEST_CASE("a reply that is none ends the process and refuses the program") {
  const char what = GENERATE('g', 'i', 's', 'o', 'O', 'm', 'z', 'r');
  CAPTURE(what);
  compiler_process process{patient};
  const auto why = compile(process, what);
  CHECK(why.code == error_code::unsupported);
  CHECK(test::says(why, "nobody asked"));
  CHECK(process.process_id() == -1);
  CHECK_FALSE(test::has_children());
  CHECK(works(process));
}

TEST_CASE("a reply that stands behind the one that was asked for is never read") {
  compiler_process process{patient};
  CHECK(compile(process, 'x').code == error_code::none);
  CHECK(works(process));
  CHECK(works(process));
  CHECK(process.counters().starts == 2);
}

TEST_CASE("a process that hangs or drips is ended at the limit") {
  const char what = GENERATE('h', 'd');
  CAPTURE(what);
  compiler_limits limits = patient;
  limits.timeout_ms = 200;
  compiler_process process{limits};
  const auto begin = std::chrono::steady_clock::now();
  const auto why = compile(process, what);
  const auto took = std::chrono::steady_clock::now() - begin;
  CHECK(why.code == error_code::unsupported);
  CHECK(why.detail == 200);
  CHECK(took >= std::chrono::milliseconds{200});
  CHECK(took < std::chrono::seconds{20});
  CHECK_FALSE(test::has_children());
}

TEST_CASE("a process that used much processor time is replaced, and nobody is blamed") {
  compiler_limits limits = patient;
  limits.renewal_ms = 500;
  compiler_process process{limits};
  CHECK(works(process));
  CHECK(compile(process, 'u').code == error_code::none);
  CHECK(process.counters().starts == 1);
  CHECK(works(process));
  CHECK(process.counters().starts == 2);
  CHECK(process.counters().deaths == 0);
}

TEST_CASE("what the library refuses is handed on with what it said, printable") {
  compiler_process process{patient};
  std::string log;
  const auto why = process.compile(fake, test::job_that('n'), &log).why();
  CHECK(why.code == error_code::unsupported);
  CHECK(why.detail == 7);
  CHECK(log == "no?");
  CHECK(process.counters().deaths == 0);
}

TEST_CASE("a process that somebody ended between two programs is nobody's fault") {
  compiler_process process{patient};
  REQUIRE(works(process));
  const pid_t id = process.process_id();
  REQUIRE(id > 0);  // Signals to -1 reach every process there is.
  REQUIRE(kill(id, SIGKILL) == 0);
  siginfo_t ended{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(id), &ended, WEXITED | WNOWAIT) == 0);
  CHECK(works(process));
  CHECK(process.counters().starts == 2);
  CHECK_FALSE(process.process_id() == id);
}

TEST_CASE("a guest that ends every process makes few of them") {
  compiler_limits limits = patient;
  limits.deaths = 3;
  limits.death_interval_ms = 3'600'000;
  compiler_process process{limits};
  for (int i = 0; i < 3; ++i) CHECK(compile(process, 'c', i).code == error_code::unsupported);
  for (int i = 3; i < 40; ++i) {
    const auto why = compile(process, 'c', i);
    CHECK(why.code == error_code::out_of_memory);
    CHECK(why.limit == 3);
  }
  CHECK(process.counters().starts == 3);
}

TEST_CASE("processes may end again after a while") {
  dxbc::death_budget budget{{.deaths = 2, .death_interval_ms = 1000}};
  const dxbc::deadline start{};
  const auto at = [&](int ms) { return start + std::chrono::milliseconds{ms}; };
  CHECK_FALSE(budget.is_empty(at(0)));
  budget.spend(at(0));
  CHECK_FALSE(budget.is_empty(at(0)));
  budget.spend(at(10));
  CHECK(budget.is_empty(at(10)));
  CHECK(budget.is_empty(at(999)));
  CHECK_FALSE(budget.is_empty(at(1000)));
  budget.spend(at(1001));
  CHECK(budget.is_empty(at(1999)));
  CHECK_FALSE(budget.is_empty(at(2000)));
  CHECK_FALSE(budget.is_empty(at(1'000'000'000)));
}

TEST_CASE("many deaths leave neither processes nor descriptors") {
  compiler_process process{patient};
  CHECK(works(process));
  const auto before = test::open_descriptors();
  for (int i = 0; i < 20; ++i) {
    static_cast<void>(compile(process, "cegt"[i % 4], i));
    CHECK(works(process));
  }
  CHECK(test::open_descriptors() == before);
  CHECK(process.counters().deaths == 40);
}

TEST_CASE("a process inherits no descriptor of the host's") {
  const int left_open = open("/dev/null", O_RDONLY);
  REQUIRE(left_open >= 0);
  REQUIRE(fcntl(left_open, F_SETFD, 0) == 0);
  compiler_process process{patient};
  CHECK(compile(process, 'f').detail == 4);  // Three standard ones and the socket.
  close(left_open);
}

TEST_CASE("signals of the host's choice do not matter to a process") {
  struct sigaction ignored {
  }, before{};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGCHLD, &ignored, &before);
  {
    compiler_process process{patient};
    CHECK(works(process));
    CHECK(compile(process, 'c').code == error_code::unsupported);
    CHECK(works(process));
  }
  sigaction(SIGCHLD, &before, nullptr);
  CHECK_FALSE(test::has_children());
}

TEST_CASE("a program that does not say hello is no compiler") {
  test::temporary_folder folder;
  const auto line = GENERATE(as<std::string>{}, "exit 0",
                             "printf garbage-and-more >&3; exec sleep 60", "printf gar >&3");
  CAPTURE(line);
  const std::string script = test::write_script(folder, line);
  compiler_process process{patient};
  const auto why = process.compile(script.c_str(), test::job_that('w'), nullptr).why();
  CHECK(why.code == error_code::unsupported);
  CHECK(process.process_id() == -1);
  CHECK_FALSE(test::has_children());
}

TEST_CASE("a program that does not start in time is ended") {
  test::temporary_folder folder;
  const std::string script = test::write_script(folder, "exec sleep 60");
  compiler_limits limits = patient;
  limits.start_timeout_ms = 200;
  compiler_process process{limits};
  const auto why = process.compile(script.c_str(), test::job_that('w'), nullptr).why();
  CHECK(why.code == error_code::out_of_memory);
  CHECK(why.limit == 200);
  CHECK_FALSE(test::has_children());
}

TEST_CASE("what cannot be started says so") {
  compiler_process process{patient};
  const auto why = process.compile("/nowhere/compiler", test::job_that('w'), nullptr).why();
  CHECK(why.code == error_code::unsupported);
  CHECK(test::says(why, "cannot be started"));
}

TEST_CASE("several threads share one process") {
  compiler_process process{patient};
  std::array<int, 4> done{};
  std::array<std::thread, 4> threads;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    threads[i] = std::thread{[&, i] {
      for (int round = 0; round < 25; ++round) done[i] += works(process) ? 1 : 0;
    }};
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(done == std::array{25, 25, 25, 25});
  CHECK(process.counters().starts == 1);
}

TEST_CASE("a fork of the host leaves its parent's process alone") {
  compiler_process process{patient};
  CHECK(works(process));
  const pid_t first = process.process_id();
  const pid_t fork_id = fork();
  if (fork_id == 0) _exit(works(process) && process.process_id() != first ? 0 : 1);
  int status = -1;
  REQUIRE(waitpid(fork_id, &status, 0) == fork_id);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(works(process));
  CHECK(process.process_id() == first);
}
