// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/objects/handle_table.hpp"
#include "drivers/win7/kmd/memory/allocation.hpp"
#include "tests/drivers/kmd/memory/memory_driver.hpp"

using namespace aerogpu;
using test::memory_driver;
using table = DRIVER_INITIALIZATION_DATA;

namespace {

struct question {
  D3DKMDT_SHAREDPRIMARYSURFACEDATA primary{};
  DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA args{};

  question(UINT width, UINT height) {
    primary.Width = width;
    primary.Height = height;
    primary.Format = D3DDDIFMT_A8R8G8B8;
    args.StandardAllocationType = D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE;
    args.pCreateSharedPrimarySurfaceData = &primary;
    args.ResourcePrivateDriverDataSize = 77;
  }
  [[nodiscard]] auto ask(memory_driver& m) -> NTSTATUS {
    return m.windows.call(&table::DxgkDdiGetStandardAllocationDriverData, m.windows.context(),
                          &args);
  }
};

}  // namespace

TEST_CASE("a primary's first question gives the size alone, the second the blob",
          "[kmd][memory][case-43]") {
  memory_driver m;
  question q{1366, 768};
  REQUIRE(q.ask(m) == STATUS_SUCCESS);
  CHECK(q.args.AllocationPrivateDriverDataSize == 64);
  CHECK(q.args.ResourcePrivateDriverDataSize == 0);

  test::blob data(64 + 8, std::byte{0xCC});
  q.args.pAllocationPrivateDriverData = data.data();
  q.args.AllocationPrivateDriverDataSize = 63;
  CHECK(q.ask(m) == STATUS_BUFFER_TOO_SMALL);
  CHECK(data.front() == std::byte{0xCC});
  q.args.AllocationPrivateDriverDataSize = 72;
  REQUIRE(q.ask(m) == STATUS_SUCCESS);
  const alloc_private_data made = test::parse_blob({data.begin(), data.begin() + 64});
  CHECK(made.magic == AEROGPU_WDDM_ALLOC_PRIV_MAGIC);
  CHECK(made.version == 2);
  CHECK(made.alloc_id == AEROGPU_WDDM_ALLOC_ID_KMD_MIN);
  CHECK(made.kind == AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D);
  CHECK(made.row_pitch_bytes == 5632);  // 5464 bytes of pixels, in steps of 256.
  CHECK(made.row_pitch_bytes % 256 == 0);
  CHECK(made.size_bytes == 5632u * 768);
  CHECK(made.width == 1366);
  CHECK(made.height == 768);
  CHECK(data[64] == std::byte{0xCC});
}

TEST_CASE("surfaces without pixels, or with more than fit, are refused", "[kmd][memory][case-43]") {
  memory_driver m;
  const auto [width, height, expected] = GENERATE(
      Catch::Generators::table<UINT, UINT, NTSTATUS>({{0, 768, STATUS_INVALID_PARAMETER},
                                                      {1024, 0, STATUS_INVALID_PARAMETER},
                                                      {0xFFFFFFFF, 1, STATUS_INTEGER_OVERFLOW},
                                                      {0x40000000, 1, STATUS_INTEGER_OVERFLOW},
                                                      {0x3FFFFFC0, 1, STATUS_SUCCESS},
                                                      {0x3FFFFFC1, 1, STATUS_INTEGER_OVERFLOW}}));
  question q{width, height};
  CHECK(q.ask(m) == expected);
}

TEST_CASE("the bytes of a pixel follow the format", "[kmd][memory][case-43]") {
  memory_driver m;
  const auto [format, bytes] =
      GENERATE(Catch::Generators::table<D3DDDIFORMAT, UINT>({{D3DDDIFMT_A8R8G8B8, 4},
                                                             {D3DDDIFMT_X8R8G8B8, 4},
                                                             {D3DDDIFMT_A8B8G8R8, 4},
                                                             {D3DDDIFMT_X8B8G8R8, 4},
                                                             {D3DDDIFMT_A2R10G10B10, 4},
                                                             {D3DDDIFMT_A2B10G10R10, 4},
                                                             {D3DDDIFMT_R5G6B5, 2},
                                                             {D3DDDIFMT_X1R5G5B5, 2},
                                                             {D3DDDIFMT_A1R5G5B5, 2},
                                                             {D3DDDIFMT_P8, 1},
                                                             {static_cast<D3DDDIFORMAT>(999), 4}}));
  const auto data =
      m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, 256, 2, format);
  CHECK(test::parse_blob(data).row_pitch_bytes == 256 * bytes);
}

TEST_CASE("shadow and staging surfaces tell their pitch; GDI surfaces do not exist",
          "[kmd][memory][case-44]") {
  memory_driver m;
  D3DKMDT_SHADOWSURFACEDATA shadow{33, 5, D3DDDIFMT_R5G6B5, 0};
  DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA args{};
  args.StandardAllocationType = D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE;
  args.pCreateShadowSurfaceData = &shadow;
  const auto ask = [&] {
    return m.windows.call(&table::DxgkDdiGetStandardAllocationDriverData, m.windows.context(),
                          &args);
  };
  test::blob data(64);
  args.pAllocationPrivateDriverData = data.data();
  args.AllocationPrivateDriverDataSize = 64;
  REQUIRE(ask() == STATUS_SUCCESS);
  CHECK(shadow.Pitch >= 66);
  CHECK(shadow.Pitch % 4 == 0);

  D3DKMDT_STAGINGSURFACEDATA staging{33, 5, 0};
  args.StandardAllocationType = D3DKMDT_STANDARDALLOCATION_STAGINGSURFACE;
  args.pCreateStagingSurfaceData = &staging;
  REQUIRE(ask() == STATUS_SUCCESS);
  CHECK(staging.Pitch >= 132);
  CHECK(staging.Pitch % 4 == 0);

  D3DKMDT_GDISURFACEDATA gdi{};
  gdi.Width = gdi.Height = 16;
  args.StandardAllocationType = D3DKMDT_STANDARDALLOCATION_GDISURFACE;
  args.pCreateGdiSurfaceData = &gdi;
  CHECK(ask() == STATUS_NOT_SUPPORTED);
  args.pCreateGdiSurfaceData = nullptr;
  CHECK(ask() == STATUS_INVALID_PARAMETER);
}

