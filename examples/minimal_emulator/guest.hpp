// SPDX-License-Identifier: MIT
/// \file The guest of this example: a driver's half of the protocol, out of the same library.
#pragma once

#include "aerogpu/abi/mmio.h"
#include "aerogpu/memory/alloc_table_builder.hpp"
#include "aerogpu/ring/fence_page.hpp"
#include "aerogpu/ring/ring_producer.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "aerogpu/stream/writer.hpp"
#include "picture.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// A driver over registers `Bus` and memory that it shares with the device.
template <class Bus>
class guest {
 public:
  static constexpr fence_value last_fence{1};

  guest(Bus& bus, mutable_bytes ram) noexcept : bus_(bus), ram_(ram) {}

  /// Firmware, start-up and one frame. What fails is the library's own refusal.
  auto boot_and_draw() -> result<void> {
    constexpr std::uint32_t memory_and_bus_master = 6;
    bus_.config_write(0x04, memory_and_bus_master, 2);
    init_fence_page(page(fence_page_at));
    copy_bytes(ram_.subspan(cursor_at), picture::arrow());
    copy_bytes(ram_.subspan(wallpaper_at), picture::wallpaper());
    auto ring = ring_producer::create(page(ring_at), 16, sizeof(aerogpu_submit_desc));
    if (!ring) return ring.why();
    for (const auto& [offset, value] : start_up) bus_.bar0_write(offset, value, 4);

    span_sink commands{ram_.subspan(commands_at, 0x10000)};
    writer stream{commands};
    if (const auto drawn = draw_desktop(stream); !drawn) return drawn.why();
    std::array<alloc_table_builder::slot, 4> slots{};
    alloc_table_builder table{page(table_at), slots};
    const auto added = table.add({wallpaper_alloc, alloc_object{1}, wallpaper_bytes,
                                  gpa{wallpaper_at}, /*has_address=*/true, /*is_read_only=*/true});
    if (!added) return added.why();
    const auto table_size = static_cast<std::uint32_t>(table.finish().size());
    const auto pushed = ring->push({.commands = {gpa{commands_at}, stream.finish()},
                                    .alloc_table = {gpa{table_at}, table_size},
                                    .signal_fence = last_fence},
                                   *this);
    if (!pushed) return pushed.why();
    ring->notify(*this);
    return {};
  }

  /// As the device published it.
  auto completed_fence() -> fence_value {
    const auto completed = read_fence_page(page(fence_page_at));
    return completed ? *completed : fence_value{};
  }

  // ring_port
  void full_barrier() noexcept {}  // The device runs on this thread.
  void write_doorbell() noexcept { bus_.bar0_write(AEROGPU_MMIO_REG_DOORBELL, 1, 4); }

 private:
  using writer = stream_writer<span_sink>;

  // The guest's memory map.
  static constexpr std::uint32_t ring_at = 0x1000, fence_page_at = 0x2000, table_at = 0x3000;
  static constexpr std::uint32_t cursor_at = 0x4000, commands_at = 0x10000, wallpaper_at = 0x100000;

  static constexpr alloc_id wallpaper_alloc{1};
  static constexpr resource_handle wallpaper{1}, icon{2}, screen{3};
  static constexpr std::uint32_t width = picture::width, height = picture::height;
  static constexpr std::uint32_t tile = picture::tile, wallpaper_bytes = width * height * 4;

