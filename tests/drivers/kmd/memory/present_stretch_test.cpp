// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/present/present_stretch.hpp"

#include "tests/drivers/kmd/memory/present_request.hpp"

using namespace aerogpu;
using test::memory_driver;
using test::picture;
using test::present_request;
using test::primary_type;
using test::shadow_type;
using table = DRIVER_INITIALIZATION_DATA;

namespace {

/// The source pixel under the middle of a destination pixel.
[[nodiscard]] auto shown(LONG at, LONG first, LONG end, LONG source_first, LONG source_end)
    -> LONG {
  return source_first + (2 * (at - first) + 1) * (source_end - source_first) / (2 * (end - first));
}

struct stretch {
  RECT from{}, to{};
};

template <class Pixel>
[[nodiscard]] auto wrong_pixels(const picture<Pixel>& from, const picture<Pixel>& to,
                                const stretch& asked, const RECT& part) -> int {
  int wrong = 0;
  for (LONG y = 0; y < to.height; ++y) {
    for (LONG x = 0; x < to.width; ++x) {
      const bool is_drawn =
          x >= std::max(part.left, asked.to.left) && x < std::min(part.right, asked.to.right) &&
          y >= std::max(part.top, asked.to.top) && y < std::min(part.bottom, asked.to.bottom);
      const auto column =
          shown(x, asked.to.left, asked.to.right, asked.from.left, asked.from.right);
      const auto row = shown(y, asked.to.top, asked.to.bottom, asked.from.top, asked.from.bottom);
      wrong += to.get(x, y) != (is_drawn ? from.get(column, row) : 0);
    }
  }
  return wrong;
}

template <class Pixel>
void check_stretch(const stretch& asked, const RECT& part, D3DDDIFORMAT format) {
  memory_driver m;
  const auto shadow =
      m.make_surface(m.standard_blob(shadow_type, 90, 70, format), m.video(0x10000));
  const auto primary =
      m.make_surface(m.standard_blob(primary_type, 120, 80, format), m.video(0x40000));
  picture<Pixel> from{m, shadow, 0x10000};
  const picture<Pixel> to{m, primary, 0x40000};
  from.number();
  auto buffer = m.present_buffer();
  present_request call{buffer, &shadow, &primary};
  call.move(asked.from, asked.to, {&part, 1});
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  const UINT fence = m.submit(buffer, call.args.pDmaBuffer);
  m.pc.settle();
  CHECK(m.is_done(fence));
  CHECK(wrong_pixels(from, to, asked, part) == 0);
  CHECK(m.adapter().counters.aperture_faults.get() == 0);
  m.drop(shadow);
  m.drop(primary);
}

}  // namespace

TEST_CASE("a picture of another size than its window is stretched to it", "[kmd][memory]") {
  const stretch asked =
      GENERATE(stretch{{0, 0, 90, 70}, {0, 0, 120, 80}}, stretch{{0, 0, 90, 70}, {7, 3, 50, 41}},
               stretch{{11, 5, 12, 68}, {-30, -20, 200, 100}},
               stretch{{3, 4, 90, 5}, {5, 6, 6, 80}}, stretch{{0, 0, 90, 70}, {10, 10, 100, 79}});
  const RECT part = GENERATE(RECT{-1000, -1000, 1000, 1000}, RECT{20, 9, 71, 33});
  const auto format = GENERATE(D3DDDIFMT_A8R8G8B8, D3DDDIFMT_R5G6B5, D3DDDIFMT_P8);
  CAPTURE(asked.to.left, asked.to.right, asked.from.left, asked.from.right, part.left, format);
  if (format == D3DDDIFMT_A8R8G8B8) check_stretch<std::uint32_t>(asked, part, format);
  if (format == D3DDDIFMT_R5G6B5) check_stretch<std::uint16_t>(asked, part, format);
  if (format == D3DDDIFMT_P8) check_stretch<std::uint8_t>(asked, part, format);
}

TEST_CASE("a picture in scattered pages is stretched as well", "[kmd][memory]") {
  memory_driver m;
  constexpr LONG side = 64;
  test::scattered_mdl mdl{m.pc, 4};
  const auto shadow = m.make_surface(m.standard_blob(shadow_type, side, side), m.aperture(0));
  const auto primary = m.make_surface(m.standard_blob(primary_type, 80, 48), m.video(0));
  auto paging = m.paging_buffer();
  DXGKARG_BUILDPAGINGBUFFER map{};
  map.Operation = DXGK_OPERATION_MAP_APERTURE_SEGMENT;
  map.MapApertureSegment.hAllocation = shadow.allocation;
  map.MapApertureSegment.SegmentId = 2;
  map.MapApertureSegment.NumberOfPages = 3;  // The last page is missing.
  map.MapApertureSegment.pMdl = mdl.mdl();
  m.page(paging, map);
  m.pc.settle();
  for (std::uint32_t i = 0; i < side * side; ++i) store(&mdl.byte(i * 4), i + 1);
  auto buffer = m.present_buffer();
  present_request call{buffer, &shadow, &primary};
  const RECT whole{0, 0, 80, 48};
  call.move({0, 0, side, side}, whole, {&whole, 1});
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  m.submit(buffer, call.args.pDmaBuffer);
  m.pc.settle();
  const picture<std::uint32_t> to{m, primary, 0};
  int wrong = 0;
  for (LONG y = 0; y < 48; ++y) {
    for (LONG x = 0; x < 80; ++x) {
      const auto row = shown(y, 0, 48, 0, side);
      const auto pixel = static_cast<std::uint32_t>(row * side + shown(x, 0, 80, 0, side) + 1);
      wrong += to.get(x, y) != (row < 48 ? pixel : 0);
    }
  }
  CHECK(wrong == 0);
  CHECK(m.adapter().counters.aperture_faults.get() != 0);
  DXGKARG_BUILDPAGINGBUFFER unmap{};
  unmap.Operation = DXGK_OPERATION_UNMAP_APERTURE_SEGMENT;
  unmap.UnmapApertureSegment.SegmentId = 2;
  unmap.UnmapApertureSegment.NumberOfPages = 3;
  m.page(paging, unmap);
  m.pc.settle();
  m.drop(shadow);
  m.drop(primary);
}

