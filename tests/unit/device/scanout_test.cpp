// SPDX-License-Identifier: MIT
#include "aerogpu/device/scanout.hpp"

#include "tests/catch.hpp"

#include <cstdint>

namespace aerogpu {
namespace {

auto valid_scanout() -> scanout_registers {
  scanout_registers scanout;
  scanout.is_enabled = true;
  scanout.width = 640;
  scanout.height = 480;
  scanout.format = AEROGPU_FORMAT_B8G8R8X8_UNORM;
  scanout.pitch_bytes = 640 * 4;
  scanout.frame_buffer.restore(gpa{0x100000}, false, 0);
  return scanout;
}

TEST_CASE("a scanout is valid with formats 1 to 10 and no other", "[device]") {
  for (std::uint32_t format = 0; format < 80; ++format) {
    INFO(format);
    auto scanout = valid_scanout();
    scanout.format = format;
    CHECK(is_valid_scanout(scanout) == (format >= 1 && format <= 10));
  }
}

TEST_CASE("a scanout needs ENABLE, a size, an address and a pitch of whole pixels", "[device]") {
  struct row {
    const char* what;
    void (*change)(scanout_registers&);
    bool is_valid;
  };
  const row rows[] = {
      {"as it is", [](scanout_registers&) {}, true},
      {"disabled", [](scanout_registers& s) { s.is_enabled = false; }, false},
      {"no width", [](scanout_registers& s) { s.width = 0; }, false},
      {"no height", [](scanout_registers& s) { s.height = 0; }, false},
      {"no address", [](scanout_registers& s) { s.frame_buffer.restore(gpa{0}, false, 0); }, false},
      {"pitch one pixel short", [](scanout_registers& s) { s.pitch_bytes -= 4; }, false},
      {"pitch two bytes longer", [](scanout_registers& s) { s.pitch_bytes += 2; }, false},
      {"pitch one pixel longer", [](scanout_registers& s) { s.pitch_bytes += 4; }, true},
      {"widest row", [](scanout_registers& s) { s.width = s.pitch_bytes = UINT32_MAX; }, false},
      {"ends at the last address",
       [](scanout_registers& s) {
         s.height = 1;
         s.frame_buffer.restore(gpa{UINT64_MAX - 640 * 4}, false, 0);
       },
       true},
      {"ends behind the last address",
       [](scanout_registers& s) {
         s.height = 1;
         s.frame_buffer.restore(gpa{UINT64_MAX - 640 * 4 + 1}, false, 0);
       },
       false},
  };
  for (const auto& r : rows) {
    INFO(r.what);
    auto scanout = valid_scanout();
    r.change(scanout);
    CHECK(is_valid_scanout(scanout) == r.is_valid);
  }
}

TEST_CASE("a scanout shows with any pitch that covers a row, which is not enough for a claim",
          "[device]") {
  auto scanout = valid_scanout();
  CHECK(shown_scanout_format(scanout) == find_display_format(scanout.format));
  scanout.pitch_bytes += 1;
  CHECK(shown_scanout_format(scanout) != nullptr);
  CHECK_FALSE(is_valid_scanout(scanout));
  scanout.pitch_bytes = 640 * 4 - 1;
  CHECK(shown_scanout_format(scanout) == nullptr);
  scanout = valid_scanout();
  scanout.is_enabled = false;
  CHECK(shown_scanout_format(scanout) == nullptr);
}

TEST_CASE("the last row needs an address, its padding does not", "[device]") {
  auto scanout = valid_scanout();
  scanout.pitch_bytes = 640 * 8;
  constexpr std::uint64_t read_bytes = 479ull * 640 * 8 + 640 * 4;
  scanout.frame_buffer.restore(gpa{UINT64_MAX - read_bytes}, false, 0);
  CHECK(is_valid_scanout(scanout));
  scanout.frame_buffer.restore(gpa{UINT64_MAX - read_bytes + 1}, false, 0);
  CHECK_FALSE(is_valid_scanout(scanout));
}

TEST_CASE("what is not valid or disabled leaves the display to legacy", "[device]") {
  scanout_publisher publisher;
  auto scanout = valid_scanout();
  scanout.format = 0;
  CHECK_FALSE(publisher.update(scanout));
  scanout.is_enabled = false;
  CHECK_FALSE(publisher.update(scanout));
  CHECK(publisher.published().owner == display_owner::legacy);
  CHECK(publisher.published().generation == 0);
}

TEST_CASE("a waiting half neither shows nor hides anything once the display is claimed",
          "[device]") {
  scanout_publisher publisher;
  auto scanout = valid_scanout();
  REQUIRE(publisher.update(scanout));
  scanout.frame_buffer.write_low(0x300000);
  scanout.height = 240;
  CHECK(publisher.update(scanout));
  CHECK(publisher.published().is_enabled);
  CHECK(publisher.published().surface.address == gpa{0x100000});
  CHECK(publisher.published().surface.height == 240);
}

TEST_CASE("the first valid configuration without a waiting half claims the display", "[device]") {
  scanout_publisher publisher;
  auto scanout = valid_scanout();
  scanout.frame_buffer.write_low(0x2000);
  CHECK_FALSE(publisher.update(scanout));
  CHECK(publisher.published().owner == display_owner::legacy);
  scanout.frame_buffer.write_high(0);
  CHECK(publisher.update(scanout));
  CHECK(publisher.published().owner == display_owner::wddm);
  CHECK(publisher.published().surface == scanout.surface());
}

TEST_CASE("a disabled or broken configuration after the claim publishes zeros", "[device]") {
  scanout_publisher publisher;
  auto scanout = valid_scanout();
  REQUIRE(publisher.update(scanout));
  scanout.format = 99;
  CHECK(publisher.update(scanout));
  CHECK_FALSE(publisher.published().is_enabled);
  CHECK(publisher.published().owner == display_owner::wddm);
  CHECK(publisher.published().surface == guest_surface{0, 0, 2, 0, gpa{}});
  scanout.is_enabled = false;
  CHECK_FALSE(publisher.update(scanout));
  CHECK(publisher.update(valid_scanout()));
  CHECK(publisher.published().is_enabled);
}

TEST_CASE("each publish has its own generation, and no change is no publish", "[device]") {
  scanout_publisher publisher;
  auto scanout = valid_scanout();
  REQUIRE(publisher.update(scanout));
  const auto first = publisher.published().generation;
  CHECK_FALSE(publisher.update(scanout));
  scanout.frame_buffer.write_low(0x300000);
  CHECK_FALSE(publisher.update(scanout));
  scanout.frame_buffer.write_high(0);
  CHECK(publisher.update(scanout));
  CHECK(publisher.published().generation == first + 1);
}

TEST_CASE("a restore takes the owner of the snapshot and always publishes", "[device]") {
  const auto [owner, is_enabled] = GENERATE(table<display_owner, bool>({
      {display_owner::legacy, true},
      {display_owner::legacy, false},
      {display_owner::wddm, true},
      {display_owner::wddm, false},
  }));
  scanout_publisher publisher;
  auto scanout = valid_scanout();
  REQUIRE(publisher.update(scanout));
  scanout.is_enabled = is_enabled;
  publisher.restore(owner, scanout);
  const bool is_shown = owner == display_owner::wddm && is_enabled;
  CHECK(publisher.published().generation == 2);
  CHECK(publisher.published().owner == owner);
  CHECK(publisher.published().is_enabled == is_shown);
  CHECK(publisher.published().surface ==
        (is_shown ? scanout.surface() : guest_surface{0, 0, 2, 0, gpa{}}));
}

TEST_CASE("a reset gives the display back to legacy", "[device]") {
  scanout_publisher publisher;
  CHECK_FALSE(publisher.reset());
  REQUIRE(publisher.update(valid_scanout()));
  CHECK(publisher.reset());
  CHECK(publisher.published().owner == display_owner::legacy);
}

}  // namespace
}  // namespace aerogpu
