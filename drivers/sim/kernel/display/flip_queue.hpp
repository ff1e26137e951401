// SPDX-License-Identifier: MIT
/// \file Flips: queued, programmed at the vertical blank, retired by the one that shows them.
#pragma once

#include "drivers/sim/kernel/objects/user_objects.hpp"
#include "drivers/sim/kernel/system/services.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace aerogpu::sim {

struct queued_flip {
  std::shared_ptr<allocation> surface;  ///< In its place until another one is shown.
  std::uint32_t segment = 0;
  std::uint64_t address = 0;
  std::uint32_t fence = 0;     ///< What rendered it, or brought it into its place.
  std::uint32_t interval = 1;  ///< Vertical blanks since the flip before; 0: at once.
  std::shared_ptr<present_account> account;
  present_number number;
};

/// Whether the surface has all that the device reads of it in the mode that is programmed.
[[nodiscard]] auto holds_scanout(const services& base, const allocation& surface) -> bool;

/// What SetVidPnSourceAddress gets as the surface's address, in the form of the options.
[[nodiscard]] auto primary_address_of(const services& base, const allocation& surface)
    -> std::uint64_t;

/// Of the one source. Its state belongs to the interrupt lock: vertical blanks and fences arrive at
/// DIRQL and program the next flip there. Windows gives the driver one flip at a time, as its caps
/// say (MaxQueuedFlipOnVSync 1).
class flip_queue {
 public:
  explicit flip_queue(services& base);
  ~flip_queue();
  flip_queue(const flip_queue&) = delete;
  auto operator=(const flip_queue&) -> flip_queue& = delete;

  // --- PASSIVE ---
  /// Shows the surface after all that uses it now and after the flips before it: of `wanted`, its
  /// place and its fence are found here. Fails without room for the surface.
  [[nodiscard]] auto push(queued_flip wanted) -> NTSTATUS;
  /// A primary was set with a mode: it is shown, and older flips are forgotten. Without a surface:
  /// nothing is.
  void restart(queued_flip shown);
  /// A timeout or a mode change: nothing that is queued will be shown.
  void drop();
  [[nodiscard]] auto is_empty() -> bool;
  /// Unpins surfaces that are no longer shown, and turns the interrupt off when nobody needs it and
  /// the driver allows that.
  void collect();
  /// Somebody waits for vertical blanks: the interrupt stays on.
  void add_waiter();
  void remove_waiter();
  /// Whether `collect` may turn the interrupt off: the driver's VSyncPowerSaveAware.
  void set_power_save(bool is_aware) noexcept { saves_power_ = is_aware; }
  /// ControlInterrupt, unless it is so already.
  auto set_interrupt(bool is_on) -> NTSTATUS;
  /// The surface on the screen; nullptr before there is one.
  [[nodiscard]] auto shown() -> std::shared_ptr<allocation>;

  // --- any level ---
  [[nodiscard]] auto refreshes() const noexcept -> std::uint32_t { return refreshes_.load(); }
  [[nodiscard]] auto flips_shown() const noexcept -> std::uint64_t { return flips_shown_.load(); }

 private:
  void on_vsync(const vsync_report& report);
  void try_program();
  void program(queued_flip flip);
  void show(queued_flip flip);

  services& base_;
  std::deque<queued_flip> queue_;
  std::optional<queued_flip> programmed_;
  std::optional<queued_flip> shown_;
  std::vector<std::shared_ptr<allocation>> unpinned_;  ///< At the next `collect`.
  std::uint32_t programmed_at_ = 0;                    ///< Vertical blank of the last flip.
  std::uint32_t waiters_ = 0;                          ///< The gpu lock's.
  std::atomic<bool> is_interrupt_on_ = false;          ///< Changed under the gpu lock.
  bool saves_power_ = false;
  std::uint32_t idle_since_ = 0;
  std::atomic<std::uint32_t> refreshes_ = 0;
  std::atomic<std::uint64_t> flips_shown_ = 0;
};

}  // namespace aerogpu::sim