TEST_CASE("a question for sizes leaves the description of the surface as it is",
          "[kmd][memory][case-44]") {
  memory_driver m;
  D3DKMDT_SHADOWSURFACEDATA shadow{33, 5, D3DDDIFMT_R5G6B5, 12345};
  DXGKARG_GETSTANDARDALLOCATIONDRIVERDATA args{};
  args.StandardAllocationType = D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE;
  args.pCreateShadowSurfaceData = &shadow;
  REQUIRE(m.windows.call(&table::DxgkDdiGetStandardAllocationDriverData, m.windows.context(),
                         &args) == STATUS_SUCCESS);
  CHECK(args.AllocationPrivateDriverDataSize == 64);
  CHECK(shadow.Pitch == 12345);
}

TEST_CASE("who gets a primary's private data as the driver first wrote it may open it",
          "[kmd][memory][case-175]") {
  memory_driver m;
  test::blob data = m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, 1024, 768);
  const test::blob asked = data;
  const DXGK_ALLOCATIONINFO info = m.create(data);
  CHECK(data == asked);
  const D3DKMT_HANDLE number = m.number_of(info.hAllocation);
  const HANDLE creator = m.open(m.device, number, data, true).handle;
  CHECK(data == asked);
  const HANDLE other = m.create_device();
  test::blob as_asked = asked;
  const auto opened = m.open(other, number, as_asked, false);
  CHECK(opened.status == STATUS_SUCCESS);
  CHECK(as_asked == asked);
  m.close({opened.handle, creator});
  m.destroy({info.hAllocation});
  m.windows.call(&table::DxgkDdiDestroyDevice, other);
}

TEST_CASE("an id that was promised is kept once, and for the process that asked",
          "[kmd][memory][case-175]") {
  memory_driver m;
  const auto id_of = [](const test::blob& data) -> std::uint32_t {
    return test::parse_blob(data).alloc_id;
  };
  const sim::process_scope asking{5};
  const test::blob asked = m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, 64, 64);
  std::vector<HANDLE> made;
  {
    const sim::process_scope other{6};
    test::blob data = asked;
    made.push_back(m.create(data).hAllocation);
    CHECK(id_of(data) != id_of(asked));
  }
  test::blob data = asked;
  m.pc.faults.fail(sim::fault_point::pool, 0);
  CHECK(m.create_allocations({&data, 1}).status == STATUS_NO_MEMORY);  // It stays promised.
  made.push_back(m.create(data).hAllocation);
  CHECK(id_of(data) == id_of(asked));
  for (const bool is_living : {true, false}) {
    CAPTURE(is_living);
    test::blob again = asked;
    CHECK(m.create_allocations({&again, 1}).status == STATUS_INVALID_PARAMETER);
    CHECK(again == asked);
    if (is_living) m.destroy(made);
  }
}

TEST_CASE("an id that was promised is nobody else's, even when ids come again",
          "[kmd][memory][case-175]") {
  memory_driver m;
  test::blob asked = m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, 64, 64);
  m.adapter().kmd_alloc_ids = 0;
  test::blob unnamed = test::texture_blob({.id = 0});
  const HANDLE other = m.create(unnamed).hAllocation;
  CHECK(test::parse_blob(unnamed).alloc_id == AEROGPU_WDDM_ALLOC_ID_KMD_MIN + 1);
  const HANDLE primary = m.create(asked).hAllocation;
  CHECK(test::parse_blob(asked).alloc_id == AEROGPU_WDDM_ALLOC_ID_KMD_MIN);
  m.destroy({other, primary});
}

TEST_CASE("a process that asks without end loses its own promises and nobody else's",
          "[kmd][memory][case-175]") {
  memory_driver m;
  const auto ask = [&] {
    return m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHAREDPRIMARYSURFACE, 64, 64);
  };
  test::blob desktop = ask();
  const test::blob asked = desktop;
  std::vector<test::blob> greedy;
  {
    const sim::process_scope other{6};
    for (int i = 0; i < 1000; ++i) greedy.push_back(ask());
    CHECK(m.create_allocations({&greedy[995], 1}).status == STATUS_INVALID_PARAMETER);
    m.destroy({m.create(greedy[996]).hAllocation, m.create(greedy[999]).hAllocation});
  }
  m.destroy({m.create(desktop).hAllocation});
  CHECK(desktop == asked);
}

TEST_CASE("only surfaces of which the aperture's map holds as many as fit may be scattered",
          "[kmd][memory][case-45]") {
  memory_driver m;
  const std::uint64_t smallest = m.adapter().segments.aperture_bytes() / kmd::max_aperture_mdls;
  REQUIRE(smallest == 128 << 10);
  const auto [width, height, segments] = GENERATE(Catch::Generators::table<UINT, UINT, UINT>(
      {{32, 32, 0x1}, {256, 127, 0x1}, {256, 128, 0x3}, {800, 600, 0x3}}));
  auto data = m.standard_blob(D3DKMDT_STANDARDALLOCATION_SHADOWSURFACE, width, height);
  const DXGK_ALLOCATIONINFO info = m.create(data);
  CHECK(info.SupportedReadSegmentSet == segments);
  CHECK(info.SupportedWriteSegmentSet == segments);
  m.destroy({info.hAllocation});
}
