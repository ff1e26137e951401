// SPDX-License-Identifier: MIT
/// \file The device model: a PCI function whose registers, ring and display drive a backend.
#pragma once

#include "aerogpu/device/detail/entry_guard.hpp"
#include "aerogpu/device/device_backend.hpp"
#include "aerogpu/device/device_state.hpp"
#include "aerogpu/device/display.hpp"
#include "aerogpu/device/submission/executor.hpp"
#include "aerogpu/device/submission/lanes.hpp"
#include "aerogpu/device/submission/submission_consumer.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <utility>

namespace aerogpu {

struct loaded_device;

/// Never: no call of `tick` is due.
inline constexpr std::uint64_t no_deadline = UINT64_MAX;

/// The whole of host.md 1 over a machine and a backend, which both outlive it. No threads, no
/// globals, and no clock but the host's: the same calls at the same times give the same bytes.
///
/// Calls come from one thread at a time; an embedder with more of them holds a lock around each.
/// None comes from inside a callback of the host: without NDEBUG that ends the program, unless the
/// call is one of those under "Observation".
/// `tick` is called when `next_deadline_ns` says so, and whenever a backend or an executor of the
/// embedder's finished something.
template <device_host Host, device_backend Backend>
class device {
 public:
  /// A backend serves one device at a time; when that is gone another may be made on it.
  /// Errors: invalid_parameter for a configuration that `check_config` refuses, and for in_process
  /// over `no_backend`; out_of_memory.
  [[nodiscard]] static auto create(Host& host, Backend& on,
                                   const device_config& config = {}) noexcept
      -> result<std::unique_ptr<device>>;
  device(const device&) = delete;
  auto operator=(const device&) -> device& = delete;

  // What the guest's processor reads and writes

  /// 1, 2, 4 or 8 bytes at any offset (host.md 1.2). Other sizes read 0 and write nothing.
  [[nodiscard]] auto bar0_read(std::uint64_t offset, std::uint32_t size_bytes) const noexcept
      -> std::uint64_t;
  void bar0_write(std::uint64_t offset, std::uint64_t value, std::uint32_t size_bytes) noexcept;

  /// The VRAM aperture (host.md 1.8). Outside of it, and for other sizes: all ones, or dropped.
  [[nodiscard]] auto bar1_read(std::uint64_t offset, std::uint32_t size_bytes) const noexcept
      -> std::uint64_t;
  void bar1_write(std::uint64_t offset, std::uint64_t value, std::uint32_t size_bytes) noexcept;

  /// Guest physical 0xA0000..0xBFFFF (host.md 1.8), by address. COMMAND does not gate it.
  [[nodiscard]] auto legacy_read(std::uint64_t address, std::uint32_t size_bytes) const noexcept
      -> std::uint64_t;
  void legacy_write(std::uint64_t address, std::uint64_t value, std::uint32_t size_bytes) noexcept;

  /// Configuration space, 1, 2 or 4 bytes (host.md 1.1).
  [[nodiscard]] auto config_read(std::uint32_t offset, std::uint32_t size_bytes) const noexcept
      -> std::uint32_t {
    return state_.pci().read(offset, size_bytes);
  }
  void config_write(std::uint32_t offset, std::uint32_t value, std::uint32_t size_bytes) noexcept;

  // Time and reset

  /// One round of work, in the order of host.md 1.10, of at most what `limits` allows one tick and
  /// one submission. What a doorbell named beyond that stays in the ring, in order, and is due now.
  void tick() noexcept;
  /// The host's time at which `tick` has something to do; in the past when it has already.
  [[nodiscard]] auto next_deadline_ns() const noexcept -> std::uint64_t;
  /// Ticks, waits for the backend, and lets the guest see what it finished. What the queues or the
  /// limits of a tick have no room for stays in the ring; `is_idle` tells.
  void wait_idle() noexcept;
  /// Power-on state, except for BAR bases and video memory (host.md 1.11).
  void device_reset() noexcept;

  // Display

  /// The scanout as RGBA8, without the cursor. Nothing shown is invalid_parameter.
  [[nodiscard]] auto read_scanout(rgba8_image& image) noexcept -> result<void> {
    const detail::device_entry entry{entry_};
    return aerogpu::read_scanout(state_, executor_.processor(), image);
  }
  [[nodiscard]] auto read_cursor(rgba8_image& image) noexcept -> result<void> {
    const detail::device_entry entry{entry_};
    return aerogpu::read_cursor(state_, image);
  }
  /// The scanout with the cursor on it (host.md 1.16).
  [[nodiscard]] auto read_display(rgba8_image& image) noexcept -> result<void>;
  /// Who owns the display, and what was published last.
  [[nodiscard]] auto scanout() const noexcept -> const scanout_descriptor& {
    return state_.published();
  }
  /// The BIOS switched VBE modes or banks.
  void set_vbe_window(const vbe_window& vbe) noexcept {
    const detail::device_entry entry{entry_};
    state_.set_vbe(vbe);
  }
  /// A VBE mode set succeeded: bank 0, and the linear frame buffer's first `size_bytes` cleared
  /// unless bit 15 of the mode number says no (host.md 1.8).
  void begin_vbe_mode(std::uint32_t mode, std::uint64_t size_bytes) noexcept;

