// SPDX-License-Identifier: MIT
#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/abi/mmio.h"
#include "aerogpu/share/release_stream.hpp"
#include "drivers/win7/kmd/memory/allocation.hpp"
#include "drivers/win7/kmd/submission/internal_slots.hpp"
#include "tests/drivers/kmd/submission/submission_fixture.hpp"

#include <cstring>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

[[nodiscard]] auto is_release(const aerogpu_submit_desc& desc) -> bool {
  return desc.cmd_size_bytes == sizeof(release_stream);
}

[[nodiscard]] auto token_in(started_driver& driver, const aerogpu_submit_desc& desc)
    -> std::uint64_t {
  const std::byte* const at = driver.pc.pc.ram.at(desc.cmd_gpa, sizeof(release_stream));
  REQUIRE(at != nullptr);
  const auto stream = load<release_stream>(at);
  const auto expected = make_release_stream(static_cast<share_token>(stream.release.share_token));
  CHECK(std::memcmp(&stream, &expected, sizeof stream) == 0);
  return stream.release.share_token;
}

[[nodiscard]] auto token_of(const test_allocation& allocation) -> std::uint64_t {
  return raw(static_cast<kmd::allocation*>(allocation.handle)->shared.token);
}

/// Makes a token and drops it, as the last Close and Destroy of a shared allocation do.
auto drop_new_token(started_driver& driver) -> std::uint64_t {
  auto& tokens = driver.adapter().tokens;
  const auto made = tokens.make({});
  REQUIRE(made.token != share_token{});
  REQUIRE(tokens.drop_reference(made));
  driver.adapter().engine.send_pending();
  return raw(made.token);
}

}  // namespace

TEST_CASE("the release of a share token is a submission of its own behind earlier work",
          "[kmd][release][case-56][case-57]") {
  started_driver driver;
  const auto& shared = driver.create_allocation(5, 4096, true);
  const std::uint64_t token = token_of(shared);
  REQUIRE(token != 0);
  driver.hold_host();
  driver.submit_nop(90);
  driver.submit_nop(91);
  driver.destroy_allocation(shared);
  const auto ring = driver.descriptors(256);
  REQUIRE(ring.size() == 3);
  CHECK_FALSE(is_release(ring[0]));
  CHECK_FALSE(is_release(ring[1]));
  const auto& desc = ring[2];
  CHECK(desc.flags == AEROGPU_SUBMIT_FLAG_NO_IRQ);
  CHECK(desc.context_id == 0);
  CHECK(desc.engine_id == 0);
  CHECK(desc.signal_fence == 91);
  CHECK(desc.cmd_size_bytes == 48);
  CHECK(desc.alloc_table_gpa == 0);
  CHECK(desc.alloc_table_size_bytes == 0);
  CHECK(token_in(driver, desc) == token);
  driver.release_host();
  CHECK(driver.completions().back() == 91);
  CHECK(driver.counters().internal.get() == 1);
  CHECK(driver.adapter().engine.is_idle());
}

TEST_CASE("a release before any fence signals none", "[kmd][release][case-57]") {
  started_driver driver;
  drop_new_token(driver);
  CHECK(driver.newest_descriptor().signal_fence == 0);
  CHECK(driver.reports.empty());
}

TEST_CASE("a release waits for the processor's work before it", "[kmd][release][case-57]") {
  started_driver driver;
  driver.hold_host();
  driver.submit_nop(1);
  driver.submit_fill(2, driver.adapter().segments.video_base(), 4096, 1);
  drop_new_token(driver);
  CHECK(driver.descriptors(256).size() == 1);
  driver.release_host();
  const auto ring = driver.descriptors(256);
  REQUIRE(ring.size() == 2);
  CHECK(is_release(ring[1]));
  CHECK(ring[1].signal_fence == 2);
  driver.release_host();
  CHECK(driver.completions() == std::vector{1u, 2u});
}

