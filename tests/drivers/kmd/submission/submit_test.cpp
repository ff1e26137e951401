// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/submission/submit.hpp"

#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/abi/mmio.h"
#include "drivers/win7/kmd/adapter/device.hpp"
#include "drivers/win7/kmd/submission/dma_record.hpp"
#include "tests/drivers/kmd/submission/submission_fixture.hpp"

#include <array>
#include <cstring>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint32_t null_rendering = 1u << 3;

[[nodiscard]] auto doorbells(started_driver& driver) -> std::size_t {
  std::size_t count = 0;
  for (const auto& one : driver.pc.pc.bus.log.writes())
    count += one.offset == AEROGPU_MMIO_REG_DOORBELL;
  return count;
}

}  // namespace

TEST_CASE("SubmitCommand publishes one exact descriptor and rings the doorbell after it",
          "[kmd][submit][case-83]") {
  started_driver driver;
  const auto& a = driver.create_allocation(21);
  const list_line line{&a, true};
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(2), {&line, 1}) == STATUS_SUCCESS);
  const auto id = static_cast<kmd::context*>(driver.context)->id;
  const std::uint32_t tail = driver.ring_header().tail;
  std::uint32_t tail_at_doorbell = 0;
  driver.pc.pc.bus.log.clear();
  driver.pc.pc.bus.host.on_write = [&](std::uint32_t offset, std::uint32_t value) {
    if (offset == AEROGPU_MMIO_REG_DOORBELL) {
      CHECK(value == 1);
      tail_at_doorbell = driver.ring_header().tail;
    }
    return true;
  };
  driver.submit(buffer, 100);
  driver.pc.pc.bus.host.on_write = nullptr;

  CHECK(driver.ring_header().tail == tail + 1);
  CHECK(tail_at_doorbell == tail + 1);
  CHECK(doorbells(driver) == 1);
  const aerogpu_submit_desc expected{.desc_size_bytes = 64,
                                     .flags = 0,
                                     .context_id = raw(id),
                                     .engine_id = 0,
                                     .cmd_gpa = buffer.physical,
                                     .cmd_size_bytes = 40,
                                     .cmd_reserved0 = 0,
                                     .alloc_table_gpa = buffer.physical + 48,
                                     .alloc_table_size_bytes = 24 + 32,
                                     .alloc_table_reserved0 = 0,
                                     .signal_fence = 100,
                                     .reserved0 = 0};
  const auto desc = driver.newest_descriptor();
  CHECK(std::memcmp(&desc, &expected, sizeof desc) == 0);
}

TEST_CASE("a host that completes inside the doorbell write is heard before SubmitCommand returns",
          "[kmd][submit][case-84]") {
  started_driver driver;
  bool is_reported_inside = false;
  driver.pc.windows.dxgk.on_preempted = nullptr;
  driver.submit_nop(1);
  is_reported_inside = driver.completions() == std::vector{1u};
  CHECK(is_reported_inside);
  REQUIRE(driver.reports.size() == 1);
  CHECK(driver.reports[0].level == sim::device_level);
  driver.submit_nop(2);
  driver.submit_nop(3);
  CHECK(driver.completions() == std::vector{1u, 2u, 3u});
  CHECK(driver.pc.windows.dxgk.fences.pending() == 0);
}

TEST_CASE("a stream that presents is flagged, whichever packet it presents with",
          "[kmd][submit][case-89]") {
  started_driver driver;
  struct row {
    byte_list stream;
    std::uint32_t flags;
  };
  const std::array rows{
      row{nop_stream(4), 0},
      row{stream_words{}.add(AEROGPU_CMD_NOP, 8).add(AEROGPU_CMD_PRESENT, 16).bytes(),
          AEROGPU_SUBMIT_FLAG_PRESENT},
      row{stream_words{}.add(AEROGPU_CMD_PRESENT_EX, 24).add(AEROGPU_CMD_FLUSH, 16).bytes(),
          AEROGPU_SUBMIT_FLAG_PRESENT},
      row{stream_words{}.add(AEROGPU_CMD_FLUSH, 16).bytes(), 0}};
  std::uint32_t fence = 0;
  for (const row& one : rows) {
    dma_buffer& buffer = driver.make_buffer();
    REQUIRE(driver.render(buffer, one.stream) == STATUS_SUCCESS);
    driver.submit(buffer, ++fence);
    CHECK(driver.newest_descriptor().flags == one.flags);
  }
}

TEST_CASE("only the part of a split stream that presents is flagged", "[kmd][submit][case-89]") {
  started_driver driver;
  const byte_list stream = stream_words{}
                               .add(AEROGPU_CMD_DEBUG_MARKER, 4000)
                               .add(AEROGPU_CMD_PRESENT, 16)
                               .add(AEROGPU_CMD_DEBUG_MARKER, 4000)
                               .bytes();
  std::vector<std::uint32_t> flags;
  std::uint32_t multipass = 0;
  for (std::uint32_t fence = 1; multipass != stream.size(); ++fence) {
    dma_buffer& buffer = driver.make_buffer(4096);
    static_cast<void>(driver.render(buffer, stream, {}, multipass));
    REQUIRE(buffer.multipass > multipass);
    multipass = buffer.multipass;
    driver.submit(buffer, fence);
    flags.push_back(driver.newest_descriptor().flags);
  }
  CHECK(flags == std::vector<std::uint32_t>{AEROGPU_SUBMIT_FLAG_PRESENT, 0});
}

