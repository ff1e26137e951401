// SPDX-License-Identifier: MIT
/// \file QueryAdapterInfo: capabilities, segments, the user-mode driver's blob.
#include "drivers/win7/kmd/entry/query_adapter_info.hpp"

#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/umd_private.h"
#include "drivers/win7/kmd/memory/paging.hpp"
#include "tests/drivers/kmd/adapter/adapter_session.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;
using entries = DRIVER_INITIALIZATION_DATA;

namespace {

constexpr std::byte fill_byte{0xA5};

auto ask(loaded_driver& driver, DXGK_QUERYADAPTERINFOTYPE type, void* out, std::size_t size)
    -> NTSTATUS {
  DXGKARG_QUERYADAPTERINFO query{};
  query.Type = type;
  query.pOutputData = out;
  query.OutputDataSize = static_cast<UINT>(size);
  return driver.windows().call(&entries::DxgkDdiQueryAdapterInfo, driver.windows().context(),
                               &query);
}

auto driver_caps(loaded_driver& driver) -> DXGK_DRIVERCAPS {
  DXGK_DRIVERCAPS caps{};
  CHECK(ask(driver, DXGKQAITYPE_DRIVERCAPS, &caps, sizeof caps) == STATUS_SUCCESS);
  return caps;
}

struct segment_answer {
  DXGK_QUERYSEGMENTOUT head{};
  DXGK_SEGMENTDESCRIPTOR segments[2]{};
};

auto segments(loaded_driver& driver) -> segment_answer {
  segment_answer answer;
  answer.head.NbSegment = 2;
  answer.head.pSegmentDescriptor = answer.segments;
  CHECK(ask(driver, DXGKQAITYPE_QUERYSEGMENT, &answer.head, sizeof answer.head) == STATUS_SUCCESS);
  return answer;
}

/// Hides feature bits from the driver.
void hide(loaded_driver& driver, std::uint32_t features) {
  driver.pc().bus.host.on_read = [features](std::uint32_t offset, std::uint32_t value) {
    return offset == AEROGPU_MMIO_REG_FEATURES_LO ? value & ~features : value;
  };
}

}  // namespace

TEST_CASE("DRIVERCAPS fits exactly, is refused a byte short, and zeroes what is longer",
          "[drivers][kmd][case-31]") {
  running_driver driver;
  std::vector<std::byte> buffer(sizeof(DXGK_DRIVERCAPS) + 100, fill_byte);
  CHECK(ask(driver, DXGKQAITYPE_DRIVERCAPS, buffer.data(), sizeof(DXGK_DRIVERCAPS) - 1) ==
        STATUS_BUFFER_TOO_SMALL);
  CHECK(std::count(buffer.begin(), buffer.end(), fill_byte) ==
        static_cast<std::ptrdiff_t>(buffer.size()));
  CHECK(ask(driver, DXGKQAITYPE_DRIVERCAPS, buffer.data(), buffer.size() - 50) == STATUS_SUCCESS);
  const auto end = buffer.begin() + sizeof(DXGK_DRIVERCAPS);
  CHECK(std::count(end, end + 50, std::byte{0}) == 50);
  CHECK(std::count(end + 50, buffer.end(), fill_byte) == 50);
}

TEST_CASE("DRIVERCAPS claims one queued flip by MMIO, one node, and a pointer with the feature",
          "[drivers][kmd][case-32]") {
  const bool has_cursor = GENERATE(true, false);
  loaded_driver driver;
  if (!has_cursor) hide(driver, AEROGPU_FEATURE_CURSOR);
  REQUIRE(driver.windows().start() == STATUS_SUCCESS);
  const DXGK_DRIVERCAPS caps = driver_caps(driver);
  CHECK(caps.MaxQueuedFlipOnVSync == 1);
  CHECK(caps.FlipCaps.FlipOnVSyncMmIo == 1);
  CHECK(caps.FlipCaps.FlipOnVSyncWithNoWait == 0);
  CHECK(caps.GpuEngineTopology.NbAsymetricProcessingNodes == 1);
  CHECK(caps.WDDMVersion == DXGKDDI_WDDMv1);
  CHECK(caps.SchedulingCaps.MultiEngineAware == 1);
  CHECK(caps.SchedulingCaps.VSyncPowerSaveAware == 1);
  CHECK(caps.MaxPointerWidth == (has_cursor ? 64u : 0u));
  CHECK(caps.MaxPointerHeight == (has_cursor ? 64u : 0u));
  CHECK(caps.PointerCaps.Value == (has_cursor ? 7u : 0u));
}