  // External executor (host.md 1.13)

  /// Changes who executes. Fences that nobody can complete any more count as finished. With
  /// in_process over `no_backend`, which `create` refuses, each submission is a BACKEND error.
  void set_executor(executor_mode mode) noexcept;
  /// The oldest captured submission; false when there is none.
  [[nodiscard]] auto take_submission(captured_submission& out) noexcept -> bool;
  /// An external executor finished all work so far that shares the fence. A report that comes
  /// before its submission is remembered. Ignored in other modes, and of before a reset.
  void complete(const external_completion& done) noexcept;
  /// The generation of submissions that are captured now.
  [[nodiscard]] auto generation() const noexcept -> std::uint32_t { return state_.generation(); }

  // Snapshots (host.md 1.17)

  /// Appends the device's state. Waits for the backend first and, with bus mastering, lets the
  /// guest see what that finished: this writes guest memory and may raise the line, so RAM, lent
  /// video memory and the interrupt controller are saved behind it. What a lost device had is zero.
  /// What fails is the writer's `why`, or the processor's; such a writer keeps it and is spent:
  /// save again into another one.
  [[nodiscard]] auto save(snapshot_writer& out) noexcept -> result<void>;
  /// Replaces the state. On error (corrupt, bad_version, unsupported, out_of_memory, device_lost,
  /// others of the backend) the device is unchanged. One whose backend has 3D off stays at
  /// device_lost: it takes another backend.
  [[nodiscard]] auto load(const_bytes snapshot) noexcept -> result<void>;

  // Observation. References are to what the next call changes: copy before a lock is let go.

  void set_tap(const submission_tap& tap) noexcept { state_.set_tap(tap); }
  [[nodiscard]] auto statistics() const noexcept -> const device_statistics& {
    return state_.statistics();
  }
  [[nodiscard]] auto recent() const noexcept -> const recent_submissions& {
    return state_.recent();
  }
  [[nodiscard]] auto registers() const noexcept -> const device_registers& {
    return state_.registers();
  }
  [[nodiscard]] auto config() const noexcept -> const device_config& { return state_.config(); }
  [[nodiscard]] auto pci() const noexcept -> const pci_config& { return state_.pci(); }
  [[nodiscard]] auto vram() noexcept -> video_memory& { return state_.vram(); }
  /// Guest memory as the device reaches it, BAR1 included.
  [[nodiscard]] auto memory() noexcept -> device_memory<Host>& { return state_.memory(); }
  [[nodiscard]] auto processor() noexcept -> processor_for<Backend>& {
    return executor_.processor();
  }
  /// Whether no work waits: for the backend, for DMA, in the ring, or for `take_submission`. What
  /// an executor took and did not complete is not looked at.
  [[nodiscard]] auto is_idle() const noexcept -> bool;

 private:
  static constexpr bool has_processor = backend<Backend>;

  device(Host& host, Backend& on, const device_config& config, video_memory&& vram) noexcept
      : state_(host, config, std::move(vram)),
        executor_(on, state_),
        consumer_(state_, executor_),
        deferred_(most_deferred(config.bounds)) {}

  void work() noexcept;
  void write_register(std::uint64_t offset, std::uint32_t value) noexcept;
  void set_interrupt_enable(std::uint32_t mask) noexcept;
  void set_scanout_enable(bool is_enabled) noexcept;
  void commit_scanout() noexcept;
  void settle_flip() noexcept;
  enum class flip_moment : std::uint8_t { at_edge, at_once };
  void end_flip(flip_moment moment) noexcept;
  void publish_picture(const texture_desc* shown_before) noexcept;
  void run_vblank(std::uint64_t now) noexcept;
  void ring_doorbell() noexcept;
  void ring_reset() noexcept;
  void apply_ring_reset() noexcept;
  void collect() noexcept;
  [[nodiscard]] auto answer_doorbell() noexcept -> bool;
  void forget_work() noexcept;
  [[nodiscard]] auto settle() noexcept -> result<void>;
  [[nodiscard]] auto expected_save_bytes() noexcept -> std::uint64_t;
  void adopt(loaded_device&& loaded) noexcept;
  void restore_flip(gpa shown_before) noexcept;
  void apply_external(fence_value fence, const error& why) noexcept;
  void apply_report(const deferred_completion& done) noexcept;
  [[nodiscard]] auto apply_oldest_report() noexcept -> bool;
  [[nodiscard]] auto defer(const external_completion& done) noexcept -> bool;

  [[nodiscard]] auto vram_read(std::uint64_t offset, std::uint32_t size_bytes) const noexcept
      -> std::uint64_t;
  void vram_write(std::uint64_t offset, std::uint64_t value, std::uint32_t size_bytes) noexcept;

  device_state<Host> state_;
  executor<Host, Backend> executor_;
  submission_consumer<Host, Backend> consumer_;
  deferred_completions deferred_;  ///< Wait for DMA.
  rgba8_image cursor_image_;
  detail::entry_flag entry_;
};

}  // namespace aerogpu

#include "aerogpu/device/detail/device_access.hpp"
#include "aerogpu/device/detail/device_snapshot.hpp"
#include "aerogpu/device/detail/device_work.hpp"
