// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/submission/engine.hpp"

#include "aerogpu/abi/fence_page.h"
#include "aerogpu/abi/mmio.h"
#include "tests/drivers/kmd/submission/submission_fixture.hpp"

#include <numeric>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

[[nodiscard]] auto counted(std::uint32_t first, std::uint32_t last) -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> all(last - first + 1);
  std::iota(all.begin(), all.end(), first);
  return all;
}

[[nodiscard]] auto reads_of(started_driver& driver, std::uint32_t offset) -> std::size_t {
  std::size_t count = 0;
  for (const auto& one : driver.pc.pc.bus.log.entries())
    count += one.kind == sim::access_kind::read_register && one.offset == offset;
  return count;
}

}  // namespace

TEST_CASE("300 submissions without progress of the host succeed and keep their order",
          "[kmd][engine][case-85]") {
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  driver.hold_host();
  for (std::uint32_t fence = 1; fence <= 300; ++fence) driver.submit(nop, fence);
  CHECK(driver.completions().empty());
  auto now = driver.adapter().engine.progress();
  CHECK(now.tail - now.head == kmd::ring_entries);
  CHECK(now.queued == 300 - kmd::ring_entries);

  std::vector<std::uint32_t> order;
  for (std::uint32_t taken = 0; taken < 300; ++taken) {
    const auto ring = driver.adapter().engine.progress();
    const auto pending = driver.descriptors(ring.tail - ring.head);
    REQUIRE_FALSE(pending.empty());
    order.push_back(static_cast<std::uint32_t>(pending[0].signal_fence));
    driver.release_host(1);
  }
  CHECK(order == counted(1, 300));
  CHECK(driver.completions() == counted(1, 300));
  CHECK(driver.adapter().engine.is_idle());
  CHECK(driver.counters().queue_overflow.get() == 0);
}

TEST_CASE("a full software queue merges the newest fence, and every fence is reported",
          "[kmd][engine][case-86]") {
  constexpr std::uint32_t room = kmd::ring_entries + kmd::queue_items;
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  driver.hold_host();
  for (std::uint32_t fence = 1; fence <= room; ++fence) driver.submit(nop, fence);
  CHECK(driver.counters().queue_overflow.get() == 0);
  driver.submit(nop, room + 1);
  CHECK(driver.counters().queue_overflow.get() == 1);
  while (!driver.adapter().engine.is_idle()) driver.release_host(64);
  CHECK(driver.completions().back() == room + 1);
  CHECK(driver.pc.windows.dxgk.fences.pending() == 0);
}

TEST_CASE("ring indices that wrap through 2^32 keep the order", "[kmd][engine][case-87]") {
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  kmd::engine& engine = driver.adapter().engine;
  engine.stop(false);
  engine.start(kmd::ring_start::reset_host, 0xFFFFFFF0);
  driver.hold_host();
  for (std::uint32_t fence = 1; fence <= 300; ++fence) driver.submit(nop, fence);
  CHECK(driver.ring_header().tail == 0xFFFFFFF0 + kmd::ring_entries);
  while (!engine.is_idle()) driver.release_host(1);
  CHECK(driver.completions() == counted(1, 300));
  CHECK(driver.ring_header().head == 0xFFFFFFF0 + 300);
}

TEST_CASE("submissions complete when somebody scribbled over the ring header",
          "[kmd][engine][case-88]") {
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  driver.submit(nop, 1);
  std::byte* const ring = driver.adapter().engine.ring_memory().bytes;
  const auto good = load<aerogpu_ring_header>(ring);
  std::uint32_t fence = 1;
  for (std::size_t offset = 0; offset < 32; offset += 4) {
    CAPTURE(offset);
    auto bad = good;
    store(reinterpret_cast<std::byte*>(&bad) + offset, 0x5A5A5A5Au);
    store(ring, bad);
    driver.submit(nop, ++fence);
    store(ring, good);
    if (offset == offsetof(aerogpu_ring_header, flags)) continue;
    CHECK(driver.completions().back() == fence);
  }
  CHECK(driver.counters().push_failures.get() > 0);
  CHECK(driver.pc.windows.dxgk.fences.pending() == 0);
}

