// SPDX-License-Identifier: MIT
// A machine with a device in it, and a guest that draws on a target of 4 x 4 texels and shows it.
#pragma once

#include "aerogpu/device.hpp"
#include "aerogpu/memory.hpp"
#include "aerogpu/ring.hpp"
#include "aerogpu/stream.hpp"

#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <vector>

using namespace aerogpu;

struct machine {
  std::vector<std::byte> ram = std::vector<std::byte>(1u << 20);

  auto read(gpa from, mutable_bytes out) noexcept -> bool {
    if (!range_fits(raw(from), out.size(), ram.size())) return false;
    copy_bytes(out, const_bytes{ram}.subspan(raw(from), out.size()));
    return true;
  }
  auto write(gpa to, const_bytes in) noexcept -> bool {
    if (!range_fits(raw(to), in.size(), ram.size())) return false;
    copy_bytes(mutable_bytes{ram}.subspan(raw(to), in.size()), in);
    return true;
  }
  auto now_ns() noexcept -> std::uint64_t { return 0; }
  void set_irq_line(bool) noexcept {}
};

template <class Card>
struct doorbell {
  Card& card;
  void full_barrier() noexcept {}
  void write_doorbell() noexcept { card.bar0_write(AEROGPU_MMIO_REG_DOORBELL, 1, 4); }
};

constexpr resource_handle screen{1};

/// Lets a guest draw with `draw(writer)` on `screen` and prints the middle of what is shown. What
/// the program ends with.
template <class Backend, class Draw>
auto run_guest(Backend& backend, Draw draw) -> int {
  machine pc;
  const auto made = device<machine, Backend>::create(pc, backend);
  if (!made) return 1;
  auto& card = **made;
  card.config_write(0x04, 6, 2);  // Memory decode and bus master.

  const mutable_bytes ring_page = mutable_bytes{pc.ram}.subspan(0x1000, 0x1000);
  auto ring = ring_producer::create(ring_page, 8, sizeof(aerogpu_submit_desc));
  if (!ring) return 2;
  constexpr std::uint32_t start_up[][2]{
      {AEROGPU_MMIO_REG_RING_GPA_LO, 0x1000},
      {AEROGPU_MMIO_REG_RING_SIZE_BYTES, 0x1000},
      {AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE},
      {AEROGPU_MMIO_REG_SCANOUT0_WIDTH, 4},
      {AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, 4},
      {AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8X8_UNORM},
      {AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, 16},
      {AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, 0x3000},
      {AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 0},
      {AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1}};
  for (const auto& [offset, value] : start_up) card.bar0_write(offset, value, 4);

  constexpr auto format = AEROGPU_FORMAT_B8G8R8A8_UNORM;
  span_sink commands{mutable_bytes{pc.ram}.subspan(0x2000, 0x1000)};
  stream_writer<span_sink> w{commands};
  const bool is_written =
      w.begin() &&
      w.create_texture2d({screen, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, format, 4, 4}) &&
      w.set_render_targets(std::array{screen}, {}) && draw(w) && w.present(0, 0);
  if (!is_written) return 3;
  doorbell<device<machine, Backend>> bell{card};
  ring_submission work;
  work.commands = {gpa{0x2000}, w.finish()};
  work.signal_fence = fence_value{1};
  if (!ring->push(work, bell)) return 4;
  ring->notify(bell);
  card.wait_idle();

  rgba8_image shown;
  if (!card.read_scanout(shown)) return 5;
  const auto pixel = shown.pixels().subspan((2 * 4 + 2) * 4);
  std::printf("consumer: %" PRIu64 " submission, fence %" PRIu64 ", pixel %02x%02x%02x%02x\n",
              card.statistics().submissions, card.bar0_read(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8),
              std::to_integer<unsigned>(pixel[3]), std::to_integer<unsigned>(pixel[0]),
              std::to_integer<unsigned>(pixel[1]), std::to_integer<unsigned>(pixel[2]));
  return card.statistics().errors == 0 ? 0 : 6;
}
