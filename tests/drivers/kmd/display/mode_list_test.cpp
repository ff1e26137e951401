// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/display/mode_list.hpp"

#include "drivers/win7/kmd/display/video_signal.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::kmd;

namespace {

[[nodiscard]] auto list_of(const driver_knobs& knobs, const edid_block& edid = monitor_edid)
    -> std::vector<display_mode> {
  const mode_list list = make_mode_list(edid, knobs);
  return {list.begin(), list.end()};
}

[[nodiscard]] auto has(const std::vector<display_mode>& modes, display_mode mode) -> bool {
  return std::find(modes.begin(), modes.end(), mode) != modes.end();
}

[[nodiscard]] auto knobs_of(std::uint32_t preferred_width, std::uint32_t preferred_height,
                            std::uint32_t max_width = 0, std::uint32_t max_height = 0)
    -> driver_knobs {
  driver_knobs knobs;
  knobs.preferred_width = preferred_width;
  knobs.preferred_height = preferred_height;
  knobs.max_width = max_width;
  knobs.max_height = max_height;
  return knobs;
}

[[nodiscard]] auto with_standard_timings(std::initializer_list<std::uint8_t> bytes) -> edid_block {
  edid_block edid = monitor_edid;
  std::copy(bytes.begin(), bytes.end(), edid.begin() + 38);
  return edid;
}

}  // namespace

TEST_CASE("without wishes the EDID's preferred mode comes first, and every common one follows",
          "[kmd][modes][case-130]") {
  const auto modes = list_of({});
  CHECK(modes.front() == display_mode{1920, 1080});
  CHECK(modes.size() == 13);
  for (const display_mode mode : {display_mode{640, 480},
                                  {800, 600},
                                  {1024, 768},
                                  {1152, 864},
                                  {1280, 720},
                                  {1280, 800},
                                  {1280, 1024},
                                  {1366, 768},
                                  {1440, 900},
                                  {1600, 900},
                                  {1680, 1050},
                                  {1920, 1200}})
    CHECK(has(modes, mode));
}

TEST_CASE("the registry's preferred mode comes first and is listed once",
          "[kmd][modes][case-130]") {
  CHECK(list_of(knobs_of(2560, 1440)).front() == display_mode{2560, 1440});
  const auto modes = list_of(knobs_of(1024, 768));
  CHECK(modes.front() == display_mode{1024, 768});
  CHECK(std::count(modes.begin(), modes.end(), display_mode{1024, 768}) == 1);
}

TEST_CASE("a preferred mode needs both sides, neither above 16384", "[kmd][modes][case-130]") {
  const auto knobs =
      GENERATE(knobs_of(1680, 0), knobs_of(0, 1050), knobs_of(16385, 1050), knobs_of(1680, 16385));
  CHECK(list_of(knobs).front() == display_mode{1920, 1080});
  CHECK(list_of(knobs_of(16384, 16384)).front() == display_mode{16384, 16384});
}

TEST_CASE("modes within two pixels of a listed one are left out", "[kmd][modes][case-130]") {
  const auto modes = list_of(knobs_of(1022, 770));
  CHECK(modes.front() == display_mode{1022, 770});
  CHECK_FALSE(has(modes, {1024, 768}));
  CHECK(has(list_of(knobs_of(1021, 768)), {1024, 768}));
}

TEST_CASE("standard timings of 60 Hz are offered, other rates are not", "[kmd][modes][case-130]") {
  // 1280x1024 5:4, 1120x700 16:10, 1400x1050 4:3 at 60 Hz; 1320x990 at 75 Hz; unused.
  const auto modes = list_of({}, with_standard_timings({129, 0x80, 109, 0x00, 144, 0x40, 134, 0x4F,
                                                        1, 1, 1, 1, 1, 1, 1, 1}));
  CHECK(has(modes, {1280, 1024}));
  CHECK(has(modes, {1120, 700}));
  CHECK(has(modes, {1400, 1050}));
  CHECK_FALSE(has(modes, {1320, 990}));
  CHECK(modes.size() == 15);
}

