// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/present/present.hpp"

#include "aerogpu/abi/cmd_resource.h"
#include "aerogpu/abi/format.h"
#include "tests/drivers/kmd/memory/present_request.hpp"

#include <algorithm>

using namespace aerogpu;
using test::memory_driver;
using test::picture;
using test::present_request;
using test::primary_type;
using test::shadow_type;
using table = DRIVER_INITIALIZATION_DATA;

namespace {

/// What primaries of 16 by 16 pixels are large enough for.
constexpr kmd::scanout_mode small_mode{16, 16, AEROGPU_FORMAT_B8G8R8X8_UNORM, 256};

[[nodiscard]] auto inside(const RECT& area, LONG x, LONG y) -> bool {
  return x >= area.left && x < area.right && y >= area.top && y < area.bottom;
}

}  // namespace

TEST_CASE("three rectangles of the shadow reach the primary, and no other pixel",
          "[kmd][memory][case-108]") {
  memory_driver m;
  const auto shadow = m.make_surface(m.standard_blob(shadow_type, 100, 60), m.video(0x100000));
  const auto primary = m.make_surface(m.standard_blob(primary_type, 100, 60), m.video(0x200000));
  picture<std::uint32_t> from{m, shadow, 0x100000};
  picture<std::uint32_t> to{m, primary, 0x200000};
  from.number();
  auto buffer = m.present_buffer();
  present_request call{buffer, &shadow, &primary};
  const std::array<RECT, 3> parts{RECT{10, 5, 30, 10}, RECT{40, 20, 41, 21}, RECT{0, 55, 95, 58}};
  call.move({5, 2, 100, 60}, {0, 0, 95, 58}, parts);
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  CHECK(to.get(10, 5) == 0);
  const UINT fence = m.submit(buffer, call.args.pDmaBuffer);
  m.pc.settle();
  CHECK(m.is_done(fence));
  int wrong = 0;
  for (LONG y = 0; y < 60; ++y) {
    for (LONG x = 0; x < 100; ++x) {
      const bool is_drawn =
          std::any_of(parts.begin(), parts.end(), [&](const RECT& r) { return inside(r, x, y); });
      wrong += to.get(x, y) != (is_drawn ? from.get(x + 5, y + 2) : 0);
    }
  }
  CHECK(wrong == 0);
  CHECK(m.adapter().counters.aperture_faults.get() == 0);
  m.drop(shadow);
  m.drop(primary);
}

TEST_CASE("a shadow in scattered pages is copied as well", "[kmd][memory][case-108]") {
  memory_driver m;
  constexpr LONG side = 64;
  test::scattered_mdl mdl{m.pc, 4};
  const auto shadow = m.make_surface(m.standard_blob(shadow_type, side, side), m.aperture(3));
  const auto primary = m.make_surface(m.standard_blob(primary_type, side, side), m.video(0));
  auto paging = m.paging_buffer();
  DXGKARG_BUILDPAGINGBUFFER map{};
  map.Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT;
  map.MapApertureSegment.hAllocation = shadow.allocation;
  map.MapApertureSegment.SegmentId = 2;
  map.MapApertureSegment.OffsetInPages = 3;
  map.MapApertureSegment.NumberOfPages = 4;
  map.MapApertureSegment.pMdl = mdl.mdl();
  m.page(paging, map);
  m.pc.settle();
  for (std::uint32_t i = 0; i < side * side; ++i) store(&mdl.byte(i * 4), i + 1);
  auto buffer = m.present_buffer();
  present_request call{buffer, &shadow, &primary};
  const RECT all{0, 0, side, side};
  call.move(all, all, {&all, 1});
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  m.submit(buffer, call.args.pDmaBuffer);
  m.pc.settle();
  picture<std::uint32_t> to{m, primary, 0};
  int wrong = 0;
  for (LONG y = 0; y < side; ++y)
    for (LONG x = 0; x < side; ++x)
      wrong += to.get(x, y) != static_cast<std::uint32_t>(y * side + x + 1);
  CHECK(wrong == 0);
  DXGKARG_BUILDPAGINGBUFFER unmap{};
  unmap.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
  unmap.UnmapApertureSegment.hAllocation = shadow.allocation;
  unmap.UnmapApertureSegment.SegmentId = 2;
  unmap.UnmapApertureSegment.OffsetInPages = 3;
  unmap.UnmapApertureSegment.NumberOfPages = 4;
  m.page(paging, unmap);
  m.pc.settle();
  m.drop(shadow);
  m.drop(primary);
}

