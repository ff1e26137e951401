// SPDX-License-Identifier: MIT
/// \file DUMP_RING_V2: what the device was given last.
#include "aerogpu/abi/dbgctl_escape.h"
#include "tests/drivers/kmd/submission/submission_fixture.hpp"

#include <algorithm>
#include <array>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto dump_ring(started_driver& driver) -> aerogpu_escape_dump_ring_v2_inout {
  aerogpu_escape_dump_ring_v2_inout dump{};
  dump.hdr = {AEROGPU_ESCAPE_VERSION, AEROGPU_ESCAPE_OP_DUMP_RING_V2, sizeof dump, 0};
  DXGKARG_ESCAPE args{};
  args.pPrivateDriverData = &dump;
  args.PrivateDriverDataSize = sizeof dump;
  auto& windows = driver.pc.windows;
  CHECK(windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiEscape, windows.context(), &args) ==
        STATUS_SUCCESS);
  return dump;
}

}  // namespace

TEST_CASE("the dump of the ring holds the newest submissions, oldest first, and at most 32",
          "[kmd][escape][case-152][G06]") {
  started_driver driver;
  CHECK(dump_ring(driver).desc_count == 0);
  const auto& target = driver.create_allocation(7);
  const std::array lines{list_line{&target, true}};
  for (std::uint32_t fence = 1; fence <= 70; ++fence) {
    const bool is_present = fence % 3 == 0;
    const byte_list stream =
        is_present ? stream_words{}.add(AEROGPU_CMD_PRESENT, 16).bytes() : nop_stream();
    dma_buffer& buffer = driver.make_buffer(4096);
    REQUIRE(driver.render(buffer, stream, lines) == STATUS_SUCCESS);
    driver.submit(buffer, fence);
    const aerogpu_submit_desc pushed = driver.newest_descriptor();

    const auto dump = dump_ring(driver);
    CHECK(dump.ring_format == AEROGPU_DBGCTL_RING_FORMAT_AGPU);
    CHECK(dump.desc_capacity == 32);
    REQUIRE(dump.desc_count == std::min(fence, 32u));
    for (std::uint32_t i = 0; i < dump.desc_count; ++i) {
      CHECK(std::uint64_t{dump.desc[i].fence} == fence - dump.desc_count + 1 + i);
    }
    const aerogpu_dbgctl_ring_desc_v2 newest = dump.desc[dump.desc_count - 1];
    CHECK(std::uint64_t{newest.cmd_gpa} == std::uint64_t{pushed.cmd_gpa});
    CHECK(newest.cmd_size_bytes == stream.size());
    CHECK(newest.flags == (is_present ? AEROGPU_SUBMIT_FLAG_PRESENT : AEROGPU_SUBMIT_FLAG_NONE));
    CHECK(std::uint64_t{newest.alloc_table_gpa} == std::uint64_t{pushed.alloc_table_gpa});
    CHECK(newest.alloc_table_size_bytes == 24 + 32);
  }
}

TEST_CASE("tables are right over 1,000 frames whose buffers are never patched",
          "[kmd][submit][case-164]") {
  started_driver driver;
  const auto& drawn = driver.create_allocation(7, 5000);
  const auto& read = driver.create_allocation(9);
  for (std::uint32_t frame = 1; frame <= 1000; ++frame) {
    // VidMm moves one of them now and then, and the list says where it is.
    const std::uint64_t moved = drawn.address + frame / 100 * 0x10000;
    const std::array lines{list_line{&drawn, true, 1, moved}, list_line{&read}};
    dma_buffer& buffer = driver.make_buffer(4096);
    REQUIRE(driver.render(buffer, nop_stream(), lines) == STATUS_SUCCESS);
    driver.hold_host();
    driver.submit(buffer, frame);
    const auto entries = driver.table_entries(driver.newest_descriptor());
    driver.release_host();
    REQUIRE(entries.size() == 2);
    CHECK(entries[0].alloc_id == 7);
    CHECK(entries[0].gpa == moved);
    CHECK(entries[0].size_bytes == 5000);
    CHECK(entries[0].flags == AEROGPU_ALLOC_FLAG_NONE);
    CHECK(entries[1].alloc_id == 9);
    CHECK(entries[1].gpa == read.address);
    CHECK(entries[1].flags == AEROGPU_ALLOC_FLAG_READONLY);
  }
  CHECK(driver.completions().size() == 1000);
  CHECK(driver.counters().table_unresolved.get() == 0);
}
