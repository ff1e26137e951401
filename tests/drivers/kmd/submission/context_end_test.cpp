// SPDX-License-Identifier: MIT
#include "aerogpu/share/context_end_stream.hpp"
#include "drivers/sim/kernel/objects/handle_table.hpp"
#include "drivers/win7/kmd/adapter/device.hpp"
#include "drivers/win7/kmd/submission/internal_slots.hpp"
#include "tests/drivers/kmd/submission/submission_fixture.hpp"

#include <cstring>
#include <utility>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

[[nodiscard]] auto is_end(const aerogpu_submit_desc& desc) -> bool {
  return desc.cmd_size_bytes == sizeof(context_end_stream);
}

[[nodiscard]] auto id_of(HANDLE context) -> std::uint32_t {
  return raw(static_cast<kmd::context*>(context)->id);
}

/// A NOP of that context, rendered and submitted.
void submit_nop_in(started_driver& driver, HANDLE context, std::uint32_t fence) {
  const HANDLE usual = std::exchange(driver.context, context);
  driver.submit_nop(fence);
  driver.context = usual;
}

/// A context that submitted work with that fence.
[[nodiscard]] auto working_context(started_driver& driver, std::uint32_t fence) -> HANDLE {
  const HANDLE made = driver.create_context();
  submit_nop_in(driver, made, fence);
  return made;
}

/// The process of the context of that number: none has more than it may.
[[nodiscard]] auto maker_of(std::size_t context) -> std::uint32_t {
  return static_cast<std::uint32_t>(context / kmd::max_process_contexts + 2);
}

/// The same, and it is gone again; gives its id.
auto pass_through(started_driver& driver, std::uint32_t fence) -> std::uint32_t {
  const HANDLE made = working_context(driver, fence);
  const std::uint32_t id = id_of(made);
  driver.destroy_context(made);
  return id;
}

/// What the device has not taken yet, oldest first.
[[nodiscard]] auto waiting(started_driver& driver) -> std::vector<aerogpu_submit_desc> {
  const auto now = driver.adapter().engine.progress();
  return driver.descriptors(now.tail - now.head);
}

/// The ids of contexts whose end lies in `ring`, in order.
[[nodiscard]] auto ends_in(started_driver& driver, const std::vector<aerogpu_submit_desc>& ring)
    -> std::vector<std::uint32_t> {
  constexpr context_end_stream expected = make_context_end_stream();
  std::vector<std::uint32_t> ids;
  for (const auto& desc : ring) {
    if (!is_end(desc)) continue;
    const std::byte* const at = driver.pc.pc.ram.at(desc.cmd_gpa, sizeof expected);
    REQUIRE(at != nullptr);
    CHECK(std::memcmp(at, &expected, sizeof expected) == 0);
    ids.push_back(desc.context_id);
  }
  return ids;
}

}  // namespace

TEST_CASE("the end of a context is a submission of its own behind the context's work",
          "[kmd][context][case-168]") {
  started_driver driver;
  driver.hold_host();
  const HANDLE context = working_context(driver, 90);
  submit_nop_in(driver, context, 91);
  const std::uint32_t id = id_of(context);
  driver.destroy_context(context);
  const auto ring = driver.descriptors(256);
  REQUIRE(ring.size() == 3);
  CHECK(ring[0].context_id == id);
  CHECK(ring[1].context_id == id);
  CHECK(ends_in(driver, ring) == std::vector{id});
  const auto& desc = ring[2];
  CHECK(desc.cmd_size_bytes == 40);
  CHECK(desc.flags == AEROGPU_SUBMIT_FLAG_NO_IRQ);
  CHECK(desc.engine_id == 0);
  CHECK(desc.signal_fence == 91);
  CHECK(desc.alloc_table_gpa == 0);
  CHECK(desc.alloc_table_size_bytes == 0);
  driver.release_host();
  CHECK(driver.completions().back() == 91);
  CHECK(driver.counters().internal.get() == 1);
  CHECK(driver.adapter().engine.is_idle());
}

TEST_CASE("a context that never submitted work ends without a word", "[kmd][context][case-168]") {
  started_driver driver;
  driver.submit_nop(1);
  driver.destroy_context(driver.create_context());
  CHECK(driver.descriptors(256).size() == 1);
  CHECK(driver.counters().internal.get() == 0);
}

TEST_CASE("the end of a context waits for the processor's work before it",
          "[kmd][context][case-168]") {
  started_driver driver;
  driver.hold_host();
  driver.submit_nop(1);
  driver.submit_fill(2, driver.adapter().segments.video_base(), 4096, 1);
  const std::uint32_t id = pass_through(driver, 3);
  CHECK(driver.descriptors(256).size() == 1);
  driver.release_host();
  const auto ring = driver.descriptors(256);
  REQUIRE(ring.size() == 3);
  CHECK(ring[1].context_id == id);
  CHECK(ring[1].signal_fence == 3);
  CHECK(is_end(ring[2]));
  CHECK(ends_in(driver, ring) == std::vector{id});
}

TEST_CASE("the end of a context while the ring is full is not lost", "[kmd][context][case-169]") {
  started_driver driver;
  dma_buffer& nop = driver.shared_nop();
  driver.hold_host();
  for (std::uint32_t fence = 1; fence <= 300; ++fence) driver.submit(nop, fence);
  const std::uint32_t id = pass_through(driver, 301);
  driver.submit(nop, 302);
  std::vector<aerogpu_submit_desc> order;
  for (int i = 0; i < 303; ++i) {
    const auto left = waiting(driver);
    REQUIRE_FALSE(left.empty());
    order.push_back(left[0]);
    driver.release_host(1);
  }
  CHECK(order[300].context_id == id);
  CHECK(is_end(order[301]));
  CHECK(order[301].context_id == id);
  CHECK(order[301].signal_fence == 301);
  CHECK(order[302].signal_fence == 302);
  CHECK(driver.adapter().engine.is_idle());
}

