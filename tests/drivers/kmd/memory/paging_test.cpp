// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/memory/paging.hpp"

#include "tests/drivers/kmd/memory/memory_driver.hpp"

#include <random>

using namespace aerogpu;
using test::memory_driver;
using table = DRIVER_INITIALIZATION_DATA;

namespace {

constexpr std::size_t page = 4096;

[[nodiscard]] auto fill_of(const kmd::placement& at, SIZE_T size, UINT pattern,
                           HANDLE allocation = nullptr) -> DXGKARG_BUILDPAGINGBUFFER {
  DXGKARG_BUILDPAGINGBUFFER args{};
  args.Operation = DXGK_OPERATION_FILL;
  args.Fill.hAllocation = allocation;
  args.Fill.FillSize = size;
  args.Fill.FillPattern = pattern;
  args.Fill.Destination.SegmentId = static_cast<UINT>(at.segment);
  args.Fill.Destination.SegmentAddress.QuadPart = static_cast<LONGLONG>(at.address);
  return args;
}

struct transfer {
  HANDLE allocation = nullptr;
  UINT offset = 0;
  SIZE_T size = 0;
  UINT mdl_page = 0;
};

[[nodiscard]] auto to_mdl(const transfer& what, const kmd::placement& from, PMDL to)
    -> DXGKARG_BUILDPAGINGBUFFER {
  DXGKARG_BUILDPAGINGBUFFER args{};
  args.Operation = DXGK_OPERATION_TRANSFER;
  args.Transfer.hAllocation = what.allocation;
  args.Transfer.TransferOffset = what.offset;
  args.Transfer.TransferSize = what.size;
  args.Transfer.MdlOffset = what.mdl_page;
  args.Transfer.Source.SegmentId = static_cast<UINT>(from.segment);
  args.Transfer.Source.SegmentAddress.QuadPart = static_cast<LONGLONG>(from.address);
  args.Transfer.Destination.pMdl = to;
  return args;
}

[[nodiscard]] auto from_mdl(const transfer& what, PMDL from, const kmd::placement& to)
    -> DXGKARG_BUILDPAGINGBUFFER {
  DXGKARG_BUILDPAGINGBUFFER args = to_mdl(what, to, from);
  args.Transfer.Source.SegmentId = 0;
  args.Transfer.Source.pMdl = from;
  args.Transfer.Destination.SegmentId = static_cast<UINT>(to.segment);
  args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<LONGLONG>(to.address);
  return args;
}

[[nodiscard]] auto map_of(std::uint64_t first, std::uint64_t count, PMDL mdl, ULONG mdl_page,
                          HANDLE allocation = nullptr) -> DXGKARG_BUILDPAGINGBUFFER {
  DXGKARG_BUILDPAGINGBUFFER args{};
  args.Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT;
  args.MapApertureSegment.hAllocation = allocation;
  args.MapApertureSegment.SegmentId = 2;
  args.MapApertureSegment.OffsetInPages = first;
  args.MapApertureSegment.NumberOfPages = count;
  args.MapApertureSegment.pMdl = mdl;
  args.MapApertureSegment.MdlOffset = mdl_page;
  return args;
}

[[nodiscard]] auto unmap_of(std::uint64_t first, std::uint64_t count, HANDLE allocation = nullptr)
    -> DXGKARG_BUILDPAGINGBUFFER {
  DXGKARG_BUILDPAGINGBUFFER args{};
  args.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
  args.UnmapApertureSegment.hAllocation = allocation;
  args.UnmapApertureSegment.SegmentId = 2;
  args.UnmapApertureSegment.OffsetInPages = first;
  args.UnmapApertureSegment.NumberOfPages = count;
  return args;
}

void reset_from_timeout(memory_driver& m) {
  REQUIRE(m.windows.call(&table::DxgkDdiResetFromTimeout, m.windows.context()) == STATUS_SUCCESS);
  static_cast<void>(m.windows.dxgk.fences.drop());
}

void restart_from_timeout(memory_driver& m) {
  REQUIRE(m.windows.call(&table::DxgkDdiRestartFromTimeout, m.windows.context()) == STATUS_SUCCESS);
}

[[nodiscard]] auto where_is(HANDLE allocation) -> kmd::placement {
  return static_cast<const kmd::allocation*>(allocation)->where.get();
}

}  // namespace