TEST_CASE("the highest address of DMA buffers is a positive number", "[drivers][kmd][case-32]") {
  running_driver driver;
  CHECK(driver_caps(driver).HighestAcceptableAddress.QuadPart ==
        (sizeof(void*) == 8 ? 0xFFF'FFFF'FFFF : 0xFFFF'FFFF));
}

TEST_CASE("the first QUERYSEGMENT writes the number alone, the second both descriptors",
          "[drivers][kmd][case-33][case-34][case-35]") {
  running_driver driver;
  DXGK_QUERYSEGMENTOUT first;
  std::memset(&first, 0x5A, sizeof first);
  first.pSegmentDescriptor = nullptr;
  auto expected = first;
  expected.NbSegment = 2;
  CHECK(ask(driver, DXGKQAITYPE_QUERYSEGMENT, &first, sizeof first) == STATUS_SUCCESS);
  CHECK(std::memcmp(&first, &expected, sizeof first) == 0);

  const segment_answer answer = segments(driver);
  CHECK(answer.head.PagingBufferSegmentId == 0);
  CHECK(answer.head.PagingBufferSize == kmd::paging_buffer_bytes);
  CHECK(answer.head.PagingBufferPrivateDataSize == kmd::paging_private_bytes);
  const auto& bars = driver.pc().config.bars;
  const DXGK_SEGMENTDESCRIPTOR& video = answer.segments[0];
  CHECK(video.BaseAddress.QuadPart == static_cast<LONGLONG>(bars.bar1) + (4 << 20));
  CHECK(video.CpuTranslatedAddress.QuadPart == video.BaseAddress.QuadPart);
  CHECK(video.Size == bars.bar1_bytes - (4u << 20));
  CHECK(video.Size % 4096 == 0);
  CHECK(video.CommitLimit == video.Size);
  CHECK(video.Flags.Value == 0x4);
  const DXGK_SEGMENTDESCRIPTOR& aperture = answer.segments[1];
  CHECK(aperture.BaseAddress.QuadPart == 0x100000000);
  CHECK(aperture.CommitLimit == aperture.Size);
  CHECK(aperture.Flags.Value == 0x11);
}

TEST_CASE("a video segment that was carved out of RAM says so", "[drivers][kmd][case-34]") {
  sim::pc_config config;
  config.bars.bar1_bytes = 8u << 20;  // Too small to be used.
  loaded_driver driver{config};
  REQUIRE(driver.windows().start() == STATUS_SUCCESS);
  const DXGK_SEGMENTDESCRIPTOR video = segments(driver).segments[0];
  CHECK(video.Flags.Value == 0x44);
  CHECK(video.CpuTranslatedAddress.QuadPart == video.BaseAddress.QuadPart);
}

TEST_CASE("NonLocalMemorySizeMB is clamped, and 0 is the default", "[drivers][kmd][case-36]") {
  const auto [set, mib] = GENERATE(table<std::uint32_t, std::uint64_t>({{0, 512},
                                                                        {64, 128},
                                                                        {127, 128},
                                                                        {128, 128},
                                                                        {512, 512},
                                                                        {2048, 2048},
                                                                        {2049, 2048},
                                                                        {4096, 2048}}));
  loaded_driver driver;
  driver.pc().set_registry(sim::device_registry_key, "NonLocalMemorySizeMB", set);
  REQUIRE(driver.windows().start() == STATUS_SUCCESS);
  CHECK(segments(driver).segments[1].Size == mib << 20);
  CHECK(driver_caps(driver).ApertureSegmentCommitLimit == mib << 20);
}

TEST_CASE("the user-mode driver's blob has four sizes' worth of answers",
          "[drivers][kmd][case-37]") {
  running_driver driver;
  std::vector<std::byte> buffer(128, fill_byte);
  const auto blob = [&](std::size_t size) {
    return ask(driver, DXGKQAITYPE_UMDRIVERPRIVATE, buffer.data(), size);
  };
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{5}, std::size_t{63}})
    CHECK(blob(size) == STATUS_BUFFER_TOO_SMALL);
  CHECK(std::count(buffer.begin(), buffer.end(), fill_byte) == 128);
  CHECK(blob(4) == STATUS_SUCCESS);
  CHECK(std::count(buffer.begin(), buffer.end(), fill_byte) == 124);
  CHECK(blob(128) == STATUS_SUCCESS);
  CHECK(std::count(buffer.begin() + 64, buffer.end(), std::byte{0}) == 64);
}

TEST_CASE("the blob's flags say what is programmed", "[drivers][kmd][case-38]") {
  const auto hidden = GENERATE(0u, std::uint32_t{AEROGPU_FEATURE_VBLANK},
                               std::uint32_t{AEROGPU_FEATURE_FENCE_PAGE});
  loaded_driver driver;
  hide(driver, hidden);
  REQUIRE(driver.windows().start() == STATUS_SUCCESS);
  aerogpu_umd_private_v1 blob{};
  CHECK(ask(driver, DXGKQAITYPE_UMDRIVERPRIVATE, &blob, sizeof blob) == STATUS_SUCCESS);
  CHECK(((blob.flags & AEROGPU_UMDPRIV_FLAG_HAS_VBLANK) != 0) ==
        (hidden != AEROGPU_FEATURE_VBLANK));
  CHECK(((blob.flags & AEROGPU_UMDPRIV_FLAG_HAS_FENCE_PAGE) != 0) ==
        (hidden != AEROGPU_FEATURE_FENCE_PAGE));
  CHECK((blob.flags & AEROGPU_UMDPRIV_FLAG_IS_LEGACY) == 0);
}

TEST_CASE("unknown questions are not supported, and NULL is no buffer", "[drivers][kmd][case-39]") {
  running_driver driver;
  std::vector<std::byte> buffer(4096);
  for (const int type : {3, 4, 5, -1})
    CHECK(ask(driver, static_cast<DXGK_QUERYADAPTERINFOTYPE>(type), buffer.data(), 4096) ==
          STATUS_NOT_SUPPORTED);
  CHECK(ask(driver, DXGKQAITYPE_DRIVERCAPS, nullptr, 4096) == STATUS_INVALID_PARAMETER);
}
