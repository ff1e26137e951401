// SPDX-License-Identifier: MIT
#include "drivers/wine/guestd/shared_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace aerogpu::wine {

shared_file::~shared_file() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
  if (file_ >= 0) close(file_);
}

auto shared_file::create(std::uint64_t size_bytes) -> bool {
  file_ = memfd_create("aerogpu-guestd", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  size_bytes_ = size_bytes;
  return file_ >= 0 && ftruncate(file_, static_cast<off_t>(size_bytes)) == 0 &&
         fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

auto shared_file::map() -> bool {
  auto* const at = mmap(nullptr, size_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (at == MAP_FAILED) return false;
  bytes_ = {static_cast<std::byte*>(at), static_cast<std::size_t>(size_bytes_)};
  return true;
}

auto shared_file::publish(const std::string& path) const -> bool {
  const auto target = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
  return symlink(target.c_str(), path.c_str()) == 0;
}

}  // namespace aerogpu::wine
