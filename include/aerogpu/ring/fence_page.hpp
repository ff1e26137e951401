// SPDX-License-Identifier: MIT
/// \file The page that mirrors the completed fence: the device writes it, the guest reads it.
#pragma once

#include "aerogpu/abi/fence_page.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/memory/guest_memory.hpp"
#include "aerogpu/ring/shared_words.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Publishes `completed` at `page`, after all guest memory that was written before (host.md 1.12).
/// The value goes last and in one aligned 8-byte write, which `memory` must store in one piece.
/// Bytes from 16 on are never touched. No page, or one whose 56 bytes wrap past 2^64, is skipped
/// and is no error.
template <guest_memory Memory>
void write_fence_page(Memory& memory, gpa page, fence_value completed) noexcept {
  if (page == gpa{} || range_wraps(raw(page), sizeof(aerogpu_fence_page))) return;
  const std::uint32_t head[2] = {AEROGPU_FENCE_PAGE_MAGIC, AEROGPU_ABI_VERSION_U32};
  if (!write_object(memory, page, head)) return;
  std::atomic_thread_fence(std::memory_order_release);
  const std::uint64_t value = raw(completed);
  (void)write_object(memory, advance(page, offsetof(aerogpu_fence_page, completed_fence)), value);
}

/// Fills the guest's page before its address is given to the device; the rest is the caller's to
/// zero. Precondition: 56 bytes, 8-byte aligned.
inline void init_fence_page(mutable_bytes page) noexcept {
  AEROGPU_CHECK(page.size() >= sizeof(aerogpu_fence_page));
  store(page.data(), aerogpu_fence_page{.magic = AEROGPU_FENCE_PAGE_MAGIC,
                                        .abi_version = AEROGPU_ABI_VERSION_U32,
                                        .completed_fence = 0,
                                        .reserved0 = {}});
}

/// The completed fence as the device last published it in the guest's own page; untrusted until
/// it was clamped to what was submitted. Error: corrupt when the page is not one of this ABI.
/// Precondition: 56 bytes, 8-byte aligned.
[[nodiscard]] inline auto read_fence_page(mutable_bytes page) noexcept -> result<fence_value> {
  AEROGPU_CHECK(page.size() >= sizeof(aerogpu_fence_page));
  const auto magic = load<std::uint32_t>(page.data() + offsetof(aerogpu_fence_page, magic));
  if (magic != AEROGPU_FENCE_PAGE_MAGIC) {
    return make_error(error_code::corrupt, "fence page magic is wrong", magic,
                      AEROGPU_FENCE_PAGE_MAGIC);
  }
  const auto version = load<std::uint32_t>(page.data() + offsetof(aerogpu_fence_page, abi_version));
  if (version >> 16 != AEROGPU_ABI_MAJOR) {
    return make_error(error_code::corrupt, "fence page is of another major version", version >> 16,
                      AEROGPU_ABI_MAJOR);
  }
  const auto* word =
      detail::shared_word<std::uint64_t>(page, offsetof(aerogpu_fence_page, completed_fence));
  return static_cast<fence_value>(detail::load_counter(word));
}

}  // namespace aerogpu
