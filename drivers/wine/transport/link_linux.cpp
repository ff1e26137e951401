// SPDX-License-Identifier: MIT
#include "drivers/wine/transport/link.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aerogpu::wine {
namespace {

[[nodiscard]] auto descriptor(std::intptr_t handle) -> int {
  return static_cast<int>(handle);
}

}  // namespace

auto mapped_file::open(const std::string& path, std::uint64_t size_bytes) -> bool {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  struct stat about {};
  auto* at = MAP_FAILED;
  if (fstat(file, &about) == 0 && static_cast<std::uint64_t>(about.st_size) >= size_bytes)
    at = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (at == MAP_FAILED) return false;
  bytes_ = {static_cast<std::byte*>(at), static_cast<std::size_t>(size_bytes)};
  return true;
}

void mapped_file::close() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
  bytes_ = {};
}

/// For both directions: so it is opened without a reader, and stays writable without one. That the
/// server is gone shows at the other FIFO.
auto fifo_end::open_to_write(const std::string& path) -> bool {
  handle_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  return handle_ >= 0;
}

auto fifo_end::open_to_read(const std::string& path) -> bool {
  handle_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return handle_ >= 0;
}

void fifo_end::close() {
  if (handle_ >= 0) ::close(descriptor(handle_));
  handle_ = -1;
}

auto fifo_end::write(const_bytes bytes) -> bool {
  for (;;) {
    const auto written = ::write(descriptor(handle_), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    return written == static_cast<ssize_t>(bytes.size());
  }
}

auto fifo_end::wait_byte() -> bool {
  for (;;) {
    char byte = 0;
    const auto taken = ::read(descriptor(handle_), &byte, 1);
    if (taken < 0 && errno == EINTR) continue;
    return taken == 1;
  }
}

void fill_random(mutable_bytes bytes) {
  while (!bytes.empty()) {
    const auto taken = getrandom(bytes.data(), bytes.size(), 0);
    if (taken > 0) bytes = bytes.subspan(static_cast<std::size_t>(taken));
  }
}

auto folder_of_environment() -> std::string {
  const char* const value = std::getenv("AEROGPU_GUESTD");
  return value != nullptr ? value : "";
}

}  // namespace aerogpu::wine
