// SPDX-License-Identifier: MIT
/// \file Memory ranges as the PCI bus reports them, segments without BAR1, registry values,
/// colours.
#include "drivers/win7/kmd/adapter/knobs.hpp"
#include "drivers/win7/kmd/display/surface.hpp"
#include "drivers/win7/kmd/system/pci_resources.hpp"
#include "tests/drivers/kmd/adapter/adapter_session.hpp"

#include <cstring>

using namespace aerogpu;
using test::loaded_driver;

namespace {

auto large_range(USHORT flags, std::uint64_t first, ULONG units) -> CM_PARTIAL_RESOURCE_DESCRIPTOR {
  CM_PARTIAL_RESOURCE_DESCRIPTOR one{};
  one.Type = CmResourceTypeMemoryLarge;
  one.Flags = flags;
  one.u.Memory40.Start.QuadPart = static_cast<LONGLONG>(first);
  one.u.Memory40.Length40 = units;
  return one;
}

auto ranges_of(const CM_PARTIAL_RESOURCE_DESCRIPTOR& one) -> kmd::memory_ranges {
  CM_RESOURCE_LIST list{};
  list.Count = 1;
  list.List[0].PartialResourceList.Count = 1;
  list.List[0].PartialResourceList.PartialDescriptors[0] = one;
  return kmd::find_memory_ranges(&list);
}

}  // namespace

TEST_CASE("the length of a large memory range is in units of its kind", "[drivers][kmd]") {
  const auto [flags, units, bytes] = GENERATE(table<USHORT, ULONG, std::uint64_t>({
      {CM_RESOURCE_MEMORY_LARGE_40, 1, 1ull << 8},
      {CM_RESOURCE_MEMORY_LARGE_40, UINT32_MAX, 0xFFFFFFFFull << 8},
      {CM_RESOURCE_MEMORY_LARGE_48, 3, 3ull << 16},
      {CM_RESOURCE_MEMORY_LARGE_64, 2, 2ull << 32},
  }));
  const auto found = ranges_of(large_range(flags, 0x8'0000'0000, units));
  REQUIRE(found.size() == 1);
  CHECK(found.begin()->first == 0x8'0000'0000);
  CHECK(found.begin()->size_bytes == bytes);
}

TEST_CASE("a large memory range of no kind, or of two, is none", "[drivers][kmd]") {
  const USHORT flags = GENERATE(as<USHORT>{}, 0, 0x0600, 0x0E00, 0x1000);
  CHECK(ranges_of(large_range(flags, 0x1000, 16)).size() == 0);
}

TEST_CASE("video memory that is reported as a large range is the video segment", "[drivers][kmd]") {
  loaded_driver driver;
  const auto bars = driver.pc().bus.layout();
  for (auto& one : driver.windows().dxgk.resources) {
    if (static_cast<std::uint64_t>(one.u.Memory.Start.QuadPart) == bars.bar1)
      one = large_range(CM_RESOURCE_MEMORY_LARGE_40, bars.bar1, bars.bar1_bytes >> 8);
  }
  REQUIRE(driver.windows().start() == STATUS_SUCCESS);
  CHECK(driver.adapter().segments.is_video(bars.bar1 + bars.bar1_bytes - 4096, 4096));
}

TEST_CASE("without BAR1 the video segment is a quarter of the aperture, in RAM", "[drivers][kmd]") {
  loaded_driver driver;
  const auto bars = driver.pc().bus.layout();
  std::erase_if(driver.windows().dxgk.resources, [&](const CM_PARTIAL_RESOURCE_DESCRIPTOR& one) {
    return static_cast<std::uint64_t>(one.u.Memory.Start.QuadPart) == bars.bar1;
  });
  const bool first_is_refused = GENERATE(false, true);
  if (first_is_refused) driver.pc().faults.fail(sim::fault_point::contiguous, 0);
  REQUIRE(driver.windows().start() == STATUS_SUCCESS);
  const auto& segments = driver.adapter().segments;
  const std::uint64_t quarter = std::uint64_t{512u << 20} / 4;
  CHECK(segments.video_bytes() == (first_is_refused ? quarter / 2 : quarter));
  CHECK(segments.is_video(segments.video_base(), segments.video_bytes()));
  CHECK_FALSE(segments.is_video(segments.video_base(), segments.video_bytes() + 1));
  CHECK_FALSE(segments.is_video(segments.video_base() - 1, 1));
  CHECK(driver.pc().bus.at(segments.video_base(), segments.video_bytes()) != nullptr);
}