  struct register_value {
    std::uint32_t offset;
    std::uint32_t value;
  };
  /// Ring, fence page, interrupts, a mode and a cursor. A HI half commits its address.
  static constexpr register_value start_up[]{
      {AEROGPU_MMIO_REG_RING_GPA_LO, ring_at},
      {AEROGPU_MMIO_REG_RING_SIZE_BYTES, 4096},
      {AEROGPU_MMIO_REG_FENCE_GPA_LO, fence_page_at},
      {AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE},
      {AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR},
      {AEROGPU_MMIO_REG_SCANOUT0_WIDTH, width},
      {AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, height},
      {AEROGPU_MMIO_REG_SCANOUT0_FORMAT, AEROGPU_FORMAT_B8G8R8X8_UNORM},
      {AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, width * 4},
      {AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, wallpaper_at},
      {AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, 0},
      {AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1},
      {AEROGPU_MMIO_REG_CURSOR_WIDTH, picture::cursor},
      {AEROGPU_MMIO_REG_CURSOR_HEIGHT, picture::cursor},
      {AEROGPU_MMIO_REG_CURSOR_FORMAT, AEROGPU_FORMAT_B8G8R8A8_UNORM},
      {AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES, picture::cursor * 4},
      {AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, cursor_at},
      {AEROGPU_MMIO_REG_CURSOR_FB_GPA_HI, 0},
      {AEROGPU_MMIO_REG_CURSOR_X, 346},
      {AEROGPU_MMIO_REG_CURSOR_Y, 150},
      {AEROGPU_MMIO_REG_CURSOR_ENABLE, 1}};

  auto page(std::uint32_t at) const -> mutable_bytes { return ram_.subspan(at, 4096); }

  /// A scissored clear.
  static auto fill(writer& w, std::int32_t x, std::int32_t y, std::int32_t columns,
                   std::int32_t rows, picture::color c) -> bool {
    return w.set_scissor(x, y, columns, rows) &&
           w.clear({.color = {c.red, c.green, c.blue, c.alpha}});
  }

  /// The wallpaper from guest memory, a window out of clears, a dock out of copies.
  static auto draw_desktop(writer& w) -> result<void> {
    const bool is_written = create_surfaces(w) && draw_window(w) && draw_dock(w) &&
                            w.present(0, AEROGPU_PRESENT_FLAG_VSYNC);
    if (!is_written)
      return make_error(error_code::invalid_parameter, "the writer refuses a packet");
    return {};
  }
  static auto create_surfaces(writer& w) -> bool {
    constexpr auto format = AEROGPU_FORMAT_B8G8R8A8_UNORM;
    constexpr std::uint32_t target = AEROGPU_RESOURCE_USAGE_RENDER_TARGET;
    const resource_backing guest_memory{wallpaper_alloc};
    return w.begin() &&
           w.create_texture2d(
               {wallpaper, 0, format, width, height, 1, 1, width * 4, guest_memory}) &&
           w.create_texture2d({icon, 0, format, tile, tile}) &&
           w.create_texture2d({screen, target, format, width, height}) &&
           w.resource_dirty_range(wallpaper, 0, wallpaper_bytes) &&
           w.upload_resource(icon, 0, picture::icon()) &&
           w.copy_texture2d({{screen}, {wallpaper}, width, height}) &&
           w.set_render_targets(std::array{screen}, {}) &&
           w.set_render_state(d3drs_scissortestenable, 1);  // Clears obey it alone.
  }
  static auto draw_window(writer& w) -> bool {
    bool ok = fill(w, 70, 52, 330, 196, {0.93f, 0.94f, 0.97f}) &&
              fill(w, 70, 52, 330, 24, {0.16f, 0.17f, 0.27f});
    for (std::int32_t i = 0; i < 3; ++i) {
      const float t = static_cast<float>(i) / 2;
      ok = ok && fill(w, 80 + 18 * i, 59, 10, 10,
                      picture::mix({0.98f, 0.36f, 0.36f}, {0.36f, 0.84f, 0.44f}, t));
    }
    for (std::int32_t i = 0; i < 16; ++i) {
      const std::int32_t bar = 24 + (i * 37 + i * i * 11) % 108;
      const float t = static_cast<float>(i) / 15;
      ok = ok && fill(w, 92 + 18 * i, 232 - bar, 12, bar,
                      picture::mix({0.20f, 0.52f, 0.86f}, {0.82f, 0.30f, 0.52f}, t));
    }
    return ok;
  }
  static auto draw_dock(writer& w) -> bool {
    bool ok = fill(w, 148, 318, 344, 72, {0.13f, 0.12f, 0.20f});
    for (std::uint32_t i = 0; i < 5; ++i) {
      ok = ok && w.copy_texture2d({{screen, 0, 0, 156 + 66 * i, 322}, {icon}, tile, tile});
    }
    return ok;
  }

  Bus& bus_;
  mutable_bytes ram_;
};

}  // namespace aerogpu