TEST_CASE("a large stretch goes on from DPCs", "[kmd][memory]") {
  memory_driver m;
  const auto shadow = m.make_surface(m.standard_blob(shadow_type, 2, 2), m.video(0));
  const auto primary = m.make_surface(m.standard_blob(primary_type, 1920, 1080), m.video(0x10000));
  picture<std::uint32_t> from{m, shadow, 0};
  const picture<std::uint32_t> to{m, primary, 0x10000};
  from.number();
  auto buffer = m.present_buffer();
  present_request call{buffer, &shadow, &primary};
  const RECT whole{0, 0, 1920, 1080};
  call.move({0, 0, 2, 2}, whole, {&whole, 1});
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  const auto dpcs = m.pc.interrupts.dpcs();
  const UINT fence = m.submit(buffer, call.args.pDmaBuffer);
  m.pc.settle();
  CHECK(m.is_done(fence));
  CHECK(m.pc.interrupts.dpcs() >= dpcs + 1);
  CHECK(to.get(959, 539) == from.get(0, 0));
  CHECK(to.get(960, 539) == from.get(1, 0));
  CHECK(to.get(1919, 1079) == from.get(1, 1));
  m.drop(shadow);
  m.drop(primary);
}

TEST_CASE("stretches that the driver does not do are refused", "[kmd][memory][case-113]") {
  memory_driver m;
  const auto primary = m.make_surface(m.standard_blob(primary_type, 64, 32), m.video(0));
  const auto shadow = m.make_surface(m.standard_blob(shadow_type, 64, 32), m.video(0x10000));
  const auto narrow =
      m.make_surface(m.standard_blob(shadow_type, 64, 32, D3DDDIFMT_R5G6B5), m.video(0x20000));
  const auto of_host = m.make_surface(test::texture_blob({.id = 11, .handle = 21}), {});
  const auto of_host_too = m.make_surface(test::texture_blob({.id = 12, .handle = 22}), {});
  const RECT from{0, 0, 64, 32}, to{0, 0, 32, 16};
  struct row {
    const memory_driver::surface* source;
    const memory_driver::surface* destination;
    RECT from, to;
    NTSTATUS status;
  };
  const std::array rows{
      row{&primary, &primary, from, to, STATUS_NOT_SUPPORTED},
      row{&of_host, &of_host_too, from, to, STATUS_NOT_SUPPORTED},
      row{&narrow, &primary, from, to, STATUS_GRAPHICS_CANNOTCOLORCONVERT},
      row{&shadow, &primary, {0, 0, 65, 32}, to, STATUS_NOT_SUPPORTED},
      row{&shadow, &primary, {-1, 0, 64, 32}, to, STATUS_NOT_SUPPORTED},
      row{&shadow, &primary, {5, 0, 5, 32}, to, STATUS_NOT_SUPPORTED},
      row{&shadow, &primary, from, {7, 0, 3, 16}, STATUS_NOT_SUPPORTED},
      row{&shadow, &primary, from, {0, 0, 32768, 16}, STATUS_NOT_SUPPORTED},
      row{&shadow, &primary, from, {INT32_MIN, 0, INT32_MAX, 16}, STATUS_NOT_SUPPORTED}};
  auto buffer = m.present_buffer();
  for (const row& one : rows) {
    present_request call{buffer, one.source, one.destination};
    call.move(one.from, one.to, {&one.to, 1});
    CHECK(call.call(m) == one.status);
    CHECK(call.args.pDmaBuffer == buffer.bytes());
    CHECK(call.args.pPatchLocationListOut == call.patches.data());
  }
  for (const auto* one : {&primary, &shadow, &narrow, &of_host, &of_host_too}) m.drop(*one);
}

TEST_CASE("a rectangle that the host moves out of the stretch draws nothing", "[kmd][memory]") {
  memory_driver m;
  const auto primary = m.make_surface(m.standard_blob(primary_type, 64, 32), m.video(0));
  const auto shadow = m.make_surface(m.standard_blob(shadow_type, 64, 32), m.video(0x10000));
  picture<std::uint32_t> from{m, shadow, 0x10000};
  from.number();
  auto buffer = m.present_buffer();
  present_request call{buffer, &shadow, &primary};
  const RECT to{8, 8, 40, 24};
  call.move({0, 0, 64, 32}, to, {&to, 1});
  REQUIRE(call.call(m) == STATUS_SUCCESS);
  auto area = load<kmd::present_rectangle>(buffer.bytes());
  const auto moved = GENERATE(kmd::present_rectangle{7, 8, 32, 16, 0, 0},
                              kmd::present_rectangle{8, 8, 33, 16, 0, 0},
                              kmd::present_rectangle{8, 9, 32, 16, 0, 0},
                              kmd::present_rectangle{8, 8, UINT32_MAX, UINT32_MAX, 0, 0});
  area = moved;
  store(buffer.bytes(), area);
  const UINT fence = m.submit(buffer, call.args.pDmaBuffer);
  m.pc.settle();
  CHECK(m.is_done(fence));
  const picture<std::uint32_t> pixels{m, primary, 0};
  for (LONG y = 0; y < 32; ++y)
    for (LONG x = 0; x < 64; ++x) CHECK(pixels.get(x, y) == 0);
  m.drop(shadow);
  m.drop(primary);
}
