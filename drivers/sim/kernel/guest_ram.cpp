#include "drivers/sim/kernel/guest_ram.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace aerogpu::sim {
namespace {

constexpr std::uint64_t first_page = (1u << 20) / page_bytes;
/// Larger blocks are cleared by giving them back to the system, smaller ones by writing.
constexpr std::uint64_t punched_pages = 256;
constexpr int freed_pattern = 0xDD;
/// What the driver and the device share word by word is at most this: ring header, fence page
/// words.
constexpr std::size_t word_wise_bytes = 64;

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::abort();
}

[[nodiscard]] auto is_word_wise(std::uint64_t at, std::size_t size) -> bool {
  return size <= word_wise_bytes && size % 4 == 0 && at % 4 == 0;
}

void copy_words_out(const std::byte* from, mutable_bytes out) {
  for (std::size_t i = 0; i < out.size(); i += 4) {
    const auto word =
        __atomic_load_n(reinterpret_cast<const std::uint32_t*>(from + i), __ATOMIC_ACQUIRE);
    std::memcpy(out.data() + i, &word, sizeof word);
  }
}

void copy_words_in(std::byte* to, const_bytes in) {
  if (in.size() == 8 && reinterpret_cast<std::uintptr_t>(to) % 8 == 0) {
    std::uint64_t value = 0;
    std::memcpy(&value, in.data(), sizeof value);
    return __atomic_store_n(reinterpret_cast<std::uint64_t*>(to), value, __ATOMIC_RELEASE);
  }
  for (std::size_t i = 0; i < in.size(); i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, in.data() + i, sizeof word);
    __atomic_store_n(reinterpret_cast<std::uint32_t*>(to + i), word, __ATOMIC_RELEASE);
  }
}

}  // namespace

guest_ram::guest_ram(std::uint64_t size_bytes, std::uint64_t seed)
    : size_bytes_(size_bytes),
      file_(memfd_create("guest ram", MFD_CLOEXEC)),
      used_(size_bytes / page_bytes),
      random_(seed | 1) {
  if (file_ < 0 || ftruncate(file_, static_cast<off_t>(size_bytes)) != 0) give_up("guest RAM");
  auto* const mapped =
      mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
  if (mapped == MAP_FAILED) give_up("guest RAM");
  base_ = static_cast<std::byte*>(mapped);
}

guest_ram::~guest_ram() {
  munmap(base_, size_bytes_);
  close(file_);
}

void guest_ram::clear(std::uint64_t physical, std::uint64_t pages) noexcept {
  if (pages < punched_pages) {
    std::memset(base_ + physical, 0, pages * page_bytes);
    return;
  }
  if (fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(physical),
                static_cast<off_t>(pages * page_bytes)) != 0) {
    std::memset(base_ + physical, 0, pages * page_bytes);
  }
}

auto guest_ram::allocate(std::uint64_t pages) noexcept -> std::uint64_t {
  const std::lock_guard hold{mutex_};
  std::uint64_t run = 0;
  for (std::uint64_t page = first_page; pages != 0 && page < used_.size(); ++page) {
    run = used_[page] ? 0 : run + 1;
    if (run != pages) continue;
    const auto first = page + 1 - pages;
    for (std::uint64_t i = first; i <= page; ++i) used_[i] = true;
    in_use_ += pages;
    clear(first * page_bytes, pages);
    return first * page_bytes;
  }
  return 0;
}

/// From the top downwards, with gaps: no page follows the one before it.
auto guest_ram::allocate_scattered(std::uint64_t pages) -> std::vector<std::uintptr_t> {
  const std::lock_guard hold{mutex_};
  std::vector<std::uintptr_t> frames;
  frames.reserve(pages);
  for (std::uint64_t page = used_.size(); page-- > first_page && frames.size() < pages;) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    if (used_[page] || (random_ >> 62) == 0) continue;
    frames.push_back(page);
  }
  if (frames.size() < pages) return {};
  for (const auto frame : frames) {
    used_[frame] = true;
    std::memset(base_ + frame * page_bytes, 0, page_bytes);
  }
  in_use_ += pages;
  return frames;
}

void guest_ram::release(std::uint64_t physical, std::uint64_t pages) noexcept {
  const std::lock_guard hold{mutex_};
  for (std::uint64_t i = 0; i < pages; ++i) used_[physical / page_bytes + i] = false;
  in_use_ -= pages;
  if (pages < punched_pages) {
    std::memset(base_ + physical, freed_pattern, pages * page_bytes);
  } else {
    clear(physical, pages);
  }
}

auto guest_ram::at(std::uint64_t physical, std::uint64_t size_bytes) noexcept -> std::byte* {
  if (physical > size_bytes_ || size_bytes > size_bytes_ - physical) return nullptr;
  return base_ + physical;
}

auto guest_ram::physical_of(const void* address) const noexcept -> std::uint64_t {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base_);
  return offset < size_bytes_ ? offset : UINT64_MAX;
}

auto guest_ram::map(std::span<const std::uintptr_t> frames) noexcept -> std::byte* {
  const auto size = frames.size() * page_bytes;
  auto* const room = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return nullptr;
  auto* const view = static_cast<std::byte*>(room);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (mmap(view + i * page_bytes, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             file_, static_cast<off_t>(frames[i] * page_bytes)) == MAP_FAILED) {
      munmap(view, size);
      return nullptr;
    }
  }
  const std::lock_guard hold{mutex_};
  ++views_;
  return view;
}

void guest_ram::unmap(std::byte* view, std::uint64_t pages) noexcept {
  munmap(view, pages * page_bytes);
  const std::lock_guard hold{mutex_};
  --views_;
}

auto guest_ram::read(gpa from, mutable_bytes out) noexcept -> bool {
  const auto* const bytes = at(raw(from), out.size());
  if (bytes == nullptr) return false;
  if (is_word_wise(raw(from), out.size())) {
    copy_words_out(bytes, out);
  } else {
    std::memcpy(out.data(), bytes, out.size());
  }
  return true;
}

auto guest_ram::write(gpa to, const_bytes in) noexcept -> bool {
  auto* const bytes = at(raw(to), in.size());
  if (bytes == nullptr) return false;
  if (is_word_wise(raw(to), in.size())) {
    copy_words_in(bytes, in);
  } else {
    std::memcpy(bytes, in.data(), in.size());
  }
  return true;
}

auto guest_ram::pages_in_use() const noexcept -> std::uint64_t {
  const std::lock_guard hold{mutex_};
  return in_use_;
}

auto guest_ram::views() const noexcept -> std::uint64_t {
  const std::lock_guard hold{mutex_};
  return views_;
}

}  // namespace aerogpu::sim
