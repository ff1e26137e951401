// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/sandbox.hpp"

#include "dxbc_to_spirv/compiler/limits.hpp"
#include "dxbc_to_spirv/compiler/sanitized.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#if AEROGPU_HAS_SECCOMP
#include <seccomp.h>
#endif

namespace aerogpu::dxbc {
namespace {

struct limit_row {
  int resource;
  rlim_t most;
};

/// Descriptors that are open stay open with NOFILE 0. Address space is not limited for sanitizers,
/// which reserve terabytes of it.
constexpr std::array limits{
    limit_row{RLIMIT_AS, is_sanitized ? RLIM_INFINITY : process_memory_bytes},
    limit_row{RLIMIT_CORE, 0},
    limit_row{RLIMIT_FSIZE, 0},
    limit_row{RLIMIT_MEMLOCK, 0},
    limit_row{RLIMIT_MSGQUEUE, 0},
    limit_row{RLIMIT_NOFILE, 0},
    limit_row{RLIMIT_NPROC, 0}};

auto set_limits(unsigned life_seconds) noexcept -> bool {
  rlimit life{};
  if (getrlimit(RLIMIT_CPU, &life) != 0) return false;
  life.rlim_cur = life.rlim_max = std::min<rlim_t>(life.rlim_max, life_seconds);
  if (setrlimit(RLIMIT_CPU, &life) != 0) return false;
  for (const limit_row& row : limits) {
    const rlimit both{row.most, row.most};
    if (row.most == RLIM_INFINITY) continue;
    if (setrlimit(static_cast<__rlimit_resource>(row.resource), &both) != 0) return false;
  }
  return true;
}

/// Where the kernel has no close_range, one by one.
auto close_range_of(unsigned first, unsigned last) noexcept -> bool {
  if (first > last) return true;
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, last, 0) == 0) return true;
#endif
  rlimit most{};
  if (getrlimit(RLIMIT_NOFILE, &most) != 0 || most.rlim_cur == RLIM_INFINITY) return false;
  for (unsigned each = first; each <= last && each < most.rlim_cur; ++each)
    close(static_cast<int>(each));
  return true;
}

/// A sanitizer's report needs the standard error.
auto close_others(int socket) noexcept -> bool {
  const auto kept = static_cast<unsigned>(socket);
  const unsigned first = is_sanitized ? STDERR_FILENO + 1u : 0u;
  return close_range_of(first, kept - 1) && close_range_of(kept + 1, ~0u);
}

#if AEROGPU_HAS_SECCOMP

/// Allowed with any arguments: none of them names a file, a peer or another process.
constexpr std::array free_calls{
    SCMP_SYS(brk),    SCMP_SYS(clock_gettime), SCMP_SYS(exit),    SCMP_SYS(exit_group),
    SCMP_SYS(futex),  SCMP_SYS(getrandom),     SCMP_SYS(madvise), SCMP_SYS(mremap),
    SCMP_SYS(munmap), SCMP_SYS(read),          SCMP_SYS(write),   SCMP_SYS(restart_syscall)};

/// For what a sanitizer does while it runs and when it reports.
constexpr std::array sanitizer_calls{
    SCMP_SYS(getpid),      SCMP_SYS(gettid),         SCMP_SYS(sched_yield),
    SCMP_SYS(sigaltstack), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigaction),
    SCMP_SYS(readlink),    SCMP_SYS(nanosleep),      SCMP_SYS(rt_sigreturn)};

auto allow(scmp_filter_ctx filter, int call) noexcept -> bool {
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0) == 0;
}

/// Memory without PROT_EXEC, and of no file.
auto allow_memory(scmp_filter_ctx filter) noexcept -> bool {
  const scmp_arg_cmp no_code = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
  const scmp_arg_cmp no_file = SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS);
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2, no_code, no_file) == 0 &&
         seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, no_code) == 0;
}

/// The timer of `limit_processor_time`.
auto allow_timer(scmp_filter_ctx filter) noexcept -> bool {
  const scmp_arg_cmp own_time = SCMP_A0(SCMP_CMP_EQ, ITIMER_PROF, 0);
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(setitimer), 1, own_time) == 0;
}

auto add_rules(scmp_filter_ctx filter) noexcept -> bool {
  for (const int call : free_calls)
    if (!allow(filter, call)) return false;
  if constexpr (is_sanitized) {
    for (const int call : sanitizer_calls)
      if (!allow(filter, call)) return false;
  }
  return allow_memory(filter) && allow_timer(filter);
}

/// Sets no_new_privs too, without which the system takes no filter.
auto filter_calls() noexcept -> sandbox_level {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
  if (filter == nullptr) return sandbox_level::none;
  const bool is_loaded = add_rules(filter) && seccomp_load(filter) == 0;
  seccomp_release(filter);
  return is_loaded ? sandbox_level::calls : sandbox_level::none;
}

#else

auto filter_calls() noexcept -> sandbox_level {
  return sandbox_level::limits;
}

#endif

}  // namespace

auto enter_sandbox(int socket, unsigned life_seconds) noexcept -> sandbox_level {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return sandbox_level::none;
  if (!close_others(socket) || !set_limits(life_seconds)) return sandbox_level::none;
  return filter_calls();
}

void limit_processor_time(unsigned seconds) noexcept {
  const itimerval once{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  static_cast<void>(setitimer(ITIMER_PROF, &once, nullptr));
}

}  // namespace aerogpu::dxbc
