// SPDX-License-Identifier: MIT
/// \file What the parts of a device share: registers, memory, fences, time, and how the guest
/// hears. Every rule that ties two of them together is kept here.
#pragma once

#include "aerogpu/device/config.hpp"
#include "aerogpu/device/device_memory.hpp"
#include "aerogpu/device/events.hpp"
#include "aerogpu/device/host.hpp"
#include "aerogpu/device/pci_config.hpp"
#include "aerogpu/device/registers.hpp"
#include "aerogpu/device/scanout.hpp"
#include "aerogpu/device/snapshot/saved_registers.hpp"
#include "aerogpu/device/state/device_time.hpp"
#include "aerogpu/device/state/queued_fences.hpp"
#include "aerogpu/device/state/ring_requests.hpp"
#include "aerogpu/device/submission/fence_store.hpp"
#include "aerogpu/device/submission/recent_submissions.hpp"
#include "aerogpu/device/video_memory.hpp"
#include "aerogpu/ring/fence_page.hpp"
#include "aerogpu/sync/fence_timeline.hpp"
#include "aerogpu/sync/vblank_clock.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu {

template <device_host Host>
class device_state : private detail::check_optional_members<Host> {
 public:
  device_state(Host& machine, const device_config& chosen, video_memory&& video) noexcept
      : host_(machine),
        config_(chosen),
        pci_(chosen.bar1_bytes),
        vram_(std::move(video)),
        memory_(machine, vram_),
        time_(machine, {vblank_period_ns(chosen.vblank_hz), chosen.bounds.vblank_catch_up_edges}),
        ids_key_(detail::make_hash_key(machine)) {
    reset_registers();
  }
  device_state(const device_state&) = delete;
  auto operator=(const device_state&) -> device_state& = delete;

  /// Takes storage for fences.
  [[nodiscard]] auto reserve() noexcept -> result<void> {
    if (!fences_.reserve(config_.bounds)) {
      return make_error(error_code::out_of_memory, "host memory is exhausted",
                        config_.bounds.pending_fences);
    }
    return {};
  }

  // What it is made of

  [[nodiscard]] auto host() noexcept -> Host& { return host_; }
  [[nodiscard]] auto config() const noexcept -> const device_config& { return config_; }
  [[nodiscard]] auto bounds() const noexcept -> const limits& { return config_.bounds; }
  /// Of every table of the guest's ids.
  [[nodiscard]] auto ids_key() const noexcept -> hash_key { return ids_key_; }
  [[nodiscard]] auto pci() const noexcept -> const pci_config& { return pci_; }
  [[nodiscard]] auto registers() const noexcept -> const device_registers& { return registers_; }
  [[nodiscard]] auto vram() noexcept -> video_memory& { return vram_; }
  [[nodiscard]] auto vram() const noexcept -> const video_memory& { return vram_; }
  [[nodiscard]] auto memory() noexcept -> device_memory<Host>& { return memory_; }
  [[nodiscard]] auto clock() const noexcept -> const vblank_clock& { return time_.clock(); }
  [[nodiscard]] auto fences() const noexcept -> const fence_timeline& { return fences_.timeline(); }
  [[nodiscard]] auto vbe() const noexcept -> const vbe_window& { return vbe_; }
  void set_vbe(const vbe_window& vbe) noexcept { vbe_ = vbe; }

  // PCI

  /// DMA in either direction needs bus mastering (host.md 1.4).
  [[nodiscard]] auto can_dma() const noexcept -> bool { return pci_.is_bus_master(); }

  /// A write to configuration space: DMA finds BAR1 where the guest put it. The line follows with
  /// `update_line`.
  void write_config(std::uint32_t offset, std::uint32_t value, std::uint32_t size_bytes) noexcept {
    pci_.write(offset, value, size_bytes);
    map_window();
  }

  // Time

