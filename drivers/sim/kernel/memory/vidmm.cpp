// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/memory/vidmm.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::sim {
namespace {

[[nodiscard]] auto large(std::uint64_t value) -> LARGE_INTEGER {
  LARGE_INTEGER made;
  made.QuadPart = static_cast<LONGLONG>(value);
  return made;
}

}  // namespace

video_memory_manager::video_memory_manager(kernel& windows, scheduler& on)
    : windows_(windows), scheduler_(on), mutex_(on.gpu) {
  query_segments();
  dummy_page_ = windows.machine.ram.allocate(1);
}

/// Twice: how many there are, then what they are.
void video_memory_manager::query_segments() {
  DXGK_QUERYSEGMENTIN in{};
  DXGK_QUERYSEGMENTOUT out{};
  const DXGKARG_QUERYADAPTERINFO query{DXGKQAITYPE_QUERYSEGMENT, &in, sizeof in, &out, sizeof out};
  const auto ask = [&] {
    return windows_.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiQueryAdapterInfo, windows_.context(),
                         &query);
  };
  constexpr UINT most_segments = 32;
  if (!NT_SUCCESS(ask()) || out.NbSegment == 0 || out.NbSegment > most_segments) {
    stop(stop_code::video_dxgkrnl_fatal_error, {1, out.NbSegment, 0, 0},
         "the driver reports no segments, or too many");
    return;
  }
  std::vector<DXGK_SEGMENTDESCRIPTOR> descriptors(out.NbSegment);
  out.pSegmentDescriptor = descriptors.data();
  if (!NT_SUCCESS(ask()) || out.PagingBufferSegmentId != 0 || out.PagingBufferSize == 0) {
    stop(stop_code::video_dxgkrnl_fatal_error, {2, out.PagingBufferSegmentId, 0, 0},
         "the driver does not describe its segments and its paging buffer");
    return;
  }
  for (const auto& one : descriptors) segments_.emplace_back(one);
  paging_ = std::make_unique<paging_queue>(windows_, scheduler_, out.PagingBufferSize,
                                           out.PagingBufferPrivateDataSize);
}

void video_memory_manager::add(const std::shared_ptr<allocation>& one) {
  const std::lock_guard hold{mutex_};
  std::erase_if(all_, [](const auto& weak) { return weak.expired(); });
  all_.push_back(one);
}

void video_memory_manager::wait_until_unused(const allocation& one) {
  while (one.uses != 0) scheduler_.wait(one.last_fence);
}

void video_memory_manager::remove(const std::shared_ptr<allocation>& one) {
  const std::lock_guard hold{mutex_};
  wait_until_unused(*one);
  if (one->where == residency::aperture) {
    static_cast<void>(paging_->add(unmap_aperture_operation(*one)));
    scheduler_.wait(paging_->flush());
  }
  if (one->segment != 0) segments_[one->segment - 1].release(one->offset);
  one->segment = 0;
  one->where = residency::nowhere;
  free_pages(*one);
}

auto video_memory_manager::acquire(const std::vector<std::shared_ptr<allocation>>& list) -> bool {
  const std::lock_guard hold{mutex_};
  const auto keep_since = ++time_;
  bool has_room = true;
  std::vector<allocation*> paged_in;
  for (const auto& one : list) {
    one->last_use = keep_since;
    if (!has_room || is_in_place(*one)) continue;
    has_room = place(*one, keep_since);
    if (has_room) paged_in.push_back(one.get());
  }
  const auto fence = paging_->flush();
  // What was in place keeps the fence of its last use, which may be later than any paging.
  for (auto* const one : paged_in) one->last_fence = fence;
  if (!has_room) return false;
  for (const auto& one : list) ++one->uses;
  return true;
}

void video_memory_manager::release_use(const std::vector<std::shared_ptr<allocation>>& list) {
  for (const auto& one : list) --one->uses;
}

auto video_memory_manager::is_in_place(const allocation& one) -> bool {
  return one.where == residency::segment || one.where == residency::aperture;
}

auto video_memory_manager::place(allocation& one, std::uint64_t keep_since) -> bool {
  for (std::uint32_t segment = 1; segment <= segments_.size(); ++segment) {
    if ((one.segments >> (segment - 1) & 1) == 0) continue;
    const auto offset = find_room(one, keep_since, segment);
    if (offset == segment_space::none) continue;
    const bool is_there = segments_[segment - 1].is_aperture ? map_aperture(one, segment, offset)
                                                             : enter_segment(one, segment, offset);
    if (is_there) return true;
    segments_[segment - 1].release(offset);
  }
  return false;
}