TEST_CASE("fills are packed into one paging buffer and write their patterns exactly",
          "[kmd][memory][case-101]") {
  memory_driver m;
  auto buffer = m.paging_buffer();
  const mutable_bytes video = m.video_bytes(0, 8 * page);
  std::memset(video.data(), 0xEE, video.size());
  test::blob data = test::buffer_blob(1, 2 * page);
  const HANDLE allocation = m.create(data).hAllocation;

  auto args = fill_of(m.video(page), 2 * page, 0x11223344, allocation);
  m.start_paging(buffer, args);
  std::memset(args.pDmaBuffer, 0xCC, 1024);
  REQUIRE(m.windows.call(&table::DxgkDdiBuildPagingBuffer, m.windows.context(), &args) ==
          STATUS_SUCCESS);
  auto second = fill_of(m.video(4 * page), 10, 0xAABBCCDD);
  second.pDmaBuffer = args.pDmaBuffer;
  second.DmaSize = args.DmaSize - kmd::paging_place_bytes;
  second.pDmaBufferPrivateData = args.pDmaBufferPrivateData;
  second.DmaBufferPrivateDataSize = args.DmaBufferPrivateDataSize - 128;
  REQUIRE(m.windows.call(&table::DxgkDdiBuildPagingBuffer, m.windows.context(), &second) ==
          STATUS_SUCCESS);
  CHECK(static_cast<std::byte*>(second.pDmaBuffer) - buffer.bytes() == 256);
  for (int i = 0; i < 256; ++i)
    REQUIRE(buffer.bytes()[i] == std::byte{0});  // Nothing for the host.
  CHECK(video[page] == std::byte{0xEE});         // Not before its turn.

  const UINT fence = m.submit_paging(buffer, second);
  m.pc.settle();
  CHECK(m.is_done(fence));
  bool is_exact = true;
  for (std::size_t i = 0; i < video.size(); ++i) {
    constexpr std::uint8_t first[] = {0x44, 0x33, 0x22, 0x11};
    constexpr std::uint8_t other[] = {0xDD, 0xCC, 0xBB, 0xAA};
    std::uint8_t expected = 0xEE;
    if (i >= page && i < 3 * page) expected = first[i % 4];
    if (i >= 4 * page && i < 4 * page + 10) expected = other[i % 4];
    is_exact = is_exact && video[i] == std::byte{expected};
  }
  CHECK(is_exact);
  CHECK(where_is(allocation) == m.video(page));
  m.destroy({allocation});
}

TEST_CASE("a transfer out and in again is exact, in several parts with offsets",
          "[kmd][memory][case-102]") {
  memory_driver m;
  constexpr std::size_t pages = 7;
  auto buffer = m.paging_buffer();
  test::scattered_mdl mdl{m.pc, pages + 2};
  const mutable_bytes home = m.video_bytes(0, pages * page);
  for (std::size_t i = 0; i < home.size(); ++i) home[i] = static_cast<std::byte>(i * 7 + i / page);
  const std::vector<std::byte> original(home.begin(), home.end());
  test::blob data = test::buffer_blob(1, pages * page);
  const HANDLE allocation = m.create(data).hAllocation;

  // The allocation's page n lies in the MDL's page n + 2; parts of 3, 3 and 1 pages.
  for (UINT first = 0; first < pages; first += 3) {
    const SIZE_T count = first + 3 <= pages ? 3 : pages - first;
    m.page(buffer, to_mdl({allocation, first * UINT{page}, count * page, first + 2}, m.video(0),
                          mdl.mdl()));
    m.pc.settle();
  }
  CHECK_FALSE(where_is(allocation).is_known());
  bool is_exact = true;
  for (std::size_t i = 0; i < original.size(); ++i)
    is_exact = is_exact && mdl.byte(2 * page + i) == original[i];
  CHECK(is_exact);
  CHECK(mdl.byte(2 * page - 1) == std::byte{0});

  std::memset(home.data(), 0, home.size());
  const std::uint64_t other = 64 * page;
  for (UINT first = 0; first < pages; first += 3) {
    const SIZE_T count = first + 3 <= pages ? 3 : pages - first;
    m.page(buffer, from_mdl({allocation, first * UINT{page}, count * page, first + 2}, mdl.mdl(),
                            m.video(other)));
    m.pc.settle();
  }
  const mutable_bytes back = m.video_bytes(other, pages * page);
  CHECK(std::equal(back.begin(), back.end(), original.begin()));
  CHECK(where_is(allocation) == m.video(other));
  CHECK(m.pc.mdl_mappings == 0);
  CHECK(m.adapter().counters.aperture_faults.get() == 0);
  m.destroy({allocation});
}