  /// Nanoseconds since power-on; never earlier than before.
  [[nodiscard]] auto now_ns() noexcept -> std::uint64_t { return time_.now_ns(); }
  [[nodiscard]] auto work_clock_ns() noexcept -> std::uint64_t { return time_.work_clock_ns(); }
  [[nodiscard]] auto host_time_of(std::uint64_t device_ns) const noexcept -> std::uint64_t {
    return time_.host_time_of(device_ns);
  }

  /// Runs the edges that are due (host.md 1.14). Without DMA fences stay where they are.
  void run_vblank(std::uint64_t now) noexcept {
    time_.clock().advance(now, [&](const vblank_edge& edge) {
      ++statistics_.vblanks;
      registers_.vblank_sequence = edge.sequence;
      registers_.vblank_time_ns = edge.time_ns;
      registers_.interrupts.raise(AEROGPU_IRQ_SCANOUT_VBLANK);
      if (can_dma()) fences_.on_vblank_edge(edge.time_ns);
    });
  }

  // Registers and interrupts

  /// Stores what a row stores; its effect is the caller's.
  void write_register(const register_row& row, std::uint32_t value) noexcept {
    if (row.write != nullptr) row.write(registers_, value);
  }
  void set_interrupt_enable(std::uint32_t mask) noexcept {
    registers_.interrupts.set_enable(mask);
    update_line();
  }
  void acknowledge(std::uint32_t causes) noexcept {
    registers_.interrupts.acknowledge(causes);
    update_line();
  }

  /// The cause reaches the line with the next `publish` or `update_line`.
  void record_error(const error& why, fence_value fence) noexcept {
    const auto code = register_code(why.code);
    registers_.errors.record(code, fence);
    registers_.interrupts.raise(AEROGPU_IRQ_ERROR);
    ++statistics_.errors;
    detail::tell_error(host_, {code, fence, why});
  }

  /// Sets the line to what causes and COMMAND ask for (host.md 1.6).
  void update_line() noexcept {
    const bool level = wants_line();
    if (level == is_line_high_) return;
    is_line_high_ = level;
    host_.set_irq_line(level);
  }

  // Scanout

  /// Vblank runs exactly while the scanout is enabled (host.md 1.14). Precondition: edges until
  /// `now` ran, and it is a change.
  void enable_scanout(std::uint64_t now) noexcept {
    registers_.scanout.is_enabled = true;
    time_.clock().enable(now);
  }
  void disable_scanout() noexcept {
    registers_.scanout.is_enabled = false;
    registers_.scanout.frame_buffer.drop_pending();
    stop_vblank();
  }

  /// What the display was told to show last.
  [[nodiscard]] auto published() const noexcept -> const scanout_descriptor& {
    return scanout_.published();
  }
  /// Hands a changed scanout configuration to the host.
  void publish_scanout(picture_change picture = picture_change::none) noexcept {
    if (scanout_.update(registers_.scanout, picture)) tell_scanout();
  }
  /// Publishes the registers with another address: a flip that a snapshot holds waits there.
  void restore_shown(const scanout_registers& shown) noexcept {
    scanout_.restore(scanout_.published().owner, shown);
  }

  /// The guest's frame buffer on the display: while a flip waits, the one before it.
  [[nodiscard]] auto shown_surface(bool is_flip_waiting) const noexcept -> guest_surface {
    guest_surface surface = registers_.scanout.surface();
    if (is_flip_waiting) surface.address = scanout_.published().surface.address;
    return surface;
  }

  // Fences

  /// Whether a vsync present that is consumed now waits for an edge (host.md 1.14).
  [[nodiscard]] auto paces_presents() const noexcept -> bool {
    return registers_.scanout.is_enabled && time_.clock().period_ns() != 0;
  }

  /// Queues the fence of a submission that is consumed now.
  [[nodiscard]] auto submit_fence(fence_value value, fence_kind kind, bool wants_irq) noexcept
      -> fence_ticket {
    return fences_.submit({.value = value,
                           .kind = kind,
                           .wants_irq = wants_irq,
                           .consumed_at_ns = time_.clock().state().now_ns});
  }
  /// The work behind a ticket, or all of a fence, has ended; `release_fences` retires it.
  void finish_fence(const fence_ticket& ticket) noexcept { fences_.finish(ticket); }
  void finish_fence(fence_value value) noexcept { fences_.finish(value); }
  void complete_fence(fence_value value) noexcept { fences_.complete(value); }
  /// Nobody completes the fences of until now any more.
  void finish_all_fences() noexcept { fences_.finish_all(); }
  /// A completion that waits for DMA finishes the fence when it is applied, not before.
  void hold_fence(fence_value value) noexcept { fences_.hold(value); }

