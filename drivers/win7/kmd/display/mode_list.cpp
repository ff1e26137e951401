// SPDX-License-Identifier: MIT
/// \file The modes that the driver offers.
#include "drivers/win7/kmd/display/mode_list.hpp"

#include <array>

namespace aerogpu::kmd {

namespace {

constexpr std::array<display_mode, 13> common_modes{{
    {640, 480},
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
    {1920, 1080},
    {1920, 1200},
}};

/// Active size of the first detailed timing; zeros when the block has none.
[[nodiscard]] auto detailed_timing(const edid_block& edid) noexcept -> display_mode {
  constexpr std::size_t first = 54;
  const std::uint8_t* timing = &edid[first];
  if (timing[0] == 0 && timing[1] == 0) return {};  // no pixel clock: a descriptor
  return {timing[2] | (timing[4] & 0xF0u) << 4, timing[5] | (timing[7] & 0xF0u) << 4};
}

/// A standard timing of 60 Hz; zeros for another one and for an unused entry.
[[nodiscard]] auto standard_timing(std::uint8_t first, std::uint8_t second) noexcept
    -> display_mode {
  if ((second & 0x3F) != 0 || first == 0) return {};
  struct aspect {
    std::uint32_t wide, high;
  };
  constexpr std::array<aspect, 4> aspects{{{16, 10}, {4, 3}, {5, 4}, {16, 9}}};
  const aspect shape = aspects[second >> 6];
  const std::uint32_t width = (first + 31u) * 8;
  const std::uint32_t scaled = width * shape.high;
  if (scaled % shape.wide == 0) return {width, scaled / shape.wide};
  return {width, (scaled / shape.wide + 4) / 8 * 8};
}

class list_maker {
 public:
  explicit list_maker(const driver_knobs& knobs) noexcept
      : max_width_(limit(knobs.max_width)), max_height_(limit(knobs.max_height)) {}

  /// Leaves out what the filter or the capacity refuses, and what the list has already.
  void add(const display_mode& mode) noexcept {
    if (mode.width == 0 || mode.height == 0) return;
    if (mode.width > max_width_ || mode.height > max_height_) return;
    if (find_mode(modes_, mode.width, mode.height) != nullptr) return;
    static_cast<void>(modes_.push_back(mode));
  }
  [[nodiscard]] auto modes() const noexcept -> const mode_list& { return modes_; }

 private:
  [[nodiscard]] static auto limit(std::uint32_t knob) noexcept -> std::uint32_t {
    return knob == 0 || knob > max_mode_side ? max_mode_side : knob;
  }
  mode_list modes_;
  std::uint32_t max_width_, max_height_;
};

}  // namespace

auto find_mode(const mode_list& modes, std::uint32_t width, std::uint32_t height) noexcept
    -> const display_mode* {
  for (const display_mode& mode : modes) {
    if (is_same_size(mode, {width, height})) return &mode;
  }
  return nullptr;
}

auto make_mode_list(const edid_block& edid, const driver_knobs& knobs) noexcept -> mode_list {
  list_maker list{knobs};
  if (knobs.preferred_width <= max_mode_side && knobs.preferred_height <= max_mode_side)
    list.add({knobs.preferred_width, knobs.preferred_height});
  list.add(detailed_timing(edid));
  for (const display_mode& mode : common_modes) list.add(mode);
  constexpr std::size_t first_standard = 38, standard_count = 8;
  for (std::size_t i = 0; i < standard_count; ++i)
    list.add(standard_timing(edid[first_standard + 2 * i], edid[first_standard + 2 * i + 1]));
  if (!list.modes().empty()) return list.modes();
  mode_list fallback;
  static_cast<void>(fallback.push_back({1024, 768}));
  return fallback;
}

}  // namespace aerogpu::kmd
