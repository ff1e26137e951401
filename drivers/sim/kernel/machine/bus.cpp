// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/machine/bus.hpp"

#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/abi/ring.h"
#include "drivers/sim/kernel/machine/host_memory.hpp"
#include "drivers/sim/kernel/machine/pc.hpp"

#include <cstring>

namespace aerogpu::sim {
namespace {

constexpr std::uint64_t window_bytes = AEROGPU_PCI_BAR0_SIZE_BYTES;
constexpr std::uint32_t absent = 0xFFFFFFFF;

}  // namespace

bus::bus(pc& machine, const bar_layout& layout)
    : machine_(machine),
      layout_(layout),
      trap_(host_memory::reserve(window_bytes * bar0_windows)),
      shared_(machine.config.shared_video_memory),
      vram_(shared_.is_there() ? host_memory::map_shared(shared_)
                               : host_memory::reserve(layout.bar1_bytes)) {
  if (!shared_.is_there()) host_memory::open(vram_, layout.bar1_bytes);
}

bus::~bus() {
  host_memory::release(trap_, window_bytes * bar0_windows);
  if (shared_.is_there()) {
    host_memory::unmap_shared(vram_, shared_);
  } else {
    host_memory::release(vram_, layout_.bar1_bytes);
  }
}

void bus::connect(device_link* device) noexcept {
  const std::lock_guard hold{device_mutex_};
  device_ = device;
  if (device_ == nullptr) return;
  device_->write_config(0x10, layout_.bar0, 4);
  device_->write_config(0x14, layout_.bar1, 4);
}

auto bus::map(std::uint64_t physical, std::uint64_t size_bytes) noexcept -> void* {
  if (size_bytes == 0) return nullptr;
  const auto in_bar0 = physical - layout_.bar0;
  if (in_bar0 < window_bytes) {
    return size_bytes <= window_bytes - in_bar0 ? map_registers(in_bar0, size_bytes) : nullptr;
  }
  auto* const at = this->at(physical, size_bytes);
  if (at == nullptr) return nullptr;
  const std::lock_guard hold{mappings_mutex_};
  ++memory_mappings_[at];
  return at;
}

auto bus::at(std::uint64_t physical, std::uint64_t size_bytes) noexcept -> std::byte* {
  const auto in_bar1 = physical - layout_.bar1;
  if (in_bar1 >= layout_.bar1_bytes) return machine_.ram.at(physical, size_bytes);
  return size_bytes <= layout_.bar1_bytes - in_bar1 ? vram_ + in_bar1 : nullptr;
}

/// Each mapping gets addresses that were not used for a while, so that a stale one is found out.
auto bus::map_registers(std::uint64_t offset, std::uint64_t size) noexcept -> void* {
  const std::lock_guard hold{mappings_mutex_};
  for (std::size_t tries = 0; tries < bar0_windows; ++tries) {
    const auto index = next_window_++ % bar0_windows;
    auto& one = windows_[index];
    if (one.base != nullptr) continue;
    one = {trap_ + index * window_bytes, size, offset};
    return one.base;
  }
  return nullptr;
}

auto bus::unmap(void* address) noexcept -> bool {
  const std::lock_guard hold{mappings_mutex_};
  for (auto& one : windows_) {
    if (one.base == nullptr || one.base != address) continue;
    one = {};
    return true;
  }
  const auto found = memory_mappings_.find(address);
  if (found == memory_mappings_.end()) return false;
  if (--found->second == 0) memory_mappings_.erase(found);
  return true;
}

auto bus::mappings() const -> std::size_t {
  const std::lock_guard hold{mappings_mutex_};
  std::size_t sum = 0;
  for (const auto& one : windows_) sum += one.base != nullptr ? 1 : 0;
  for (const auto& [at, count] : memory_mappings_) sum += count;
  return sum;
}

auto bus::is_register(const volatile void* at) const noexcept -> bool {
  const auto inside =
      reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(trap_);
  return inside < window_bytes * bar0_windows;
}

/// Whether `at` is a register, and which; an address of an old mapping is a bug check.
auto bus::register_of(const volatile void* at, std::uint32_t& offset) noexcept -> bool {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  const auto inside = address - reinterpret_cast<std::uintptr_t>(trap_);
  if (inside >= window_bytes * bar0_windows) return false;
  const std::lock_guard hold{mappings_mutex_};
  const auto& one = windows_[inside / window_bytes];
  const auto in_window = inside % window_bytes;
  if (one.base == nullptr || in_window + 4 > one.bytes || address % 4 != 0) {
    stop(stop_code::page_fault_in_nonpaged_area, {address, 0, 0, 0},
         one.base == nullptr ? "a register is accessed through a mapping that is gone"
                             : "a register access is unaligned or past its mapping");
    offset = UINT32_MAX;
    return true;
  }
  offset = static_cast<std::uint32_t>(one.offset + in_window);
  return true;
}

auto bus::read(const volatile std::uint32_t* at) noexcept -> std::uint32_t {
  std::uint32_t offset = 0;
  if (!register_of(at, offset)) return *at;
  if (offset == UINT32_MAX) return absent;
  std::uint32_t value = absent;
  {
    const std::lock_guard hold{device_mutex_};
    if (device_ != nullptr && !host.is_removed.load()) value = device_->read_register(offset);
  }
  if (host.on_read) value = host.on_read(offset, value);
  if (machine_.faults.fails(fault_point::register_read)) value = absent;
  note(access_kind::read_register, offset, value);
  machine_.interrupts.settle();
  return value;
}

void bus::write(volatile std::uint32_t* at, std::uint32_t value) noexcept {
  std::uint32_t offset = 0;
  if (!register_of(at, offset)) {
    *at = value;
    return;
  }
  if (offset == UINT32_MAX) return;
  note(access_kind::write_register, offset, value);
  if (host.is_removed.load()) return;
  if (host.on_write && !host.on_write(offset, value)) return;
  if (offset == AEROGPU_MMIO_REG_DOORBELL) {
    ring(value);
  } else {
    const std::lock_guard hold{device_mutex_};
    if (device_ != nullptr) device_->write_register(offset, value);
  }
  machine_.interrupts.settle();
}

void bus::ring(std::uint32_t value) noexcept {
  switch (host.doorbells.load()) {
    case doorbell_mode::synchronous: {
      const std::lock_guard hold{device_mutex_};
      if (device_ != nullptr) device_->write_register(AEROGPU_MMIO_REG_DOORBELL, value);
      return;
    }
    case doorbell_mode::delayed:
      machine_.clock.at(machine_.clock.now_ns() + host.delay_ns.load(),
                        [this] { release_doorbell(); });
      return;
    case doorbell_mode::held: return;
  }
}

void bus::release_doorbell(std::uint32_t entries) noexcept {
  {
    const std::lock_guard hold{device_mutex_};
    if (device_ == nullptr || host.is_removed.load()) return;
    tail_limit_ring_ = device_->read_register(AEROGPU_MMIO_REG_RING_GPA_LO) |
                       std::uint64_t{device_->read_register(AEROGPU_MMIO_REG_RING_GPA_HI)} << 32;
    tail_limit_entries_ = entries;
    device_->write_register(AEROGPU_MMIO_REG_DOORBELL, 1);
    tail_limit_entries_ = UINT32_MAX;
  }
  machine_.interrupts.settle();
}

/// Called inside of the device's read of guest memory: the device must not be called.
void bus::limit_tail(std::uint64_t at, mutable_bytes read) noexcept {
  if (tail_limit_entries_ == UINT32_MAX) return;
  const auto tail_at = tail_limit_ring_ + offsetof(aerogpu_ring_header, tail);
  if (at > tail_at || at + read.size() < tail_at + 4) return;
  std::uint32_t head = 0;
  std::uint32_t tail = 0;
  const gpa head_at{tail_limit_ring_ + offsetof(aerogpu_ring_header, head)};
  if (!machine_.ram.read(head_at, mutable_bytes_of(head))) return;
  std::memcpy(&tail, read.data() + (tail_at - at), sizeof tail);
  if (tail - head <= tail_limit_entries_) return;
  tail = head + tail_limit_entries_;
  std::memcpy(read.data() + (tail_at - at), &tail, sizeof tail);
}

auto bus::read_config(std::uint32_t offset, std::uint32_t size) noexcept -> std::uint32_t {
  std::uint32_t value = absent;
  {
    const std::lock_guard hold{device_mutex_};
    if (device_ != nullptr && !host.is_removed.load()) value = device_->read_config(offset, size);
  }
  note(access_kind::read_config, offset, value);
  return value;
}

void bus::write_config(std::uint32_t offset, std::uint32_t value, std::uint32_t size) noexcept {
  note(access_kind::write_config, offset, value);
  {
    const std::lock_guard hold{device_mutex_};
    if (device_ != nullptr && !host.is_removed.load()) device_->write_config(offset, value, size);
  }
  machine_.interrupts.settle();
}

void bus::tick() noexcept {
  const std::lock_guard hold{device_mutex_};
  if (device_ != nullptr && !host.is_removed.load()) device_->tick();
}

auto bus::next_deadline_ns() noexcept -> std::uint64_t {
  const std::lock_guard hold{device_mutex_};
  if (device_ == nullptr || host.is_removed.load()) return UINT64_MAX;
  return device_->next_deadline_ns();
}

void bus::wait_idle() noexcept {
  {
    const std::lock_guard hold{device_mutex_};
    if (device_ != nullptr) device_->wait_idle();
  }
  machine_.interrupts.settle();
}

void bus::reset_device() noexcept {
  {
    const std::lock_guard hold{device_mutex_};
    if (device_ != nullptr) device_->reset();
  }
  machine_.interrupts.settle();
}

auto bus::peek(std::uint32_t offset) noexcept -> std::uint32_t {
  const std::lock_guard hold{device_mutex_};
  return device_ != nullptr ? device_->read_register(offset) : absent;
}

auto bus::peek64(std::uint32_t offset) noexcept -> std::uint64_t {
  return peek(offset) | std::uint64_t{peek(offset + 4)} << 32;
}

void bus::poke(std::uint32_t offset, std::uint32_t value) noexcept {
  {
    const std::lock_guard hold{device_mutex_};
    if (device_ != nullptr) device_->write_register(offset, value);
  }
  machine_.interrupts.settle();
}

void bus::with_device(const std::function<void()>& use) {
  {
    const std::lock_guard hold{device_mutex_};
    use();
  }
  machine_.interrupts.settle();
}

void bus::note(access_kind kind, std::uint32_t offset, std::uint32_t value) {
  log.add({kind, offset, value, this_thread().level, machine_.clock.now_ns()});
}

}  // namespace aerogpu::sim