TEST_CASE("a corrupt ring waits for what the host still works for", "[kmd][engine][case-88]") {
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  driver.hold_host();
  driver.submit(nop, 1);
  std::byte* const magic = driver.adapter().engine.ring_memory().bytes;
  const auto good = load<std::uint32_t>(magic);
  store(magic, ~good);
  driver.submit(nop, 2);
  CHECK(driver.completions().empty());
  store(magic, good);
  driver.release_host();
  CHECK(driver.completions() == counted(1, 2));
}

TEST_CASE("32-bit fences widen across 2^32", "[kmd][engine][case-91]") {
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  std::uint64_t expected = 0xFFFFFFFE;
  for (const std::uint32_t fence : {0xFFFFFFFEu, 0xFFFFFFFFu, 0u, 1u, 2u}) {
    driver.submit(nop, fence);
    CHECK(driver.newest_descriptor().signal_fence == expected);
    CHECK(driver.completions().back() == fence);
    ++expected;
  }
  CHECK(raw(driver.adapter().engine.progress().completed) == 0x1'0000'0002);
}

TEST_CASE("fences that wrap while all of them wait complete in order", "[kmd][engine][case-91]") {
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  driver.hold_host();
  for (std::uint32_t i = 0; i < 20; ++i) driver.submit(nop, 0xFFFFFFF8 + i);
  for (std::uint32_t i = 0; i < 20; ++i) {
    driver.release_host(1);
    CHECK(driver.completions().back() == 0xFFFFFFF8 + i);
  }
  CHECK(driver.completions().size() == 20);
}

TEST_CASE("a repeated fence keeps its 64-bit value", "[kmd][engine][case-92]") {
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  driver.submit(nop, 7);
  driver.hold_host();
  driver.submit(nop, 8);
  driver.submit(nop, 8);
  CHECK(driver.newest_descriptor().signal_fence == 8);
  driver.submit(nop, 5);  // Older ones neither lower it nor start an epoch.
  CHECK(driver.newest_descriptor().signal_fence == 8);
  driver.submit(nop, 9);
  CHECK(driver.newest_descriptor().signal_fence == 9);
  driver.release_host();
  CHECK(driver.completions().back() == 9);
}

TEST_CASE("completions are read from the fence page where there is one", "[kmd][engine][case-93]") {
  started_driver driver;
  REQUIRE(driver.adapter().engine.has_fence_page());
  driver.pc.pc.bus.log.clear();
  driver.submit_nop(1);
  CHECK(driver.completions() == std::vector{1u});
  CHECK(reads_of(driver, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO) == 0);
  const auto page = load<aerogpu_fence_page>(driver.adapter().engine.fence_page_memory().bytes);
  CHECK(page.completed_fence == 1);
}

TEST_CASE("a fence page that was scribbled over yields to the registers",
          "[kmd][engine][case-93]") {
  started_driver driver;
  store(driver.adapter().engine.fence_page_memory().bytes, 0xDEADBEEFu);
  driver.pc.pc.bus.host.on_write = [&](std::uint32_t offset, std::uint32_t) {
    if (offset == AEROGPU_MMIO_REG_IRQ_ACK)
      store(driver.adapter().engine.fence_page_memory().bytes, 0xDEADBEEFu);
    return true;
  };
  driver.submit_nop(1);
  driver.pc.pc.bus.host.on_write = nullptr;
  CHECK(driver.completions() == std::vector{1u});
  CHECK(reads_of(driver, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO) > 0);
}

