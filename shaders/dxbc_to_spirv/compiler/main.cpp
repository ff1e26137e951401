// SPDX-License-Identifier: MIT
// The shader compiler's process: reads jobs from the host, calls libvkd3d-shader, and answers.
// It allocates one buffer for jobs, which grows to the longest.
#include "dxbc_to_spirv/compiler/protocol.hpp"
#include "dxbc_to_spirv/compiler/sandbox.hpp"
#include "dxbc_to_spirv/compiler/sanitized.hpp"
#include "dxbc_to_spirv/vkd3d.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using namespace aerogpu;
using namespace aerogpu::dxbc;

enum exit_code { exit_fine = 0, exit_usage = 2, exit_no_sandbox = 3, exit_bad_request = 4 };

constexpr std::size_t max_job_bytes =
    sizeof(job_header) + max_job_bindings * sizeof(job_binding) + max_container_bytes;
constexpr unsigned slowness = is_sanitized ? 10 : 1;
constexpr unsigned request_seconds = process_request_seconds * slowness;
constexpr unsigned life_seconds = process_life_seconds * slowness;

constexpr char help[] =
    "usage: aerogpu-shader-compiler [--help | --version]\n\n"
    "Compiles Direct3D 10 and 11 shaders for a program that embeds AeroGPU, which starts it and\n"
    "talks to it over descriptor 3. It opens no files and no connections: resource limits"
#if AEROGPU_HAS_SECCOMP
    " and a\nfilter of system calls (seccomp) see to that.\n";
#else
    " see\nto that. This build has no filter of system calls: it was made without libseccomp.\n";
#endif

auto read_all(mutable_bytes to) noexcept -> bool {
  while (!to.empty()) {
    const ssize_t got = read(compiler_socket, to.data(), to.size());
    if (got <= 0 && !(got < 0 && errno == EINTR)) return false;
    if (got > 0) to = to.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

auto write_all(const_bytes from) noexcept -> bool {
  while (!from.empty()) {
    const ssize_t put = write(compiler_socket, from.data(), from.size());
    if (put <= 0 && !(put < 0 && errno == EINTR)) return false;
    if (put > 0) from = from.subspan(static_cast<std::size_t>(put));
  }
  return true;
}

auto answer(std::uint32_t id, const compile_job& job) -> bool {
  limit_processor_time(request_seconds);
  const library_answer made{job};
  limit_processor_time(0);
  const const_bytes words = made.words();
  const std::string_view messages = made.messages();
  const reply_frame reply{
      .magic = reply_magic,
      .id = id,
      .status = made.status(),
      .detail = made.detail(),
      .word_count = static_cast<std::uint32_t>(words.size() / sizeof(std::uint32_t)),
      .message_bytes = static_cast<std::uint32_t>(messages.size())};
  return write_all(bytes_of(reply)) && write_all(words) &&
         write_all(std::as_bytes(std::span{messages}));
}

/// Until the host closes its end.
auto serve() -> int {
  heap_array<std::byte> bytes;
  request_frame request{};
  while (read_all(mutable_bytes_of(request))) {
    if (request.magic != request_magic || request.job_bytes > max_job_bytes)
      return exit_bad_request;
    bytes.clear();
    if (!bytes.resize(request.job_bytes) || !read_all(bytes.view())) return exit_bad_request;
    const auto job = compile_job::parse(bytes.view());
    if (!job) return exit_bad_request;
    if (!answer(request.id, *job)) break;
  }
  return exit_fine;
}

auto run(int argument_count, char** arguments) -> int {
  if (argument_count > 1 && std::string_view{arguments[1]} == "--version") {
    std::printf("aerogpu-shader-compiler, protocol %u, %s\n", protocol_version, library_version());
    return exit_fine;
  }
  int type = 0;
  socklen_t size = sizeof type;
  const bool has_socket = getsockopt(compiler_socket, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
  if (argument_count > 1 || !has_socket) {
    const bool asked = argument_count > 1 && std::string_view{arguments[1]} == "--help";
    std::fputs(help, asked ? stdout : stderr);
    return asked ? exit_fine : exit_usage;
  }
  if (enter_sandbox(compiler_socket, life_seconds) == sandbox_level::none) return exit_no_sandbox;
  if (!write_all(bytes_of(hello_frame{hello_magic, protocol_version}))) return exit_fine;
  return serve();
}

}  // namespace

auto main(int argument_count, char** arguments) -> int {
  const int code = run(argument_count, arguments);
  std::fflush(stdout);
  _exit(code);  // No handlers at exit: a sanitizer's would need calls that the sandbox forbids.
}
