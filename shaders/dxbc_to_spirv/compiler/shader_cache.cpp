// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/shader_cache.hpp"

#include "aerogpu/hosted/keyed_hash.hpp"
#include "dxbc_to_spirv/compiler/cache_file.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace aerogpu::dxbc {
namespace {

constexpr std::string_view entry_suffix = ".spv-cache";
constexpr std::string_view partial_suffix = ".partial";
constexpr std::size_t name_digits = 32;
/// No entry may take more than this part of the cache.
constexpr std::uint64_t largest_share = 4;
/// What a program that ended left behind is older than this.
constexpr std::int64_t stale_ns = 3600ll * 1'000'000'000;

// For names of files, not secrets: whoever finds two equal ones finds that an entry replaces
// another.
constexpr std::uint64_t name_seeds[2] = {0x4165726F47505531ull, 0x4165726F47505532ull};

auto nanoseconds_of(const timespec& time) noexcept -> std::int64_t {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

auto now_ns() noexcept -> std::int64_t {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds_of(now);
}

auto named(const cache_key& key) noexcept -> cache_entry {
  cache_entry entry;
  for (std::size_t i = 0; i < 2; ++i) {
    keyed_hash hash{name_seeds[i]};
    hash.add(key.identity);
    hash.add(key.job);
    entry.name[i] = hash.finish();
  }
  entry.last_use_ns = now_ns();
  return entry;
}

auto parse_digits(std::string_view digits, std::uint64_t& value) noexcept -> bool {
  value = 0;
  for (const char c : digits) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit && !(c >= 'a' && c <= 'f')) return false;
    value = value << 4 | static_cast<std::uint64_t>(is_digit ? c - '0' : c - 'a' + 10);
  }
  return true;
}

auto parse_name(std::string_view file, cache_entry& entry) noexcept -> bool {
  return file.size() == name_digits + entry_suffix.size() && file.ends_with(entry_suffix) &&
         parse_digits(file.substr(0, 16), entry.name[0]) &&
         parse_digits(file.substr(16, 16), entry.name[1]);
}

auto is_partial(std::string_view file) noexcept -> bool {
  return file.ends_with(partial_suffix) && file.find(entry_suffix) == name_digits;
}

/// Names of one folder.
class folder_reader {
 public:
  explicit folder_reader(const char* path) noexcept : folder_(opendir(path)) {}
  folder_reader(const folder_reader&) = delete;
  auto operator=(const folder_reader&) -> folder_reader& = delete;
  ~folder_reader() {
    if (folder_ != nullptr) closedir(folder_);
  }

  /// Null at the end.
  [[nodiscard]] auto next() noexcept -> const char* {
    const dirent* const entry = folder_ != nullptr ? readdir(folder_) : nullptr;
    return entry != nullptr ? entry->d_name : nullptr;
  }
  [[nodiscard]] auto facts_of(const char* name, struct stat& facts) const noexcept -> bool {
    return fstatat(dirfd(folder_), name, &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(facts.st_mode);
  }
  void remove(const char* name) const noexcept {
    static_cast<void>(unlinkat(dirfd(folder_), name, 0));
  }

 private:
  DIR* folder_;
};

}  // namespace

shader_cache::shader_cache(const char* folder, const compiler_limits& limits) noexcept
    : limits_(limits) {
  const std::size_t size = std::strlen(folder);
  if (size < folder_.size()) std::memcpy(folder_.data(), folder, size + 1);
}

auto shader_cache::find(const_bytes job, const_bytes identity) noexcept
    -> std::optional<heap_array<std::uint32_t>> {
  if (!is_on()) return std::nullopt;
  scan();
  const cache_key key{job, identity};
  const cache_entry wanted = named(key);
  path_buffer path;
  if (!path_of(wanted, path)) return std::nullopt;
  bool is_there = false;
  auto words = read_cache_file(path.data(), key, is_there);
  if (words) {
    ++counters_.hits;
    if (cache_entry* const entry = find_entry(wanted)) entry->last_use_ns = wanted.last_use_ns;
    return words;
  }
  if (is_there) {
    ++counters_.damaged;
    remove(job, identity);
  }
  return std::nullopt;
}