  /// Retires fences whose work is finished; paced ones only while no vblank will come for them.
  void release_fences() noexcept {
    if (!can_dma()) return;
    fences_.release(time_.clock().is_running());
  }

  enum class page_refresh : std::uint8_t { if_advanced, always };

  /// Lets the guest see what retired: the page, the register, the cause, the line, in this order
  /// (host.md 1.12).
  void publish(page_refresh refresh = page_refresh::if_advanced) noexcept {
    const auto progress = fences_.take_progress();
    if (can_dma() && (progress.has_advanced || refresh == page_refresh::always)) {
      write_fence_page(memory_, gpa{registers_.fence_gpa}, fences().completed());
    }
    if (progress.has_advanced) {
      registers_.completed_fence = fences().completed();
      if (progress.wants_irq) registers_.interrupts.raise(AEROGPU_IRQ_FENCE);
    }
    update_line();
  }

  // Doorbell and resets

  /// A doorbell rang. False when it is lost.
  [[nodiscard]] auto note_doorbell() noexcept -> bool {
    ++statistics_.doorbells;
    return requests_.ring_doorbell(registers_.is_ring_enabled);
  }
  [[nodiscard]] auto is_doorbell_pending() const noexcept -> bool {
    return requests_.has_doorbell();
  }
  /// Whether the ring is to be drained now.
  [[nodiscard]] auto begin_doorbell() noexcept -> bool {
    return requests_.begin_doorbell(registers_.is_ring_enabled, can_dma());
  }
  void end_doorbell(bool is_answered) noexcept { requests_.end_doorbell(is_answered); }

  /// The registers' side of a ring reset; memory follows with `take_ring_reset` (host.md 1.11).
  void reset_ring() noexcept {
    ++statistics_.ring_resets;
    registers_.completed_fence = {};
    registers_.interrupts.clear_status();
    registers_.errors = {};
    requests_.ask_for_reset();
  }
  [[nodiscard]] auto is_ring_reset_pending() const noexcept -> bool {
    return requests_.has_reset();
  }
  /// Whether a ring reset reaches memory now; it does so once.
  [[nodiscard]] auto take_ring_reset() noexcept -> bool { return requests_.take_reset(can_dma()); }

  /// Everything that was submitted is forgotten, its fences and its doorbell too.
  void forget_work() noexcept {
    fences_.forget();
    ++generation_;
    requests_.drop_doorbell();
  }

  /// Power-on state, except for BAR bases and video memory (host.md 1.11). Work is forgotten
  /// before.
  void reset() noexcept {
    requests_.drop_reset();
    vbe_ = {};
    time_.clock().reset();
    pci_.reset();
    map_window();
    reset_registers();
    update_line();
    if (scanout_.reset()) tell_scanout();
  }

  // Executor

  /// Of submissions for an external executor; see `device::complete`.
  [[nodiscard]] auto generation() const noexcept -> std::uint32_t { return generation_; }
  /// Changes who executes.
  void set_executor(executor_mode mode) noexcept {
    finish_all_fences();
    ++generation_;
    config_.executor = mode;
  }

  // Snapshots (host.md 1.17)

  [[nodiscard]] auto collect_registers() noexcept -> saved_registers {
    saved_registers saved;
    save_registers(registers_, saved);
    saved.command = pci_.command();
    saved.interrupt_line = pci_.interrupt_line();
    saved.bar0 = pci_.bar_of(0).base;
    saved.bar1 = pci_.bar_of(1).base;
    saved.vblank = time_.clock().state();
    saved.now_ns = now_ns();
    saved.owner = scanout_.published().owner;
    saved.is_doorbell_pending = requests_.has_doorbell();
    saved.is_ring_reset_pending = requests_.has_reset();
    saved.generation = generation_;
    saved.is_vbe_active = vbe_.is_active;
    saved.vbe_bank = vbe_.bank;
    return saved;
  }

