// SPDX-License-Identifier: MIT
// The parts of the compositor's picture that do not move: icons on the desktop, and the taskbar.
#include "examples/aero_desktop/desktop/compositor.hpp"
#include "examples/aero_desktop/desktop/panels.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <cmath>

namespace desktop {

using namespace aerogpu;

namespace {

constexpr auto full_width = static_cast<float>(screen_width);
constexpr auto full_height = static_cast<float>(screen_height);
constexpr float bar_height = 40;
constexpr box bar{0, full_height - bar_height, full_width, bar_height};
constexpr float small_dot = 1.22F;

auto two_digits(unsigned value) -> std::string {
  return (value < 10 ? "0" : "") + tool::decimal(value);
}

}  // namespace

void compositor::draw_icons() {
  struct desktop_icon {
    std::string_view label;
    float4 top, bottom;
  };
  constexpr std::array<desktop_icon, 3> icons{{
      {"Computer", {0.60F, 0.84F, 1.0F, 1}, {0.10F, 0.38F, 0.78F, 1}},
      {"Traces", {1.0F, 0.90F, 0.55F, 1}, {0.92F, 0.60F, 0.16F, 1}},
      {"Recycler", {0.78F, 0.98F, 0.86F, 1}, {0.16F, 0.62F, 0.42F, 1}},
  }};
  float y = 330;
  for (const desktop_icon& icon : icons) {
    const box tile{34, y, 38, 38};
    panel_look look{icon.top, icon.bottom, {1, 1, 1, 0.65F}, {}, 0.22F, 0, 8};
    draw_shadow(tile.moved(0, 3), 8, 16, 0.55F);
    draw_panel(device_, tile, look, 0.94F);
    const panel_look pane{{1, 1, 1, 0.75F}, {1, 1, 1, 0.35F}, {}, {}, 0, 0, 3};
    draw_panel(device_, {tile.x + 9, tile.y + 10, 20, 14}, pane, 1);
    draw_panel(device_, {tile.x + 14, tile.y + 27, 10, 3}, pane, 1);
    const float x = tile.x + (tile.width - text_painter::width_of(icon.label, small_dot)) / 2;
    text_.draw(x, tile.y + 46, icon.label, {0xFF001028, small_dot, spacing::proportional, 0, 0.8F});
    text_.draw(x, tile.y + 46, icon.label, {0xFFFFFFFF, small_dot});
    y += 78;
  }
}

void compositor::draw_taskbar(const scene& now, float seconds) {
  device_.mark("taskbar");
  blur_scene();
  device_.set_texture(quarter_);
  device_.set_pixel_constants(0, {{1, 0.50F, 1 / (bar_height * 0.6F), 0.10F},
                                  {bar.width / 2 + 4, bar.height / 2 + 4, 0, bar.height / 2},
                                  {0.10F, 0.24F, 0.42F, 0}});
  device_.draw_box(shader::glass, bar);
  const panel_look dark{
      {0.02F, 0.05F, 0.10F, 0.75F}, {0.02F, 0.05F, 0.10F, 0.75F}, {}, {}, 0, 0, 0};
  const panel_look light{{1, 1, 1, 0.42F}, {1, 1, 1, 0.42F}, {}, {}, 0, 0, 0};
  draw_panel(device_, {0, bar.y, full_width, 1}, dark, 1);
  draw_panel(device_, {0, bar.y + 1, full_width, 1}, light, 1);
  draw_running(now);

  constexpr float orb_radius = 22;
  device_.set_pixel_constants(0, {{1, now.orb_heat, orb_radius, 1 / orb_radius}});
  device_.draw_box(
      shader::orb,
      box{6, full_height - 2 * orb_radius - 1, 2 * orb_radius, 2 * orb_radius}.inflated(24));

  const auto second = static_cast<unsigned>(36 + seconds);
  const std::string time = "10:" + two_digits(9 + second / 60) + ":" + two_digits(second % 60);
  constexpr std::string_view date = "22.10.2009";
  const float middle = full_width - 66;
  const text_style style{0xFFFFFFFF, small_dot};
  text_.draw(middle - text_painter::width_of(time, small_dot) / 2, bar.y + 9, time, style);
  text_.draw(middle - text_painter::width_of(date, small_dot) / 2, bar.y + 23, date, style);
  const panel_look corner{{1, 1, 1, 0.30F}, {1, 1, 1, 0.06F}, {0, 0, 0, 0.45F}, {}, 0, 0, 0};
  draw_panel(device_, {full_width - 15, bar.y + 2, 16, bar_height - 1}, corner, 1);
}

void compositor::draw_running(const scene& now) {
  float x = 62;
  for (std::size_t i = 0; i < program_count; ++i) {
    if (!clients_[i].is_open) continue;
    const window_pose& pose = now.windows[i];
    const box button{x, bar.y + 3, 58, bar_height - 5};
    panel_look look;
    look.top = {0.85F, 0.94F, 1, pose.is_active ? 0.50F : 0.24F};
    look.bottom = {0.45F, 0.72F, 1, pose.is_active ? 0.42F : 0.10F};
    look.border = {0.85F, 0.95F, 1, 0.42F};
    look.glow = {0.4F, 0.75F, 1, pose.is_active ? 0.35F : 0};
    look.glow_reach = pose.is_active ? 6 : 0;
    look.gloss = 0.10F;
    look.radius = 3;
    draw_panel(device_, button, look, pose.opacity);
    const surface& image = clients_[i].image;
    const float shape = static_cast<float>(image.width) / static_cast<float>(image.height);
    const float tall = 23, wide = std::min(tall * shape, 44.0F);
    const box picture{button.x + (button.width - wide) / 2, button.y + 6, wide, wide / shape};
    const box centred = picture.moved(0, (tall - picture.height) / 2);
    draw_shadow(centred.moved(0, 1), 1, 6, 0.7F * pose.opacity);
    draw_image(image, centred, pose.opacity);
    x += button.width + 4;
  }
}

}  // namespace desktop