TEST_CASE("the context's id reaches the descriptor, and empty paging work has none",
          "[kmd][submit][case-90]") {
  started_driver driver;
  const HANDLE first = driver.context;
  driver.submit_nop(1);
  const std::uint32_t first_id = driver.newest_descriptor().context_id;
  const HANDLE second = driver.create_context();
  driver.context = second;
  driver.submit_nop(2);
  const std::uint32_t second_id = driver.newest_descriptor().context_id;
  CHECK(first_id == raw(static_cast<kmd::context*>(first)->id));
  CHECK(second_id == raw(static_cast<kmd::context*>(second)->id));
  CHECK(first_id != 0);
  CHECK(second_id != first_id);
  driver.context = first;
  driver.destroy_context(second);

  dma_buffer& paging = driver.make_buffer(4096);
  auto args = driver.submit_arguments(paging, 3, 1);
  args.hContext = nullptr;
  driver.submit(args);
  CHECK(driver.newest_descriptor().context_id == 0);
  CHECK(driver.newest_descriptor().cmd_gpa == 0);
  CHECK(driver.newest_descriptor().signal_fence == 3);
}

TEST_CASE("an entry that nobody placed is dropped, and the fence completes",
          "[kmd][submit][case-76]") {
  started_driver driver;
  driver.hold_host();
  const auto& a = driver.create_allocation(1);
  const auto& lost = driver.create_allocation(2);
  const auto& c = driver.create_allocation(3);
  const std::array lines{list_line{&lost, false, 0}, list_line{&a, true}, list_line{&c, true},
                         list_line{&lost, false, 0}};
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(), lines) == STATUS_SUCCESS);
  driver.submit(buffer, 1);
  const auto entries = driver.table_entries(driver.newest_descriptor());
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].alloc_id == 1);
  CHECK(entries[0].gpa == a.address);
  CHECK(entries[1].alloc_id == 3);
  CHECK(entries[1].gpa == c.address);
  CHECK(driver.counters().table_unresolved.get() == 1);
  driver.release_host();
  CHECK(driver.completions() == std::vector{1u});
  CHECK(driver.pc.machine.host().errors.empty());
}

TEST_CASE("an entry that is nowhere leaves no table when it was the only one",
          "[kmd][submit][case-76]") {
  started_driver driver;
  const std::array lines{list_line{&driver.create_allocation(2), false, 0}};
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(), lines) == STATUS_SUCCESS);
  driver.submit(buffer, 1);
  CHECK(driver.newest_descriptor().alloc_table_gpa == 0);
  CHECK(driver.newest_descriptor().alloc_table_size_bytes == 0);
  CHECK(driver.completions() == std::vector{1u});
}

TEST_CASE("an entry that Patch placed before stays where it was", "[kmd][submit]") {
  started_driver driver;
  driver.hold_host();
  const auto& a = driver.create_allocation(1);
  const std::array resident{list_line{&a}};
  const std::array unknown{list_line{&a, false, 0}};
  dma_buffer& first = driver.make_buffer();
  REQUIRE(driver.render(first, nop_stream(), unknown) == STATUS_SUCCESS);
  driver.patch(first, resident);
  driver.submit(first, 1);
  // The next one is never patched: the allocation's last place counts.
  dma_buffer& second = driver.make_buffer();
  REQUIRE(driver.render(second, nop_stream(), unknown) == STATUS_SUCCESS);
  driver.submit(second, 2);
  const auto entries = driver.table_entries(driver.newest_descriptor());
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].gpa == a.address);
  driver.release_host();
}

TEST_CASE("an entry in the aperture is not shown to the host", "[kmd][submit]") {
  started_driver driver;
  driver.hold_host();
  const auto& a = driver.create_allocation(1);
  const std::array lines{list_line{&a}};
  const std::array elsewhere{list_line{&a, false, 2, 0x1'0000'0000}};
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(), lines) == STATUS_SUCCESS);
  driver.patch(buffer, elsewhere);
  driver.submit(buffer, 1);
  CHECK(driver.newest_descriptor().alloc_table_gpa == 0);
  driver.release_host();
}

