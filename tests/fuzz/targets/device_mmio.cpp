// SPDX-License-Identifier: MIT
// Fuzzes the device with scripts of register accesses, time and guest memory. The input is flags,
// the script's length, the script, and what guest memory holds at first.
#include "tests/fuzz/device_machine.hpp"

using namespace aerogpu;

namespace {

using machine = fuzz::device_machine;

constexpr std::array<std::uint32_t, 4> sizes{1, 2, 4, 8};

/// Mostly registers that exist.
auto pick_offset(fuzz::input& in) -> std::uint64_t {
  constexpr std::array<std::uint16_t, 8> blocks{0x000, 0x100, 0x120, 0x200,
                                                0x300, 0x400, 0x500, 0x310};
  const std::uint8_t what = in.u8();
  if (what >= 0xF0) return in.u32();
  return blocks[what % blocks.size()] + (what / blocks.size()) % 12 * 4u + (what > 0xE0 ? 1u : 0u);
}

void write_register(machine& m, fuzz::input& in) {
  const std::uint64_t offset = pick_offset(in);
  const std::uint32_t size = sizes[in.u8() % sizes.size()];
  const std::uint64_t value = in.u8() % 2 == 0 ? in.u16() : in.u64();
  m.device->bar0_write(offset, value, size);
}

void touch_memory(machine& m, fuzz::input& in) {
  const std::uint16_t at = in.u16();
  (void)m.host.write(advance(fuzz::device_ram_start, at % fuzz::device_ram_bytes),
                     in.bytes(in.u8()));
}

void use_aperture(machine& m, fuzz::input& in) {
  const std::uint64_t at = in.u8() % 4 == 0 ? in.u64() : in.u32() % (600u << 10);
  const std::uint32_t size = in.u8() % 10u;
  m.device->bar1_write(at, in.u64(), size);
  (void)m.device->bar1_read(at, size);
  m.device->legacy_write(0xA0000 + at % 0x20010, at, size);
  (void)m.device->legacy_read(0xA0000 + at % 0x20010, size);
}

void read_pictures(machine& m) {
  rgba8_image image;
  (void)m.device->read_display(image);
  (void)m.device->read_cursor(image);
}

void use_bridge(machine& m, fuzz::input& in) {
  const std::uint8_t what = in.u8();
  if (what < 16) m.device->set_executor(static_cast<executor_mode>(what % 4));
  captured_submission taken;
  if (m.device->take_submission(taken)) {
    m.device->complete({.fence = taken.fence, .generation = m.device->generation()});
  } else {
    m.device->complete({.fence = fence_value{in.u16()}, .generation = m.device->generation()});
  }
}

void step(machine& m, fuzz::input& in) {
  switch (in.u8() % 12) {
    case 0:
    case 1:
    case 2:
    case 3: write_register(m, in); break;
    case 4: (void)m.device->bar0_read(pick_offset(in), sizes[in.u8() % sizes.size()]); break;
    case 5: m.device->bar0_write(AEROGPU_MMIO_REG_DOORBELL, 1, 4); break;
    case 6:
      m.host.time_ns += std::uint64_t{in.u8()} << (in.u8() % 40);
      m.device->tick();
      break;
    case 7: m.device->config_write(in.u8(), in.u32(), sizes[in.u8() % 3]); break;
    case 8: touch_memory(m, in); break;
    case 9: use_aperture(m, in); break;
    case 10: read_pictures(m); break;
    default:
      if (const std::uint8_t what = in.u8(); what < 8) {
        m.device->device_reset();
      } else if (what < 64) {
        use_bridge(m, in);
      } else {
        m.device->wait_idle();
      }
  }
  m.check();
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  machine m;
  m.host.stirring = in.u8() % 2 != 0;
  const const_bytes script = in.bytes(in.u16());
  const const_bytes ram = in.rest();
  (void)m.host.write(fuzz::device_ram_start,
                     ram.first(std::min(ram.size(), fuzz::device_ram_bytes)));
  fuzz::input steps{reinterpret_cast<const std::uint8_t*>(script.data()), script.size()};
  while (!steps.empty()) step(m, steps);
  m.device->device_reset();
  m.device->tick();
  m.check();
  fuzz::claim(m.backend.live_objects() == 0, "a device reset leaves no object behind");
  return 0;
}
