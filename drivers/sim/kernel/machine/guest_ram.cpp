// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/machine/guest_ram.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::sim {
namespace {

constexpr std::uint64_t first_page = (1u << 20) / page_bytes;
/// Larger blocks are cleared by giving them back to the system, smaller ones by writing.
constexpr std::uint64_t punched_pages = 256;
constexpr int freed_pattern = 0xDD;
/// What the driver and the device share word by word is at most this: ring header, fence page
/// words.
constexpr std::size_t word_wise_bytes = 64;

[[nodiscard]] auto is_word_wise(std::uint64_t at, std::size_t size) -> bool {
  return size <= word_wise_bytes && size % 4 == 0 && at % 4 == 0;
}

[[nodiscard]] auto is_in_row(std::span<const std::uintptr_t> frames) -> bool {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (frames[i] != frames[0] + i) return false;
  }
  return !frames.empty();
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

guest_ram::guest_ram(std::uint64_t size_bytes, std::uint64_t seed, const shared_part& tail)
    : size_bytes_(size_bytes),
      first_shared_page_(static_cast<std::size_t>((size_bytes - tail.size_bytes) / page_bytes)),
      file_(size_bytes, tail),
      used_(static_cast<std::size_t>(size_bytes / page_bytes)),
      random_(seed | 1) {}

guest_ram::~guest_ram() = default;

void guest_ram::clear(std::uint64_t physical, std::uint64_t pages) noexcept {
  const auto size = static_cast<std::size_t>(pages * page_bytes);
  if (pages >= punched_pages && file_.punch(physical, size)) return;
  std::memset(file_.base() + physical, 0, size);
}

/// The first of free pages in a row; `end` when there are none.
auto guest_ram::find_run(std::size_t first, std::size_t end, std::uint64_t pages) const
    -> std::size_t {
  std::uint64_t run = 0;
  for (std::size_t page = first; pages != 0 && page < end; ++page) {
    run = used_[page] ? 0 : run + 1;
    if (run == pages) return page + 1 - static_cast<std::size_t>(pages);
  }
  return end;
}

auto guest_ram::allocate(std::uint64_t pages) noexcept -> std::uint64_t {
  const std::lock_guard hold{mutex_};
  const auto first = find_run(first_page, first_shared_page_, pages);
  if (first == first_shared_page_) return 0;
  for (std::size_t i = 0; i < pages; ++i) used_[first + i] = true;
  in_use_ += pages;
  clear(first * page_bytes, pages);
  return std::uint64_t{first} * page_bytes;
}

/// In a row, so that another program finds them by where the first one is.
auto guest_ram::allocate_shared(std::uint64_t pages) -> std::vector<std::uintptr_t> {
  const std::lock_guard hold{mutex_};
  const auto first = find_run(first_shared_page_, used_.size(), pages);
  if (first == used_.size()) return {};
  std::vector<std::uintptr_t> frames(static_cast<std::size_t>(pages));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    frames[i] = first + i;
    used_[first + i] = true;
  }
  in_use_ += pages;
  clear(first * page_bytes, pages);
  return frames;
}

/// From the top downwards, with gaps: no cluster follows the one before it.
auto guest_ram::allocate_scattered(std::uint64_t pages) -> std::vector<std::uintptr_t> {
  if (first_shared_page_ != used_.size()) return allocate_shared(pages);
  constexpr std::size_t step = host_memory::page_file::cluster_pages;
  const std::lock_guard hold{mutex_};
  std::vector<std::uintptr_t> frames;
  frames.reserve(static_cast<std::size_t>(pages));
  for (std::size_t cluster = used_.size() / step;
       cluster-- > first_page / step && frames.size() < pages;) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    const auto first = cluster * step;
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(step, pages - frames.size()));
    bool is_free = (random_ >> 62) != 0;
    for (std::size_t i = 0; i < count; ++i) is_free = is_free && !used_[first + i];
    for (std::size_t i = 0; is_free && i < count; ++i) frames.push_back(first + i);
  }
  if (frames.size() < pages) return {};
  for (const auto frame : frames) {
    used_[frame] = true;
    std::memset(file_.base() + frame * page_bytes, 0, page_bytes);
  }
  in_use_ += pages;
  return frames;
}

void guest_ram::release(std::uint64_t physical, std::uint64_t pages) noexcept {
  const std::lock_guard hold{mutex_};
  const auto first = static_cast<std::size_t>(physical / page_bytes);
  for (std::size_t i = 0; i < pages; ++i) used_[first + i] = false;
  in_use_ -= pages;
  if (pages < punched_pages) {
    std::memset(file_.base() + physical, freed_pattern,
                static_cast<std::size_t>(pages * page_bytes));
  } else {
    clear(physical, pages);
  }
}

auto guest_ram::at(std::uint64_t physical, std::uint64_t size_bytes) noexcept -> std::byte* {
  if (physical > size_bytes_ || size_bytes > size_bytes_ - physical) return nullptr;
  return file_.base() + physical;
}

auto guest_ram::physical_of(const void* address) const noexcept -> std::uint64_t {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(file_.base());
  return offset < size_bytes_ ? offset : UINT64_MAX;
}

auto guest_ram::map(std::span<const std::uintptr_t> frames) noexcept -> std::byte* {
  if (first_shared_page_ != used_.size() && is_in_row(frames)) return at(frames[0] * page_bytes);
  auto* const view = file_.map(frames);
  if (view == nullptr) return nullptr;
  const std::lock_guard hold{mutex_};
  ++views_;
  return view;
}

void guest_ram::unmap(std::byte* view, std::uint64_t pages) noexcept {
  if (physical_of(view) != UINT64_MAX) return;
  file_.unmap(view, pages);
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
