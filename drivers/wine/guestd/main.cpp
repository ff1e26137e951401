// SPDX-License-Identifier: MIT
/// \file aerogpu-guestd: the kernel side of Windows, the device and its backend in one process.
#include "backends/null/null_backend.hpp"
#include "drivers/sim/kernel/machine/null_machine.hpp"
#include "drivers/wine/guestd/session.hpp"
#include "tools/aerogpu/terminal/options.hpp"
#ifdef AEROGPU_GUESTD_HAS_VULKAN
#include "drivers/sim/kernel/machine/vulkan_machine.hpp"
#endif

#include <array>
#include <csignal>
#include <cstdio>
#include <malloc.h>
#include <optional>
#include <span>
#include <string>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace aerogpu;
using namespace aerogpu::wine;

namespace {

/// llvmpipe takes tens of MiB for a frame with many draws and gives them back at its end. Kept by
/// the process they are not cleared and mapped again for the next frame, which is half of its time.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kept_bytes = 128 << 20, largest_kept_block = 32 << 20;
  mallopt(M_TRIM_THRESHOLD, kept_bytes);
  mallopt(M_MMAP_THRESHOLD, largest_kept_block);
#endif
}

constexpr std::array options{
    tool::option_row{"folder", "DIR", "where clients find the server (it is made); required"},
    tool::option_row{"backend", "NAME", "null or vulkan (vulkan, where it is built in)"},
    tool::option_row{"memory", "MIB",
                     "memory of allocations outside of video memory, 16 to 1024 (256)"},
    tool::option_row{"width", "PIXELS", "of the desktop, 64 to 4096 (1024)"},
    tool::option_row{"height", "PIXELS", "of the desktop (768)"},
    tool::option_row{"png", "DIR", "write what the desktop shows, a PNG per second if it changed"},
    tool::option_row{
        "trace", "FILE",
        "record what the guest submits, for aerogpu replay; compressed if FILE ends in .zst"},
    tool::option_row{"validate", "", "turn on Vulkan's validation layers; an error is status 1"},
    tool::option_row{"with-parent", "", "end when the process that started this one ends"},
    tool::option_row{"help", "", "print this text"},
};
constexpr tool::command_syntax syntax{"",
                                      "",
                                      "Runs a simulated Windows kernel with the real kernel driver "
                                      "and device, for clients of its thunks.",
                                      options,
                                      0,
                                      0,
                                      "aerogpu-guestd"};

#ifdef AEROGPU_GUESTD_HAS_VULKAN
constexpr const char* default_backend = "vulkan";
#else
constexpr const char* default_backend = "null";
#endif

/// A number of a range, or the default; false when it is none.
[[nodiscard]] auto choose(const tool::arguments& given, const char* name, std::uint32_t least,
                          std::uint32_t most, std::uint32_t& out) -> bool {
  const auto text = given.value(name);
  if (!text) return true;
  const auto number = tool::parse_number(*text);
  if (!number || *number < least || *number > most) {
    std::fprintf(stderr, "aerogpu-guestd: --%s (%s) is not a number from %u to %u.\n", name,
                 text->c_str(), least, most);
    return false;
  }
  out = static_cast<std::uint32_t>(*number);
  return true;
}

[[nodiscard]] auto read_choice(const tool::arguments& given) -> std::optional<session_options> {
  session_options made;
  made.folder = given.value("folder").value_or("");
  made.backend = given.value("backend").value_or(default_backend);
  made.png_folder = given.value("png").value_or("");
  made.trace_file = given.value("trace").value_or("");
  made.validates = given.has("validate");
  if (made.folder.empty()) {
    std::fputs("aerogpu-guestd: --folder is missing.\n", stderr);
    return std::nullopt;
  }
  constexpr std::uint32_t largest_side = 4096;
  constexpr std::uint32_t smallest_side = 64;
  auto& machine = made.machine;
  const bool is_good = choose(given, "memory", 16, 1024, machine.memory_mib) &&
                       choose(given, "width", smallest_side, largest_side, machine.width) &&
                       choose(given, "height", smallest_side, largest_side, machine.height);
  return is_good ? std::optional{made} : std::nullopt;
}

template <class Backend>
[[nodiscard]] auto run(Backend& backend, const session_options& chosen, int stop) -> int {
  shared_file memory;
  const auto memory_mib = video_mib + chosen.machine.memory_mib;
  if (!memory.create(std::uint64_t{memory_mib} << 20)) {
    std::fputs("aerogpu-guestd: the system gives no shared memory.\n", stderr);
    return 1;
  }
  session<Backend> session{backend, chosen, memory};
  return session.run(stop);
}

[[nodiscard]] auto run_null(const session_options& chosen, int stop) -> int {
  null_backend backend;
  return run(backend, chosen, stop);
}

#ifdef AEROGPU_GUESTD_HAS_VULKAN
constexpr int no_vulkan = 3;

[[nodiscard]] auto run_vulkan(const session_options& chosen, int stop) -> int {
  vulkan::backend_options wanted;
  wanted.validate = chosen.validates;
  auto made = vulkan::vulkan_backend::create(wanted);
  if (!made) {
    std::fprintf(stderr, "aerogpu-guestd: %s\n", made.why().what);
    return no_vulkan;
  }
  const int status = run(**made, chosen, stop);
  const auto errors = (*made)->validation_errors();
  if (errors != 0) std::fprintf(stderr, "aerogpu-guestd: %u validation errors\n", errors);
  return errors == 0 ? status : 1;
}
#endif

[[nodiscard]] auto run_backend(const session_options& chosen, int stop) -> int {
  if (chosen.backend == "null") return run_null(chosen, stop);
#ifdef AEROGPU_GUESTD_HAS_VULKAN
  if (chosen.backend == "vulkan") return run_vulkan(chosen, stop);
#endif
  std::fprintf(stderr, "aerogpu-guestd: there is no backend '%s' in this build.\n",
               chosen.backend.c_str());
  return 2;
}

/// SIGINT and SIGTERM as something to wait for. Before any thread.
[[nodiscard]] auto stop_signals() -> int {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  return signalfd(-1, &ends, SFD_CLOEXEC);
}

}  // namespace

auto main(int count, char** words) -> int {
  std::string why;
  const auto given = tool::parse_arguments(
      syntax, std::span{words, static_cast<std::size_t>(count)}.subspan(1), why);
  if (!given) {
    std::fprintf(stderr, "aerogpu-guestd: %s\n", why.c_str());
    return 2;
  }
  if (given->has("help")) {
    std::fputs(tool::help_text(syntax).c_str(), stdout);
    return 0;
  }
  const auto chosen = read_choice(*given);
  if (!chosen) return 2;
  keep_freed_memory();
  const auto parent = getppid();
  const int stop = stop_signals();
  if (given->has("with-parent")) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) return 1;
  }
  constexpr mode_t owner_only = 0700;
  const bool made = mkdir(chosen->folder.c_str(), owner_only) == 0;
  const int status = run_backend(*chosen, stop);
  if (made) rmdir(chosen->folder.c_str());
  return status;
}
