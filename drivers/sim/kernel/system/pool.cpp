// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/system/pool.hpp"

#include "drivers/sim/kernel/system/thread.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace aerogpu::sim {
namespace {

constexpr std::size_t guard_bytes = 16;
constexpr unsigned char guard_pattern = 0xA5;
constexpr int freed_pattern = 0xDD;
/// So much of a freed block gets the pattern: most pages of large blocks were never touched.
constexpr std::size_t most_freed_bytes = 16u << 10;

[[nodiscard]] auto has_guard(const unsigned char* at) -> bool {
  return std::all_of(at, at + guard_bytes, [](unsigned char c) { return c == guard_pattern; });
}

[[nodiscard]] auto tag_text(std::uint32_t tag) -> std::string {
  std::string text(4, ' ');
  std::memcpy(text.data(), &tag, 4);
  return text;
}

}  // namespace

auto pool::allocate(std::size_t size_bytes, std::uint32_t tag, pool_kind kind) noexcept -> void* {
  if (size_bytes == 0) {
    stop(stop_code::bad_pool_caller, {0, tag, 0, 0}, "a pool allocation of 0 bytes");
    return nullptr;
  }
  if (size_bytes > SIZE_MAX - 2 * guard_bytes) return nullptr;
  auto* const bytes = static_cast<unsigned char*>(std::calloc(size_bytes + 2 * guard_bytes, 1));
  if (bytes == nullptr) return nullptr;
  std::memset(bytes, guard_pattern, guard_bytes);
  std::memset(bytes + guard_bytes + size_bytes, guard_pattern, guard_bytes);
  auto* const memory = bytes + guard_bytes;
  const std::lock_guard hold{mutex_};
  blocks_[memory] = {size_bytes, tag, kind};
  return memory;
}

void pool::release(void* memory, std::uint32_t tag) noexcept {
  block freed;
  {
    const std::lock_guard hold{mutex_};
    const auto found = blocks_.find(memory);
    if (found != blocks_.end()) {
      freed = found->second;
      blocks_.erase(found);
    }
  }
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (freed.size_bytes == 0) {
    return stop(stop_code::bad_pool_caller, {7, address, tag, 0},
                "pool memory is released that is not allocated");
  }
  if (freed.tag != tag) {
    stop(stop_code::bad_pool_caller, {0xA, address, freed.tag, tag},
         "pool memory is released under another owner's tag");
  }
  auto* const bytes = static_cast<unsigned char*>(memory) - guard_bytes;
  if (!has_guard(bytes) || !has_guard(bytes + guard_bytes + freed.size_bytes)) {
    stop(stop_code::bad_pool_caller, {0x20, address, freed.size_bytes, freed.tag},
         "bytes beside a pool block were overwritten");
  }
  std::memset(memory, freed_pattern, std::min(freed.size_bytes, most_freed_bytes));
  std::free(bytes);
}

auto pool::size_of(const void* memory) const -> std::size_t {
  const std::lock_guard hold{mutex_};
  const auto found = blocks_.find(memory);
  return found != blocks_.end() ? found->second.size_bytes : 0;
}

auto pool::blocks() const -> std::size_t {
  const std::lock_guard hold{mutex_};
  return blocks_.size();
}

auto pool::bytes() const -> std::uint64_t {
  const std::lock_guard hold{mutex_};
  std::uint64_t sum = 0;
  for (const auto& [at, one] : blocks_) sum += one.size_bytes;
  return sum;
}

auto pool::non_paged_bytes() const -> std::uint64_t {
  const std::lock_guard hold{mutex_};
  std::uint64_t sum = 0;
  for (const auto& [at, one] : blocks_)
    if (one.kind == pool_kind::non_paged) sum += one.size_bytes;
  return sum;
}

auto pool::leaks() const -> std::string {
  const std::lock_guard hold{mutex_};
  std::map<std::uint32_t, std::pair<std::size_t, std::uint64_t>> by_tag;
  for (const auto& [at, one] : blocks_) {
    ++by_tag[one.tag].first;
    by_tag[one.tag].second += one.size_bytes;
  }
  std::string lines;
  for (const auto& [tag, sum] : by_tag) {
    lines += tag_text(tag) + ": " + std::to_string(sum.first) + " blocks, " +
             std::to_string(sum.second) + " bytes\n";
  }
  return lines;
}

}  // namespace aerogpu::sim