/// The longest unused go first, until the range is free.
auto video_memory_manager::find_room(allocation& one, std::uint64_t keep_since,
                                     std::uint32_t segment) -> std::uint64_t {
  auto& space = segments_[segment - 1];
  for (;;) {
    const auto offset = space.allocate(one.size_bytes, one.alignment);
    if (offset != segment_space::none) return offset;
    std::shared_ptr<allocation> victim;
    for (const auto& weak : all_) {
      const auto other = weak.lock();
      if (other == nullptr || other->segment != segment || other->pins != 0 ||
          other->last_use >= keep_since) {
        continue;
      }
      if (victim == nullptr || other->last_use < victim->last_use) victim = other;
    }
    if (victim == nullptr || !evict(*victim)) return segment_space::none;
  }
}

auto video_memory_manager::enter_segment(allocation& one, std::uint32_t segment,
                                         std::uint64_t offset) -> bool {
  DXGKARG_BUILDPAGINGBUFFER operation{};
  const auto address = large(segments_[segment - 1].base + offset);
  std::shared_ptr<memory_list> mdl;
  if (one.where == residency::nowhere) {
    operation.Operation = DXGK_OPERATION_FILL;
    operation.Fill.hAllocation = one.driver;
    operation.Fill.FillSize = static_cast<SIZE_T>(one.size_bytes);
    operation.Fill.Destination.SegmentId = segment;
    operation.Fill.Destination.SegmentAddress = address;
  } else {
    mdl = std::make_shared<memory_list>(one.pages);
    operation.Operation = DXGK_OPERATION_TRANSFER;
    operation.Transfer.hAllocation = one.driver;
    operation.Transfer.TransferSize = static_cast<SIZE_T>(one.size_bytes);
    operation.Transfer.Source.pMdl = mdl->get();
    operation.Transfer.Destination.SegmentId = segment;
    operation.Transfer.Destination.SegmentAddress = address;
    operation.Transfer.Flags.AllocationIsIdle = 1;
    operation.Transfer.Flags.TransferStart = operation.Transfer.Flags.TransferEnd = 1;
  }
  if (!paging_->add(operation, std::move(mdl))) return false;
  if (!one.pages.empty()) {
    paging_->when_done([&ram = windows_.machine.ram, pages = std::exchange(one.pages, {})] {
      for (const auto page : pages) ram.release(page * page_bytes, 1);
    });
  }
  one.where = residency::segment;
  one.segment = segment;
  one.offset = offset;
  return true;
}

auto video_memory_manager::map_aperture(allocation& one, std::uint32_t segment,
                                        std::uint64_t offset) -> bool {
  if (!has_pages(one)) return false;
  auto mdl = std::make_shared<memory_list>(one.pages);
  DXGKARG_BUILDPAGINGBUFFER operation{};
  operation.Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT;
  operation.MapApertureSegment.hAllocation = one.driver;
  operation.MapApertureSegment.SegmentId = segment;
  operation.MapApertureSegment.OffsetInPages = static_cast<SIZE_T>(offset / page_bytes);
  operation.MapApertureSegment.NumberOfPages = one.pages.size();
  operation.MapApertureSegment.pMdl = mdl->get();
  operation.MapApertureSegment.Flags.CacheCoherent = 1;
  if (!paging_->add(operation, std::move(mdl))) return false;
  one.where = residency::aperture;
  one.segment = segment;
  one.offset = offset;
  return true;
}

auto video_memory_manager::unmap_aperture_operation(const allocation& one) const
    -> DXGKARG_BUILDPAGINGBUFFER {
  DXGKARG_BUILDPAGINGBUFFER operation{};
  operation.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
  operation.UnmapApertureSegment.hAllocation = one.driver;
  operation.UnmapApertureSegment.SegmentId = one.segment;
  operation.UnmapApertureSegment.OffsetInPages = static_cast<SIZE_T>(one.offset / page_bytes);
  operation.UnmapApertureSegment.NumberOfPages = static_cast<SIZE_T>(one.size_bytes / page_bytes);
  operation.UnmapApertureSegment.DummyPage = large(dummy_page_);
  return operation;
}

