// SPDX-License-Identifier: MIT
// The engine's memory and registers: create, start, stop, reset, and what others ask about it.
#include "drivers/win7/kmd/submission/engine.hpp"

#include "aerogpu/abi/mmio.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/ring/fence_page.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/interrupt_lock.hpp"

#include <cstddef>

namespace aerogpu::kmd {

namespace {

constexpr std::size_t ring_used_bytes = ring_layout::bytes_for(ring_entries, ring_stride_bytes);
constexpr std::size_t ring_memory_bytes =
    (ring_used_bytes + page_bytes - 1) / page_bytes * page_bytes;
static_assert(ring_memory_bytes == 20480);

}  // namespace

auto engine::regs() const noexcept -> const registers& {
  return adapter_.hardware.regs;
}

auto engine::create() noexcept -> NTSTATUS {
  ring_memory_ = os::allocate_contiguous(ring_memory_bytes, MmCached);
  items_ =
      static_cast<work_item*>(os::allocate(sizeof(work_item) * queue_items, os::pool_owner::queue));
  const bool has_slots = NT_SUCCESS(slots_.create());
  if (!ring_memory_ || items_ == nullptr || !has_slots) {
    destroy();
    return STATUS_INSUFFICIENT_RESOURCES;
  }
  if (adapter_.hardware.has(AEROGPU_FEATURE_FENCE_PAGE))
    fence_page_ = os::allocate_contiguous(page_bytes, MmCached);
  queue_ = span_queue<work_item>{{items_, queue_items}};
  fences_ = {};
  has_fences_ = false;
  pushed_ = known_done_ = fence_value{};
  completion_.start();  // The ISR keeps out until the device is ready.
  return STATUS_SUCCESS;
}

void engine::destroy() noexcept {
  {
    const queue_guard held{*this};
    ring_.reset();
    queue_ = {};
  }
  os::release(items_, os::pool_owner::queue);
  items_ = nullptr;
  slots_.destroy();
  os::release_contiguous(fence_page_, MmCached);
  os::release_contiguous(ring_memory_, MmCached);
}

void engine::start(ring_start how) noexcept {
  start(how, next_index_);
}

void engine::start(ring_start how, std::uint32_t first_index) noexcept {
  const queue_guard held{*this};
  const auto made =
      ring_producer::create(ring_memory_.span(), ring_entries, ring_stride_bytes, first_index);
  if (!made) return;  // Only where create() failed: then nothing is ever pushed.
  ring_ = *made;
  first_index_ = next_index_ = first_index;
  is_unannounced_ = false;
  if (how == ring_start::reset_host) {
    slots_.clear();
    contexts_.clear();
  }
  program(how);
  if (how == ring_start::reset_host) adapter_.tokens.forget_releases();
}

void engine::program(ring_start how) noexcept {
  const fence_value completed = completion_.completed();  // The ISR keeps out.
  if (fence_page_) init_fence_page(fence_page_.span());
  write_fence_page(completed);
  os::full_barrier();
  regs().write64(AEROGPU_MMIO_REG_FENCE_GPA_LO, fence_page_.physical);
  regs().write64(AEROGPU_MMIO_REG_RING_GPA_LO, ring_memory_.physical);
  regs().write(AEROGPU_MMIO_REG_RING_SIZE_BYTES, ring_->mapped_bytes());
  if (how == ring_start::reset_host) {
    regs().write(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET);
    static_cast<void>(regs().read(AEROGPU_MMIO_REG_RING_CONTROL));
    write_fence_page(completed);  // The reset wrote 0.
    os::full_barrier();
  }
  regs().write(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
}

void engine::write_fence_page(fence_value completed) noexcept {
  if (!fence_page_) return;
  store(fence_page_.bytes + offsetof(aerogpu_fence_page, completed_fence), raw(completed));
}

void engine::stop(bool forgets_addresses) noexcept {
  const queue_guard held{*this};
  if (!regs().is_mapped()) return;
  regs().write(AEROGPU_MMIO_REG_RING_CONTROL, 0);
  if (!forgets_addresses) return;
  regs().write64(AEROGPU_MMIO_REG_RING_GPA_LO, 0);
  regs().write(AEROGPU_MMIO_REG_RING_SIZE_BYTES, 0);
  regs().write64(AEROGPU_MMIO_REG_FENCE_GPA_LO, 0);
}

void engine::drop_work() noexcept {
  const queue_guard held{*this};
  queue_.clear();
  slots_.clear();
  contexts_.clear();
  is_unannounced_ = false;
  pushed_ = known_done_ = fences_.last();
  under_interrupt_lock(adapter_, [this]() noexcept { completion_.settle(fences_.last()); });
}

auto engine::is_programmed() const noexcept -> bool {
  if (!ring_memory_ || !regs().is_mapped()) return false;
  const auto low = static_cast<std::uint32_t>(ring_memory_.physical);
  const auto high = static_cast<std::uint32_t>(ring_memory_.physical >> 32);
  return regs().read(AEROGPU_MMIO_REG_RING_GPA_LO) == low &&
         regs().read(AEROGPU_MMIO_REG_RING_GPA_HI) == high;
}

auto engine::is_idle() noexcept -> bool {
  const queue_guard held{*this};
  return queue_.empty() && is_device_done();
}

auto engine::progress() noexcept -> engine_progress {
  const queue_guard held{*this};
  engine_progress now{.submitted = fences_.last()};
  static_cast<void>(
      at_dirql(adapter_, [&]() noexcept { now.completed = completion_.completed(); }));
  now.queued = static_cast<std::uint32_t>(queue_.size());
  if (!ring_) return now;
  now.head = ring_->head();
  now.tail = ring_->tail();
  now.ring_bytes = ring_->layout().size_bytes();
  return now;
}

auto engine::peek() const noexcept -> engine_progress {
  engine_progress now{.submitted = static_cast<fence_value>(completion_.given_low()),
                      .completed = static_cast<fence_value>(completion_.reported_low())};
  if (!ring_memory_) return now;
  const auto header = load<aerogpu_ring_header>(ring_memory_.bytes);
  now.head = header.head;
  now.tail = header.tail;
  now.ring_bytes = header.size_bytes;
  return now;
}

auto engine::copy_descriptors(std::span<aerogpu_submit_desc> to) noexcept -> std::uint32_t {
  const queue_guard held{*this};
  if (!ring_) return 0;
  const std::uint32_t tail = ring_->tail();
  const std::uint32_t pushed_since_start = tail - first_index_;
  std::uint32_t count =
      to.size() < ring_entries ? static_cast<std::uint32_t>(to.size()) : ring_entries;
  if (pushed_since_start < count) count = pushed_since_start;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto offset = ring_->layout().slot_offset(tail - count + i);
    to[i] = load<aerogpu_submit_desc>(ring_memory_.bytes + static_cast<std::size_t>(offset));
  }
  return count;
}

auto engine::read_device_fence() const noexcept -> fence_value {
  if (fence_page_) {
    const auto page_value = read_fence_page(fence_page_.span());
    if (page_value) return *page_value;
  }
  return static_cast<fence_value>(regs().read64(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO));
}

}  // namespace aerogpu::kmd