TEST_CASE("without BAR1 and without RAM for a segment the device does not start",
          "[drivers][kmd]") {
  sim::pc_config config;
  config.ram_bytes = 16u << 20;
  loaded_driver driver{config};
  const auto bars = driver.pc().bus.layout();
  std::erase_if(driver.windows().dxgk.resources, [&](const CM_PARTIAL_RESOURCE_DESCRIPTOR& one) {
    return static_cast<std::uint64_t>(one.u.Memory.Start.QuadPart) == bars.bar1;
  });
  CHECK(driver.windows().start() == STATUS_INSUFFICIENT_RESOURCES);
  CHECK(driver.pc().contiguous_blocks == 0);
}

TEST_CASE("MaxDmaBufferBytes is clamped, and 0 is the driver's own", "[drivers][kmd]") {
  const auto [asked, used] = GENERATE(table<std::uint32_t, std::uint32_t>({
      {0, 320u << 10},
      {1, 256u << 10},
      {(256u << 10) - 1, 256u << 10},
      {(256u << 10) + 4096, (256u << 10) + 4096},
      {256u << 20, 256u << 20},
      {(256u << 20) + 1, 256u << 20},
      {UINT32_MAX, 256u << 20},
  }));
  test::simulated_pc<> machine;
  machine.pc.set_registry("\\Knobs", "MaxDmaBufferBytes", asked);
  WCHAR path[] = AEROGPU_DDI_TEXT("\\Knobs");
  const UNICODE_STRING key{sizeof path - sizeof(WCHAR), sizeof path, path};
  CHECK(kmd::read_driver_knobs(key).dma_buffer_bytes == used);
}

TEST_CASE("a preferred mode needs both of its sides, and neither too long", "[drivers][kmd]") {
  const auto [width, height, is_used] = GENERATE(table<std::uint32_t, std::uint32_t, bool>({
      {1024, 768, true},
      {16384, 16384, true},
      {16385, 768, false},
      {1024, 16385, false},
      {1024, 0, false},
      {0, 768, false},
  }));
  test::simulated_pc<> machine;
  machine.pc.set_registry("\\Knobs", "PreferredWidth", width);
  machine.pc.set_registry("\\Knobs", "PreferredHeight", height);
  WCHAR path[] = AEROGPU_DDI_TEXT("\\Knobs");
  const UNICODE_STRING key{sizeof path - sizeof(WCHAR), sizeof path, path};
  const auto knobs = kmd::read_driver_knobs(key);
  CHECK(knobs.preferred_width == (is_used ? width : 0));
  CHECK(knobs.preferred_height == (is_used ? height : 0));
}

TEST_CASE("a colour becomes a pixel of each format that displays and surfaces have",
          "[drivers][kmd]") {
  constexpr std::uint32_t colour = 0xC1804020;  // A, R, G, B.
  const auto [format, expected] = GENERATE(table<D3DDDIFORMAT, std::uint32_t>({
      {D3DDDIFMT_A8R8G8B8, 0xC1804020},
      {D3DDDIFMT_X8R8G8B8, 0xC1804020},
      {D3DDDIFMT_A8B8G8R8, 0xC1204080},
      {D3DDDIFMT_X8B8G8R8, 0xC1204080},
      {D3DDDIFMT_R5G6B5, 0x10u << 11 | 0x10u << 5 | 0x04u},
      {D3DDDIFMT_A1R5G5B5, 1u << 15 | 0x10u << 10 | 0x08u << 5 | 0x04u},
      {D3DDDIFMT_X1R5G5B5, 1u << 15 | 0x10u << 10 | 0x08u << 5 | 0x04u},
      {D3DDDIFMT_A2R10G10B10, 3u << 30 | 0x202u << 20 | 0x101u << 10 | 0x080u},
      {D3DDDIFMT_A2B10G10R10, 3u << 30 | 0x080u << 20 | 0x101u << 10 | 0x202u},
  }));
  std::uint32_t pixel = 0;
  REQUIRE(kmd::convert_color(colour, format, pixel));
  CHECK(pixel == expected);
}

TEST_CASE("a colour becomes no pixel of a palette or of an unknown format", "[drivers][kmd]") {
  const auto format = GENERATE(D3DDDIFMT_P8, D3DDDIFMT_UNKNOWN, static_cast<D3DDDIFORMAT>(9999));
  std::uint32_t pixel = 7;
  CHECK_FALSE(kmd::convert_color(0xFFFFFFFF, format, pixel));
  CHECK(pixel == 7);
}
