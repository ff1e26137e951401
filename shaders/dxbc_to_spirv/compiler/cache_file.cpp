// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/cache_file.hpp"

#include "aerogpu/core/hash.hpp"
#include "dxbc_to_spirv/compiler/limits.hpp"
#include "dxbc_to_spirv/compiler/program_path.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace aerogpu::dxbc {
namespace {

/// Precedes the identity, the job and the words.
struct file_header {
  std::array<char, 8> magic;  ///< The last character is the version of this layout.
  std::uint32_t checksum;     ///< CRC-32 of what follows the header.
  std::uint32_t identity_bytes;
  std::uint32_t job_bytes;
  std::uint32_t word_count;
};
static_assert(sizeof(file_header) == 24);

constexpr std::array<char, 8> file_magic{'A', 'G', 'P', 'U', 'S', 'P', 'V', '1'};

class open_file {
 public:
  open_file(const char* path, int flags) noexcept
      : descriptor_(open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR)) {}
  open_file(const open_file&) = delete;
  auto operator=(const open_file&) -> open_file& = delete;
  ~open_file() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  [[nodiscard]] auto get() const noexcept -> int { return descriptor_; }
  [[nodiscard]] auto is_open() const noexcept -> bool { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

auto read_bytes(int from, mutable_bytes into) noexcept -> bool {
  while (!into.empty()) {
    const ssize_t got = ::read(from, into.data(), into.size());
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got > 0) into = into.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

auto write_bytes(int to, const_bytes from) noexcept -> bool {
  while (!from.empty()) {
    const ssize_t put = ::write(to, from.data(), from.size());
    if (put == 0 || (put < 0 && errno != EINTR)) return false;
    if (put > 0) from = from.subspan(static_cast<std::size_t>(put));
  }
  return true;
}

/// Whether the header is one of this key, and the file as long as it says.
auto fits(const file_header& header, const struct stat& file, const cache_key& key) noexcept
    -> bool {
  return header.magic == file_magic && header.identity_bytes == key.identity.size() &&
         header.job_bytes == key.job.size() && header.word_count <= max_module_words &&
         S_ISREG(file.st_mode) &&
         static_cast<std::uint64_t>(file.st_size) == cache_file_bytes(key, header.word_count);
}

/// Reads what follows the header, and compares it with the key piece by piece.
auto read_entry(int file, const file_header& header, const cache_key& key) noexcept
    -> std::optional<heap_array<std::uint32_t>> {
  heap_array<std::byte> known;
  heap_array<std::uint32_t> words;
  if (!known.resize(key.identity.size() + key.job.size()) || !words.resize(header.word_count))
    return std::nullopt;
  const mutable_bytes module = std::as_writable_bytes(words.view());
  if (!read_bytes(file, known.view()) || !read_bytes(file, module)) return std::nullopt;
  if (crc32(module, crc32(known.view())) != header.checksum) return std::nullopt;
  const const_bytes all = known.view();
  if (!std::ranges::equal(all.first(key.identity.size()), key.identity) ||
      !std::ranges::equal(all.subspan(key.identity.size()), key.job))
    return std::nullopt;
  return words;
}

/// A name beside `path` that nobody else writes to.
auto partial_path(const char* path, path_buffer& into) noexcept -> bool {
  static std::atomic<unsigned> count = 0;
  const int size = std::snprintf(into.data(), into.size(), "%s.%ld.%u.partial", path,
                                 static_cast<long>(getpid()), ++count);
  return size > 0 && static_cast<std::size_t>(size) < into.size();
}

auto write_entry(const char* path, const cache_key& key,
                 std::span<const std::uint32_t> words) noexcept -> bool {
  const const_bytes module = std::as_bytes(words);
  const file_header header{.magic = file_magic,
                           .checksum = crc32(module, crc32(key.job, crc32(key.identity))),
                           .identity_bytes = static_cast<std::uint32_t>(key.identity.size()),
                           .job_bytes = static_cast<std::uint32_t>(key.job.size()),
                           .word_count = static_cast<std::uint32_t>(words.size())};
  const open_file file{path, O_WRONLY | O_CREAT | O_EXCL};
  return file.is_open() && write_bytes(file.get(), bytes_of(header)) &&
         write_bytes(file.get(), key.identity) && write_bytes(file.get(), key.job) &&
         write_bytes(file.get(), module);
}

}  // namespace

auto cache_file_bytes(const cache_key& key, std::size_t word_count) noexcept -> std::uint64_t {
  return sizeof(file_header) + key.identity.size() + key.job.size() +
         std::uint64_t{word_count} * sizeof(std::uint32_t);
}

auto read_cache_file(const char* path, const cache_key& key, bool& is_there) noexcept
    -> std::optional<heap_array<std::uint32_t>> {
  const open_file file{path, O_RDONLY};
  is_there = file.is_open();
  if (!is_there) return std::nullopt;
  struct stat facts {};
  file_header header{};
  if (fstat(file.get(), &facts) != 0 || !read_bytes(file.get(), mutable_bytes_of(header)) ||
      !fits(header, facts, key))
    return std::nullopt;
  auto words = read_entry(file.get(), header, key);
  if (words) static_cast<void>(futimens(file.get(), nullptr));
  return words;
}

auto write_cache_file(const char* path, const cache_key& key,
                      std::span<const std::uint32_t> words) noexcept -> bool {
  path_buffer partial;
  if (!partial_path(path, partial)) return false;
  if (write_entry(partial.data(), key, words) && rename(partial.data(), path) == 0) return true;
  static_cast<void>(unlink(partial.data()));
  return false;
}

}  // namespace aerogpu::dxbc