TEST_CASE("pages that cannot be mapped for a while get their content from a later DPC",
          "[kmd][memory][case-102]") {
  memory_driver m;
  auto buffer = m.paging_buffer();
  test::scattered_mdl mdl{m.pc, 2};
  const mutable_bytes video = m.video_bytes(0, 2 * page);
  std::memset(video.data(), 0x5A, video.size());
  const bool is_eviction = GENERATE(true, false);
  if (!is_eviction) std::memset(mdl.page(0), 0xA5, page);
  if (!is_eviction) std::memset(mdl.page(1), 0xA5, page);
  const std::uint64_t failures = GENERATE(1u, 64u);
  m.pc.faults.fail(sim::fault_point::map_mdl, 0, failures);
  const auto tries = m.pc.faults.calls(sim::fault_point::map_mdl);
  const UINT fence =
      m.page(buffer, is_eviction ? to_mdl({.size = 2 * page}, m.video(0), mdl.mdl())
                                 : from_mdl({.size = 2 * page}, mdl.mdl(), m.video(0)));
  m.pc.settle();
  CHECK(m.is_done(fence));
  CHECK(m.pc.faults.calls(sim::fault_point::map_mdl) == tries + failures + 1);
  const auto arrived = is_eviction ? std::byte{0x5A} : std::byte{0xA5};
  CHECK((is_eviction ? mdl.byte(0) : video[0]) == arrived);
  CHECK((is_eviction ? mdl.byte(2 * page - 1) : video[2 * page - 1]) == arrived);
  CHECK(m.adapter().counters.paging_lost.get() == 0);
  CHECK(m.adapter().counters.aperture_faults.get() == 0);
  CHECK(m.pc.mdl_mappings == 0);
}

TEST_CASE("a transfer whose pages can never be mapped ends all the same, counted as lost",
          "[kmd][memory][case-102]") {
  memory_driver m;
  auto buffer = m.paging_buffer();
  test::scattered_mdl mdl{m.pc, 2};
  test::blob data = test::buffer_blob(1, 2 * page);
  const HANDLE allocation = m.create(data).hAllocation;
  std::memset(m.video_bytes(0, 2 * page).data(), 0x5A, 2 * page);
  m.pc.faults.fail(sim::fault_point::map_mdl, 0, UINT64_MAX);
  const UINT lost = m.page(buffer, to_mdl({allocation, 0, 2 * page, 0}, m.video(0), mdl.mdl()));
  m.pc.settle();
  CHECK(m.is_done(lost));
  CHECK(m.adapter().counters.paging_lost.get() == 1);
  CHECK(mdl.byte(0) == std::byte{0});
  m.pc.faults.disarm();
  m.page(buffer, to_mdl({allocation, 0, 2 * page, 0}, m.video(0), mdl.mdl()));
  m.pc.settle();
  CHECK(mdl.byte(0) == std::byte{0x5A});
  CHECK(m.adapter().counters.paging_lost.get() == 1);
  m.destroy({allocation});
}

TEST_CASE("a transfer larger than the budget goes on from DPCs", "[kmd][memory][case-102]") {
  memory_driver m{{.bars = {.bar1_bytes = 128u << 20}}};
  auto buffer = m.paging_buffer();
  constexpr std::size_t size = 40u << 20;  // Two and a half budgets.
  const mutable_bytes from = m.video_bytes(0, size);
  for (std::size_t i = 0; i < size; i += page) from[i] = static_cast<std::byte>(i / page);
  DXGKARG_BUILDPAGINGBUFFER args = from_mdl({.size = size}, nullptr, m.video(size));
  args.Transfer.Source.SegmentId = 1;
  args.Transfer.Source.SegmentAddress.QuadPart = static_cast<LONGLONG>(m.video(0).address);
  const auto dpcs = m.pc.interrupts.dpcs();
  const UINT fence = m.page(buffer, args);
  m.pc.settle();
  CHECK(m.is_done(fence));
  CHECK(m.pc.interrupts.dpcs() >= dpcs + 2);
  const mutable_bytes to = m.video_bytes(size, size);
  CHECK(std::memcmp(to.data(), from.data(), size) == 0);
}

