// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/memory/paging_queue.hpp"

#include <utility>

namespace aerogpu::sim {

/// A buffer is used further while half of it is free, so that submissions start inside of it too.
auto paging_queue::ensure_buffer() -> bool {
  if (buffer_ != nullptr && (used_ > start_ || size_ - used_ >= size_ / 2)) return true;
  buffer_ = scheduler_.buffers().take(size_, private_size_);
  start_ = used_ = private_start_ = private_used_ = 0;
  return buffer_ != nullptr;
}

/// One call of the driver; takes over how far it got.
auto paging_queue::build(DXGKARG_BUILDPAGINGBUFFER& operation) -> NTSTATUS {
  auto* const at = buffer_->bytes + used_;
  auto* const private_at = buffer_->private_data.get() + private_used_;
  operation.pDmaBuffer = at;
  operation.DmaSize = size_ - used_;
  operation.pDmaBufferPrivateData = private_at;
  operation.DmaBufferPrivateDataSize = private_size_ - private_used_;
  const auto status = windows_.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiBuildPagingBuffer,
                                    windows_.context(), &operation);
  const std::int64_t grown = static_cast<std::byte*>(operation.pDmaBuffer) - at;
  const std::int64_t private_grown =
      static_cast<std::byte*>(operation.pDmaBufferPrivateData) - private_at;
  if (grown < 0 || grown > size_ - used_ || private_grown < 0 ||
      private_grown > private_size_ - private_used_) {
    stop(stop_code::video_memory_management_internal,
         {static_cast<std::uint64_t>(grown), static_cast<std::uint64_t>(private_grown), 0, 0},
         "BuildPagingBuffer leaves its buffer");
    return STATUS_INVALID_PARAMETER;
  }
  used_ += static_cast<std::uint32_t>(grown);
  private_used_ += static_cast<std::uint32_t>(private_grown);
  return status;
}

auto paging_queue::add(DXGKARG_BUILDPAGINGBUFFER operation, std::shared_ptr<memory_list> mdl)
    -> bool {
  ++operations_;
  if (mdl != nullptr) mdls_.push_back(std::move(mdl));
  for (bool was_empty = false;;) {
    if (!ensure_buffer()) return false;
    const bool is_empty = used_ == start_;
    const auto passed = operation.MultipassOffset;
    const auto status = build(operation);
    if (NT_SUCCESS(status)) return true;
    if (status == STATUS_GRAPHICS_ALLOCATION_BUSY) return false;
    const bool has_grown = used_ != start_ || operation.MultipassOffset != passed;
    if (status != STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER || (was_empty && !has_grown)) {
      stop(stop_code::video_memory_management_internal,
           {static_cast<std::uint32_t>(status), static_cast<std::uint64_t>(operation.Operation), 0,
            0},
           "BuildPagingBuffer fails, or makes no progress in an empty buffer");
      return false;
    }
    was_empty = is_empty && !has_grown;
    static_cast<void>(flush());
    buffer_.reset();
  }
}

void paging_queue::notify(DXGKARG_BUILDPAGINGBUFFER operation) {
  ++operations_;
  if (!ensure_buffer()) return;
  if (!NT_SUCCESS(build(operation))) {
    stop(stop_code::video_memory_management_internal, {1, 0, 0, 0},
         "BuildPagingBuffer fails for a notice");
  }
  drop();
}

auto paging_queue::flush() -> std::uint32_t {
  auto waiting = std::exchange(waiting_, {});
  if (used_ == start_) {
    for (const auto& act : waiting) act();
    mdls_.clear();
    return last_fence_;
  }
  gpu_work work;
  work.buffer = buffer_;
  work.start = start_;
  work.end = used_;
  work.private_start = private_start_;
  work.private_end = private_used_;
  work.is_paging = true;
  work.on_done = [mdls = std::exchange(mdls_, {}), acts = std::move(waiting)](bool) {
    for (const auto& act : acts) act();
  };
  start_ = used_;
  private_start_ = private_used_;
  last_fence_ = scheduler_.submit(std::move(work));
  return last_fence_;
}

void paging_queue::drop() {
  for (const auto& act : std::exchange(waiting_, {})) act();
  mdls_.clear();
  buffer_.reset();
  start_ = used_ = private_start_ = private_used_ = 0;
}

}  // namespace aerogpu::sim
