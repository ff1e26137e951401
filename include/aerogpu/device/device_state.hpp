// SPDX-License-Identifier: MIT
/// \file What the parts of a device share: registers, memory, fences, time, and how the guest
/// hears.
#pragma once

#include "aerogpu/device/config.hpp"
#include "aerogpu/device/device_memory.hpp"
#include "aerogpu/device/events.hpp"
#include "aerogpu/device/host.hpp"
#include "aerogpu/device/pci_config.hpp"
#include "aerogpu/device/registers.hpp"
#include "aerogpu/device/scanout.hpp"
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
struct device_state : private detail::check_optional_members<Host> {
  device_state(Host& machine, const device_config& chosen, video_memory&& video) noexcept
      : host(machine),
        config(chosen),
        pci(chosen.bar1_bytes),
        vram(std::move(video)),
        memory(machine, vram),
        clock(vblank_period_ns(chosen.vblank_hz), chosen.bounds.vblank_catch_up_edges),
        epoch_ns(machine.now_ns()),
        ids_key(detail::make_hash_key(machine)) {
    reset_registers();
  }
  device_state(const device_state&) = delete;
  auto operator=(const device_state&) -> device_state& = delete;

  /// Takes storage for fences.
  [[nodiscard]] auto reserve() noexcept -> result<void> {
    if (!fence_memory.reserve(config.bounds)) {
      return make_error(error_code::out_of_memory, "host memory is exhausted",
                        config.bounds.pending_fences);
    }
    fences = fence_memory.make_timeline();
    return {};
  }

  /// All registers to their reset column; configuration shows through (host.md 1.11).
  void reset_registers() noexcept {
    registers = {};
    registers.features = feature_bits(config);
    registers.vblank_period_ns = clock.period_ns();
  }

  /// DMA in either direction needs bus mastering (host.md 1.4).
  [[nodiscard]] auto can_dma() const noexcept -> bool { return pci.is_bus_master(); }

  /// Nanoseconds since power-on; never earlier than before.
  [[nodiscard]] auto now_ns() noexcept -> std::uint64_t {
    const auto now = host.now_ns() - epoch_ns;
    const auto latest = clock.state().now_ns;
    return static_cast<std::int64_t>(now - latest) > 0 ? now : latest;
  }

  void record_error(const error& why, fence_value fence) noexcept {
    const auto code = register_code(why.code);
    registers.errors.record(code, fence);
    registers.interrupts.raise(AEROGPU_IRQ_ERROR);
    ++statistics.errors;
    detail::tell_error(host, {code, fence, why});
  }

  /// Whether a vsync present that is consumed now waits for an edge (host.md 1.14).
  [[nodiscard]] auto paces_presents() const noexcept -> bool {
    return registers.scanout.is_enabled && clock.period_ns() != 0;
  }

  /// Retires fences whose work is finished; paced ones only while no vblank will come for them.
  void release_fences() noexcept {
    if (!can_dma()) return;
    progress.add(clock.is_running() ? fences.advance() : fences.release_paced());
  }

  /// Runs the edges that are due (host.md 1.14). Without DMA fences stay where they are.
  void run_vblank(std::uint64_t now) noexcept {
    clock.advance(now, [&](const vblank_edge& edge) {
      ++statistics.vblanks;
      registers.vblank_sequence = edge.sequence;
      registers.vblank_time_ns = edge.time_ns;
      registers.interrupts.raise(AEROGPU_IRQ_SCANOUT_VBLANK);
      if (can_dma()) progress.add(fences.on_vblank_edge(edge.time_ns));
    });
  }

  enum class page_refresh : std::uint8_t { if_advanced, always };

  /// Lets the guest see what retired: the page, the register, the cause, the line, in this order
  /// (host.md 1.12).
  void publish(page_refresh refresh = page_refresh::if_advanced) noexcept {
    if (can_dma() && (progress.has_advanced || refresh == page_refresh::always)) {
      write_fence_page(memory, gpa{registers.fence_gpa}, fences.completed());
    }
    if (progress.has_advanced) {
      registers.completed_fence = fences.completed();
      if (progress.wants_irq) registers.interrupts.raise(AEROGPU_IRQ_FENCE);
      progress = {};
    }
    update_line();
  }

  [[nodiscard]] auto wants_line() const noexcept -> bool {
    return registers.interrupts.wants_line() && !pci.is_intx_disabled();
  }
  void update_line() noexcept {
    const bool level = wants_line();
    if (level == is_line_high) return;
    is_line_high = level;
    host.set_irq_line(level);
  }

  /// Hands a changed scanout configuration to the host.
  void publish_scanout(picture_change picture = picture_change::none) noexcept {
    if (scanout.update(registers.scanout, picture)) {
      detail::tell_scanout(host, scanout.published());
    }
  }

  /// The guest's frame buffer on the display: while a flip waits, the one before it.
  [[nodiscard]] auto shown_surface(bool is_flip_waiting) const noexcept -> guest_surface {
    guest_surface surface = registers.scanout.surface();
    if (is_flip_waiting) surface.address = scanout.published().surface.address;
    return surface;
  }

  /// DMA finds BAR1 where the guest put it, while memory decode is on.
  void map_window() noexcept {
    const auto base = pci.bar_of(1).base;
    if (base != 0 && pci.decodes_memory()) {
      memory.set_window(base);
    } else {
      memory.close_window();
    }
  }

  Host& host;
  device_config config;
  pci_config pci;
  device_registers registers;
  video_memory vram;
  device_memory<Host> memory;
  vbe_window vbe;
  vblank_clock clock;
  std::uint64_t epoch_ns;  ///< The host's time of power-on.
  hash_key ids_key;        ///< Of every table of the guest's ids.
  fence_store fence_memory;
  fence_timeline fences;    ///< In `fence_memory`.
  fence_progress progress;  ///< Retired, and not shown to the guest yet.
  scanout_publisher scanout;
  submission_tap tap;
  device_statistics statistics;
  recent_submissions recent;
  std::uint32_t generation = 1;  ///< Of submissions for an external executor; see `complete`.
  bool is_doorbell_pending = false;
  bool is_ring_reset_pending = false;  ///< Its effects on memory wait for DMA.
  bool is_line_high = false;
};

}  // namespace aerogpu