TEST_CASE("without a fence page completions are read from the registers, high, low, high",
          "[kmd][engine][case-93]") {
  started_driver driver{{.hidden_features = AEROGPU_FEATURE_FENCE_PAGE}};
  REQUIRE_FALSE(driver.adapter().engine.has_fence_page());
  CHECK(driver.pc.pc.bus.peek64(AEROGPU_MMIO_REG_FENCE_GPA_LO) == 0);
  driver.pc.pc.bus.log.clear();
  driver.submit_nop(1);
  CHECK(driver.completions() == std::vector{1u});
  std::vector<std::uint32_t> offsets;
  for (const auto& one : driver.pc.pc.bus.log.entries()) {
    if (one.kind == sim::access_kind::read_register &&
        one.offset >= AEROGPU_MMIO_REG_COMPLETED_FENCE_LO &&
        one.offset <= AEROGPU_MMIO_REG_COMPLETED_FENCE_HI) {
      offsets.push_back(one.offset);
    }
  }
  REQUIRE(offsets.size() >= 3);
  CHECK(offsets[0] == AEROGPU_MMIO_REG_COMPLETED_FENCE_HI);
  CHECK(offsets[1] == AEROGPU_MMIO_REG_COMPLETED_FENCE_LO);
  CHECK(offsets[2] == AEROGPU_MMIO_REG_COMPLETED_FENCE_HI);
}

TEST_CASE("a fence whose halves were read across a carry is read again", "[kmd][engine][case-94]") {
  started_driver driver{{.hidden_features = AEROGPU_FEATURE_FENCE_PAGE}};
  driver.submit_nop(0xFFFFFFFF);
  bool is_torn = false;
  driver.pc.pc.bus.host.on_read = [&](std::uint32_t offset, std::uint32_t value) {
    if (offset != AEROGPU_MMIO_REG_COMPLETED_FENCE_HI || is_torn || value == 0) return value;
    is_torn = true;
    return 0u;  // As it was before the low half wrapped.
  };
  driver.submit_nop(0);
  CHECK(is_torn);
  CHECK(driver.completions() == std::vector{0xFFFFFFFFu, 0u});
}

TEST_CASE("a device that claims fences nobody gave it is not believed", "[kmd][engine][case-95]") {
  started_driver driver{{.hidden_features = AEROGPU_FEATURE_FENCE_PAGE}};
  dma_buffer& nop = driver.shared_nop();
  driver.hold_host();
  const std::uint64_t target = driver.adapter().segments.video_base() + 0x10000;
  driver.submit(nop, 1);
  driver.submit_fill(2, target, 4096, 0x11111111);
  driver.submit(nop, 3);
  CHECK(driver.query_fence() == 0);
  driver.pc.pc.bus.host.on_read = [](std::uint32_t offset, std::uint32_t value) {
    const bool is_fence = offset == AEROGPU_MMIO_REG_COMPLETED_FENCE_LO ||
                          offset == AEROGPU_MMIO_REG_COMPLETED_FENCE_HI;
    return is_fence ? 0x7FFFFFFFu : value;
  };
  // Fence 3 reaches the ring only after the processor's work: that is done by then, not claimed.
  CHECK(driver.query_fence() == 3);
  CHECK(driver.completions() == std::vector{1u, 2u, 3u});
  const std::byte* const filled =
      driver.pc.pc.bus.video_memory().data() + (target - driver.pc.pc.config.bars.bar1);
  CHECK(load<std::uint32_t>(filled) == 0x11111111);
  driver.pc.pc.bus.host.on_read = nullptr;
  driver.release_host();
  CHECK(driver.completions() == std::vector{1u, 2u, 3u});
}

TEST_CASE("a fence page that claims too much is not believed", "[kmd][engine][case-95]") {
  started_driver driver;
  driver.hold_host();
  driver.submit_nop(1);
  std::byte* const value = driver.adapter().engine.fence_page_memory().bytes +
                           offsetof(aerogpu_fence_page, completed_fence);
  store(value, ~std::uint64_t{0});
  CHECK(driver.query_fence() == 1);
  store(value, std::uint64_t{0});  // Nor one that goes back.
  CHECK(driver.query_fence() == 1);
  CHECK(driver.completions() == std::vector{1u});
}

