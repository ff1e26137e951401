// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/child_process.hpp"

#include "dxbc_to_spirv/compiler/protocol.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace aerogpu::dxbc {
namespace {

constexpr std::size_t longest_variable = 4096;
constexpr char library_path_name[] = "LD_LIBRARY_PATH";

/// Attributes and file actions of one start.
class spawn_setup {
 public:
  spawn_setup() noexcept
      : is_ready_(posix_spawnattr_init(&attributes_) == 0 &&
                  posix_spawn_file_actions_init(&actions_) == 0) {}
  spawn_setup(const spawn_setup&) = delete;
  auto operator=(const spawn_setup&) -> spawn_setup& = delete;
  ~spawn_setup() {
    if (!is_ready_) return;
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  /// Its end of the socket, the standard error until it shuts itself in, and no other descriptor.
  /// The socket comes first, since it may have one of the standard numbers.
  [[nodiscard]] auto prepare(int socket) noexcept -> bool {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    const auto flags =
        static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    return is_ready_ && posix_spawnattr_setflags(&attributes_, flags) == 0 &&
           posix_spawnattr_setsigmask(&attributes_, &none) == 0 &&
           posix_spawnattr_setsigdefault(&attributes_, &all) == 0 &&
           posix_spawn_file_actions_adddup2(&actions_, socket, compiler_socket) == 0 &&
           posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0) ==
               0 &&
           posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) ==
               0 &&
           posix_spawn_file_actions_addclosefrom_np(&actions_, compiler_socket + 1) == 0;
  }

  /// 0, or an errno.
  [[nodiscard]] auto spawn(const char* program, pid_t& id) noexcept -> int {
    std::array<char, longest_variable> library_path;
    std::array<char*, 2> environment{};
    if (const char* const path = std::getenv(library_path_name); path != nullptr) {
      const int size =
          std::snprintf(library_path.data(), library_path.size(), "%s=%s", library_path_name, path);
      if (size > 0 && static_cast<std::size_t>(size) < library_path.size())
        environment[0] = library_path.data();
    }
    char name[] = "aerogpu-shader-compiler";
    std::array<char*, 2> arguments{name, nullptr};
    return posix_spawn(&id, program, &actions_, &attributes_, arguments.data(), environment.data());
  }

 private:
  posix_spawnattr_t attributes_;
  posix_spawn_file_actions_t actions_;
  bool is_ready_;
};

void close_if_open(int& descriptor) noexcept {
  if (descriptor >= 0) close(std::exchange(descriptor, -1));
}

auto open_handle(pid_t id) noexcept -> int {
#ifdef SYS_pidfd_open
  return static_cast<int>(syscall(SYS_pidfd_open, id, 0));
#else
  return static_cast<void>(id), -1;
#endif
}

/// By handle where there is one. Somebody else may have waited for the process already.
void kill_and_wait(pid_t id, int handle) noexcept {
  if (id <= 0) return;  // A signal to -1 would reach every process there is.
#ifdef SYS_pidfd_send_signal
  if (handle >= 0) {
    syscall(SYS_pidfd_send_signal, handle, SIGKILL, nullptr, 0);
    siginfo_t ended;
    while (waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(handle), &ended, WEXITED) < 0 &&
           errno == EINTR) {
    }
    return;
  }
#endif
  kill(id, SIGKILL);
  while (waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

child_process::child_process(child_process&& other) noexcept
    : id_(std::exchange(other.id_, -1)),
      owner_(std::exchange(other.owner_, -1)),
      handle_(std::exchange(other.handle_, -1)),
      socket_(std::exchange(other.socket_, -1)) {}

auto child_process::operator=(child_process&& other) noexcept -> child_process& {
  std::swap(id_, other.id_);
  std::swap(owner_, other.owner_);
  std::swap(handle_, other.handle_);
  std::swap(socket_, other.socket_);
  return *this;
}

auto child_process::start(const char* program) noexcept -> result<child_process> {
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return make_error(error_code::out_of_memory, "no socket for the shader compiler",
                      static_cast<std::uint64_t>(errno));
  child_process made;
  made.socket_ = ends[0];
  spawn_setup setup;
  const int failed = setup.prepare(ends[1]) ? setup.spawn(program, made.id_) : ENOMEM;
  close(ends[1]);
  if (failed != 0) {
    made.id_ = -1;
    const bool is_scarce = failed == ENOMEM || failed == EAGAIN;
    return make_error(is_scarce ? error_code::out_of_memory : error_code::unsupported,
                      "the shader compiler's program cannot be started",
                      static_cast<std::uint64_t>(failed));
  }
  made.owner_ = getpid();
  made.handle_ = open_handle(made.id_);
  return made;
}

auto child_process::is_started() const noexcept -> bool {
  return id_ > 0 && owner_ == getpid();
}

auto child_process::is_quiet() const noexcept -> bool {
  std::byte unasked{};
  const ssize_t got = recv(socket_, &unasked, 1, MSG_DONTWAIT | MSG_PEEK);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

auto child_process::processor_time() const noexcept -> std::chrono::nanoseconds {
  clockid_t clock{};
  timespec used{};
  const bool is_known =
      is_started() && clock_getcpuclockid(id_, &clock) == 0 && clock_gettime(clock, &used) == 0;
  if (!is_known) return {};
  return std::chrono::seconds{used.tv_sec} + std::chrono::nanoseconds{used.tv_nsec};
}

auto child_process::wait_for(short events, deadline until) noexcept -> bool {
  using namespace std::chrono;
  for (;;) {
    const auto left = ceil<milliseconds>(until - steady_clock::now()).count();
    if (left <= 0) return false;
    pollfd waiting{socket_, events, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min<long long>(left, 60'000)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR && errno != EAGAIN) return false;
  }
}

auto child_process::send(const_bytes from, deadline until) noexcept -> transfer {
  while (!from.empty()) {
    const ssize_t put = ::send(socket_, from.data(), from.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (put > 0) {
      from = from.subspan(static_cast<std::size_t>(put));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return transfer::closed;
    if (!wait_for(POLLOUT, until)) return transfer::late;
  }
  return transfer::done;
}

auto child_process::receive(mutable_bytes to, deadline until) noexcept -> transfer {
  while (!to.empty()) {
    const ssize_t got = recv(socket_, to.data(), to.size(), MSG_DONTWAIT);
    if (got > 0) {
      to = to.subspan(static_cast<std::size_t>(got));
      continue;
    }
    if (got == 0) return transfer::closed;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return transfer::closed;
    if (!wait_for(POLLIN, until)) return transfer::late;
  }
  return transfer::done;
}

void child_process::end() noexcept {
  if (is_started()) kill_and_wait(id_, handle_);
  id_ = -1;
  close_if_open(socket_);
  close_if_open(handle_);
}

}  // namespace aerogpu::dxbc