  /// Takes the fences of a snapshot, which were made in `store`.
  void adopt_fences(fence_store&& store, const fence_timeline& fences) noexcept {
    fences_.adopt(std::move(store), fences);
  }

  /// Takes the registers of a snapshot, behind its fences. Cannot fail: every value was checked, or
  /// any value is right. The host hears of it with `tell_restored`.
  void apply_registers(const saved_registers& saved, const saved_latches& latches) noexcept {
    reset_registers();
    pci_.restore(saved.command, saved.interrupt_line, saved.bar0, saved.bar1);
    map_window();
    restore_registers(registers_, saved, latches);
    registers_.completed_fence = fences().completed();
    apply_vblank(saved);
    requests_ = {saved.is_doorbell_pending, saved.is_ring_reset_pending};
    generation_ = saved.generation;
    vbe_ = {saved.is_vbe_active, saved.vbe_bank};
    scanout_.restore(saved.owner, registers_.scanout);
  }
  /// Tells the host the picture and the line, changed or not.
  void tell_restored() noexcept {
    tell_scanout();
    is_line_high_ = wants_line();
    host_.set_irq_line(is_line_high_);
  }

  // Observation

  [[nodiscard]] auto tap() const noexcept -> const submission_tap& { return tap_; }
  void set_tap(const submission_tap& tap) noexcept { tap_ = tap; }
  [[nodiscard]] auto statistics() const noexcept -> const device_statistics& { return statistics_; }
  void count(std::uint64_t device_statistics::*counter, std::uint64_t by = 1) noexcept {
    statistics_.*counter += by;
  }
  [[nodiscard]] auto recent() const noexcept -> const recent_submissions& { return recent_; }
  void remember(const submission_record& record) noexcept { recent_.add(record); }

 private:
  /// All registers to their reset column; configuration shows through (host.md 1.11).
  void reset_registers() noexcept {
    registers_ = {};
    registers_.features = feature_bits(config_);
    registers_.vblank_period_ns = time_.clock().period_ns();
  }

  /// DMA finds BAR1 where the guest put it, while memory decode is on.
  void map_window() noexcept {
    const auto base = pci_.bar_of(1).base;
    if (base != 0 && pci_.decodes_memory()) {
      memory_.set_window(base);
    } else {
      memory_.close_window();
    }
  }

  [[nodiscard]] auto wants_line() const noexcept -> bool {
    return registers_.interrupts.wants_line() && !pci_.is_intx_disabled();
  }

  void stop_vblank() noexcept {
    time_.clock().disable();
    registers_.interrupts.acknowledge(AEROGPU_IRQ_SCANOUT_VBLANK);
  }

  /// Vblank runs exactly while the scanout is enabled and this device has a period.
  void apply_vblank(const saved_registers& saved) noexcept {
    time_.restore(saved.vblank, saved.now_ns);
    if (!saved.scanout.is_enabled) {
      stop_vblank();
    } else {
      time_.clock().enable(saved.now_ns);
    }
    registers_.vblank_sequence = saved.vblank.last.sequence;
    registers_.vblank_time_ns = saved.vblank.last.time_ns;
  }

  void tell_scanout() noexcept { detail::tell_scanout(host_, scanout_.published()); }

  Host& host_;
  device_config config_;
  pci_config pci_;
  device_registers registers_;
  video_memory vram_;
  device_memory<Host> memory_;
  vbe_window vbe_;
  device_time<Host> time_;
  hash_key ids_key_;
  queued_fences fences_;
  ring_requests requests_;
  scanout_publisher scanout_;
  submission_tap tap_;
  device_statistics statistics_;
  recent_submissions recent_;
  std::uint32_t generation_ = 1;
  bool is_line_high_ = false;
};

}  // namespace aerogpu
