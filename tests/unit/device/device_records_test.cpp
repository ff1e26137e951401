// SPDX-License-Identifier: MIT
// What a device tells of its work: statistics, records, notices, and when to call it again.
#include "tests/catch.hpp"
#include "tests/support/device_harness.hpp"
#include "tests/support/processors/null_processor.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace aerogpu {
namespace {

using namespace test;
using records_rig = device_harness<null_backend>;

auto rig_on(const device_config& config = records_rig::small_config()) -> records_rig {
  return records_rig{std::make_unique<null_backend>(), config};
}

auto bridge() -> device_config {
  device_config config = records_rig::small_config();
  config.executor = executor_mode::external_bridge;
  return config;
}

/// Shows a texture of 4 x 4 through a present of context 3.
auto presenting_stream() -> stream_builder {
  stream_builder stream;
  stream.create_texture(9, {.usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
      .targets({9})
      .present(0, AEROGPU_PRESENT_FLAG_NONE)
      .present(1, AEROGPU_PRESENT_FLAG_NONE);
  return stream;
}

}  // namespace

TEST_CASE("a submission is counted, with its packets and bytes", "[device][records]") {
  records_rig rig = rig_on();
  rig.start();
  const auto stream = stream_builder{}.nop().raw(0x7FFFFFFF).flush();
  rig.submit({.fence = 1, .stream = stream.bytes()});
  rig.submit({.fence = 2, .stream = idle_stream()});
  const device_statistics& s = rig.dev->statistics();
  CHECK(s.doorbells == 2);
  CHECK(s.submissions == 2);
  CHECK(s.malformed_submissions == 0);
  CHECK(s.failed_submissions == 0);
  CHECK(s.dropped_submissions == 0);
  CHECK(s.packets == 3);
  CHECK(s.unknown_packets == 1);
  CHECK(s.stream_bytes == stream.bytes().size() + idle_stream().size());
  CHECK(s.presents == 0);
  CHECK(s.write_back_bytes == 0);
  CHECK(s.errors == 0);
  CHECK(s.ring_resets == 0);
}

TEST_CASE("a submission that cannot be fetched is malformed, and one that fails has failed",
          "[device][records]") {
  records_rig rig = rig_on();
  rig.start();
  rig.submit({.fence = 1, .stream = byte_vector(8)});
  CHECK(rig.dev->statistics().submissions == 1);
  CHECK(rig.dev->statistics().malformed_submissions == 1);
  CHECK(rig.dev->statistics().failed_submissions == 0);
  CHECK(rig.dev->statistics().packets == 0);
  rig.submit({.fence = 2, .stream = stream_builder{}.create_buffer(0, 16).bytes()});
  CHECK(rig.dev->statistics().submissions == 2);
  CHECK(rig.dev->statistics().malformed_submissions == 1);
  CHECK(rig.dev->statistics().failed_submissions == 1);
  CHECK(rig.dev->statistics().errors == 2);
}

TEST_CASE("a bad table fails a submission, whatever its stream is", "[device][records]") {
  records_rig rig = rig_on();
  rig.start();
  auto desc = rig.describe({.fence = 4, .stream = idle_stream(), .table = {{{1, 0, 0, 16, 0}}}});
  rig.machine.ram.poke_object(gpa{desc.alloc_table_gpa}, std::uint32_t{0});
  rig.submit(desc);
  CHECK(rig.dev->statistics().malformed_submissions == 1);
  CHECK(rig.completed() == 4);
  REQUIRE(rig.machine.errors.size() == 1);
  CHECK(rig.machine.errors[0].fence == fence_value{4});
  rig.submit({.fence = 5, .stream = idle_stream(), .table = {{{0, 0, 0, 16, 0}}}});
  CHECK(rig.dev->statistics().malformed_submissions == 2);
  CHECK(rig.completed() == 5);
}

TEST_CASE("an error reaches register, interrupt, counter and host", "[device][records]") {
  records_rig rig = rig_on();
  rig.start();
  rig.submit({.fence = 7, .stream = stream_builder{}.create_buffer(0, 16).bytes()});
  CHECK((rig.irq_status() & AEROGPU_IRQ_ERROR) != 0);
  CHECK(rig.error_count() == 1);
  CHECK(rig.error_fence() == 7);
  REQUIRE(rig.machine.errors.size() == 1);
  const error_record& record = rig.machine.errors[0];
  CHECK(record.fence == fence_value{7});
  CHECK(record.code == rig.error_code_register());
  CHECK(record.why.code == error_code::invalid_handle);
  CHECK(record.why.opcode == AEROGPU_CMD_CREATE_BUFFER);
}

TEST_CASE("the newest records come first and say what was submitted", "[device][records]") {
  records_rig rig = rig_on();
  rig.start();
  const auto stream = stream_builder{}.nop().flush();
  const std::vector<aerogpu_alloc_entry> table{{1, 0, 0x5000, 16, 0}};
  rig.submit({.fence = 1, .stream = byte_vector(8), .context = 2});
  rig.submit({.fence = 2,
              .stream = stream.bytes(),
              .table = table,
              .flags = AEROGPU_SUBMIT_FLAG_PRESENT,
              .context = 5});
  const recent_submissions& recent = rig.dev->recent();
  REQUIRE(recent.size() == 2);
  CHECK(recent[0].number == 2);
  CHECK(recent[0].fence == fence_value{2});
  CHECK(recent[0].context == context_id{5});
  CHECK(recent[0].flags == AEROGPU_SUBMIT_FLAG_PRESENT);
  CHECK(recent[0].stream_bytes == stream.bytes().size());
  CHECK(recent[0].table_bytes == make_table(table).size());
  CHECK(recent[0].packets == 2);
  CHECK(recent[0].why == error_code::none);
  CHECK(recent[1].number == 1);
  CHECK(recent[1].fence == fence_value{1});
  CHECK(recent[1].context == context_id{2});
  CHECK(recent[1].flags == 0);
  CHECK(recent[1].stream_bytes == 0);
  CHECK(recent[1].packets == 0);
  CHECK(recent[1].why != error_code::none);
}

TEST_CASE("the newest 64 records are kept, each once", "[device][records]") {
  records_rig rig = rig_on();
  rig.start();
  const recent_submissions& recent = rig.dev->recent();
  for (std::uint64_t fence = 1; fence <= 150; ++fence) {
    rig.submit({.fence = fence});
    REQUIRE(recent.size() == (fence < 64 ? fence : 64));
    for (std::size_t i = 0; i < recent.size(); ++i) {
      REQUIRE(recent[i].number == fence - i);
      REQUIRE(recent[i].fence == fence_value{fence - i});
    }
  }
}

TEST_CASE("the host hears of each present, and whose it was", "[device][records]") {
  records_rig rig = rig_on();
  rig.start();
  rig.submit({.fence = 6, .stream = presenting_stream().bytes(), .context = 3});
  rig.submit({.fence = 7, .stream = stream_builder{}.present().bytes(), .context = 4});
  CHECK(rig.dev->statistics().presents == 3);
  REQUIRE(rig.machine.presents.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const present_notice& notice = rig.machine.presents[i];
    CAPTURE(i);
    CHECK(notice.context == context_id{i < 2 ? 3u : 4u});
    CHECK(notice.fence == fence_value{i < 2 ? 6u : 7u});
    CHECK(notice.present.count == i + 1);
    CHECK(notice.present.scanout_id == (i == 1 ? 1u : 0u));
    CHECK(notice.present.handle == resource_handle{i < 2 ? 9u : 0u});
    CHECK(notice.present.width == (i < 2 ? 4u : 0u));
    CHECK(notice.present.height == (i < 2 ? 4u : 0u));
  }
}

TEST_CASE("presents that were kept while DMA was off are told once", "[device][records]") {
  records_rig rig = rig_on();
  rig.start();
  rig.push(guest_submission{.fence = 6, .stream = presenting_stream().bytes(), .context = 3});
  rig.ring();
  rig.set_bus_master(false);
  rig.dev->wait_idle();
  rig.set_bus_master(true);
  rig.dev->tick();
  CHECK(rig.completed() == 6);
  CHECK(rig.machine.presents.size() == 2);
  CHECK(rig.dev->statistics().presents == 2);
}

TEST_CASE("each edge of vblank is counted, and its number and time are in the registers",
          "[device][records]") {
  records_rig rig = rig_on();
  rig.start();
  rig.set_scanout({});
  rig.tick_at(period_ns - 1);
  CHECK(rig.dev->statistics().vblanks == 0);
  CHECK((rig.irq_status() & AEROGPU_IRQ_SCANOUT_VBLANK) == 0);
  rig.tick_at(period_ns);
  CHECK(rig.dev->statistics().vblanks == 1);
  CHECK((rig.irq_status() & AEROGPU_IRQ_SCANOUT_VBLANK) != 0);
  rig.tick_at(3 * period_ns + 1);
  CHECK(rig.dev->statistics().vblanks == 3);
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == 3);
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_TIME_NS_LO) == 3 * period_ns);
}