TEST_CASE("a move within one surface copies what was there before", "[kmd][memory][case-109]") {
  memory_driver m;
  const auto [dx, dy] = GENERATE(Catch::Generators::table<LONG, LONG>(
      {{3, 0}, {-3, 0}, {0, 4}, {0, -4}, {3, 4}, {-3, 4}, {3, -4}, {-3, -4}, {0, 0}, {1, 0}}));
  const bool is_scattered = GENERATE(false, true);
  CAPTURE(dx, dy, is_scattered);
  // In scattered pages rows of 1200 bytes cross the ends of pages.
  constexpr LONG width = 300, height = 40;
  test::scattered_mdl mdl{m.pc, 16};
  const auto surface = m.make_surface(m.standard_blob(shadow_type, width, height),
                                      is_scattered ? m.aperture(0) : m.video(0));
  const std::size_t pitch =
      static_cast<const kmd::allocation*>(surface.allocation)->shape.pitch_bytes;
  auto paging = m.paging_buffer();
  DXGKARG_BUILDPAGINGBUFFER map{};
  map.Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT;
  map.MapApertureSegment.SegmentId = 2;
  map.MapApertureSegment.NumberOfPages = 16;
  map.MapApertureSegment.pMdl = mdl.mdl();
  m.page(paging, map);
  m.pc.settle();
  const auto pixel_at = [&](LONG x, LONG y) -> std::byte* {
    const std::size_t offset =
        static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x) * 4;
    return is_scattered ? &mdl.byte(offset) : m.video_bytes(offset, 4).data();
  };
  std::vector<std::uint32_t> before;
  for (LONG y = 0; y < height; ++y) {
    for (LONG x = 0; x < width; ++x) {
      before.push_back(static_cast<std::uint32_t>(y * 1000 + x));
      store(pixel_at(x, y), before.back());
    }
  }
  auto buffer = m.present_buffer();
  present_request call{buffer, &surface, &surface};
  const RECT from{10, 10, 280, 30};
  const RECT to{10 + dx, 10 + dy, 280 + dx, 30 + dy};
  call.move(from, to, {&to, 1});
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  m.submit(buffer, call.args.pDmaBuffer);
  m.pc.settle();
  int wrong = 0;
  for (LONG y = 0; y < height; ++y) {
    for (LONG x = 0; x < width; ++x) {
      const bool is_moved = inside(to, x, y);
      const LONG index = is_moved ? (y - dy) * width + x - dx : y * width + x;
      wrong += load<std::uint32_t>(pixel_at(x, y)) != before[static_cast<std::size_t>(index)];
    }
  }
  CHECK(wrong == 0);
  DXGKARG_BUILDPAGINGBUFFER unmap{};
  unmap.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
  unmap.UnmapApertureSegment.SegmentId = 2;
  unmap.UnmapApertureSegment.NumberOfPages = 16;
  m.page(paging, unmap);
  m.pc.settle();
  m.drop(surface);
}

TEST_CASE("the rectangles of a scroll are done in an order that keeps their sources",
          "[kmd][memory][case-109]") {
  memory_driver m;
  const auto surface = m.make_surface(m.standard_blob(shadow_type, 64, 64), m.video(0));
  picture<std::uint32_t> pixels{m, surface, 0};
  pixels.number();
  auto buffer = m.present_buffer();
  present_request call{buffer, &surface, &surface};
  const LONG dy = GENERATE(8, -8);
  std::vector<RECT> bands;
  for (LONG y = 16; y < 48; y += 4) bands.push_back({0, y, 64, y + 4});
  call.move({0, 16 - dy, 64, 48 - dy}, {0, 16, 64, 48}, bands);
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  m.submit(buffer, call.args.pDmaBuffer);
  m.pc.settle();
  int wrong = 0;
  for (LONG y = 16; y < 48; ++y)
    for (LONG x = 0; x < 64; ++x)
      wrong += pixels.get(x, y) != static_cast<std::uint32_t>((y - dy) * 1000 + x + 1);
  CHECK(wrong == 0);
  m.drop(surface);
}

