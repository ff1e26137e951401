// SPDX-License-Identifier: MIT
/// \file The long way to the processor: guest memory, ring, doorbell, device, fence page.
#pragma once

#include "aerogpu/abi/fence_page.h"
#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/device/device.hpp"
#include "tests/conformance/processor/processor_path.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace aerogpu::conformance {

/// The machine around the device: memory, a clock that ticks when it is read, an interrupt line.
struct fake_machine {
  test::fake_memory& memory;
  std::uint64_t time_ns = 0;
  error_record last_error{};  ///< Since it was cleared.
  std::function<void()> on_interrupt{};

  auto read(gpa at, mutable_bytes out) noexcept -> bool { return memory.read(at, out); }
  auto write(gpa at, const_bytes in) noexcept -> bool { return memory.write(at, in); }
  auto now_ns() noexcept -> std::uint64_t { return time_ns += 1'000; }
  void set_irq_line(bool level) noexcept {
    if (level && on_interrupt) on_interrupt();
  }
  void on_error(const error_record& record) noexcept {
    if (last_error.why.code == error_code::none) last_error = record;
  }
};

/// Submits through a device. The ring, the descriptor, the table and the stream lie in guest
/// memory, and the guest checks that the host read each of their bytes at most once.
template <backend WatchedBackend>
class device_path final : public processor_path<WatchedBackend> {
 public:
  device_path(WatchedBackend& on, test::fake_memory& memory, const limits& most)
      : machine_{memory} {
    machine_.on_interrupt = [this] {
      if (device_ != nullptr) this->tell_completion();
    };
    device_config config;
    config.bar1_bytes = 1u << 20;
    config.bounds = most;
    config.bounds.pending_submissions = 64;  // Each replay makes a device; keep it small.
    config.bounds.pending_fences = 64;
    config.bounds.early_completions = 64;
    auto created = device_type::create(machine_, on, config);
    REQUIRE(created);
    device_ = *std::move(created);
    device_->config_write(0x14, 0xE0000000, 4);  // BAR1 out of the way of the cases' memory.
    device_->config_write(0x04, 0x6, 2);         // Memory decode and bus master.
    memory.map(ring_at, ring_bytes);
    memory.map(fence_page_at, sizeof(aerogpu_fence_page));
    write_pair(AEROGPU_MMIO_REG_RING_GPA_LO, raw(ring_at));
    write_register(AEROGPU_MMIO_REG_RING_SIZE_BYTES, ring_bytes);
    write_pair(AEROGPU_MMIO_REG_FENCE_GPA_LO, raw(fence_page_at));
    write_register(AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE);
    write_register(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
  }

  auto submit(const byte_vector& stream, std::uint32_t context, const table_entries& entries)
      -> error override {
    const byte_vector table = entries.has_value() ? test::make_table(*entries) : byte_vector{};
    machine_.memory.poke(stream_at, stream);
    machine_.memory.poke(table_at, table);
    aerogpu_submit_desc desc{};
    desc.desc_size_bytes = sizeof desc;
    desc.context_id = context;
    desc.cmd_gpa = raw(stream_at);
    desc.cmd_size_bytes = static_cast<std::uint32_t>(stream.size());
    desc.alloc_table_gpa = table.empty() ? 0 : raw(table_at);
    desc.alloc_table_size_bytes = static_cast<std::uint32_t>(table.size());
    desc.signal_fence = ++last_fence_;
    const gpa slot_at = advance(ring_at, 64 + (tail_ % entry_count) * sizeof desc);
    machine_.memory.poke_object(slot_at, desc);
    ++tail_;
    poke_ring_header();

    machine_.last_error = {};
    write_register(AEROGPU_MMIO_REG_DOORBELL, 1);
    CHECK(machine_.memory.peek_object<std::uint32_t>(advance(ring_at, head_offset)) == tail_);
    check_read_once(ring_at, sizeof(aerogpu_ring_header));
    check_read_once(slot_at, sizeof desc);
    check_read_once(stream_at, stream.size());
    check_read_once(table_at, table.size());
    check_fence();
    if (machine_.last_error.why.code != error_code::none) {
      CHECK(raw(machine_.last_error.fence) == last_fence_);
    }
    return why_failed();
  }

  void finish() override {
    device_->wait_idle();
    device_->tick();
    check_fence();
    CHECK(completed() == last_fence_);
    write_register(AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_FENCE);
  }
  void reset() override {
    poke_ring_header();  // A ring reset reads the tail.
    write_register(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_RESET);
    device_->tick();
    CHECK(completed() == 0);
    CHECK(page_fence() == 0);
    last_seen_ = last_fence_ = 0;
    write_register(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
  }
  [[nodiscard]] auto pending() -> std::size_t override {
    return static_cast<std::size_t>(last_fence_ - completed());
  }
  [[nodiscard]] auto processor() -> command_processor<WatchedBackend>& override {
    return device_->processor();
  }

 private:
  using device_type = device<fake_machine, WatchedBackend>;

  static constexpr gpa ring_at{0x6000'0000'0000};
  static constexpr gpa fence_page_at{0x6000'0001'0000};
  static constexpr gpa table_at{0x6000'0100'0000};
  static constexpr gpa stream_at{0x6000'1000'0000};
  static constexpr std::uint32_t entry_count = 4;  ///< Few, so that slots are used again.
  static constexpr std::size_t head_offset = offsetof(aerogpu_ring_header, head);
  static constexpr std::size_t tail_offset = offsetof(aerogpu_ring_header, tail);
  static constexpr std::uint32_t ring_bytes = 64 + entry_count * sizeof(aerogpu_submit_desc);

  void write_register(std::uint32_t offset, std::uint32_t value) {
    device_->bar0_write(offset, value, 4);
  }
  void write_pair(std::uint32_t offset, std::uint64_t value) {
    device_->bar0_write(offset, value, 8);
  }

  /// Writes the header anew, except for head, which is the device's.
  void poke_ring_header() {
    aerogpu_ring_header header{};
    header.magic = AEROGPU_RING_MAGIC;
    header.abi_version = AEROGPU_ABI_VERSION_U32;
    header.size_bytes = ring_bytes;
    header.entry_count = entry_count;
    header.entry_stride_bytes = sizeof(aerogpu_submit_desc);
    header.tail = tail_;
    const const_bytes bytes = bytes_of(header);
    machine_.memory.poke(ring_at, bytes.first(head_offset));
    machine_.memory.poke(advance(ring_at, tail_offset), bytes.subspan(tail_offset));
  }

  [[nodiscard]] auto completed() const -> std::uint64_t {
    return device_->bar0_read(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8);
  }
  [[nodiscard]] auto page_fence() -> std::uint64_t {
    return machine_.memory.peek_object<std::uint64_t>(advance(fence_page_at, 8));
  }
  /// Register and page agree and never go back.
  void check_fence() {
    CHECK(completed() >= last_seen_);
    CHECK(page_fence() == completed());
    last_seen_ = completed();
  }
  void check_read_once(gpa at, std::uint64_t size) {
    CHECK(machine_.memory.max_reads(at, size) <= 1);
  }
  /// The device has its own words for a stream header that is wrong (host.md 1.10).
  [[nodiscard]] auto why_failed() const -> error {
    error why = machine_.last_error.why;
    if (why.code == error_code::cmd_decode || why.code == error_code::out_of_bounds) {
      why.code = error_code::framing;
    }
    return why;
  }

  fake_machine machine_;
  std::unique_ptr<device_type> device_;
  std::uint32_t tail_ = 0;
  std::uint64_t last_fence_ = 0;
  std::uint64_t last_seen_ = 0;
};

}  // namespace aerogpu::conformance