TEST_CASE("an executor that reports work of before a reset is not believed", "[device][records]") {
  records_rig rig = rig_on(bridge());
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  captured_submission before;
  REQUIRE(rig.dev->take_submission(before));
  SECTION("of the ring") {
    rig.reset_ring();
  }
  SECTION("of the device") {
    rig.dev->device_reset();
    rig.set_command(pci_command_io | pci_command_memory | pci_command_bus_master);
    rig.start();
  }
  SECTION("to another executor and back") {
    rig.dev->set_executor(executor_mode::hold);
    rig.dev->set_executor(executor_mode::external_bridge);
  }
  rig.submit({.fence = 2, .stream = idle_stream()});
  captured_submission after;
  REQUIRE(rig.dev->take_submission(after));
  CHECK(after.generation > before.generation);
  external_completion stale = before.completion();
  stale.fence = fence_value{2};
  rig.dev->complete(stale);
  CHECK(rig.completed() < 2);
  rig.dev->complete(after.completion());
  CHECK(rig.completed() == 2);
}

TEST_CASE("a ring reset is counted", "[device][records]") {
  records_rig rig = rig_on();
  rig.start();
  rig.reset_ring();
  CHECK(rig.dev->statistics().ring_resets == 1);
}

TEST_CASE("a doorbell that nothing can be done about is no deadline", "[device][records]") {
  device_config config = bridge();
  config.bounds.pending_fences = 1;
  config.doorbells = doorbell_timing::at_tick;
  records_rig rig = rig_on(config);
  rig.start();
  rig.machine.time_ns = 77;
  rig.dev->tick();
  CHECK(rig.dev->next_deadline_ns() == no_deadline);
  rig.push(guest_submission{.fence = 1, .stream = idle_stream()});
  rig.push(guest_submission{.fence = 2, .stream = idle_stream()});
  rig.ring();
  CHECK(rig.dev->next_deadline_ns() == 77);
  rig.dev->tick();
  CHECK(rig.pending() == 1);
  CHECK(rig.dev->next_deadline_ns() == no_deadline);
  CHECK_FALSE(rig.dev->is_idle());
}