TEST_CASE("a transfer of no bytes only says where the allocation is", "[kmd][memory][case-103]") {
  memory_driver m;
  auto buffer = m.paging_buffer();
  test::blob data = test::buffer_blob(1, page);
  const HANDLE allocation = m.create(data).hAllocation;
  m.page(buffer, fill_of(m.video(0), page, 1, allocation));
  m.pc.settle();
  REQUIRE(where_is(allocation) == m.video(0));
  auto args = to_mdl({.allocation = allocation}, m.video(0), nullptr);
  m.start_paging(buffer, args);
  void* const start = args.pDmaBuffer;
  REQUIRE(m.windows.call(&table::DxgkDdiBuildPagingBuffer, m.windows.context(), &args) ==
          STATUS_SUCCESS);
  CHECK(args.pDmaBuffer == start);
  CHECK_FALSE(where_is(allocation).is_known());
  CHECK(m.video_bytes(0, 1)[0] == std::byte{1});
  m.destroy({allocation});
}

TEST_CASE("paging waits for earlier work of the device, and later work waits for it",
          "[kmd][memory][case-104]") {
  memory_driver m;
  auto ring = m.present_buffer(4096);
  auto buffer = m.paging_buffer();
  m.pc.bus.host.doorbells = sim::doorbell_mode::held;
  const UINT before = m.submit(ring, ring.bytes());
  const mutable_bytes video = m.video_bytes(0, 4);
  video[0] = std::byte{0xEE};
  const UINT paging = m.page(buffer, fill_of(m.video(0), page, 0x01010101));
  const UINT after = m.submit(ring, ring.bytes());
  CHECK(video[0] == std::byte{0xEE});
  std::array<aerogpu_submit_desc, 8> pushed{};
  CHECK(m.adapter().engine.copy_descriptors(pushed) == 1);

  m.pc.bus.release_doorbell();
  m.pc.settle();
  CHECK(video[0] == std::byte{1});
  CHECK(m.is_done(before));
  CHECK(m.is_done(paging));
  CHECK(m.adapter().engine.copy_descriptors(pushed) == 2);
  CHECK_FALSE(m.is_done(after));
  m.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  m.pc.bus.release_doorbell();
  m.pc.settle();
  CHECK(m.is_done(after));
}

TEST_CASE("paging of an allocation that is gone by then does the rest of its work",
          "[kmd][memory][case-104]") {
  memory_driver m;
  auto ring = m.present_buffer(4096);
  auto buffer = m.paging_buffer();
  test::scattered_mdl mdl{m.pc, 1};
  test::blob data = test::buffer_blob(1, page);
  const HANDLE allocation = m.create(data).hAllocation;
  m.page(buffer, map_of(0, 1, mdl.mdl(), 0, allocation));
  const std::array operations{
      unmap_of(0, 1, allocation), fill_of(m.video(0), page, 0x11223344, allocation),
      from_mdl({.allocation = allocation, .size = page}, mdl.mdl(), m.video(0)),
      map_of(1, 1, mdl.mdl(), 0, allocation)};
  const auto nth = GENERATE(range(std::size_t{0}, std::size_t{4}));
  m.pc.bus.host.doorbells = sim::doorbell_mode::held;
  m.submit(ring, ring.bytes());
  const UINT fence = m.page(buffer, operations[nth]);
  CHECK(where_is(allocation) == memory_driver::aperture(0));
  m.destroy({allocation});
  CHECK_FALSE(m.is_done(fence));
  m.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  m.pc.bus.release_doorbell();
  m.pc.settle();
  CHECK(m.is_done(fence));
  m.page(buffer, unmap_of(0, 2));
  m.pc.settle();
}

