// SPDX-License-Identifier: MIT
/// \file The kernel-mode half of a guest: submissions, fences, interrupts and share tokens.
#pragma once

#include "aerogpu/ring/fence_page.hpp"
#include "aerogpu/ring/ring_producer.hpp"
#include "aerogpu/share/release_stream.hpp"
#include "aerogpu/share/token_lifetime.hpp"
#include "aerogpu/share/token_source.hpp"
#include "aerogpu/stream/writer.hpp"
#include "aerogpu/sync/fence_extender.hpp"
#include "machine.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace example {

/// What a driver writes to one register.
struct register_value {
  std::uint32_t offset;
  std::uint32_t value;
};

/// Shared by all processes of the guest. The device runs inside its register writes and waits.
class guest_kernel {
 public:
  using writer = stream_writer<span_sink>;
  static constexpr std::uint32_t width = 64, height = 64;

  guest_kernel(machine& pc, gpu& card) noexcept : pc_(pc), card_(card) {}

  /// Ring, fence page, interrupts and a mode. False when the library refuses.
  [[nodiscard]] auto start() -> bool {
    auto ring = ring_producer::create(pc_.at(ring_at, page_bytes), 16, sizeof(aerogpu_submit_desc));
    if (!ring) return false;
    ring_.emplace(*std::move(ring));
    init_fence_page(pc_.at(fence_page_at, page_bytes));
    card_.config_write(0x04, pci_command_memory | pci_command_bus_master, 2);
    for (const auto& [offset, value] : start_up) card_.bar0_write(offset, value, 4);
    return true;
  }

  /// One stream for the device, with a fence of its own; 0 when a packet or the ring refuses.
  template <class Fill>
  [[nodiscard]] auto submit(context_id process, Fill&& fill) -> fence_value {
    span_sink sink{next_commands()};
    writer w{sink};
    if (!w.begin() || !fill(w)) return {};
    const auto size = w.finish();
    const fence_value fence = fences_.extend(++os_fence_id_);
    ring_submission work;
    work.context = process;
    work.commands = {commands(), size};
    work.signal_fence = fence;
    return push(work) ? fence : fence_value{};
  }

  /// Lets time pass, at most `slice_ns`, until the fence is complete.
  void wait_for(fence_value fence, std::uint64_t slice_ns) {
    const std::uint64_t end_ns = pc_.time_ns + slice_ns;
    while (completed_ < fence && card_.next_deadline_ns() <= end_ns) {
      pc_.time_ns = std::max(pc_.time_ns, card_.next_deadline_ns());
      card_.tick();
      handle_interrupt();
    }
    if (completed_ < fence) pc_.time_ns = end_ns;
  }
  /// Newest fence that an interrupt told of.
  [[nodiscard]] auto completed() const -> fence_value { return completed_; }
  [[nodiscard]] auto vblanks() const -> std::uint64_t { return card_.statistics().vblanks; }

  // Shared allocations: one reference for the object, and one for each process that opened it.

  [[nodiscard]] auto create_shared() -> share_token {
    const share_token token = tokens_.next();
    return lifetime_.add_reference(token) ? token : share_token{};
  }
  [[nodiscard]] auto open_shared(share_token token) -> bool {
    return static_cast<bool>(lifetime_.add_reference(token));
  }
  /// The last one tells the host, behind all earlier work and without a fence of its own.
  auto close_shared(share_token token) -> token_drop {
    const token_drop dropped = lifetime_.drop_reference(token);
    if (dropped != token_drop::last) return dropped;
    const release_stream stream = make_release_stream(lifetime_.next_release());
    copy_bytes(next_commands(), bytes_of(stream));
    ring_submission work;
    work.flags = AEROGPU_SUBMIT_FLAG_NO_IRQ;
    work.commands = {commands(), sizeof stream};
    work.signal_fence = fences_.last();
    if (!push(work)) return token_drop::lost;
    lifetime_.release_emitted();
    return dropped;
  }

  // ring_port
  void full_barrier() noexcept {}  // The device runs on this thread.
  void write_doorbell() noexcept { card_.bar0_write(AEROGPU_MMIO_REG_DOORBELL, 1, 4); }

 private:
  static constexpr gpa ring_at{0x1000}, fence_page_at{0x2000}, frame_buffer_at{0x40000};
  static constexpr std::uint32_t page_bytes = 4096, commands_at = 0x10000, command_pages = 16;
  static constexpr register_value start_up[]{
      {AEROGPU_MMIO_REG_RING_GPA_LO, 0x1000},
      {AEROGPU_MMIO_REG_RING_SIZE_BYTES, page_bytes},
      {AEROGPU_MMIO_REG_FENCE_GPA_LO, 0x2000},
      {AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE},
      {AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR},
      {AEROGPU_MMIO_REG_SCANOUT0_WIDTH, width},
      {AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, height},
      {AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8X8_UNORM},
      {AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, width * 4},
      {AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0x40000},
      {AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 0},
      {AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1}};

  /// A page for commands. There are as many as ring entries, and the device takes an entry before
  /// its doorbell returns, so that a page is free again when its turn comes.
  [[nodiscard]] auto next_commands() -> mutable_bytes {
    turn_ = (turn_ + 1) % command_pages;
    return pc_.at(commands(), page_bytes);
  }
  [[nodiscard]] auto commands() const -> gpa { return gpa{commands_at + turn_ * page_bytes}; }

  [[nodiscard]] auto push(const ring_submission& work) -> bool {
    if (!ring_->push(work, *this)) return false;
    ring_->notify(*this);
    handle_interrupt();
    return true;
  }

  /// Interrupt handler and deferred call in one.
  void handle_interrupt() {
    if (!pc_.irq_line) return;
    card_.bar0_write(AEROGPU_MMIO_REG_IRQ_ACK, card_.bar0_read(AEROGPU_MMIO_REG_IRQ_STATUS, 4), 4);
    const auto told = read_fence_page(pc_.at(fence_page_at, page_bytes));
    if (told && *told <= fences_.last()) completed_ = *told;  // Never past what was submitted.
  }

  /// A driver asks the processor for randomness; an example is the same on every run.
  struct fixed_seed {
    std::uint64_t value = 0x243F6A8885A308D3;
    auto operator()() noexcept -> std::uint64_t { return value += 0x9E3779B97F4A7C15; }
  };

  machine& pc_;
  gpu& card_;
  std::optional<ring_producer> ring_;
  fence_extender fences_;
  std::uint32_t os_fence_id_ = 0xFFFF'FFF8;  // So that the 32-bit ids wrap on the way.
  fence_value completed_{};
  std::uint32_t turn_ = 0;
  fixed_seed seed_;
  token_source tokens_{seed_};
  std::array<token_lifetime::slot, 16> live_{};
  std::array<share_token, 16> releases_{};
  token_lifetime lifetime_{live_, releases_};
};

}  // namespace example
