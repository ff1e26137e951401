// SPDX-License-Identifier: MIT
// Does one thing that a compiler has no business to do, inside the sandbox or outside of it, and
// says whether it could.
#include "tests/compiler_process/sandbox_probe.hpp"

#include "dxbc_to_spirv/compiler/protocol.hpp"
#include "dxbc_to_spirv/compiler/sandbox.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace aerogpu::dxbc;
using aerogpu::test::probe;

namespace {

constexpr std::size_t page_bytes = 4096;

auto map_pages(int protection) -> void* {
  return mmap(nullptr, page_bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

auto start_program() -> bool {
  const pid_t id = fork();
  if (id == 0) {
    char* const nothing[] = {nullptr};
    execve("/bin/true", nothing, nothing);
    _exit(1);
  }
  return id > 0 && waitpid(id, nullptr, 0) == id;
}

auto reads_other_process() -> bool {
  int value = 1, copy = 0;
  const iovec to{&copy, sizeof copy}, from{&value, sizeof value};
  return process_vm_readv(getppid(), &to, 1, &from, 1, 0) >= 0 || errno == EFAULT;
}

auto connects() -> bool {
  const int made = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in nobody{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {}, .sin_zero = {}};
  return made >= 0 &&
         (connect(made, reinterpret_cast<const sockaddr*>(&nobody), sizeof nobody), true);
}

auto allocates() -> bool {
  void* volatile taken = std::malloc(std::size_t{1} << 30);
  std::free(taken);
  return taken != nullptr;
}

auto spins() -> bool {
  timespec used{};
  while (used.tv_sec < 3)
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return false;
  return true;
}

auto could(probe what) -> bool {
  switch (what) {
    case probe::nothing: return true;
    case probe::open_file: return open("/dev/null", O_RDONLY) >= 0;
    case probe::create_file: return open("/tmp", O_TMPFILE | O_WRONLY, 0600) >= 0;
    case probe::open_socket: return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
    case probe::connect: return connects();
    case probe::fork: return start_program();
    case probe::execute: execl("/bin/echo", "echo", nullptr); return false;
    case probe::signal_host: return kill(getppid(), 0) == 0;
    case probe::read_host: return reads_other_process();
    case probe::map_code: return map_pages(PROT_READ | PROT_EXEC) != MAP_FAILED;
    case probe::make_code:
      return mprotect(map_pages(PROT_READ | PROT_WRITE), page_bytes, PROT_READ | PROT_EXEC) == 0;
    case probe::copy_descriptor: return dup(compiler_socket) >= 0;
    case probe::send_descriptor: {
      msghdr empty{};
      return sendmsg(compiler_socket, &empty, MSG_DONTWAIT) >= 0;
    }
    case probe::raise_limits: {
      const rlimit same{0, 0};
      return setrlimit(RLIMIT_CORE, &same) == 0;
    }
    case probe::allocate: return allocates();
    case probe::spin: limit_processor_time(1); return spins();
    case probe::spin_without_timer: limit_processor_time(0); return spins();
    case probe::set_other_timer: {
      const itimerval never{};
      return setitimer(ITIMER_REAL, &never, nullptr) == 0;
    }
    case probe::write_standard_error: return write(STDERR_FILENO, "", 0) == 0;
  }
  return false;
}

}  // namespace

auto main() -> int {
  aerogpu::test::probe_request request{};
  if (read(compiler_socket, &request, sizeof request) != sizeof request) return 1;
  const unsigned life_seconds = request.what == probe::spin_without_timer ? 1 : 60;
  if (request.is_inside && enter_sandbox(compiler_socket, life_seconds) == sandbox_level::none)
    return 1;
  const char ready = 'r';
  if (write(compiler_socket, &ready, 1) != 1) return 1;
  const char answer = could(request.what) ? 'y' : 'n';
  if (write(compiler_socket, &answer, 1) != 1) return 1;
  _exit(0);
}
