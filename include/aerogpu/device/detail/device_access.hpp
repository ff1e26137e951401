// SPDX-License-Identifier: MIT
/// \file The device's answers to accesses of the guest's processor.
#pragma once

#include "aerogpu/device/device_model.hpp"

#include <algorithm>
#include <cstdint>

namespace aerogpu {

template <device_host Host, device_backend Backend>
auto device<Host, Backend>::bar0_read(std::uint64_t offset, std::uint32_t size_bytes) const noexcept
    -> std::uint64_t {
  if (!state_.pci().decodes_memory()) return floating_bus(size_bytes);
  if (!is_access_size(size_bytes) || offset >= AEROGPU_PCI_BAR0_SIZE_BYTES) return 0;
  return read_lanes(offset, size_bytes,
                    [&](std::uint64_t at) { return read_register(state_.registers(), at); });
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::bar0_write(std::uint64_t offset, std::uint64_t value,
                                       std::uint32_t size_bytes) noexcept {
  const detail::device_entry entry{entry_};
  if (!state_.pci().decodes_memory()) return;
  if (!is_access_size(size_bytes) || offset >= AEROGPU_PCI_BAR0_SIZE_BYTES) return;
  write_lanes(
      offset, size_bytes, value,
      [&](std::uint64_t at) { return read_register(state_.registers(), at); },
      [&](std::uint64_t at, std::uint32_t merged) { write_register(at, merged); });
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::write_register(std::uint64_t offset, std::uint32_t value) noexcept {
  const auto* const row = find_register(offset);
  if (row == nullptr) return;
  if (row->effect == register_effect::scanout_commit) settle_flip();
  const bool is_change = row->read != nullptr && row->read(state_.registers()) != value;
  state_.write_register(*row, value);
  switch (row->effect) {
    case register_effect::none: return;
    case register_effect::ring_control:
      if ((value & AEROGPU_RING_CONTROL_RESET) != 0) ring_reset();
      return;
    case register_effect::doorbell: return ring_doorbell();
    case register_effect::interrupt_enable: return set_interrupt_enable(value);
    case register_effect::interrupt_acknowledge: return state_.acknowledge(value);
    case register_effect::scanout_enable: return set_scanout_enable(value != 0);
    case register_effect::scanout_mode:
      if (is_change) executor_.processor().scanout().show_guest_memory();
      return state_.publish_scanout();
    case register_effect::scanout_commit: return commit_scanout();
  }
}

/// Edges of before the write must not interrupt after it (D-02).
template <device_host Host, device_backend Backend>
void device<Host, Backend>::set_interrupt_enable(std::uint32_t mask) noexcept {
  run_vblank(state_.now_ns());
  state_.publish();
  state_.set_interrupt_enable(mask);
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::set_scanout_enable(bool is_enabled) noexcept {
  if (state_.registers().scanout.is_enabled == is_enabled) return;
  const auto now = state_.now_ns();
  run_vblank(now);
  if (is_enabled) {
    state_.enable_scanout(now);
  } else {
    state_.disable_scanout();
    executor_.processor().scanout().drop_flip();
    state_.release_fences();
  }
  state_.publish_scanout();
  state_.publish();
}

/// An edge of before a commit belongs to the flip of before it.
template <device_host Host, device_backend Backend>
void device<Host, Backend>::settle_flip() noexcept {
  if (executor_.processor().scanout().targets().empty()) return;
  run_vblank(state_.now_ns());
  state_.publish();
}

/// A remembered texture's address is a flip, which waits for an edge where one will come and a
/// picture is there until then. Any other address shows guest memory at once (kmd.md K-35).
template <device_host Host, device_backend Backend>
void device<Host, Backend>::commit_scanout() noexcept {
  auto&& source = executor_.processor().scanout();
  const auto& scanout = state_.registers().scanout;
  const auto* const shown_before = executor_.processor().presented();
  const bool is_flip = source.begin_flip(scanout.frame_buffer.address());
  if (!is_flip) return publish_picture(shown_before);
  const bool has_edge = state_.clock().is_running() && state_.published().is_enabled;
  if (!has_edge || !is_valid_scanout(scanout)) end_flip(flip_moment::at_once);
}

/// A waiting flip shows at the first edge, before anybody hears of that edge.
template <device_host Host, device_backend Backend>
void device<Host, Backend>::run_vblank(std::uint64_t now) noexcept {
  const auto edges_before = state_.clock().sequence();
  state_.run_vblank(now);
  const bool is_waiting = executor_.processor().scanout().is_flip_waiting();
  if (is_waiting && state_.clock().sequence() != edges_before) end_flip(flip_moment::at_edge);
}

/// An image is stored as often as there are edges or ticks, not as often as the guest commits.
template <device_host Host, device_backend Backend>
void device<Host, Backend>::end_flip(flip_moment moment) noexcept {
  auto&& source = executor_.processor().scanout();
  const auto* const shown_before = executor_.processor().presented();
  source.end_flip();
  executor_.on_flip();
  if (moment == flip_moment::at_edge) executor_.store_picture();
  publish_picture(shown_before);
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::publish_picture(const texture_desc* shown_before) noexcept {
  const bool is_same = executor_.processor().presented() == shown_before;
  state_.publish_scanout(is_same ? picture_change::none : picture_change::other_source);
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::config_write(std::uint32_t offset, std::uint32_t value,
                                         std::uint32_t size_bytes) noexcept {
  const detail::device_entry entry{entry_};
  state_.write_config(offset, value, size_bytes);
  apply_ring_reset();  // At once when DMA came back: the guest may fill the ring before a tick.
  state_.update_line();
}

template <device_host Host, device_backend Backend>
auto device<Host, Backend>::vram_read(std::uint64_t offset, std::uint32_t size_bytes) const noexcept
    -> std::uint64_t {
  std::uint64_t value = 0;
  if (!is_access_size(size_bytes)) return floating_bus(size_bytes);
  const bool is_there = state_.vram().read(offset, mutable_bytes_of(value).first(size_bytes));
  return is_there ? value : floating_bus(size_bytes);
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::vram_write(std::uint64_t offset, std::uint64_t value,
                                       std::uint32_t size_bytes) noexcept {
  if (!is_access_size(size_bytes)) return;
  (void)state_.vram().write(offset, bytes_of(value).first(size_bytes));  // Outside: dropped.
}

template <device_host Host, device_backend Backend>
auto device<Host, Backend>::bar1_read(std::uint64_t offset, std::uint32_t size_bytes) const noexcept
    -> std::uint64_t {
  if (!state_.pci().decodes_memory()) return floating_bus(size_bytes);
  return vram_read(offset, size_bytes);
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::bar1_write(std::uint64_t offset, std::uint64_t value,
                                       std::uint32_t size_bytes) noexcept {
  const detail::device_entry entry{entry_};
  if (state_.pci().decodes_memory()) vram_write(offset, value, size_bytes);
}

namespace detail {

/// Whether an access lies inside the legacy window.
[[nodiscard]] constexpr auto is_legacy_access(std::uint64_t address,
                                              std::uint32_t size_bytes) noexcept -> bool {
  return is_access_size(size_bytes) && address >= legacy_window_gpa &&
         range_fits(address - legacy_window_gpa, size_bytes, legacy_window_bytes);
}

}  // namespace detail

template <device_host Host, device_backend Backend>
auto device<Host, Backend>::legacy_read(std::uint64_t address,
                                        std::uint32_t size_bytes) const noexcept -> std::uint64_t {
  if (!detail::is_legacy_access(address, size_bytes)) return floating_bus(size_bytes);
  const auto first = static_cast<std::uint32_t>(address - legacy_window_gpa);
  std::uint64_t value = 0;
  for (std::uint32_t i = 0; i < size_bytes; ++i) {  // A bank may end inside the access.
    value |= vram_read(legacy_offset(first + i, state_.vbe()), 1) << (8 * i);
  }
  return value;
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::legacy_write(std::uint64_t address, std::uint64_t value,
                                         std::uint32_t size_bytes) noexcept {
  const detail::device_entry entry{entry_};
  if (!detail::is_legacy_access(address, size_bytes)) return;
  const auto first = static_cast<std::uint32_t>(address - legacy_window_gpa);
  for (std::uint32_t i = 0; i < size_bytes; ++i) {
    vram_write(legacy_offset(first + i, state_.vbe()), value >> (8 * i), 1);
  }
}

template <device_host Host, device_backend Backend>
void device<Host, Backend>::begin_vbe_mode(std::uint32_t mode, std::uint64_t size_bytes) noexcept {
  const detail::device_entry entry{entry_};
  constexpr std::uint32_t keep_content = 1u << 15;
  state_.set_vbe({true, 0});
  const auto bytes = state_.vram().bytes();
  const auto first = std::min<std::size_t>(bytes.size(), AEROGPU_PCI_BAR1_VBE_LFB_OFFSET_BYTES);
  if ((mode & keep_content) != 0) return;
  const auto frame_buffer = bytes.subspan(first);
  const auto size = std::min<std::uint64_t>(frame_buffer.size(), size_bytes);
  std::fill_n(frame_buffer.data(), static_cast<std::size_t>(size), std::byte{0});
}

}  // namespace aerogpu