TEST_CASE("an operation without room asks for another buffer and writes nothing",
          "[kmd][memory][case-105]") {
  memory_driver m;
  auto buffer = m.paging_buffer();
  const auto [room, private_room, expected] =
      GENERATE(Catch::Generators::table<UINT, UINT, NTSTATUS>(
          {{127, 4096, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER},
           {0, 4096, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER},
           {4096, sizeof(kmd::paging_packet) - 1, STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER},
           {128, sizeof(kmd::paging_packet), STATUS_SUCCESS}}));
  auto args = fill_of(m.video(0), page, 1);
  m.start_paging(buffer, args);
  std::memset(buffer.bytes(), 0xCC, 256);
  std::memset(buffer.private_data(), 0xCC, 256);
  args.DmaSize = room;
  args.DmaBufferPrivateDataSize = private_room;
  CHECK(m.windows.call(&table::DxgkDdiBuildPagingBuffer, m.windows.context(), &args) == expected);
  const bool fits = expected == STATUS_SUCCESS;
  CHECK((args.pDmaBuffer == buffer.bytes()) == !fits);
  CHECK((buffer.bytes()[0] == std::byte{0xCC}) == !fits);
  CHECK((buffer.private_data()[0] == std::byte{0xCC}) == !fits);
  CHECK(buffer.bytes()[128] == std::byte{0xCC});
}

TEST_CASE("the aperture is the reference map after any order of maps and unmaps",
          "[kmd][memory][case-106]") {
  memory_driver m;
  constexpr std::uint64_t aperture_pages = 96;
  constexpr std::uint64_t mdl_pages = 24;
  std::vector<std::unique_ptr<test::scattered_mdl>> mdls;
  for (int i = 0; i < 4; ++i)
    mdls.push_back(std::make_unique<test::scattered_mdl>(m.pc, mdl_pages));
  std::vector<std::byte*> reference(aperture_pages, nullptr);
  auto buffer = m.paging_buffer();
  const auto seed = m.pc.config.seed;
  CAPTURE(seed);
  std::mt19937 random{static_cast<std::mt19937::result_type>(seed)};
  const auto below = [&](std::uint64_t limit) { return random() % limit; };

  for (int step = 0; step < 400; ++step) {
    const std::uint64_t count = 1 + below(mdl_pages);
    const std::uint64_t first = below(aperture_pages - count + 1);
    if (below(3) == 0) {
      m.page(buffer, unmap_of(first, count));
      for (std::uint64_t i = 0; i < count; ++i) reference[first + i] = nullptr;
    } else {
      auto& mdl = *mdls[below(mdls.size())];
      const std::uint64_t mdl_page = below(mdl_pages - count + 1);
      m.page(buffer, map_of(first, count, mdl.mdl(), static_cast<ULONG>(mdl_page)));
      for (std::uint64_t i = 0; i < count; ++i) reference[first + i] = mdl.page(mdl_page + i);
    }
    m.pc.settle();
    const std::uint64_t probed = below(aperture_pages);
    const mutable_bytes piece = m.adapter().segments.piece(m.aperture(probed), 8, page);
    REQUIRE(piece.empty() == (reference[probed] == nullptr));
    if (piece.empty()) continue;
    piece[0] = static_cast<std::byte>(step);
    REQUIRE(reference[probed][8] == static_cast<std::byte>(step));
  }

  // Copies reach what is mapped and skip the rest.
  const mutable_bytes video = m.video_bytes(0, aperture_pages * page);
  for (std::uint64_t i = 0; i < aperture_pages; ++i) {
    std::memset(video.data() + i * page, 0xEE, page);
    if (reference[i] != nullptr) reference[i][page - 1] = std::byte{0x5A};
  }
  DXGKARG_BUILDPAGINGBUFFER args = from_mdl({.size = aperture_pages * page}, nullptr, m.video(0));
  args.Transfer.Source.SegmentId = 2;
  args.Transfer.Source.SegmentAddress.QuadPart = static_cast<LONGLONG>(m.aperture(0).address);
  const auto faults = m.adapter().counters.aperture_faults.get();
  m.page(buffer, args);
  m.pc.settle();
  std::uint32_t holes = 0;
  for (std::uint64_t i = 0; i < aperture_pages; ++i) {
    const auto expected = reference[i] != nullptr ? std::byte{0x5A} : std::byte{0xEE};
    CHECK(video[(i + 1) * page - 1] == expected);
    holes += reference[i] == nullptr ? 1 : 0;
  }
  CHECK(m.adapter().counters.aperture_faults.get() == faults + holes);
  m.page(buffer, unmap_of(0, aperture_pages));
  m.pc.settle();
  CHECK(m.pc.mdl_mappings == 0);
}

