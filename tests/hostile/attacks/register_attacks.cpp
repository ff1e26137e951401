// SPDX-License-Identifier: MIT
// Registers in any order, width and number. Each access is short, and none of them lets the guest
// reach what is not its own.
#include "aerogpu/device/device.hpp"
#include "tests/catch.hpp"
#include "tests/hostile/session.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::hostile {

namespace register_group {

class random_numbers {
 public:
  auto next() -> std::uint64_t {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 16;
  }
  auto value() -> std::uint64_t {
    constexpr std::array<std::uint64_t, 10> values{
        0, 1, 2, 3, 0xFFFFFFFF, 0x80000000, UINT64_MAX, 0x10000, 0xD0000000, 0xE0000000};
    return next() % 3 == 0 ? next() : values[next() % values.size()];
  }

 private:
  std::uint64_t state_ = 4;
};

/// Any register, with ticks and time in between.
void random_registers() {
  session s{on_null()};
  random_numbers random;
  constexpr std::array<std::uint32_t, 5> sizes{1, 2, 4, 8, 3};
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t offset =
        random.next() % 4 == 0 ? random.next() % 0x20000 : random.next() % 0x600;
    s.pc().write(offset, random.value(), sizes[random.next() % sizes.size()]);
    static_cast<void>(s.pc().read(random.next() % 0x600, sizes[random.next() % sizes.size()]));
    if (i % 16 == 0) {
      s.g().memory().time_ns += random.next() % 100'000'000;
      s.pc().tick();
    }
    if (i % 256 == 0) {
      rgba8_image image;
      static_cast<void>(s.pc().read_display(image));
    }
  }
  s.must_serve_after_reset();
}

/// Configuration space and both BARs beyond their ends.
void random_config() {
  session s{on_null()};
  random_numbers random;
  for (int i = 0; i < 50'000; ++i) {
    const auto size = static_cast<std::uint32_t>(1u << random.next() % 4);
    s.pc().config_write(static_cast<std::uint32_t>(random.next() % 512),
                        static_cast<std::uint32_t>(random.value()), size);
    s.pc().bar1_write(random.value() % (1u << 22), random.value(), size);
    static_cast<void>(s.pc().bar1_read(random.value(), size));
    s.pc().write(random.value(), random.value(), size);
  }
  s.must_serve_after_reset();
}

/// Enable, acknowledge and doorbell in turn: the line follows, at no price.
void interrupt_storm() {
  session s{on_null()};
  guest& g = s.g();
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    g.reg(AEROGPU_MMIO_REG_IRQ_ENABLE, i % 2 == 0 ? 0xFFFFFFFF : 0);
    g.reg(AEROGPU_MMIO_REG_IRQ_ACK, i % 3 == 0 ? 0xFFFFFFFF : 0);
    g.ring_doorbell();
  }
  s.must_serve_after_reset();
}

/// Years pass between two ticks, and vblanks with them.
void time_jumps() {
  session s{on_null()};
  guest& g = s.g();
  for (int i = 0; i < 2'000; ++i) {
    g.memory().time_ns += std::uint64_t{1} << (i % 58);
    if (g.memory().time_ns > UINT64_MAX / 2) g.memory().time_ns = UINT64_MAX / 2;
    g.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, i % 5 != 0 ? 1 : 0);
    s.pc().tick();
  }
  g.memory().time_ns = UINT64_MAX;
  s.pc().tick();
  static_cast<void>(s.pc().next_deadline_ns());
}