TEST_CASE("QueryCurrentFence reports a completion whose interrupt was lost, then returns it",
          "[kmd][engine][case-97]") {
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  driver.pc.pc.interrupts.hold_interrupts(true);
  for (std::uint32_t fence = 1; fence <= 300; ++fence) driver.submit(nop, fence);
  CHECK(driver.reports.empty());
  const std::uint64_t dpcs = driver.pc.windows.dxgk.notified_dpcs();
  CHECK(driver.query_fence() == 300);
  REQUIRE(driver.reports.size() == 1);
  CHECK(driver.reports[0].fence == 300);
  CHECK(driver.reports[0].level == sim::device_level);
  CHECK(driver.pc.windows.dxgk.notified_dpcs() == dpcs + 1);
  CHECK(driver.query_fence() == 300);
  CHECK(driver.reports.size() == 1);
  driver.pc.pc.interrupts.hold_interrupts(false);
  CHECK(driver.reports.size() == 1);
}

TEST_CASE("a device that leaves the bus with work in flight ends nothing early", "[kmd][engine]") {
  started_driver driver;
  driver.hold_host();
  driver.submit_nop(1);
  driver.pc.pc.bus.host.is_removed = true;
  driver.submit_nop(2);
  CHECK(driver.query_fence() == 0);
  CHECK(driver.completions().empty());
  driver.pc.pc.bus.host.is_removed = false;
  driver.release_host();
  CHECK(driver.completions().back() == 2);
}

TEST_CASE("the processor's work waits for the host's, and the host's for it",
          "[kmd][engine][case-104]") {
  started_driver driver;
  driver.hold_host();
  const std::uint64_t target = driver.adapter().segments.video_base() + 0x20000;
  const std::byte* const filled =
      driver.pc.pc.bus.video_memory().data() + (target - driver.pc.pc.config.bars.bar1);
  driver.submit_nop(1);
  driver.submit_fill(2, target, 4096, 0xABCD1234);
  driver.submit_nop(3);
  CHECK(load<std::uint32_t>(filled) == 0);
  CHECK(driver.ring_header().tail == 1);
  driver.release_host();
  CHECK(load<std::uint32_t>(filled) == 0xABCD1234);
  CHECK(driver.completions() == std::vector{1u, 2u});
  CHECK(driver.ring_header().tail == 2);
  driver.release_host();
  CHECK(driver.completions() == std::vector{1u, 2u, 3u});
}

TEST_CASE("much work of the processor's is done in several runs", "[kmd][engine]") {
  started_driver driver;
  const std::uint64_t target = driver.adapter().segments.video_base();
  const std::uint64_t before = driver.pc.windows.dxgk.notified_dpcs();
  driver.submit_fill(1, target, 48u << 20, 0x01020304);
  CHECK(driver.completions() == std::vector{1u});
  CHECK(driver.pc.windows.dxgk.notified_dpcs() >= before + 2);
  const std::byte* const last = driver.pc.pc.bus.video_memory().data() +
                                (target - driver.pc.pc.config.bars.bar1) + (48u << 20) - 4;
  CHECK(load<std::uint32_t>(last) == 0x01020304);
}

TEST_CASE("a completion inside SubmitCommand and an older interrupt keep reports rising",
          "[kmd][engine][case-161]") {
  started_driver driver;
  driver.hold_host();
  driver.submit_nop(1);
  driver.pc.pc.interrupts.hold_interrupts(true);
  driver.release_host();
  CHECK(driver.completions().empty());  // The line is raised, and nobody came.
  driver.submit_fill(2, driver.adapter().segments.video_base(), 4096, 1);
  CHECK(driver.completions() == std::vector{1u, 2u});
  driver.pc.pc.interrupts.hold_interrupts(false);
  CHECK(driver.completions() == std::vector{1u, 2u});
}

TEST_CASE("a probe of the ring runs only when nothing else does", "[kmd][engine]") {
  started_driver driver;
  kmd::engine& engine = driver.adapter().engine;
  std::uint32_t tail = 0;
  CHECK(engine.push_probe(tail));
  CHECK(engine.has_taken(tail));
  driver.hold_host();
  CHECK(engine.push_probe(tail));
  CHECK_FALSE(engine.has_taken(tail));
  driver.submit_nop(1);
  CHECK_FALSE(engine.push_probe(tail));
  driver.release_host();
  CHECK(engine.has_taken(tail));
  CHECK(driver.completions() == std::vector{1u});
}
