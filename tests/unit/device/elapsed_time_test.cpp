// SPDX-License-Identifier: MIT
// Tests of a tick's time, taken from a host whose clock stands still during a call.
#include "tests/catch.hpp"
#include "tests/support/device_harness.hpp"
#include "tests/support/processors/null_processor.hpp"

#include <cstdint>
#include <memory>

using namespace aerogpu;

namespace {

constexpr std::uint64_t entry_ns = 60'000'000;
constexpr std::uint32_t entries = 5;

/// Guest time stands still; the host's own goes on with each look at it.
struct timed_machine : test::fake_machine {
  timed_machine() : fake_machine(test::memory_mood::calm) {}

  auto elapsed_ns() noexcept -> std::uint64_t {
    ++looks;
    return elapsed += entry_ns;
  }

  std::uint64_t elapsed = UINT64_MAX - entry_ns;  ///< Any point will do: it passes 0.
  std::uint32_t looks = 0;
};

/// A ring of empty submissions, rung once.
struct timed_guest {
  using device_type = device<timed_machine, null_backend>;

  timed_guest() {
    device_config config;
    config.bar1_bytes = 1u << 19;
    config.bounds.tick_ms = 100;
    auto made = device_type::create(machine, backend, config);
    REQUIRE(made);
    gpu = *std::move(made);
    gpu->config_write(0x14, 0xE0000000, 4);
    gpu->config_write(4, pci_command_memory | pci_command_bus_master, 2);
    aerogpu_ring_header header{};
    header.magic = AEROGPU_RING_MAGIC;
    header.abi_version = AEROGPU_ABI_VERSION_U32;
    header.size_bytes = 64 + 8 * 64;
    header.entry_count = 8;
    header.entry_stride_bytes = 64;
    header.tail = entries;
    machine.ram.map(gpa{test::ring_gpa}, header.size_bytes);
    machine.ram.poke_object(gpa{test::ring_gpa}, header);
    for (std::uint64_t fence = 1; fence <= entries; ++fence) {
      aerogpu_submit_desc desc{};
      desc.desc_size_bytes = sizeof desc;
      desc.signal_fence = fence;
      machine.ram.poke_object(gpa{test::ring_gpa + fence * 64}, desc);
    }
    gpu->bar0_write(AEROGPU_MMIO_REG_RING_GPA_LO, test::ring_gpa, 8);
    gpu->bar0_write(AEROGPU_MMIO_REG_RING_SIZE_BYTES, header.size_bytes, 4);
    gpu->bar0_write(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE, 4);
    gpu->bar0_write(AEROGPU_MMIO_REG_DOORBELL, 1, 4);
  }
  auto completed() -> std::uint64_t {
    return gpu->bar0_read(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8);
  }

  timed_machine machine;
  null_backend backend;
  std::unique_ptr<device_type> gpu;
};

}  // namespace

TEST_CASE("a host's elapsed time ends a tick, and its fences are done then", "[device]") {
  timed_guest guest;
  CHECK(guest.completed() == 2);  // 60 ms are not 100, 120 are.
  CHECK(guest.gpu->next_deadline_ns() == guest.machine.time_ns);
  guest.gpu->tick();
  CHECK(guest.completed() == 4);
  guest.gpu->tick();
  CHECK(guest.completed() == 5);
  CHECK(guest.gpu->next_deadline_ns() == no_deadline);
}

TEST_CASE("elapsed time is not looked at for the first entry of a tick", "[device]") {
  timed_guest guest;
  CHECK(guest.machine.looks == 3);  // When it began, and before the second and the third.
  guest.gpu->tick();
  CHECK(guest.machine.looks == 6);
  guest.gpu->tick();
  CHECK(guest.machine.looks == 6);  // One is left: nothing follows it.
}
