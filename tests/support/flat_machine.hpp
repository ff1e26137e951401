// SPDX-License-Identifier: MIT
/// \file A machine that never allocates: RAM from address 0, a clock that stands still, and the
/// last error it was told; and how a guest starts a ring in it.
#pragma once

#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/device/host.hpp"
#include "aerogpu/device/pci_config.hpp"
#include "aerogpu/ring/ring_producer.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace aerogpu::test {

struct flat_machine {
  explicit flat_machine(std::size_t ram_bytes) : ram(ram_bytes) {}

  auto read(gpa at, mutable_bytes out) noexcept -> bool {
    if (!range_fits(raw(at), out.size(), ram.size())) return false;
    std::memcpy(out.data(), ram.data() + raw(at), out.size());
    return true;
  }
  auto write(gpa at, const_bytes in) noexcept -> bool {
    if (!range_fits(raw(at), in.size(), ram.size())) return false;
    std::memcpy(ram.data() + raw(at), in.data(), in.size());
    return true;
  }
  auto now_ns() noexcept -> std::uint64_t { return 0; }
  void set_irq_line(bool) noexcept {}
  void on_error(const error_record& record) noexcept { last_error = record.why; }

  byte_vector ram;
  error last_error;
};

/// Where a guest has its ring and its fence page.
struct ring_place {
  std::uint64_t ring_at = 0;
  std::uint32_t ring_bytes = 0;
  std::uint32_t slots = 0;
  std::uint64_t fence_page_at = 0;
};

/// Makes an empty ring in a machine's RAM, and the device run it, with interrupts of these causes.
template <class Device>
[[nodiscard]] auto start_ring(Device& gpu, flat_machine& machine, const ring_place& place,
                              std::uint32_t causes = AEROGPU_IRQ_FENCE) noexcept
    -> result<ring_producer> {
  const mutable_bytes mapping = mutable_bytes{machine.ram}.subspan(place.ring_at, place.ring_bytes);
  auto producer = ring_producer::create(mapping, place.slots, sizeof(aerogpu_submit_desc));
  if (!producer) return producer.why();
  gpu.config_write(4, pci_command_memory | pci_command_bus_master, 2);
  gpu.bar0_write(AEROGPU_MMIO_REG_FENCE_GPA_LO, place.fence_page_at, 8);
  gpu.bar0_write(AEROGPU_MMIO_REG_RING_GPA_LO, place.ring_at, 8);
  gpu.bar0_write(AEROGPU_MMIO_REG_RING_SIZE_BYTES, place.ring_bytes, 4);
  gpu.bar0_write(AEROGPU_MMIO_REG_IRQ_ENABLE, causes, 4);
  gpu.bar0_write(AEROGPU_MMIO_REG_RING_CONTROL,
                 AEROGPU_RING_CONTROL_ENABLE | AEROGPU_RING_CONTROL_RESET, 4);
  return *std::move(producer);
}

}  // namespace aerogpu::test
