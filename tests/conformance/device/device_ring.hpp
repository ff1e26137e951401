// SPDX-License-Identifier: MIT
/// \file DEV-028..049: the ring, its header, its indices and its descriptors.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("DEV-028 an empty submission advances head and fence, and interrupts",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit(guest_submission{.fence = 7});
  CHECK(rig.head() == 1);
  CHECK(rig.completed() == 7);
  CHECK(rig.page_fence() == 7);
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-029 the fence page holds magic, version and value, and no more",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.machine.ram.poke(gpa{fence_page_gpa}, test::filled(4096, 0xCC));
  rig.submit({.fence = 3, .stream = idle_stream()});
  const auto page = rig.machine.ram.peek(gpa{fence_page_gpa}, 4096);
  CHECK(load<std::uint32_t>(page.data()) == AEROGPU_FENCE_PAGE_MAGIC);
  CHECK(load<std::uint32_t>(page.data() + 4) == 0x00010004);
  CHECK(load<std::uint64_t>(page.data() + 8) == 3);
  CHECK(
      std::all_of(page.begin() + 16, page.end(), [](std::byte b) { return b == std::byte{0xCC}; }));
  CHECK(rig.machine.ram.writes(gpa{fence_page_gpa + 16}, 4080) == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-030 fences above 2^32 are whole in registers and page",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 0xFFFFFFFF, .stream = idle_stream()});
  CHECK(rig.completed() == 0xFFFFFFFF);
  rig.submit({.fence = 0x1'00000000, .stream = idle_stream()});
  CHECK(rig.read(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO) == 0);
  CHECK(rig.read(AEROGPU_MMIO_REG_COMPLETED_FENCE_HI) == 1);
  rig.submit({.fence = UINT64_MAX, .stream = idle_stream()});
  CHECK(rig.completed() == UINT64_MAX);
  CHECK(rig.page_fence() == UINT64_MAX);
}

TEMPLATE_LIST_TEST_CASE("DEV-031 without a fence page the fence completes all the same",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.write64(AEROGPU_MMIO_REG_FENCE_GPA_LO, 0);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.completed() == 1);
  CHECK(rig.page_fence() == 0);
  CHECK(rig.machine.ram.writes(gpa{0}, 64) == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-032 a fence page that wraps past 2^64 is skipped without an error",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  const auto page = GENERATE(as<std::uint64_t>{}, UINT64_MAX - 54, UINT64_MAX - 7, UINT64_MAX);
  rig.write64(AEROGPU_MMIO_REG_FENCE_GPA_LO, page);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.completed() == 1);
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-033 a doorbell of a disabled ring is lost", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.write(AEROGPU_MMIO_REG_RING_CONTROL, 0);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.pending() == 1);
  rig.write(AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
  rig.dev->tick();
  CHECK(rig.pending() == 1);
  rig.doorbell();
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-034 a doorbell rings with any value", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  rig.start();
  const auto value = GENERATE(as<std::uint32_t>{}, 0, 1, 0xFFFFFFFF);
  rig.push(guest_submission{.fence = 1, .stream = idle_stream()});
  rig.ring(value);
  rig.dev->wait_idle();
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-034 a byte written into DOORBELL rings", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.push(guest_submission{.fence = 1, .stream = idle_stream()});
  rig.refresh_ring();
  rig.dev->bar0_write(AEROGPU_MMIO_REG_DOORBELL + 3, 0, 1);
  rig.dev->wait_idle();
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-035 a ring without an address or a size is CMD_DECODE",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  const bool lacks_address = GENERATE(true, false);
  if (lacks_address) {
    rig.write64(AEROGPU_MMIO_REG_RING_GPA_LO, 0);
  } else {
    rig.write(AEROGPU_MMIO_REG_RING_SIZE_BYTES, 0);
  }
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.check_error(AEROGPU_ERROR_CMD_DECODE, 0);
  CHECK(rig.completed() == 0);
  CHECK(rig.head_writes() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-036 a ring that wraps past 2^64 is OOB and touches no memory there",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  const auto address = GENERATE(as<std::uint64_t>{}, UINT64_MAX - 30, UINT64_MAX - 3, UINT64_MAX);
  rig.machine.ram.map(gpa{UINT64_MAX - 63}, 64);
  rig.machine.ram.map(gpa{0}, 4096);
  rig.write64(AEROGPU_MMIO_REG_RING_GPA_LO, address);
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.check_error(AEROGPU_ERROR_OOB, 0);
  CHECK(rig.machine.ram.writes(gpa{0}, 4096) == 0);
  CHECK(rig.machine.ram.writes(gpa{UINT64_MAX - 63}, 64) == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-036 a ring whose end alone wraps has its entries dropped",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  constexpr std::uint64_t address = UINT64_MAX - 127;
  rig.machine.ram.poke_object(gpa{address}, rig.header);
  rig.machine.ram.poke_object(gpa{address + offsetof(aerogpu_ring_header, tail)}, 5u);
  rig.write64(AEROGPU_MMIO_REG_RING_GPA_LO, address);
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.check_error(AEROGPU_ERROR_OOB, 0);
  CHECK(rig.machine.ram.template peek_object<std::uint32_t>(
            gpa{address + offsetof(aerogpu_ring_header, head)}) == 5);
}

/// Submits with a header that `change` made wrong, and checks that nothing was taken.
template <class Backend, class Change>
void check_ring_refused(Change change) {
  device_rig<Backend> rig;
  rig.start();
  change(rig);
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.check_error(AEROGPU_ERROR_CMD_DECODE, 0);
  CHECK(rig.head_writes() == 0);
  CHECK(rig.completed() == 0);
  CHECK(rig.page_fence() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-037 a wrong ring magic is CMD_DECODE and head stays",
                        "[conformance][device]", backends) {
  check_ring_refused<TestType>([](auto& rig) { rig.header.magic ^= 1; });
}

TEMPLATE_LIST_TEST_CASE("DEV-038 another major of the ring is refused, any minor is accepted",
                        "[conformance][device]", backends) {
  check_ring_refused<TestType>([](auto& rig) { rig.header.abi_version = 0x00020004; });
  check_ring_refused<TestType>([](auto& rig) { rig.header.abi_version = 0x00000004; });
  for (const std::uint32_t version : {0x00010000u, 0x00010063u, 0x0001FFFFu}) {
    device_rig<TestType> rig;
    rig.start();
    rig.header.abi_version = version;
    rig.submit({.fence = 1, .stream = idle_stream()});
    CHECK(rig.completed() == 1);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-039 an entry_count of 0 or no power of two is refused",
                        "[conformance][device]", backends) {
  for (const std::uint32_t count : {0u, 3u, 6u, 7u, 0xFFFFFFFFu}) {
    check_ring_refused<TestType>([&](auto& rig) { rig.header.entry_count = count; });
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-040 a stride below a descriptor is refused, a longer one accepted",
                        "[conformance][device]", backends) {
  for (const std::uint32_t stride : {0u, 32u, 63u}) {
    check_ring_refused<TestType>([&](auto& rig) { rig.header.entry_stride_bytes = stride; });
  }
  device_rig<TestType> rig;
  rig.start(4, 128);
  for (std::uint64_t fence = 1; fence <= 9; ++fence) {
    rig.submit({.fence = fence, .stream = idle_stream()});
    CHECK(rig.completed() == fence);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-041 slots fit in size_bytes, and size_bytes in RING_SIZE",
                        "[conformance][device]", backends) {
  check_ring_refused<TestType>([](auto& rig) { rig.header.size_bytes -= 1; });
  check_ring_refused<TestType>([](auto& rig) { rig.header.entry_count = 0x80000000; });
  check_ring_refused<TestType>(
      [](auto& rig) { rig.write(AEROGPU_MMIO_REG_RING_SIZE_BYTES, rig.header.size_bytes - 1); });
  device_rig<TestType> rig;
  rig.start();
  rig.write(AEROGPU_MMIO_REG_RING_SIZE_BYTES, rig.header.size_bytes + 4096);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-042 more pending entries than slots drop all of them",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  const auto tail = GENERATE(as<std::uint32_t>{}, 9, 1000, 0xFFFFFFFF);
  rig.header.tail = tail;
  rig.doorbell();
  rig.check_error(AEROGPU_ERROR_CMD_DECODE, 0);
  CHECK(rig.head() == tail);
  CHECK(rig.completed() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-043 indices run through 2^32 to the right slots",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start(8, 64, 0xFFFFFFFE);
  for (std::uint64_t fence = 1; fence <= 5; ++fence) {
    rig.push(guest_submission{.fence = fence, .stream = idle_stream()});
  }
  rig.doorbell();
  CHECK(rig.head() == 3);
  CHECK(rig.completed() == 5);
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-044 a descriptor whose address wraps is OOB and drops the rest",
                        "[conformance][device]", backends) {
  // The last slot would end at 2^64; the ring's promised size tells so before any slot is read.
  device_rig<TestType> rig;
  rig.start();
  rig.write64(AEROGPU_MMIO_REG_RING_GPA_LO, UINT64_MAX - 0x23F);
  rig.machine.ram.map(gpa{UINT64_MAX - 0x23F}, 0x23F);
  rig.header.head = 0;
  rig.header.tail = 1;
  rig.machine.ram.poke_object(gpa{UINT64_MAX - 0x23F}, rig.header);
  rig.write(AEROGPU_MMIO_REG_DOORBELL, 1);
  rig.check_error(AEROGPU_ERROR_OOB, 0);
  CHECK(rig.machine.ram.template peek_object<std::uint32_t>(
            gpa{UINT64_MAX - 0x23F + offsetof(aerogpu_ring_header, head)}) == 1);
  CHECK(rig.completed() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-045 a short descriptor is refused, and its fence completes",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  const auto size = GENERATE(as<std::uint32_t>{}, 0, 32, 63);
  auto desc = rig.describe({.fence = 4, .stream = stream_builder{}.create_buffer(1, 16).bytes()});
  desc.desc_size_bytes = size;
  rig.submit(desc);
  rig.check_error(AEROGPU_ERROR_CMD_DECODE, 4);
  CHECK(rig.completed() == 4);
  CHECK(rig.pending() == 0);
  CHECK(rig.dev->processor().counts().buffers == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-046 a descriptor larger than the stride is refused in the same way",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  const auto size = GENERATE(as<std::uint32_t>{}, 65, 128, 0xFFFFFFFF);
  auto desc = rig.describe({.fence = 4, .stream = stream_builder{}.create_buffer(1, 16).bytes()});
  desc.desc_size_bytes = size;
  rig.submit(desc);
  rig.check_error(AEROGPU_ERROR_CMD_DECODE, 4);
  CHECK(rig.completed() == 4);
  CHECK(rig.dev->processor().counts().buffers == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-047 a descriptor of a newer guest fits a longer stride",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start(8, 128);
  const auto size = GENERATE(as<std::uint32_t>{}, 64, 96, 128);
  auto desc = rig.describe({.fence = 4, .stream = idle_stream()});
  desc.desc_size_bytes = size;
  rig.submit(desc);
  CHECK(rig.completed() == 4);
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-048 unknown flags, engines and reserved fields are ignored",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  auto desc = rig.describe({.fence = 1, .stream = idle_stream()});
  desc.flags = 0xFFFFFFFC;
  desc.engine_id = 77;
  desc.cmd_reserved0 = 1;
  desc.alloc_table_reserved0 = 2;
  desc.reserved0 = 3;
  rig.header.flags = 0xFFFFFFFF;
  rig.header.reserved0 = 1;
  rig.submit(desc);
  CHECK(rig.completed() == 1);
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
}

TEMPLATE_LIST_TEST_CASE("DEV-049 one doorbell takes several entries in order, with one interrupt",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  std::vector<std::uint32_t> heads;
  rig.machine.on_write = [&](gpa at, const_bytes) {
    if (at == rig.machine.watched.at) heads.push_back(rig.machine.watched.value);
  };
  for (std::uint64_t fence = 1; fence <= 8; ++fence) {
    rig.push(guest_submission{
        .fence = fence,
        .stream = stream_builder{}.create_buffer(static_cast<std::uint32_t>(fence), 16).bytes()});
  }
  rig.doorbell();
  CHECK(heads == std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(rig.completed() == 8);
  CHECK(rig.dev->processor().counts().buffers == 8);
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
  CHECK(rig.machine.line_changes == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-049 head moves past an entry when all that it names was copied",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  const auto desc = rig.describe({.fence = 1,
                                  .stream = stream_builder{}.create_buffer(1, 16, {4}).bytes(),
                                  .table = {{{4, 0, 0x5000, 16, 0}}}});
  // The guest reuses all three as soon as it sees the new head.
  rig.machine.on_write = [&](gpa at, const_bytes) {
    if (at != rig.machine.watched.at) return;
    rig.machine.ram.poke(gpa{ring_gpa + 64}, test::filled(64, 0xFF));
    rig.machine.ram.poke(gpa{desc.cmd_gpa}, test::filled(desc.cmd_size_bytes, 0xFF));
    rig.machine.ram.poke(gpa{desc.alloc_table_gpa},
                         test::filled(desc.alloc_table_size_bytes, 0xFF));
  };
  rig.submit(desc);
  rig.check_no_error();
  CHECK(rig.head() == 1);
  CHECK(rig.completed() == 1);
  CHECK(rig.dev->processor().counts().buffers == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-049 a doorbell without entries refreshes the fence page",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 5, .stream = idle_stream()});
  rig.machine.ram.poke_object(gpa{fence_page_gpa + 8}, std::uint64_t{99});
  rig.doorbell();
  CHECK(rig.page_fence() == 5);
  rig.check_no_error();
}

}  // namespace aerogpu::conformance