TEST_CASE("more ends than slots wait for the device and all arrive, in order",
          "[kmd][context][case-169]") {
  started_driver driver;
  std::vector<HANDLE> contexts;
  std::vector<std::uint32_t> ids;
  for (std::uint32_t i = 0; i < 3 * kmd::internal_slot_count; ++i) {
    const sim::process_scope maker{maker_of(i)};
    contexts.push_back(working_context(driver, i + 1));
    ids.push_back(id_of(contexts.back()));
  }
  driver.hold_host();
  for (const HANDLE one : contexts) driver.destroy_context(one);
  CHECK(waiting(driver).size() == kmd::internal_slot_count);
  std::vector<std::uint32_t> seen;
  for (int rounds = 0; rounds < 10; ++rounds) {
    for (const auto id : ends_in(driver, waiting(driver))) seen.push_back(id);
    driver.release_host();
    // They do not interrupt: any later DPC goes on with the rest.
    const auto& callbacks = driver.pc.windows.dxgk.callbacks();
    static_cast<void>(callbacks.DxgkCbQueueDpc(callbacks.DeviceHandle));
  }
  CHECK(seen == ids);
}

TEST_CASE("an end in D3 touches no register, and is sent at D0 because the host lives on",
          "[kmd][context][case-169]") {
  started_driver driver;
  const HANDLE context = working_context(driver, 1);
  const std::uint32_t id = id_of(context);
  driver.set_power(PowerDeviceD3);
  driver.pc.pc.bus.log.clear();
  driver.destroy_context(context);
  CHECK(driver.pc.pc.bus.log.entries().empty());
  driver.set_power(PowerDeviceD0);
  const auto ring = driver.descriptors(256);
  REQUIRE(ring.size() == 1);
  CHECK(ends_in(driver, ring) == std::vector{id});
  CHECK(ring[0].signal_fence == 1);
}

TEST_CASE("ends that the device did not take before a sleep are sent after it",
          "[kmd][context][case-169]") {
  started_driver driver;
  const bool is_lost = GENERATE(false, true);
  pass_through(driver, 1);  // The device takes this one, and is to hear of it once.
  driver.hold_host();
  const std::uint32_t in_ring = pass_through(driver, 2);
  driver.submit_fill(3, driver.adapter().segments.video_base(), 4096, 1);
  const std::uint32_t in_queue = pass_through(driver, 4);
  driver.set_power(PowerDeviceD3);
  if (is_lost) driver.pc.pc.bus.reset_device();
  driver.pc.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  driver.set_power(PowerDeviceD0);
  const auto sent = driver.descriptors(256);
  if (is_lost)
    CHECK(sent.empty());
  else
    CHECK(ends_in(driver, sent) == std::vector{in_ring, in_queue});
  CHECK(driver.pc.machine.host().errors.empty());
}

TEST_CASE("a host that was reset is not told of a context that it forgot",
          "[kmd][context][case-169]") {
  started_driver driver;
  const HANDLE early = working_context(driver, 1);
  const HANDLE during = working_context(driver, 2);
  const HANDLE late = working_context(driver, 3);
  const HANDLE busy = working_context(driver, 4);
  driver.hold_host();
  driver.submit_nop(5);
  driver.destroy_context(early);
  driver.reset();
  driver.pc.pc.bus.log.clear();
  driver.destroy_context(during);
  CHECK(driver.pc.pc.bus.log.entries().empty());
  driver.restart();
  driver.pc.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  driver.destroy_context(late);
  CHECK(driver.descriptors(256).empty());
  // Work after the reset makes the context known again.
  submit_nop_in(driver, busy, 6);
  const std::uint32_t id = id_of(busy);
  driver.destroy_context(busy);
  CHECK(ends_in(driver, driver.descriptors(256)) == std::vector{id});
  CHECK(driver.pc.machine.host().errors.empty());
}

TEST_CASE("a device that starts anew is not told of contexts of before",
          "[kmd][context][case-169]") {
  started_driver driver;
  const HANDLE first = working_context(driver, 1);
  const HANDLE second = working_context(driver, 2);
  driver.pc.windows.stop_device();
  driver.destroy_context(first);
  REQUIRE(driver.pc.windows.start() == STATUS_SUCCESS);
  driver.destroy_context(second);
  CHECK(driver.descriptors(256).empty());
}

TEST_CASE("the host hears no end of a context beyond those that it has room for",
          "[kmd][context]") {
  started_driver driver;
  std::uint32_t fence = 0;
  std::vector<HANDLE> contexts;
  for (std::size_t i = 0; i < kmd::max_host_contexts; ++i) {
    const sim::process_scope maker{maker_of(i)};
    contexts.push_back(working_context(driver, ++fence));
  }
  CHECK(driver.counters().contexts_unknown.get() == 0);
  const HANDLE one_more = working_context(driver, ++fence);
  submit_nop_in(driver, one_more, ++fence);
  CHECK(driver.counters().contexts_unknown.get() == 2);
  const std::uint32_t before = driver.counters().internal.get();
  driver.destroy_context(one_more);
  CHECK(driver.counters().internal.get() == before);
  // Whoever ends makes room for another.
  for (const HANDLE one : contexts) driver.destroy_context(one);
  CHECK(driver.counters().internal.get() == before + kmd::max_host_contexts);
  const std::uint32_t id = pass_through(driver, ++fence);
  CHECK(ends_in(driver, {driver.newest_descriptor()}) == std::vector{id});
}
