// SPDX-License-Identifier: MIT
/// \file The video memory manager: who is where, and who must go (kmd.md 2.6, 3.2).
#pragma once

#include "drivers/sim/kernel/memory/allocation.hpp"
#include "drivers/sim/kernel/memory/paging_queue.hpp"
#include "drivers/sim/kernel/memory/segment_space.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace aerogpu::sim {

/// PASSIVE. Everything that it asks of the driver goes through paging buffers, in order before the
/// work that needs it.
class video_memory_manager {
 public:
  /// Asks the driver for its segments: bug check 0x113 when they make no sense.
  video_memory_manager(kernel& windows, scheduler& on);

  void add(const std::shared_ptr<allocation>& one);
  /// Waits until nobody uses it, then frees its place and pages.
  void remove(const std::shared_ptr<allocation>& one);
  /// Brings all of them into segments and marks them as used until `release_use`. Who has to wait
  /// for that finds the fence in `last_fence`. False: no room.
  [[nodiscard]] auto acquire(const std::vector<std::shared_ptr<allocation>>& list) -> bool;
  /// Takes no lock: work ends inside of the scheduler's.
  void release_use(const std::vector<std::shared_ptr<allocation>>& list);

  /// CPU access: waits for the device, keeps it in place. nullptr: not CPU-visible, or no room.
  [[nodiscard]] auto lock(const std::shared_ptr<allocation>& one) -> std::byte*;
  void unlock(const std::shared_ptr<allocation>& one);

  /// To system memory, as before a call of level 3. False when one is pinned or cannot go.
  auto evict_all() -> bool;
  [[nodiscard]] auto evict(allocation& one) -> bool;
  /// A timeout: what segments held is lost, and the driver is told so.
  void lose_all();

  /// What an allocation list says of it: the segment, and its address; 0 and 0 elsewhere.
  [[nodiscard]] auto address_of(const allocation& one) const -> std::uint64_t;
  [[nodiscard]] auto segment_of(const allocation& one) const -> std::uint32_t;
  [[nodiscard]] auto segments() -> std::vector<segment_space>& { return segments_; }
  [[nodiscard]] auto paging() -> paging_queue& { return *paging_; }

 private:
  void query_segments();
  [[nodiscard]] static auto is_in_place(const allocation& one) -> bool;
  [[nodiscard]] auto place(allocation& one, std::uint64_t keep_since) -> bool;
  [[nodiscard]] auto find_room(allocation& one, std::uint64_t keep_since, std::uint32_t segment)
      -> std::uint64_t;
  [[nodiscard]] auto enter_segment(allocation& one, std::uint32_t segment, std::uint64_t offset)
      -> bool;
  [[nodiscard]] auto map_aperture(allocation& one, std::uint32_t segment, std::uint64_t offset)
      -> bool;
  [[nodiscard]] auto unmap_aperture_operation(const allocation& one) const
      -> DXGKARG_BUILDPAGINGBUFFER;
  void wait_until_unused(const allocation& one);
  [[nodiscard]] auto has_pages(allocation& one) -> bool;
  void free_pages(allocation& one);

  kernel& windows_;
  scheduler& scheduler_;
  ranked_lock& mutex_;  ///< The scheduler's.
  std::vector<segment_space> segments_;
  std::unique_ptr<paging_queue> paging_;
  std::vector<std::weak_ptr<allocation>> all_;
  std::uint64_t time_ = 0;
  std::uint64_t dummy_page_ = 0;
};

}  // namespace aerogpu::sim