TEST_CASE("a fill has the colour in the surface's format and stays inside",
          "[kmd][memory][case-110]") {
  memory_driver m;
  const auto [format, expected] = GENERATE(
      Catch::Generators::table<D3DDDIFORMAT, std::uint32_t>({{D3DDDIFMT_A8R8G8B8, 0xFF8040C0},
                                                             {D3DDDIFMT_X8R8G8B8, 0xFF8040C0},
                                                             {D3DDDIFMT_A8B8G8R8, 0xFFC04080},
                                                             {D3DDDIFMT_R5G6B5, 0x8218},
                                                             {D3DDDIFMT_A1R5G5B5, 0xC118},
                                                             {D3DDDIFMT_X1R5G5B5, 0xC118}}));
  CAPTURE(format);
  const bool is_narrow = expected <= 0xFFFF;
  const auto surface = m.make_surface(m.standard_blob(primary_type, 30, 20, format), m.video(0));
  const auto& shape = static_cast<const kmd::allocation*>(surface.allocation)->shape;
  const mutable_bytes around = m.video_bytes(0, std::size_t{shape.pitch_bytes} * 20 + 4096);
  auto buffer = m.present_buffer();
  present_request call{buffer, nullptr, &surface};
  call.args.Flags.Value = 0;
  call.args.Flags.ColorFill = 1;
  call.args.Color = 0xFF8040C0;
  const std::array<RECT, 3> parts{RECT{-5, -5, 3, 2}, RECT{25, 18, 99, 99}, RECT{31, 0, 40, 20}};
  call.move({}, {-100, -100, 200, 200}, parts);
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  m.submit(buffer, call.args.pDmaBuffer);
  m.pc.settle();
  const auto pixel = [&](LONG x, LONG y) -> std::uint32_t {
    const std::byte* at = around.data() + static_cast<std::size_t>(y) * shape.pitch_bytes +
                          static_cast<std::size_t>(x) * shape.bytes_per_pixel;
    return is_narrow ? load<std::uint16_t>(at) : load<std::uint32_t>(at);
  };
  int wrong = 0;
  for (LONG y = 0; y < 20; ++y) {
    for (LONG x = 0; x < 30; ++x) {
      const bool is_filled = inside({0, 0, 3, 2}, x, y) || inside({25, 18, 30, 20}, x, y);
      wrong += pixel(x, y) != (is_filled ? expected : 0);
    }
  }
  CHECK(wrong == 0);
  // Neither the rows' ends nor what follows the surface.
  for (LONG y = 0; y < 20; ++y) CHECK(pixel(30, y) == 0);
  CHECK(
      std::all_of(around.end() - 4096, around.end(), [](std::byte b) { return b == std::byte{}; }));
  m.drop(surface);
}

TEST_CASE("a present of many short rows goes on from DPCs", "[kmd][memory][case-110]") {
  memory_driver m;
  constexpr LONG height = 4096;
  const auto primary = m.make_surface(m.standard_blob(primary_type, 4, height), m.video(0));
  picture<std::uint32_t> to{m, primary, 0};
  auto buffer = m.present_buffer();
  present_request call{buffer, nullptr, &primary};
  call.args.Flags.Value = 0;
  call.args.Flags.ColorFill = 1;
  call.args.Color = 0x11223344;
  // 40 columns of one pixel: less than a megabyte of pixels.
  const std::vector<RECT> parts(40, RECT{2, 0, 3, height});
  call.move({}, {0, 0, 4, height}, parts);
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  const auto dpcs = m.pc.interrupts.dpcs();
  const UINT fence = m.submit(buffer, call.args.pDmaBuffer);
  m.pc.settle();
  CHECK(m.is_done(fence));
  CHECK(m.pc.interrupts.dpcs() >= dpcs + 2);
  CHECK(to.get(2, 0) == 0x11223344);
  CHECK(to.get(2, height - 1) == 0x11223344);
  CHECK(to.get(1, height - 1) == 0);
  m.drop(primary);
}

TEST_CASE("what is clipped away altogether is a success without work", "[kmd][memory][case-110]") {
  memory_driver m;
  const auto surface = m.make_surface(m.standard_blob(primary_type, 30, 20), m.video(0));
  auto buffer = m.present_buffer();
  present_request call{buffer, nullptr, &surface};
  call.args.Flags.Value = 0;
  call.args.Flags.ColorFill = 1;
  const RECT outside{30, 0, 40, 20};
  call.move({}, outside, {&outside, 1});
  CHECK(call.call(m) == STATUS_SUCCESS);
  CHECK(call.args.pDmaBuffer == buffer.bytes());
  const UINT fence = m.submit(buffer, call.args.pDmaBuffer);
  m.pc.settle();
  CHECK(m.is_done(fence));
  m.drop(surface);
}