TEST_CASE("a release while the ring is full is not lost", "[kmd][release][case-59]") {
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  const auto& shared = driver.create_allocation(5, 4096, true);
  const std::uint64_t token = token_of(shared);
  driver.hold_host();
  for (std::uint32_t fence = 1; fence <= 300; ++fence) driver.submit(nop, fence);
  driver.destroy_allocation(shared);
  driver.submit(nop, 301);
  std::vector<aerogpu_submit_desc> order;
  for (int i = 0; i < 302; ++i) {
    const auto now = driver.adapter().engine.progress();
    const auto pending = driver.descriptors(now.tail - now.head);
    REQUIRE_FALSE(pending.empty());
    order.push_back(pending[0]);
    driver.release_host(1);
  }
  CHECK(is_release(order[300]));
  CHECK(order[300].signal_fence == 300);
  CHECK(token_in(driver, order[300]) == token);
  CHECK(order[301].signal_fence == 301);
  CHECK(driver.adapter().engine.is_idle());
}

TEST_CASE("more releases than slots wait for the device and all arrive, in order",
          "[kmd][release][case-59]") {
  started_driver driver;
  driver.hold_host();
  std::vector<std::uint64_t> dropped;
  for (std::uint32_t i = 0; i < 3 * kmd::internal_slot_count; ++i)
    dropped.push_back(drop_new_token(driver));
  CHECK(driver.descriptors(256).size() == kmd::internal_slot_count);
  std::vector<std::uint64_t> seen;
  for (int rounds = 0; rounds < 10; ++rounds) {
    const auto now = driver.adapter().engine.progress();
    for (const auto& desc : driver.descriptors(now.tail - now.head))
      seen.push_back(token_in(driver, desc));
    driver.release_host();
    // They do not interrupt: any later DPC goes on with the rest.
    const auto& callbacks = driver.pc.windows.dxgk.callbacks();
    static_cast<void>(callbacks.DxgkCbQueueDpc(callbacks.DeviceHandle));
  }
  CHECK(seen == dropped);
}

TEST_CASE("every live token dropped while the ring is full is released when it drains",
          "[kmd][release]") {
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  driver.hold_host();
  for (std::uint32_t fence = 1; fence <= 600; ++fence) driver.submit(nop, fence);
  auto& tokens = driver.adapter().tokens;
  std::vector<kmd::owned_token> live;
  for (std::size_t i = 0; i < kmd::max_tokens; ++i) {
    const std::size_t process = i / kmd::max_process_tokens + 1;
    live.push_back(tokens.make({reinterpret_cast<const void*>(process)}));
    REQUIRE(live.back().token != share_token{});
  }
  for (const auto& one : live) REQUIRE(tokens.drop_reference(one));
  driver.adapter().engine.send_pending();
  CHECK(driver.counters().internal.get() == kmd::internal_slot_count);
  std::uint32_t fence = 600;
  for (int rounds = 0; rounds < 5'000 && tokens.next_release() != share_token{}; ++rounds) {
    driver.submit(nop, ++fence);
    driver.release_host();
  }
  while (!driver.adapter().engine.is_idle()) driver.release_host();
  CHECK(driver.counters().internal.get() == kmd::max_tokens);
  CHECK(tokens.next_release() == share_token{});
  CHECK(tokens.live_count() == 0);
  CHECK(driver.completions().back() == fence);
  CHECK(driver.pc.machine.host().errors.empty());
}

TEST_CASE("releases never merge with a fence when the software queue overflows",
          "[kmd][release][case-86]") {
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  driver.hold_host();
  constexpr std::uint32_t room = kmd::ring_entries + kmd::queue_items;
  for (std::uint32_t fence = 1; fence < room; ++fence) driver.submit(nop, fence);
  drop_new_token(driver);  // One line is left, which is not for it.
  driver.submit(nop, room);
  driver.submit(nop, room + 1);
  CHECK(driver.counters().queue_overflow.get() == 1);
  while (!driver.adapter().engine.is_idle()) driver.release_host();
  CHECK(driver.completions().back() == room + 1);
  CHECK(driver.counters().internal.get() == 1);
}

