// SPDX-License-Identifier: MIT
/// \file Registers and flags as a snapshot holds them: one list of fields, for both ways.
#pragma once

#include "aerogpu/device/registers.hpp"
#include "aerogpu/device/scanout.hpp"
#include "aerogpu/device/surface.hpp"
#include "aerogpu/hosted/snapshot_io.hpp"
#include "aerogpu/sync/vblank_clock.hpp"

#include <concepts>
#include <cstdint>

namespace aerogpu {

/// A surface's registers, with the committed address.
struct saved_surface {
  bool is_enabled = false;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t format = 0;
  std::uint32_t pitch_bytes = 0;
  std::uint64_t address = 0;
};

/// A low half that waits for its high half.
struct saved_latch {
  bool is_pending = false;
  std::uint32_t low = 0;
};

struct saved_latches {
  saved_latch scanout;
  saved_latch cursor;
};

/// What survives (host.md 1.17), except what is configuration.
struct saved_registers {
  std::uint32_t command = 0;
  std::uint32_t interrupt_line = 0;
  std::uint32_t bar0 = 0;
  std::uint32_t bar1 = 0;
  bool is_ring_enabled = false;
  std::uint32_t ring_size_bytes = 0;
  std::uint64_t ring_gpa = 0;
  std::uint64_t fence_gpa = 0;
  std::uint32_t irq_status = 0;
  std::uint32_t irq_enable = 0;
  std::uint32_t error_code = 0;
  std::uint32_t error_count = 0;
  std::uint64_t error_fence = 0;
  saved_surface scanout;
  saved_surface cursor;
  std::uint32_t cursor_x = 0;
  std::uint32_t cursor_y = 0;
  std::uint32_t cursor_hot_x = 0;
  std::uint32_t cursor_hot_y = 0;
  vblank_state vblank;
  std::uint64_t now_ns = 0;  ///< Device time at the save; the restored device continues there.
  display_owner owner = display_owner::legacy;
  bool is_doorbell_pending = false;
  bool is_ring_reset_pending = false;
  std::uint32_t generation = 1;
  bool is_vbe_active = false;
  std::uint32_t vbe_bank = 0;
};

namespace detail {

template <class Visit>
void visit_fields(saved_surface& s, Visit&& visit) noexcept {
  visit(s.is_enabled);
  visit(s.width);
  visit(s.height);
  visit(s.format);
  visit(s.pitch_bytes);
  visit(s.address);
}

template <class Visit>
void visit_fields(saved_latches& s, Visit&& visit) noexcept {
  for (auto* const latch : {&s.scanout, &s.cursor}) {
    visit(latch->is_pending);
    visit(latch->low);
  }
}

template <class Visit>
void visit_fields(vblank_state& s, Visit&& visit) noexcept {
  visit(s.last.sequence);
  visit(s.last.time_ns);
  visit(s.next_edge_ns);
  visit(s.now_ns);
}

template <class Visit>
void visit_fields(saved_registers& s, Visit&& visit) noexcept {
  for (auto* const field : {&s.command, &s.interrupt_line, &s.bar0, &s.bar1}) visit(*field);
  visit(s.is_ring_enabled);
  visit(s.ring_size_bytes);
  visit(s.ring_gpa);
  visit(s.fence_gpa);
  for (auto* const field : {&s.irq_status, &s.irq_enable, &s.error_code, &s.error_count}) {
    visit(*field);
  }
  visit(s.error_fence);
  visit_fields(s.scanout, visit);
  visit_fields(s.cursor, visit);
  for (auto* const field : {&s.cursor_x, &s.cursor_y, &s.cursor_hot_x, &s.cursor_hot_y}) {
    visit(*field);
  }
  visit_fields(s.vblank, visit);
  visit(s.now_ns);
  visit(s.owner);
  visit(s.is_doorbell_pending);
  visit(s.is_ring_reset_pending);
  visit(s.generation);
  visit(s.is_vbe_active);
  visit(s.vbe_bank);
}

}  // namespace detail

template <class Saved>
void save_fields(Saved saved, snapshot_writer& out) noexcept {
  detail::visit_fields(saved, [&](const auto& field) { out.put(field); });
}

template <class Saved>
[[nodiscard]] auto load_fields(snapshot_reader& in) noexcept -> Saved {
  Saved saved;
  detail::visit_fields(saved, [&](auto& field) {
    using type = std::remove_reference_t<decltype(field)>;
    if constexpr (std::same_as<type, display_owner>) {
      field = in.take_enum(display_owner::wddm);
    } else {
      field = in.take<type>();
    }
  });
  return saved;
}

/// Reads the required section. Times that contradict each other are corrupt.
[[nodiscard]] inline auto load_registers(snapshot_reader& in) noexcept -> saved_registers {
  auto saved = load_fields<saved_registers>(in);
  in.require(saved.now_ns >= saved.vblank.now_ns, "device time is before its clock's", saved.now_ns,
             saved.vblank.now_ns);
  in.require(saved.now_ns <= INT64_MAX, "device time is beyond its range", saved.now_ns);
  return saved;
}

namespace detail {

/// Scanout and cursor share the names of their registers.
template <class Registers, class Saved, class Copy>
void pair_surface(Registers& r, Saved& saved, Copy&& copy) noexcept {
  copy(r.is_enabled, saved.is_enabled);
  copy(r.width, saved.width);
  copy(r.height, saved.height);
  copy(r.format, saved.format);
  copy(r.pitch_bytes, saved.pitch_bytes);
}

/// Registers and where a snapshot has them: `copy` goes one way or the other.
template <class Registers, class Saved, class Copy>
void pair_registers(Registers& r, Saved& saved, Copy&& copy) noexcept {
  copy(r.is_ring_enabled, saved.is_ring_enabled);
  copy(r.ring_size_bytes, saved.ring_size_bytes);
  copy(r.ring_gpa, saved.ring_gpa);
  copy(r.fence_gpa, saved.fence_gpa);
  copy(r.errors.code, saved.error_code);
  copy(r.errors.count, saved.error_count);
  pair_surface(r.scanout, saved.scanout, copy);
  pair_surface(r.cursor, saved.cursor, copy);
  copy(r.cursor.x, saved.cursor_x);
  copy(r.cursor.y, saved.cursor_y);
  copy(r.cursor.hot_x, saved.cursor_hot_x);
  copy(r.cursor.hot_y, saved.cursor_hot_y);
}

}  // namespace detail

/// What `device_registers` holds of it; the rest comes from the other parts of a device.
inline void save_registers(const device_registers& r, saved_registers& saved) noexcept {
  detail::pair_registers(r, saved, [](const auto& from, auto& to) { to = from; });
  saved.irq_status = r.interrupts.status();
  saved.irq_enable = r.interrupts.enable();
  saved.error_fence = raw(r.errors.fence);
  saved.scanout.address = raw(r.scanout.frame_buffer.address());
  saved.cursor.address = raw(r.cursor.frame_buffer.address());
}

[[nodiscard]] inline auto collect_latches(const device_registers& r) noexcept -> saved_latches {
  const auto save_latch = [](const address_latch& latch) {
    return saved_latch{latch.is_pending(), latch.is_pending() ? latch.read_low() : 0};
  };
  return {save_latch(r.scanout.frame_buffer), save_latch(r.cursor.frame_buffer)};
}

/// Puts that back. Cannot fail: every value was checked, or any value is right.
inline void restore_registers(device_registers& r, const saved_registers& saved,
                              const saved_latches& latches) noexcept {
  detail::pair_registers(r, saved, [](auto& to, const auto& from) { to = from; });
  r.interrupts.restore(saved.irq_status, saved.irq_enable);
  r.errors.fence = fence_value{saved.error_fence};
  const auto restore = [](address_latch& to, std::uint64_t address, const saved_latch& latch) {
    to.restore(gpa{address}, latch.is_pending, latch.low);
  };
  restore(r.scanout.frame_buffer, saved.scanout.address, latches.scanout);
  restore(r.cursor.frame_buffer, saved.cursor.address, latches.cursor);
}

}  // namespace aerogpu