TEST_CASE("a range that cannot be mapped is skipped and counted", "[kmd][memory][case-106]") {
  memory_driver m;
  auto buffer = m.paging_buffer();
  test::scattered_mdl mdl{m.pc, 4};
  const std::uint64_t pages = m.adapter().segments.aperture_bytes() / page;
  const auto expect_fault = [&](const DXGKARG_BUILDPAGINGBUFFER& args) {
    const auto before = m.adapter().counters.aperture_faults.get();
    const UINT fence = m.page(buffer, args);
    m.pc.settle();
    CHECK(m.is_done(fence));
    CHECK(m.adapter().counters.aperture_faults.get() == before + 1);
  };
  expect_fault(map_of(0, 4, mdl.mdl(), 1));           // Past the MDL's end.
  expect_fault(map_of(pages - 3, 4, mdl.mdl(), 0));   // Past the segment's end.
  expect_fault(map_of(UINT64_MAX, 4, mdl.mdl(), 0));  // The sum wraps.
  expect_fault(map_of(0, 4, nullptr, 0));
  m.pc.faults.fail(sim::fault_point::map_mdl, 0);
  expect_fault(map_of(0, 4, mdl.mdl(), 0));
  CHECK(m.adapter().segments.piece(m.aperture(0), 0, 1).empty());
  CHECK(m.pc.mdl_mappings == 0);
}

TEST_CASE("a timeout's reset unmaps the aperture, with the unmaps that it drops",
          "[kmd][memory][tdr][case-144]") {
  memory_driver m;
  auto ring = m.present_buffer(4096);
  auto buffer = m.paging_buffer();
  auto late = m.paging_buffer();
  test::scattered_mdl mdl{m.pc, 4};
  m.page(buffer, map_of(8, 4, mdl.mdl(), 0));
  m.pc.settle();
  REQUIRE(m.pc.mdl_mappings == 1);
  m.pc.bus.host.doorbells = sim::doorbell_mode::held;
  m.submit(ring, ring.bytes());
  m.page(late, unmap_of(8, 4));
  REQUIRE(m.pc.mdl_mappings == 1);

  reset_from_timeout(m);
  CHECK(m.pc.mdl_mappings == 0);
  CHECK(m.adapter().segments.piece(m.aperture(8), 0, 1).empty());
  restart_from_timeout(m);
  m.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;

  // Another MDL where that one was.
  test::scattered_mdl other{m.pc, 4};
  std::memcpy(mdl.mdl(), other.mdl(), sizeof(MDL) + 4 * sizeof(PFN_NUMBER));
  m.page(buffer, map_of(8, 4, mdl.mdl(), 0));
  m.pc.settle();
  const mutable_bytes piece = m.adapter().segments.piece(m.aperture(8), 0, page);
  REQUIRE_FALSE(piece.empty());
  piece[0] = std::byte{0x5A};
  CHECK(other.page(0)[0] == std::byte{0x5A});
  CHECK(mdl.page(0)[0] == std::byte{0});
  m.page(buffer, unmap_of(8, 4));
  m.pc.settle();
  CHECK(m.pc.mdl_mappings == 0);
}

TEST_CASE("between reset and restart an unmap takes effect at once and takes no room",
          "[kmd][memory][tdr][case-147]") {
  memory_driver m;
  auto buffer = m.paging_buffer();
  test::scattered_mdl mdl{m.pc, 1};
  test::blob data = test::buffer_blob(1, page);
  const HANDLE allocation = m.create(data).hAllocation;
  m.page(buffer, map_of(3, 1, mdl.mdl(), 0, allocation));
  m.pc.settle();
  REQUIRE(where_is(allocation) == m.aperture(3));

  reset_from_timeout(m);
  auto notice = unmap_of(3, 1);
  notice.UnmapApertureSegment.hAllocation = allocation;
  m.start_paging(buffer, notice);
  notice.DmaSize = 0;
  CHECK(m.windows.call(&table::DxgkDdiBuildPagingBuffer, m.windows.context(), &notice) ==
        STATUS_SUCCESS);
  CHECK(notice.pDmaBuffer == buffer.bytes());
  CHECK(notice.pDmaBufferPrivateData == buffer.private_data());
  CHECK_FALSE(where_is(allocation).is_known());
  restart_from_timeout(m);

  auto queued = unmap_of(3, 1);
  m.start_paging(buffer, queued);
  CHECK(m.windows.call(&table::DxgkDdiBuildPagingBuffer, m.windows.context(), &queued) ==
        STATUS_SUCCESS);
  CHECK(queued.pDmaBuffer != buffer.bytes());
  m.destroy({allocation});
}