TEST_CASE("ten thousand rectangles span several DMA buffers", "[kmd][memory][case-111]") {
  memory_driver m;
  const bool is_on_host = GENERATE(false, true);
  CAPTURE(is_on_host);
  const auto blob_of = [&](std::uint32_t id) {
    return is_on_host ? test::texture_blob({.id = id, .width = 200, .height = 200, .handle = id})
                      : test::texture_blob({.id = id, .width = 200, .height = 200});
  };
  const auto from_surface = m.make_surface(blob_of(1), m.video(0x100000));
  const auto to_surface = m.make_surface(blob_of(2), m.video(0x200000));
  picture<std::uint32_t> from{m, from_surface, 0x100000};
  picture<std::uint32_t> to{m, to_surface, 0x200000};
  from.number();
  std::vector<RECT> parts;
  for (LONG i = 0; i < 10'000; ++i) {
    const LONG x = i % 100 * 2, y = i / 100 * 2;
    parts.push_back({x, y, x + 1, y + 1});
  }
  auto buffer = m.present_buffer(65536);
  present_request call{buffer, &from_surface, &to_surface};
  const RECT all{0, 0, 200, 200};
  call.move(all, all, parts);
  int buffers = 0;
  std::uint32_t copies = 0;
  UINT done = 0;
  NTSTATUS status = STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER;
  while (status == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER) {
    call.start(buffer);
    status = call.call(m);
    ++buffers;
    REQUIRE(call.args.MultipassOffset > done);
    done = call.args.MultipassOffset;
    if (is_on_host) {
      copies += (buffer.record().stream_bytes - 24) / 64;
    } else {
      m.submit(buffer, call.args.pDmaBuffer);
      m.pc.settle();
    }
  }
  CHECK(status == STATUS_SUCCESS);
  CHECK(done == 10'000);
  CHECK(buffers == (is_on_host ? 10 : 4));
  if (is_on_host) {
    CHECK(copies == 10'000);
  } else {
    int wrong = 0;
    for (LONG y = 0; y < 200; ++y)
      for (LONG x = 0; x < 200; ++x)
        wrong += to.get(x, y) != (x % 2 == 0 && y % 2 == 0 ? from.get(x, y) : 0);
    CHECK(wrong == 0);
  }
  m.drop(from_surface);
  m.drop(to_surface);
}

TEST_CASE("a present lists patches for source and destination, and takes Patch's places",
          "[kmd][memory][case-112]") {
  memory_driver m;
  const auto shadow = m.make_surface(m.standard_blob(shadow_type, 16, 16), {});
  const auto primary = m.make_surface(m.standard_blob(primary_type, 16, 16), m.video(0x80000));
  auto buffer = m.present_buffer();
  present_request call{buffer, &shadow, &primary};
  const RECT all{0, 0, 16, 16};
  call.move(all, all, {&all, 1});
  call.args.PatchLocationListOutSize = 1;
  CHECK(call.call(m) == STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER);
  CHECK(call.args.pPatchLocationListOut == call.patches.data());
  CHECK(call.call(m) == STATUS_INVALID_PARAMETER);  // It comes back no longer.
  call.args.PatchLocationListOutSize = 2;
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  REQUIRE(call.args.pPatchLocationListOut == call.patches.data() + 2);
  std::array<UINT, 2> listed{call.patches[0].AllocationIndex, call.patches[1].AllocationIndex};
  std::sort(listed.begin(), listed.end());
  CHECK(listed == std::array<UINT, 2>{1, 2});
  for (int i = 0; i < 2; ++i) {
    const auto& patch = call.patches[static_cast<std::size_t>(i)];
    CHECK(patch.SlotId == patch.AllocationIndex);
    CHECK(patch.SplitOffset == 0);
    CHECK(patch.DriverId == 0);
    CHECK(patch.AllocationOffset == 0);
  }

  picture<std::uint32_t> from{m, shadow, 0x40000};
  from.number();
  auto final_list = call.list;
  final_list[1].SegmentId = 1;
  final_list[1].PhysicalAddress.QuadPart = static_cast<LONGLONG>(m.video(0x40000).address);
  CHECK(m.patch(buffer, call.args.pDmaBuffer, final_list, {call.patches.data(), 2}) ==
        STATUS_SUCCESS);
  m.submit(buffer, call.args.pDmaBuffer);
  m.pc.settle();
  picture<std::uint32_t> to{m, primary, 0x80000};
  CHECK(to.get(0, 0) == 1);
  CHECK(to.get(15, 15) == 15016);
  m.drop(shadow);
  m.drop(primary);
}

TEST_CASE("flips need no buffer; what the driver does not do is refused",
          "[kmd][memory][case-113]") {
  memory_driver m;
  m.adapter().display.scanout.set_mode(m.adapter(), small_mode);
  const auto primary = m.make_surface(m.standard_blob(primary_type, 16, 16), m.video(0));
  const auto narrow =
      m.make_surface(m.standard_blob(shadow_type, 16, 16, D3DDDIFMT_R5G6B5), m.video(0x10000));
  const auto swapped =
      m.make_surface(m.standard_blob(shadow_type, 16, 16, D3DDDIFMT_A8B8G8R8), m.video(0x20000));
  const auto opaque =
      m.make_surface(m.standard_blob(shadow_type, 16, 16, D3DDDIFMT_X8R8G8B8), m.video(0x30000));
  auto buffer = m.present_buffer();
  const RECT all{0, 0, 16, 16};
  SECTION("a flip") {
    present_request call{buffer, &primary, nullptr};
    call.args.Flags.Value = 0;
    call.args.Flags.Flip = 1;
    call.args.Flags.FlipWithNoWait = GENERATE(0u, 1u) & 1;
    call.args.pDmaBuffer = nullptr;
    CHECK(call.call(m) == STATUS_SUCCESS);
    call.list[1].hDeviceSpecificAllocation = nullptr;
    CHECK(call.call(m) == STATUS_INVALID_PARAMETER);
  }
  SECTION("flags") {
    const UINT flags = GENERATE(0x0u, 0x3u, 0x5u, 0x8u, 0x9u, 0x11u, 0x21u, 0x41u, 0x81u, 0x101u);
    present_request call{buffer, &primary, &opaque};
    call.move(all, all, {&all, 1});
    call.args.Flags.Value = flags;
    CHECK(call.call(m) == STATUS_NOT_SUPPORTED);
  }
  SECTION("colour conversion") {
    for (const auto* one : {&narrow, &swapped}) {
      present_request call{buffer, one, &primary};
      call.move(all, all, {&all, 1});
      CHECK(call.call(m) == STATUS_GRAPHICS_CANNOTCOLORCONVERT);
      CHECK(call.args.pDmaBuffer == buffer.bytes());
      CHECK(call.args.pPatchLocationListOut == call.patches.data());
    }
    present_request call{buffer, &opaque, &primary};
    call.move(all, all, {&all, 1});
    CHECK(call.call(m) == STATUS_SUCCESS);
  }
  SECTION("no source") {
    present_request call{buffer, nullptr, &primary};
    call.move(all, all, {&all, 1});
    CHECK(call.call(m) == STATUS_INVALID_PARAMETER);
  }
  for (const auto* one : {&primary, &narrow, &swapped, &opaque}) m.drop(*one);
}

TEST_CASE("an allocation that does not hold the screen's pixels is not flipped to",
          "[kmd][memory][case-113]") {
  memory_driver m;
  m.adapter().display.scanout.set_mode(m.adapter(),
                                       {64, 32, AEROGPU_FORMAT_B8G8R8X8_UNORM, 64 * 4});
  auto described = test::parse_blob(test::texture_blob({.id = 7, .width = 1920, .height = 1080}));
  described.row_pitch_bytes = 0;
  described.size_bytes = 4096;
  auto cut = test::parse_blob(test::texture_blob({.id = 8}));
  cut.size_bytes -= 4;
  struct row {
    test::blob data;
    NTSTATUS expected;
  };
  const row rows[] = {{test::to_blob(described), STATUS_INVALID_PARAMETER},
                      {test::to_blob(cut), STATUS_INVALID_PARAMETER},
                      {test::texture_blob({.id = 9, .height = 31}), STATUS_INVALID_PARAMETER},
                      {test::texture_blob({.id = 10, .width = 32}), STATUS_INVALID_PARAMETER},
                      {test::buffer_blob(11, 1 << 20), STATUS_INVALID_PARAMETER},
                      {test::texture_blob({.id = 12}), STATUS_SUCCESS}};
  auto buffer = m.present_buffer();
  for (const row& one : rows) {
    const auto surface = m.make_surface(one.data, m.video(0));
    for (const bool has_buffer : {false, true}) {
      present_request call{buffer, &surface, nullptr};
      call.args.Flags.Value = 0;
      call.args.Flags.Flip = 1;
      if (!has_buffer) call.args.pDmaBuffer = nullptr;
      CAPTURE(test::parse_blob(one.data).alloc_id, has_buffer);
      CHECK(call.call(m) == one.expected);
    }
    m.drop(surface);
  }
}

TEST_CASE("a flip with a buffer shows the surface when its turn comes", "[kmd][memory]") {
  memory_driver m;
  m.adapter().display.scanout.set_mode(m.adapter(), small_mode);
  const auto primary = m.make_surface(m.standard_blob(primary_type, 16, 16), m.video(0x10000));
  auto ring = m.present_buffer(4096);
  auto buffer = m.present_buffer(4096);
  m.pc.bus.host.doorbells = sim::doorbell_mode::held;
  m.submit(ring, ring.bytes());
  present_request call{buffer, &primary, nullptr};
  call.args.Flags.Value = 0;
  call.args.Flags.Flip = 1;
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  m.submit(buffer, call.args.pDmaBuffer);
  CHECK(m.adapter().display.scanout.displayed_address() == 0);
  m.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  m.pc.bus.release_doorbell();
  m.pc.settle();
  CHECK(m.adapter().display.scanout.displayed_address() == primary.at.address);
  m.drop(primary);
}

TEST_CASE("surfaces that the host has are copied there, and written back where they are read",
          "[kmd][memory]") {
  memory_driver m;
  const std::uint32_t flags = GENERATE(0u, std::uint32_t{AEROGPU_WDDM_ALLOC_PRIV_FLAG_CPU_VISIBLE});
  const auto source = m.make_surface(test::texture_blob({.id = 11, .handle = 21}), {});
  const auto destination =
      m.make_surface(test::texture_blob({.id = 12, .flags = flags, .handle = 22}), m.video(0x4000));
  auto buffer = m.present_buffer();
  present_request call{buffer, &source, &destination};
  const std::array<RECT, 2> parts{RECT{4, 4, 10, 12}, RECT{-10, 0, 4, 2}};
  call.move({1, 1, 64, 32}, {0, 0, 63, 31}, parts);
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  const kmd::dma_record& record = buffer.record();
  CHECK(record.content == kmd::dma_content::stream);
  CHECK(record.prefix.Type == AEROGPU_SUBMIT_PRESENT);
  CHECK(record.submit_flags == AEROGPU_SUBMIT_FLAG_PRESENT);
  REQUIRE(record.stream_bytes == 24 + 2 * sizeof(aerogpu_cmd_copy_texture2d));
  const auto copy = load<aerogpu_cmd_copy_texture2d>(buffer.bytes() + 24);
  CHECK(copy.src_texture == 21);
  CHECK(copy.dst_texture == 22);
  CHECK(copy.dst_x == 4);
  CHECK(copy.dst_y == 4);
  CHECK(copy.src_x == 5);
  CHECK(copy.src_y == 5);
  CHECK(copy.width == 6);
  CHECK(copy.height == 8);
  CHECK(copy.flags == (flags != 0 ? AEROGPU_COPY_FLAG_WRITEBACK_DST : AEROGPU_COPY_FLAG_NONE));
  const auto clipped = load<aerogpu_cmd_copy_texture2d>(buffer.bytes() + 24 + sizeof copy);
  CHECK(clipped.dst_x == 0);
  CHECK(clipped.src_x == 1);
  CHECK(clipped.width == 4);
  const auto entry = load<aerogpu_alloc_entry>(buffer.bytes() + record.table_offset + 24);
  CHECK(entry.alloc_id == 12);
  CHECK(entry.gpa == destination.at.address);
  CHECK(entry.flags == AEROGPU_ALLOC_FLAG_NONE);
  const auto second = load<aerogpu_alloc_entry>(buffer.bytes() + record.table_offset + 24 + 32);
  CHECK(second.alloc_id == 11);
  CHECK(second.gpa == 0);
  CHECK(second.flags == AEROGPU_ALLOC_FLAG_READONLY);

  auto final_list = call.list;
  final_list[1].SegmentId = 1;
  final_list[1].PhysicalAddress.QuadPart = static_cast<LONGLONG>(m.video(0x8000).address);
  CHECK(m.patch(buffer, call.args.pDmaBuffer, final_list, {call.patches.data(), 2}) ==
        STATUS_SUCCESS);
  const auto patched = load<aerogpu_alloc_entry>(buffer.bytes() + record.table_offset + 24 + 32);
  CHECK(patched.gpa == m.video(0x8000).address);
  m.drop(source);
  m.drop(destination);
}