/// Waits for the device first; the copy out then runs before whatever takes the place.
auto video_memory_manager::evict(allocation& one) -> bool {
  const std::lock_guard hold{mutex_};
  if (one.segment == 0) return true;
  if (one.pins != 0) return false;
  static_cast<void>(paging_->flush());
  wait_until_unused(one);
  if (one.segment == 0) return true;  // A timeout while it waited took it.
  if (one.where == residency::aperture) {
    if (!paging_->add(unmap_aperture_operation(one))) return false;
  } else {
    if (!has_pages(one)) return false;
    auto mdl = std::make_shared<memory_list>(one.pages);
    DXGKARG_BUILDPAGINGBUFFER operation{};
    operation.Operation = DXGK_OPERATION_TRANSFER;
    operation.Transfer.hAllocation = one.driver;
    operation.Transfer.TransferSize = static_cast<SIZE_T>(one.size_bytes);
    operation.Transfer.Source.SegmentId = one.segment;
    operation.Transfer.Source.SegmentAddress = large(address_of(one));
    operation.Transfer.Destination.pMdl = mdl->get();
    operation.Transfer.Flags.AllocationIsIdle = 1;
    operation.Transfer.Flags.TransferStart = operation.Transfer.Flags.TransferEnd = 1;
    if (!paging_->add(operation, std::move(mdl))) {
      free_pages(one);
      return false;
    }
  }
  one.last_fence = paging_->flush();
  if (one.segment == 0) return true;
  segments_[one.segment - 1].release(one.offset);
  one.segment = 0;
  one.where = residency::system;
  return true;
}

auto video_memory_manager::evict_all() -> bool {
  const std::lock_guard hold{mutex_};
  bool are_all_gone = true;
  for (const auto& weak : all_) {
    const auto one = weak.lock();
    if (one != nullptr && !evict(*one)) are_all_gone = false;
  }
  scheduler_.wait_idle();
  return are_all_gone;
}

/// kmd.md 3.12: evictions of size 0, and nothing reaches the device.
void video_memory_manager::lose_all() {
  const std::lock_guard hold{mutex_};
  paging_->drop();
  for (const auto& weak : all_) {
    const auto one = weak.lock();
    if (one == nullptr || one->segment == 0) continue;
    if (one->where == residency::aperture) {
      paging_->notify(unmap_aperture_operation(*one));
    } else {
      DXGKARG_BUILDPAGINGBUFFER operation{};
      operation.Operation = DXGK_OPERATION_TRANSFER;
      operation.Transfer.hAllocation = one->driver;
      operation.Transfer.Source.SegmentId = one->segment;
      operation.Transfer.Source.SegmentAddress = large(address_of(*one));
      operation.Transfer.Flags.AllocationIsIdle = 1;
      paging_->notify(operation);
    }
    segments_[one->segment - 1].release(one->offset);
    one->segment = 0;
    one->where = one->pages.empty() ? residency::nowhere : residency::system;
  }
}

auto video_memory_manager::lock(const std::shared_ptr<allocation>& one) -> std::byte* {
  const std::lock_guard hold{mutex_};
  if (!one->is_cpu_visible) return nullptr;
  scheduler_.wait(one->last_fence);
  wait_until_unused(*one);
  // Again when a timeout took it while it came in.
  while (!is_in_place(*one)) {
    if (!acquire({one})) return nullptr;
    scheduler_.wait(one->last_fence);
    release_use({one});
  }
  ++one->pins;
  if (one->where == residency::segment) {
    auto& space = segments_[one->segment - 1];
    return static_cast<std::byte*>(
        windows_.machine.bus.at(space.cpu_base + one->offset, one->size_bytes));
  }
  if (one->system_view == nullptr) one->system_view = windows_.machine.ram.map(one->pages);
  return one->system_view;
}

void video_memory_manager::unlock(const std::shared_ptr<allocation>& one) {
  const std::lock_guard hold{mutex_};
  if (one->pins == 0 || --one->pins != 0 || one->system_view == nullptr) return;
  windows_.machine.ram.unmap(std::exchange(one->system_view, nullptr), one->pages.size());
}

auto video_memory_manager::address_of(const allocation& one) const -> std::uint64_t {
  return one.segment != 0 ? segments_[one.segment - 1].base + one.offset : 0;
}

auto video_memory_manager::segment_of(const allocation& one) const -> std::uint32_t {
  return one.segment;
}

auto video_memory_manager::has_pages(allocation& one) -> bool {
  if (one.pages.empty()) {
    one.pages = windows_.machine.ram.allocate_scattered(one.size_bytes / page_bytes);
  }
  return !one.pages.empty();
}

void video_memory_manager::free_pages(allocation& one) {
  for (const auto page : std::exchange(one.pages, {})) {
    windows_.machine.ram.release(page * page_bytes, 1);
  }
}

}  // namespace aerogpu::sim