void shader_cache::store(const_bytes job, const_bytes identity,
                         std::span<const std::uint32_t> words) noexcept {
  if (!is_on()) return;
  const cache_key key{job, identity};
  cache_entry entry = named(key);
  entry.size_bytes = cache_file_bytes(key, words.size());
  if (entry.size_bytes > limits_.cache_bytes / largest_share) return;
  static_cast<void>(mkdir(folder_.data(), S_IRWXU));
  scan();
  if (cache_entry* const old = find_entry(entry)) drop(*old);
  path_buffer path;
  if (!make_room(entry.size_bytes) || !path_of(entry, path)) return;
  if (!entries_.reserve(entries_.size() + 1)) return;
  if (!write_cache_file(path.data(), key, words)) return;
  add(entry);
  ++counters_.stored;
}

void shader_cache::remove(const_bytes job, const_bytes identity) noexcept {
  if (!is_on()) return;
  cache_entry gone = named({job, identity});
  if (cache_entry* const entry = find_entry(gone)) {
    drop(*entry);
    return;
  }
  path_buffer path;
  if (path_of(gone, path)) static_cast<void>(unlink(path.data()));
}

auto shader_cache::size_bytes() noexcept -> std::uint64_t {
  if (is_on()) scan();
  return size_bytes_;
}

/// Once: what other processes add later counts when the next one reads the folder.
void shader_cache::scan() noexcept {
  if (std::exchange(is_scanned_, true)) return;
  folder_reader folder{folder_.data()};
  struct stat facts {};
  while (const char* const name = folder.next()) {
    cache_entry entry;
    const bool is_entry = parse_name(name, entry);
    if ((!is_entry && !is_partial(name)) || !folder.facts_of(name, facts)) continue;
    entry.last_use_ns = nanoseconds_of(facts.st_mtim);
    entry.size_bytes = static_cast<std::uint64_t>(facts.st_size);
    if (!is_entry) {
      if (now_ns() - entry.last_use_ns > stale_ns) folder.remove(name);
    } else if (!make_room(entry.size_bytes) || !entries_.reserve(entries_.size() + 1)) {
      folder.remove(name);
    } else {
      add(entry);
    }
  }
}

/// Precondition: there is room.
void shader_cache::add(const cache_entry& entry) noexcept {
  if (entries_.push_back(entry)) size_bytes_ += entry.size_bytes;
}

auto shader_cache::find_entry(const cache_entry& wanted) noexcept -> cache_entry* {
  const auto at = std::ranges::find_if(entries_, [&](const cache_entry& entry) {
    return entry.name[0] == wanted.name[0] && entry.name[1] == wanted.name[1];
  });
  return at != entries_.end() ? at : nullptr;
}

/// Invalidates pointers to entries.
void shader_cache::drop(cache_entry& entry) noexcept {
  path_buffer path;
  if (path_of(entry, path)) static_cast<void>(unlink(path.data()));
  size_bytes_ -= entry.size_bytes;
  entry = entries_[entries_.size() - 1];
  entries_.truncate(entries_.size() - 1);
}

auto shader_cache::make_room(std::uint64_t size_bytes) noexcept -> bool {
  if (size_bytes > limits_.cache_bytes || limits_.cache_entries == 0) return false;
  while (!entries_.empty() && (size_bytes_ > limits_.cache_bytes - size_bytes ||
                               entries_.size() >= limits_.cache_entries)) {
    drop(*std::ranges::min_element(entries_, {}, &cache_entry::last_use_ns));
    ++counters_.evicted;
  }
  return true;
}

auto shader_cache::path_of(const cache_entry& entry, path_buffer& into) const noexcept -> bool {
  const int size = std::snprintf(into.data(), into.size(), "%s/%016" PRIx64 "%016" PRIx64 "%s",
                                 folder_.data(), entry.name[0], entry.name[1], entry_suffix.data());
  return size > 0 && static_cast<std::size_t>(size) < into.size();
}

}  // namespace aerogpu::dxbc
