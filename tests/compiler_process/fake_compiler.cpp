// SPDX-License-Identifier: MIT
// A shader compiler's program that does what the first byte of the job says: a process that a guest
// took over, or that broke.
#include "dxbc_to_spirv/compiler/job.hpp"
#include "dxbc_to_spirv/compiler/protocol.hpp"

#include <array>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace aerogpu;
using namespace aerogpu::dxbc;

namespace {

constexpr std::array<std::uint32_t, 6> module_words{0x07230203, 1, 2, 3, 4, 5};

void say(const_bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t put = send(compiler_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put <= 0) _exit(0);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

auto hear(mutable_bytes to) -> bool {
  return to.empty() || recv(compiler_socket, to.data(), to.size(), MSG_WAITALL) ==
                           static_cast<ssize_t>(to.size());
}

auto fine(std::uint32_t id) -> reply_frame {
  return {reply_magic, id, reply_status::compiled, 0, module_words.size(), 0};
}

void say_fine(std::uint32_t id) {
  say(bytes_of(fine(id)));
  say(std::as_bytes(std::span{module_words}));
}

auto open_descriptors() -> std::uint32_t {
  std::uint32_t count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (const dirent* const entry = readdir(folder)) count += entry->d_name[0] != '.' ? 1u : 0u;
  closedir(folder);
  return count - 1;  // Without the one of the folder.
}

/// Slower than any deadline, but never silent.
[[noreturn]] void drip() {
  constexpr std::array one{std::byte{0}};
  for (;;) {
    usleep(10'000);
    say(one);
  }
}

/// More than half a second of processor time.
void work() {
  timespec used{};
  while (used.tv_sec == 0 && used.tv_nsec < 600'000'000)
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) std::abort();
}

void answer(char what, std::uint32_t id) {
  reply_frame reply = fine(id);
  switch (what) {
    case 'w':
    case 'b': return say_fine(id);
    case 'u': work(); return say_fine(id);
    case 'n': reply = {reply_magic, id, reply_status::refused, 7, 0, 3}; break;
    case 'c': std::abort();
    case 'e': _exit(0);
    case 'h':
      for (;;) pause();
    case 'g': reply = {0xA5A5A5A5, 0xA5A5A5A5, reply_status::compiled, 0, 1, 0}; break;
    case 'i': reply.id += 1; break;
    case 's': reply.status = static_cast<reply_status>(3); break;
    case 'o': reply.word_count = max_module_words + 1; break;
    case 'O': reply.word_count = 0xFFFFFFFF; break;
    case 'm': reply.message_bytes = max_message_bytes + 1; break;
    case 'z': reply.word_count = 0; break;
    case 'r': reply.status = reply_status::refused; break;
    case 't': reply.word_count = 100; break;
    case 'd': reply.word_count = max_module_words; break;
    case 'x': say_fine(id); break;  // And the same again.
    case 'f': reply = {reply_magic, id, reply_status::refused, open_descriptors(), 0, 0}; break;
    default: std::abort();
  }
  say(bytes_of(reply));
  if (what == 'n') say(std::as_bytes(std::span{"no\x1b", 3}));
  if (what == 'x') say(std::as_bytes(std::span{module_words}));
  if (what == 't') _exit(0);
  if (what == 'd') drip();
}

}  // namespace

auto main() -> int {
  say(bytes_of(hello_frame{hello_magic, protocol_version}));
  request_frame request{};
  heap_array<std::byte> job;
  bool is_broken = false;
  while (hear(mutable_bytes_of(request)) && job.resize(request.job_bytes) && hear(job.view())) {
    if (is_broken) std::abort();
    is_broken = !job.empty() && static_cast<char>(job[0]) == 'b';
    answer(job.empty() ? 'w' : static_cast<char>(job[0]), request.id);
  }
  _exit(0);
}