TEST_CASE("NullRendering completes without commands", "[kmd][submit][case-96]") {
  started_driver driver;
  const list_line line{&driver.create_allocation(1)};
  dma_buffer& buffer = driver.make_buffer();
  REQUIRE(driver.render(buffer, nop_stream(), {&line, 1}) == STATUS_SUCCESS);
  driver.submit(buffer, 1, null_rendering);
  const auto desc = driver.newest_descriptor();
  CHECK(desc.cmd_gpa == 0);
  CHECK(desc.cmd_size_bytes == 0);
  CHECK(desc.alloc_table_gpa == 0);
  CHECK(desc.signal_fence == 1);
  CHECK(driver.completions() == std::vector{1u});
  CHECK(driver.counters().foreign_records.get() == 0);
}

TEST_CASE("a buffer without a record of ours completes as empty and is counted", "[kmd][submit]") {
  started_driver driver;
  dma_buffer& buffer = driver.make_buffer();
  const auto check_empty = [&](const DXGKARG_SUBMITCOMMAND& args, std::uint32_t count) {
    driver.submit(args);
    const auto desc = driver.newest_descriptor();
    CHECK(desc.cmd_gpa == 0);
    CHECK(desc.alloc_table_gpa == 0);
    CHECK(desc.signal_fence == args.SubmissionFenceId);
    CHECK(driver.completions().back() == args.SubmissionFenceId);
    CHECK(driver.counters().foreign_records.get() == count);
  };
  buffer.used_bytes = 40;
  check_empty(driver.submit_arguments(buffer, 1), 1);  // 0xCC all over.

  REQUIRE(driver.render(buffer, nop_stream()) == STATUS_SUCCESS);
  auto args = driver.submit_arguments(buffer, 2);
  args.pDmaBufferPrivateData = nullptr;
  check_empty(args, 2);
  REQUIRE(driver.render(buffer, nop_stream()) == STATUS_SUCCESS);
  args = driver.submit_arguments(buffer, 3);
  args.DmaBufferPrivateDataSize = kmd::dma_record_head_bytes - 1;
  check_empty(args, 3);
  REQUIRE(driver.render(buffer, nop_stream()) == STATUS_SUCCESS);
  args = driver.submit_arguments(buffer, 4);
  args.DmaBufferPrivateDataSubmissionStartOffset = 8;
  check_empty(args, 4);
  REQUIRE(driver.render(buffer, nop_stream()) == STATUS_SUCCESS);
  args = driver.submit_arguments(buffer, 5);
  args.DmaBufferPrivateDataSubmissionStartOffset = args.DmaBufferPrivateDataSize + 1;
  check_empty(args, 5);
}

TEST_CASE("submission offsets that Render never made complete as empty", "[kmd][submit]") {
  started_driver driver;
  std::uint32_t fence = 0;
  const auto submit_range = [&](std::uint32_t first, std::int32_t end_change) {
    dma_buffer& buffer = driver.make_buffer(4096);
    REQUIRE(driver.render(buffer, nop_stream()) == STATUS_SUCCESS);
    auto args = driver.submit_arguments(buffer, ++fence);
    args.DmaBufferSubmissionStartOffset = first;
    args.DmaBufferSubmissionEndOffset += static_cast<std::uint32_t>(end_change);
    driver.submit(args);
    CHECK(driver.completions().back() == fence);
    return driver.newest_descriptor().cmd_gpa != 0;
  };
  CHECK(submit_range(0, 0));
  CHECK_FALSE(submit_range(4, 0));
  CHECK_FALSE(submit_range(0, -4));
  CHECK_FALSE(submit_range(0, 8192));
  CHECK(driver.counters().foreign_records.get() == 3);
}

TEST_CASE("null arguments are refused by every entry point of submission", "[kmd][submit]") {
  started_driver driver;
  const auto& table = driver.pc.windows.table;
  const HANDLE adapter = driver.pc.windows.context();
  DXGKARG_RENDER render{};
  CHECK(table.DxgkDdiRender(nullptr, &render) == STATUS_INVALID_PARAMETER);
  CHECK(table.DxgkDdiRender(driver.context, nullptr) == STATUS_INVALID_PARAMETER);
  CHECK(table.DxgkDdiPatch(adapter, nullptr) == STATUS_INVALID_PARAMETER);
  CHECK(table.DxgkDdiSubmitCommand(adapter, nullptr) == STATUS_INVALID_PARAMETER);
  CHECK(table.DxgkDdiPreemptCommand(adapter, nullptr) == STATUS_INVALID_PARAMETER);
  CHECK(table.DxgkDdiQueryCurrentFence(adapter, nullptr) == STATUS_INVALID_PARAMETER);
  DXGKARG_QUERYCURRENTFENCE query{};
  query.NodeOrdinal = 1;
  CHECK(table.DxgkDdiQueryCurrentFence(adapter, &query) == STATUS_INVALID_PARAMETER);
  query.NodeOrdinal = 0;
  query.EngineOrdinal = 1;
  CHECK(table.DxgkDdiQueryCurrentFence(adapter, &query) == STATUS_INVALID_PARAMETER);
  CHECK(table.DxgkDdiInterruptRoutine(nullptr, 0) == FALSE);
  table.DxgkDdiDpcRoutine(nullptr);
}