TEST_CASE("a release after a timeout is dropped silently", "[kmd][release][case-60]") {
  started_driver driver;
  const auto& shared = driver.create_allocation(5, 4096, true);
  driver.reset();
  driver.pc.pc.bus.log.clear();
  driver.destroy_allocation(shared);
  CHECK(driver.pc.pc.bus.log.entries().empty());
  driver.restart();
  driver.submit_nop(1);
  CHECK(driver.descriptors(256).size() == 1);
  CHECK(driver.adapter().tokens.next_release() == share_token{});
}

TEST_CASE("a release in D3 touches no register, and is sent at D0 because the host lives on",
          "[kmd][release][case-60]") {
  started_driver driver;
  const auto& shared = driver.create_allocation(5, 4096, true);
  const std::uint64_t token = token_of(shared);
  driver.set_power(PowerDeviceD3);
  driver.pc.pc.bus.log.clear();
  driver.destroy_allocation(shared);
  CHECK(driver.pc.pc.bus.log.entries().empty());
  driver.set_power(PowerDeviceD0);
  REQUIRE(driver.descriptors(256).size() == 1);
  CHECK(token_in(driver, driver.newest_descriptor()) == token);
}

TEST_CASE("releases that the device did not take before a sleep are sent after it",
          "[kmd][release][case-60]") {
  started_driver driver;
  const bool is_lost = GENERATE(false, true);
  drop_new_token(driver);  // The device takes this one, and is to hear of it once.
  driver.hold_host();
  driver.submit_nop(1);
  const std::uint64_t in_ring = drop_new_token(driver);
  const std::uint64_t target = driver.adapter().segments.video_base() + 0x4000;
  driver.submit_fill(2, target, 4096, 0x66666666);
  const std::uint64_t in_queue = drop_new_token(driver);
  driver.submit_nop(3);
  REQUIRE(driver.descriptors(256).size() == 3);

  driver.set_power(PowerDeviceD3);
  CHECK(driver.query_fence() == 0);
  if (is_lost) driver.pc.pc.bus.reset_device();
  driver.pc.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  driver.set_power(PowerDeviceD0);
  CHECK(driver.completions() == std::vector{3u});
  // Paging is done all the same: it may have been an eviction.
  const std::byte* const filled =
      driver.pc.pc.bus.video_memory().data() + (target - driver.pc.pc.config.bars.bar1);
  CHECK(load<std::uint32_t>(filled) == 0x66666666);
  const auto sent = driver.descriptors(256);
  REQUIRE(sent.size() == (is_lost ? 0u : 2u));
  if (!is_lost) {
    CHECK(token_in(driver, sent[0]) == in_ring);
    CHECK(token_in(driver, sent[1]) == in_queue);
  }

  // All slots are of use again.
  for (std::uint32_t i = 0; i < 2 * kmd::internal_slot_count; ++i) {
    const std::uint64_t token = drop_new_token(driver);
    CHECK(token_in(driver, driver.newest_descriptor()) == token);
  }
  CHECK(driver.pc.machine.host().errors.empty());
}

TEST_CASE("a release that waits for room in the ring outlives a sleep", "[kmd][release][case-60]") {
  started_driver driver;
  driver.hold_host();
  for (std::uint32_t fence = 1; fence <= kmd::ring_entries; ++fence) driver.submit_nop(fence);
  const std::uint64_t token = drop_new_token(driver);
  driver.set_power(PowerDeviceD3);
  CHECK(driver.query_fence() == 0);
  driver.pc.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  driver.set_power(PowerDeviceD0);
  CHECK(driver.completions() == std::vector{kmd::ring_entries});
  REQUIRE(driver.descriptors(256).size() == 1);
  CHECK(token_in(driver, driver.newest_descriptor()) == token);
}