TEST_CASE("rows of a write-back are stored a pitch apart, until one is not there",
          "[device][records]") {
  fake_memory memory;
  const byte_vector rows = counting(12);
  const guest_rows to{gpa{0x5000}, 0x1000, 4, 3};
  for (const std::uint64_t at : {0x5000u, 0x6000u, 0x7000u}) memory.map(gpa{at}, 4);
  REQUIRE(store_rows(memory, to, rows));
  CHECK(memory.peek(gpa{0x5000}, 4) == part_of(rows, 0, 4));
  CHECK(memory.peek(gpa{0x6000}, 4) == part_of(rows, 4, 4));
  CHECK(memory.peek(gpa{0x7000}, 4) == part_of(rows, 8, 4));

  fake_memory holed;
  holed.map(gpa{0x5000}, 4);
  holed.map(gpa{0x7000}, 4);
  CHECK_FALSE(store_rows(holed, to, rows));
  CHECK(holed.writes(gpa{0x7000}, 4) == 0);
  CHECK(store_rows(holed, {gpa{0x5000}, 0x1000, 4, 1}, part_of(rows, 0, 4)));
  CHECK_FALSE(store_rows(holed, {gpa{0x5000}, 4, 4, 3}, rows));
}

TEST_CASE("an image without a width or a height is empty", "[device][records]") {
  rgba8_image image;
  CHECK(image.empty());
  REQUIRE(image.resize(2, 3, 1024));
  CHECK_FALSE(image.empty());
  REQUIRE(image.resize(0, 3, 1024));
  CHECK(image.empty());
  REQUIRE(image.resize(2, 0, 1024));
  CHECK(image.empty());
  REQUIRE(image.resize(16, 16, 1024));
  CHECK_FALSE(image.empty());
  CHECK(image.resize(16, 17, 1024).why().code == error_code::out_of_memory);
  CHECK(image.width() == 16);
  CHECK(image.height() == 16);
  image.clear();
  CHECK(image.empty());
}

}  // namespace aerogpu
