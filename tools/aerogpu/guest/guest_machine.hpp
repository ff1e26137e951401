// SPDX-License-Identifier: MIT
/// \file A guest's driver and a device on one bus: submissions go through ring and doorbell.
#pragma once

#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/device/device.hpp"
#include "aerogpu/ring/ring_producer.hpp"
#include "aerogpu/ring/shared_words.hpp"
#include "tools/aerogpu/guest/guest_host.hpp"
#include "tools/aerogpu/guest/guest_submission.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aerogpu::tool {

/// Owns the device. Memory of the guest's own is mapped by the caller before `start`.
template <backend Backend>
class guest_machine {
 public:
  explicit guest_machine(Backend& backend,
                         std::uint64_t most_written_bytes = sparse_memory::most_written_bytes)
      : backend_(backend), host_(most_written_bytes) {}
  guest_machine(const guest_machine&) = delete;
  auto operator=(const guest_machine&) -> guest_machine& = delete;

  /// Powers the device on and brings the ring up, at addresses that touch nothing mapped so far.
  /// `buffer_bytes` is the room for one stream or one table. False, and a sentence in `why`, when
  /// there is no room or the device refuses.
  [[nodiscard]] auto start(std::uint64_t buffer_bytes, std::string& why) -> bool;

  /// Hands one submission to the device, which runs what needs no vblank. False when the ring does
  /// not take it, or guest memory has no room for it. Clears the host's events first.
  [[nodiscard]] auto begin(const guest_submission& work) -> bool;
  /// The same, and then lets vblanks pass until its fence is complete.
  [[nodiscard]] auto submit(const guest_submission& work) -> bool;

  /// Writes a register, 32 bits.
  void write(std::uint32_t offset, std::uint32_t value) { device_->bar0_write(offset, value, 4); }
  [[nodiscard]] auto read(std::uint32_t offset) const -> std::uint32_t {
    return static_cast<std::uint32_t>(device_->bar0_read(offset, 4));
  }
  [[nodiscard]] auto completed_fence() const -> fence_value {
    return fence_value{
        read_split_counter([this] { return read(AEROGPU_MMIO_REG_COMPLETED_FENCE_HI); },
                           [this] { return read(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO); })};
  }
  /// Lets the device work until `time_ns` has passed.
  void advance_time(std::uint64_t time_ns) {
    host_.now += time_ns;
    device_->tick();
  }

  [[nodiscard]] auto host() -> guest_host& { return host_; }
  [[nodiscard]] auto memory() -> sparse_memory& { return host_.memory; }
  [[nodiscard]] auto device() -> aerogpu::device<guest_host, Backend>& { return *device_; }

  void full_barrier() noexcept {}  // Guest and device share one thread.
  void write_doorbell() noexcept { write(AEROGPU_MMIO_REG_DOORBELL, 1); }

 private:
  static constexpr std::uint32_t ring_entries = 64;
  static constexpr std::size_t ring_bytes = 4096 + 4096;  // Header and slots; the fence page.
  static constexpr std::uint64_t lowest_address = 0x1000'0000;
  static constexpr std::uint64_t frame_ns = 16'666'667;

  void program_registers(gpa ring);
  /// Nothing when guest memory has no room for it.
  [[nodiscard]] auto put(gpa at, const_bytes bytes) -> std::optional<submission_buffer>;

  Backend& backend_;
  guest_host host_;
  std::unique_ptr<aerogpu::device<guest_host, Backend>> device_;
  std::array<std::uint64_t, ring_bytes / sizeof(std::uint64_t)> ring_memory_{};
  std::optional<ring_producer> ring_;
  gpa stream_at_{};
  gpa table_at_{};
  std::uint64_t buffer_bytes_ = 0;
};

template <backend Backend>
auto guest_machine<Backend>::start(std::uint64_t buffer_bytes, std::string& why) -> bool {
  buffer_bytes_ = (buffer_bytes + 0xFFFF) & ~std::uint64_t{0xFFFF};
  const auto place = host_.memory.find_free(0x10000 + 2 * buffer_bytes_, lowest_address);
  if (!place) {
    why = "the recorded memory leaves no room for a ring";
    return false;
  }
  stream_at_ = advance(*place, 0x10000);
  table_at_ = advance(stream_at_, buffer_bytes_);
  host_.memory.map(stream_at_, 2 * buffer_bytes_);
  const mutable_bytes ring = std::as_writable_bytes(std::span{ring_memory_});
  host_.memory.map_storage(*place, ring);
  auto made = aerogpu::device<guest_host, Backend>::create(host_, backend_);
  if (!made) {
    why = std::string{"the device cannot be made: "} + made.why().what;
    return false;
  }
  device_ = *std::move(made);
  const auto producer =
      ring_producer::create(ring.first(4096), ring_entries / 2, sizeof(aerogpu_submit_desc));
  if (!producer) {
    why = std::string{"the ring cannot be made: "} + producer.why().what;
    return false;
  }
  ring_ = *producer;
  program_registers(*place);
  return true;
}

template <backend Backend>
void guest_machine<Backend>::program_registers(gpa ring) {
  constexpr std::uint32_t memory_and_bus_master = 0x6;
  device_->config_write(4, memory_and_bus_master, 2);
  const auto put_address = [&](std::uint32_t low, std::uint64_t address) {
    write(low, static_cast<std::uint32_t>(address));
    write(low + 4, static_cast<std::uint32_t>(address >> 32));
  };
  put_address(AEROGPU_MMIO_REG_RING_GPA_LO, raw(ring));
  put_address(AEROGPU_MMIO_REG_FENCE_GPA_LO, raw(ring) + 4096);
  write(AEROGPU_MMIO_REG_RING_SIZE_BYTES, ring_->mapped_bytes());
  write(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
  write(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR);
}

template <backend Backend>
auto guest_machine<Backend>::put(gpa at, const_bytes bytes) -> std::optional<submission_buffer> {
  if (bytes.empty()) return submission_buffer{};
  if (bytes.size() > buffer_bytes_ || !host_.memory.write(at, bytes)) return std::nullopt;
  return submission_buffer{at, static_cast<std::uint32_t>(bytes.size())};
}

template <backend Backend>
auto guest_machine<Backend>::begin(const guest_submission& work) -> bool {
  host_.presents.clear();
  host_.errors.clear();
  const auto stream = put(stream_at_, work.stream);
  const auto table = put(table_at_, work.alloc_table);
  if (!stream || !table) return false;
  if (!ring_->push({work.flags, work.context, *stream, *table, work.fence}, *this)) return false;
  ring_->notify(*this);
  device_->wait_idle();
  return true;
}

template <backend Backend>
auto guest_machine<Backend>::submit(const guest_submission& work) -> bool {
  if (!begin(work)) return false;
  // A vsynced present waits for its vblank; a fence that is not new waits for nothing.
  constexpr int most_frames = 4;
  for (int i = 0; i < most_frames && raw(completed_fence()) < raw(work.fence); ++i) {
    advance_time(frame_ns);
    device_->wait_idle();
  }
  write(AEROGPU_MMIO_REG_IRQ_ACK, read(AEROGPU_MMIO_REG_IRQ_STATUS));
  return true;
}

}  // namespace aerogpu::tool