/// Scanouts and cursors of every size at every address, read back each time.
void display_addresses() {
  session s{on_null()};
  guest& g = s.g();
  constexpr std::array<std::uint64_t, 9> addresses{0,
                                                   4,
                                                   ring_at,
                                                   0xD0000000,
                                                   0xD00FFFFC,
                                                   0xE0000000,
                                                   UINT64_MAX,
                                                   UINT64_MAX - 4095,
                                                   std::uint64_t{1} << 63};
  constexpr std::array<std::uint32_t, 7> sizes{0, 1, 4096, 16384, 65536, 0x7FFFFFFF, 0xFFFFFFFF};
  rgba8_image image;
  for (const std::uint64_t address : addresses) {
    for (const std::uint32_t width : sizes) {
      for (const std::uint32_t pitch : sizes) {
        for (const std::uint32_t format : {0u, 1u, 5u, 32u, 64u, 0xFFFFFFFFu}) {
          g.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH, width);
          g.reg(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, pitch);
          g.reg(AEROGPU_MMIO_REG_SCANOUT0_FORMAT, format);
          g.reg(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, pitch);
          g.reg64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, address);
          g.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 1);
          g.reg(AEROGPU_MMIO_REG_CURSOR_WIDTH, width);
          g.reg(AEROGPU_MMIO_REG_CURSOR_HEIGHT, width);
          g.reg(AEROGPU_MMIO_REG_CURSOR_FORMAT, format);
          g.reg(AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES, pitch);
          g.reg(AEROGPU_MMIO_REG_CURSOR_X, 0x80000000);
          g.reg(AEROGPU_MMIO_REG_CURSOR_HOT_X, 0xFFFFFFFF);
          g.reg64(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, address);
          g.reg(AEROGPU_MMIO_REG_CURSOR_ENABLE, 1);
          static_cast<void>(s.pc().read_display(image));
        }
      }
    }
  }
  s.must_serve_after_reset();
}

/// What PRESENT shows goes where the registers say: over the ring, the fence page, past the end.
void present_over_everything() {
  computer_options options = on_null();
  options.device.write_back = present_write_back::on;
  session s{options};
  guest& g = s.g();
  constexpr std::uint32_t target = 0x7D01;
  for (const std::uint64_t address :
       {ring_at, ring_at - 64, fence_page_at, heap_at, g.memory().size() - 64, UINT64_MAX - 64,
        std::uint64_t{0xD00FFF00}}) {
    g.reg64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, address);
    g.push(g.describe(
        stream_builder{}
            .create_texture(
                target, {.width = 64, .height = 64, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
            .targets({target})
            .present()
            .destroy(target)));
    g.ring_doorbell();
    g.on().wait_idle();
    g.reg64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO, frame_at);
    g.reset_ring();
    g.forget_memory();
  }
  s.must_serve();
}

/// Bus mastering goes off and on while work is on its way.
void bus_mastering() {
  session s;
  guest& g = s.g();
  constexpr std::uint32_t source = 0x7D02, destination = 0x7D03;
  const guest_memory_block block = g.allocate(4096);
  g.must_run(
      stream_builder{}.create_buffer(source, 4096).create_buffer(destination, 4096, {block.id, 0}));
  for (int i = 0; i < 300; ++i) {
    g.push(g.describe(stream_builder{}.copy_buffer(destination, 0, source, 0, 4096,
                                                   AEROGPU_COPY_FLAG_WRITEBACK_DST)));
    g.ring_doorbell();
    g.on().config_write(0x04, 0x2, 2);
    s.pc().tick();
    if (i % 3 == 0) g.ring_doorbell();
    g.on().config_write(0x04, 0x6, 2);
    s.pc().tick();
    if (i % 128 == 127) g.finish();
  }
  g.finish();
  s.must_serve();
}

constexpr cost_limit small{.resident_mib = 96, .processor_seconds = 10};
constexpr cost_limit pictures{.resident_mib = 192, .processor_seconds = 20};
constexpr std::array attacks{
    attack{"random-registers", "registers hold whatever is written", pictures, random_registers},
    attack{"random-config", "accesses outside are dropped", small, random_config},
    attack{"interrupt-storm", "an interrupt costs next to nothing", small, interrupt_storm},
    attack{"time-jumps", "missed vblanks are bounded", small, time_jumps},
    attack{"display-addresses", "a picture is checked before it is made", pictures,
           display_addresses},
    attack{"present-over-everything", "what the host writes may lie anywhere", small,
           present_over_everything},
    attack{"bus-mastering", "without DMA nothing is written, with it nothing is lost", small,
           bus_mastering},
};

}  // namespace register_group

auto register_attacks() -> std::span<const attack> {
  return register_group::attacks;
}

}  // namespace aerogpu::hostile
