// SPDX-License-Identifier: MIT
#include "tools/aerogpu/files/file_bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aerogpu::tool {

namespace {

constexpr std::size_t head_bytes = 8;

class opened_file {
 public:
  explicit opened_file(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  opened_file(const opened_file&) = delete;
  auto operator=(const opened_file&) -> opened_file& = delete;
  ~opened_file() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] auto number() const noexcept -> int { return number_; }

 private:
  int number_;
};

auto head_of(const_bytes bytes) -> const_bytes {
  return bytes.first(std::min(bytes.size(), head_bytes));
}

}  // namespace

file_bytes::~file_bytes() {
  if (mapped_.empty()) return;
  ::munmap(const_cast<std::byte*>(mapped_.data()), mapped_.size());
}

auto file_bytes::map(int file, std::size_t size) noexcept -> bool {
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (at == MAP_FAILED) return false;
  mapped_ = {static_cast<const std::byte*>(at), size};
  return true;
}

/// True with no bytes when they are not wanted.
auto file_bytes::read(int file, head_check is_wanted) -> bool {
  constexpr std::size_t chunk = 1 << 20;
  for (std::size_t want = head_bytes;;) {
    const std::size_t size = read_.size();
    read_.resize(size + want);
    const ssize_t got = ::read(file, read_.data() + size, want);
    read_.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR) return false;
    if (got == 0) return true;
    if (read_.size() < head_bytes) continue;
    if (want != chunk && !is_wanted(read_)) return true;
    want = chunk;
  }
}

auto file_bytes::map_open(int file, std::string& why) -> std::optional<file_bytes> {
  struct stat about {};
  file_bytes bytes;
  if (::fstat(file, &about) != 0 ||
      (about.st_size != 0 && !bytes.map(file, static_cast<std::size_t>(about.st_size)))) {
    why = std::strerror(errno);
    return std::nullopt;
  }
  return bytes;
}

auto file_bytes::open(const std::string& path, head_check is_wanted, std::string& why)
    -> std::optional<file_bytes> {
  const opened_file file{path};
  struct stat about {};
  if (file.number() < 0 || ::fstat(file.number(), &about) != 0) {
    why = path + ": " + std::strerror(errno);
    return std::nullopt;
  }
  if (S_ISDIR(about.st_mode)) {
    why = path + ": it is a folder";
    return std::nullopt;
  }
  file_bytes bytes;
  const auto size = static_cast<std::uint64_t>(about.st_size);
  const bool is_mapped = S_ISREG(about.st_mode) && size != 0 && size <= PTRDIFF_MAX;
  if (is_mapped ? !bytes.map(file.number(), static_cast<std::size_t>(size))
                : !bytes.read(file.number(), is_wanted)) {
    why = path + ": " + std::strerror(errno);
    return std::nullopt;
  }
  if (!is_wanted(head_of(bytes.view()))) return std::nullopt;
  return bytes;
}

}  // namespace aerogpu::tool