TEST_CASE("operations that mean nothing here succeed and take no room", "[kmd][memory][case-107]") {
  memory_driver m;
  auto buffer = m.paging_buffer();
  const int operation = GENERATE(3, 4, 8, 9, 10, -1);
  DXGKARG_BUILDPAGINGBUFFER args{};
  m.start_paging(buffer, args);
  args.Operation = static_cast<DXGK_BUILDPAGINGBUFFER_OPERATION>(operation);
  CHECK(m.windows.call(&table::DxgkDdiBuildPagingBuffer, m.windows.context(), &args) ==
        STATUS_SUCCESS);
  CHECK(args.pDmaBuffer == buffer.bytes());
  CHECK(args.pDmaBufferPrivateData == buffer.private_data());
}

TEST_CASE("discarded content is nowhere", "[kmd][memory]") {
  memory_driver m;
  auto buffer = m.paging_buffer();
  test::blob data = test::buffer_blob(1, page);
  const HANDLE allocation = m.create(data).hAllocation;
  m.page(buffer, fill_of(m.video(0), page, 1, allocation));
  m.pc.settle();
  DXGKARG_BUILDPAGINGBUFFER args{};
  args.Operation = DXGK_OPERATION_DISCARD_CONTENT;
  args.DiscardContent.hAllocation = allocation;
  args.DiscardContent.SegmentId = 1;
  m.page(buffer, args);
  m.pc.settle();
  CHECK_FALSE(where_is(allocation).is_known());
  m.destroy({allocation});
}

TEST_CASE("what was evicted and paged in elsewhere has its new address in the next table",
          "[kmd][memory][case-114]") {
  memory_driver m;
  auto buffer = m.paging_buffer();
  test::scattered_mdl mdl{m.pc, 1};
  auto surface = m.make_surface(test::buffer_blob(77, page), {});
  m.page(buffer, fill_of(m.video(0), page, 0x5A5A5A5A, surface.allocation));
  m.page(buffer, to_mdl({.allocation = surface.allocation, .size = page}, m.video(0), mdl.mdl()));
  m.page(buffer,
         from_mdl({.allocation = surface.allocation, .size = page}, mdl.mdl(), m.video(16 * page)));
  m.pc.settle();
  CHECK(m.video_bytes(16 * page, 1)[0] == std::byte{0x5A});

  // Neither the list nor Patch says where it is: the tracked place is the last resort.
  auto render = m.present_buffer();
  std::array<DXGK_ALLOCATIONLIST, 1> list{surface.line(true)};
  std::array<D3DDDI_PATCHLOCATIONLIST, 1> patches{};
  DXGKARG_RENDER args{};
  args.pDmaBuffer = render.bytes();
  args.DmaSize = render.size();
  args.pDmaBufferPrivateData = render.private_data();
  args.DmaBufferPrivateDataSize = render.private_size();
  args.pAllocationList = list.data();
  args.AllocationListSize = 1;
  args.pPatchLocationListOut = patches.data();
  args.PatchLocationListOutSize = 1;
  REQUIRE(m.windows.call(&table::DxgkDdiRender, m.context, &args) == STATUS_SUCCESS);
  const UINT fence = m.submit(render, args.pDmaBuffer);
  m.pc.settle();
  CHECK(m.is_done(fence));
  const auto entry = load<aerogpu_alloc_entry>(render.bytes() + render.record().table_offset + 24);
  CHECK(entry.alloc_id == 77);
  CHECK(entry.gpa == m.video(16 * page).address);
  CHECK(m.adapter().counters.table_unresolved.get() == 0);
  m.drop(surface);
}