TEST_CASE("a height that the aspect does not give exactly is a multiple of eight", "[kmd][modes]") {
  // (140 + 31) * 8 = 1368 at 16:9 is 769.5.
  const auto modes = list_of(knobs_of(0, 0, 0, 0), with_standard_timings({140, 0xC0}));
  CHECK_FALSE(has(modes, {1368, 768}));  // within two pixels of 1366x768
  // (150 + 31) * 8 = 1448 at 4:3 is 1086; at 16:9 814.5.
  CHECK(has(list_of({}, with_standard_timings({150, 0xC0})), {1448, 816}));
}

TEST_CASE("the list ends at sixteen modes", "[kmd][modes][case-130]") {
  const auto modes =
      list_of(knobs_of(2560, 1440),
              with_standard_timings({20, 0, 30, 0, 40, 0, 55, 0, 65, 0, 75, 0, 85, 0, 95, 0}));
  CHECK(modes.size() == 16);
  CHECK(mode_list::capacity() == 16);
}

TEST_CASE("the registry's maximum filters, and an empty list falls back to 1024x768",
          "[kmd][modes][case-130]") {
  const auto small = list_of(knobs_of(0, 0, 1024, 768));
  CHECK(small == std::vector<display_mode>{{640, 480}, {800, 600}, {1024, 768}});
  CHECK_FALSE(has(list_of(knobs_of(0, 0, 1023, 768)), {1024, 768}));
  CHECK(list_of(knobs_of(0, 0, 16385, 0)).size() == 13);
  CHECK(list_of(knobs_of(0, 0, 100, 100)) == std::vector<display_mode>{{1024, 768}});
}

TEST_CASE("a signal's totals and frequencies follow from the mode", "[kmd][modes]") {
  const D3DKMDT_VIDEO_SIGNAL_INFO signal = make_signal({1920, 1080});
  CHECK(signal.VideoStandard == D3DKMDT_VSS_OTHER);
  CHECK(signal.TotalSize.cx == 1920 + 320);
  CHECK(signal.TotalSize.cy == 1080 + 40);
  CHECK(signal.VSyncFreq.Numerator == 60);
  CHECK(signal.HSyncFreq.Numerator == 60 * 1120);
  CHECK(signal.PixelRate == 60u * 2240 * 1120);
  CHECK(make_signal({16384, 16384}).PixelRate == 0);
  CHECK(make_signal({640, 480}).TotalSize.cx == 800);
  CHECK(make_signal({640, 480}).TotalSize.cy == 504);
}

TEST_CASE("a signal is accepted near a listed size, at 59 to 61 Hz, progressive", "[kmd][modes]") {
  const mode_list modes = make_mode_list(monitor_edid, {});
  struct row {
    std::uint32_t width, height, numerator, denominator;
    D3DDDI_VIDEO_SIGNAL_SCANLINE_ORDERING ordering;
    bool is_accepted;
  };
  constexpr auto progressive = D3DDDI_VSSLO_PROGRESSIVE;
  const row asked = GENERATE_COPY(
      row{1024, 768, 60, 1, progressive, true}, row{1026, 766, 60, 1, progressive, true},
      row{1027, 768, 60, 1, progressive, false}, row{1024, 765, 60, 1, progressive, false},
      row{1024, 768, 59000, 1000, progressive, true},
      row{1024, 768, 58999, 1000, progressive, false},
      row{1024, 768, 61000, 1000, progressive, true},
      row{1024, 768, 61001, 1000, progressive, false},
      row{1024, 768, 60000, 1001, progressive, true}, row{1024, 768, 75, 1, progressive, false},
      row{1024, 768, 0, 0, progressive, true}, row{1024, 768, 60, 0, progressive, false},
      row{1024, 768, 0, 1, progressive, false},
      row{1024, 768, 0xFFFFFFFF, 0xFFFFFFFF / 60, progressive, true},
      row{1024, 768, 60, 1, D3DDDI_VSSLO_UNINITIALIZED, true},
      row{1024, 768, 60, 1, D3DDDI_VSSLO_INTERLACED_UPPERFIELDFIRST, false});
  D3DKMDT_VIDEO_SIGNAL_INFO signal = make_signal({asked.width, asked.height});
  signal.VSyncFreq = {asked.numerator, asked.denominator};
  signal.ScanLineOrdering = asked.ordering;
  CHECK(is_supported_signal(modes, signal) == asked.is_accepted);
}
