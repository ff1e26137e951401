// SPDX-License-Identifier: MIT
#include "tests/hostile/runner.hpp"

#include "tests/hostile/attacks/attack.hpp"
#include "tests/hostile/usage.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace aerogpu::hostile {

namespace {

/// A driver, a compiler and the layers before anything is attacked.
constexpr rlim_t start_address_mib = 6144;
constexpr unsigned wall_seconds = 300;  ///< For what waits and takes no processor time.
constexpr rlim_t sanitizer_slowness = 6;

void limit(int resource, rlim_t value) {
  const rlimit both{value, value};
  static_cast<void>(setrlimit(static_cast<__rlimit_resource>(resource), &both));
}

/// In the child, before it becomes the attack.
void set_limits(const cost_limit& most) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, most.processor_seconds * (is_sanitized ? sanitizer_slowness : 1));
  if (!is_sanitized) limit(RLIMIT_AS, (start_address_mib + most.address_mib) << 20);
  alarm(wall_seconds);
}

struct ending {
  std::string outcome;
  std::string output;
  double seconds = 0;
  bool is_held = false;
};

auto seconds_of(const timeval& time) -> double {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

auto read_all(int from) -> std::string {
  std::string all;
  std::array<char, 4096> part;
  for (ssize_t size = 0; (size = read(from, part.data(), part.size())) > 0;) {
    all.append(part.data(), static_cast<std::size_t>(size));
  }
  return all;
}

auto outcome_of(int status) -> std::string {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    if (number == SIGXCPU || number == SIGKILL) return "out of processor time";
    if (number == SIGALRM) return "hangs";
    return std::string{"dies of "} + strsignal(number);
  }
  return WEXITSTATUS(status) == 0 ? "held" : "lost";
}

auto run_one(const attack& what) -> ending {
  std::array<int, 2> output{};
  if (pipe(output.data()) != 0) return {"no pipe", {}, 0, false};
  const pid_t child = fork();
  if (child == 0) {
    dup2(output[1], STDOUT_FILENO);
    dup2(output[1], STDERR_FILENO);
    close(output[0]);
    close(output[1]);
    set_limits(what.most);
    const std::string name{what.name};
    execl("/proc/self/exe", "hostile", "--attack", name.c_str(), nullptr);
    _exit(127);
  }
  close(output[1]);
  ending end;
  if (child > 0) end.output = read_all(output[0]);
  close(output[0]);
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child) return {"no process", {}, 0, false};
  end.outcome = outcome_of(status);
  end.is_held = end.outcome == "held";
  end.seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  return end;
}

auto cost_line(const std::string& output) -> std::string {
  const std::size_t at = output.rfind("cost: ");
  if (at == std::string::npos) return "not measured";
  return output.substr(at + 6, output.find('\n', at) - at - 6);
}

auto is_wanted(const attack_group& group, const attack& each, std::span<char* const> names)
    -> bool {
  return names.empty() || std::ranges::any_of(names, [&](const char* name) {
           return group.name == name || each.name == name;
         });
}

}  // namespace

auto run_attacks(std::span<char* const> names) -> int {
  int lost = 0, count = 0;
  for (const attack_group& group : all_attacks()) {
    for (const attack& each : group.attacks) {
      if (!is_wanted(group, each, names)) continue;
      ++count;
      const ending end = run_one(each);
      std::printf("%-34s %-24s %5.1f s of %3u  %s (of %u)\n", std::string{each.name}.c_str(),
                  end.outcome.c_str(), end.seconds, each.most.processor_seconds,
                  cost_line(end.output).c_str(), each.most.resident_mib);
      if (!end.is_held) {
        ++lost;
        std::printf("  the rule: %s\n%s\n", std::string{each.rule}.c_str(), end.output.c_str());
      }
      std::fflush(stdout);
    }
  }
  std::printf("%d attacks, %d lost\n", count, lost);
  return count == 0 ? 1 : lost;
}

}  // namespace aerogpu::hostile
