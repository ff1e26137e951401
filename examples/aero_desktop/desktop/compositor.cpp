// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/desktop/compositor.hpp"

#include "aerogpu/abi/ring.h"
#include "examples/aero_desktop/desktop/cursor_picture.hpp"
#include "examples/aero_desktop/desktop/panels.hpp"
#include "tools/aerogpu/terminal/console.hpp"

namespace desktop {

using namespace aerogpu;

namespace {

constexpr auto width = static_cast<float>(screen_width);
constexpr auto height = static_cast<float>(screen_height);
constexpr box screen{0, 0, width, height};
constexpr float side = 8, caption_height = 30, frame_radius = 7;
constexpr float title_dot = 1.32F;

auto frame_of(const box& client) -> box {
  return {client.x - side, client.y - caption_height, client.width + 2 * side,
          client.height + caption_height + side};
}

/// A box of a window that is scaled about its frame's centre: `place` is scale and offset.
auto placed(const box& of, const float4& place) -> box {
  return {of.x * place[0] + place[2], of.y * place[1] + place[3], of.width * place[0],
          of.height * place[1]};
}

auto place_about(const box& frame, float scale) -> float4 {
  const float x = frame.x + frame.width / 2, y = frame.y + frame.height / 2;
  return {scale, scale, x * (1 - scale), y * (1 - scale)};
}

}  // namespace

auto compositor::start() -> bool {
  constexpr auto color = AEROGPU_FORMAT_B8G8R8X8_UNORM;
  scene_ = device_.create_target(screen_width, screen_height, color);
  wallpaper_ = device_.create_target(screen_width, screen_height, color);
  half_ = device_.create_target(screen_width / 2, screen_height / 2, color);
  quarter_ = device_.create_target(screen_width / 4, screen_height / 4, color);
  blurred_ = device_.create_target(screen_width / 4, screen_height / 4, color);
  const std::vector<std::uint32_t> arrow = paint_cursor();
  cursor_ = device_.create_picture(cursor_size, cursor_size, std::as_bytes(std::span{arrow}));
  text_.create(services_.font);
  paint_wallpaper();
  return device_.submit() != fence_value{};
}

void compositor::paint_wallpaper() {
  device_.mark("wallpaper");
  device_.set_target(wallpaper_);
  device_.draw_box(shader::wallpaper, screen);
}

auto compositor::adopt(program_kind kind, const window_program& program) -> bool {
  if (!services_.kernel.open_shared(program.token())) return false;
  const surface alias = device_.import_surface(program.image(), program.token());
  client_of(static_cast<std::size_t>(kind)) = {true, program.traits().title, alias};
  services_.kernel.log("ctx " + tool::decimal(raw(device_.context())) + " import " +
                       tool::hex(raw(program.token())));
  return device_.submit() != fence_value{};
}

auto compositor::release(program_kind kind, share_token token) -> bool {
  client& gone = client_of(static_cast<std::size_t>(kind));
  device_.set_texture({});
  device_.destroy(gone.image.handle);
  gone = {};
  const bool is_sent = device_.submit() != fence_value{};
  return services_.kernel.close_shared(token) && is_sent;
}

auto compositor::stop() -> bool {
  device_.destroy_all();
  return device_.submit() != fence_value{};
}

auto compositor::compose(const scene& now, float seconds) -> fence_value {
  text_.restart();
  device_.copy(scene_, wallpaper_);
  device_.set_target(scene_);
  draw_icons();
  for (const bool is_active : {false, true}) {  // The active window is on top.
    for (std::size_t i = 0; i < program_count; ++i) {
      const window_pose& pose = now.windows[i];
      if (clients_[i].is_open && pose.is_active == is_active) draw_window(clients_[i], pose);
    }
  }
  draw_taskbar(now, seconds);
  draw_cursor(now.cursor);
  device_.present();
  return device_.submit(AEROGPU_SUBMIT_FLAG_PRESENT);
}

void compositor::blur_scene() {
  const auto pass = [&](const surface& to, const surface& from, shader with, float4 constant) {
    device_.set_target(to);
    device_.set_texture(from);
    device_.set_pixel_constants(0, {constant});
    device_.draw_box(with, {0, 0, static_cast<float>(to.width), static_cast<float>(to.height)});
  };
  const float across = 1 / static_cast<float>(quarter_.width);
  const float down = 1 / static_cast<float>(quarter_.height);
  pass(half_, scene_, shader::image, {1, 1, 1, 1});
  pass(quarter_, half_, shader::image, {1, 1, 1, 1});
  pass(blurred_, quarter_, shader::blur, {across, 0, 0, 0});
  pass(quarter_, blurred_, shader::blur, {0, down, 0, 0});
  pass(blurred_, quarter_, shader::blur, {1.6F * across, 0, 0, 0});
  pass(quarter_, blurred_, shader::blur, {0, 1.6F * down, 0, 0});
  device_.set_target(scene_);
}

void compositor::draw_shadow(const box& where, float radius, float size, float strength) {
  device_.set_pixel_constants(
      1, {{where.width / 2 - radius, where.height / 2 - radius, radius, 1 / size},
          {0.0F, 0.01F, 0.03F, strength}});
  device_.draw_box(shader::shadow, where.inflated(size));
}

void compositor::draw_image(const surface& image, const box& where, float opacity) {
  device_.set_texture(image);
  device_.set_pixel_constants(0, {{opacity, opacity, opacity, opacity}});
  device_.draw_box(shader::image, where);
}

void compositor::draw_window(const client& window, const window_pose& pose) {
  device_.mark(window.title);
  blur_scene();
  const box frame = frame_of(pose.client);
  const float4 place = place_about(frame, pose.scale);
  const box outer = placed(frame, place);
  draw_shadow(outer.moved(0, 5), frame_radius, pose.is_active ? 46 : 30,
              (pose.is_active ? 0.62F : 0.42F) * pose.opacity);
  device_.set_texture(quarter_);
  device_.set_pixel_constants(
      0, {{pose.opacity, pose.is_active ? 0.34F : 0.46F, 1 / caption_height, 0.16F},
          {outer.width / 2 - frame_radius, outer.height / 2 - frame_radius, frame_radius,
           outer.height / 2},
          pose.is_active ? float4{0.44F, 0.70F, 0.96F, 0} : float4{0.72F, 0.80F, 0.88F, 0}});
  device_.draw_box(shader::glass, outer);
  draw_caption(window, pose, frame, place);
  draw_buttons(pose, frame, place);
  const panel_look edge{{}, {}, {1, 1, 1, 0.55F}, {}, 0, 0, 2};
  const panel_look line{{}, {}, {0.06F, 0.10F, 0.16F, 0.85F}, {}, 0, 0, 1};
  draw_panel(device_, placed(pose.client.inflated(2), place), edge, pose.opacity);
  draw_panel(device_, placed(pose.client.inflated(1), place), line, pose.opacity);
  draw_image(window.image, placed(pose.client, place), pose.opacity);
}

void compositor::draw_caption(const client& window, const window_pose& pose, const box& frame,
                              const float4& place) {
  constexpr float icon = 16;
  const box icon_place{frame.x + side + 1, frame.y + 8, icon, icon};
  draw_shadow(placed(icon_place.moved(0, 1), place), 2, 5, 0.5F * pose.opacity);
  draw_image(window.image, placed(icon_place, place), pose.opacity);
  const float x = icon_place.x + icon + 8, y = frame.y + 11;
  const float ink = pose.is_active ? 1.0F : 0.75F;
  const box haze{x, y + 1, text_painter::width_of(window.title, title_dot), 8};
  const float4 white{0.93F, 0.97F, 1, 0.46F};
  draw_panel(device_, placed(haze, place), {white, white, {}, white, 0, 15, 4}, pose.opacity * ink);
  text_.draw(x, y, window.title, {0xFFF4FAFF, title_dot, spacing::proportional, 0, 0.62F},
             pose.opacity * ink, place);
  text_.draw(x, y, window.title, {0xFF05101C, title_dot, spacing::proportional, 0.12F},
             pose.opacity * ink, place);
}

void compositor::draw_buttons(const window_pose& pose, const box& frame, const float4& place) {
  struct button {
    std::string_view sign;
    float right, width;
    bool is_close;
  };
  constexpr std::array<button, 3> buttons{{{minimize_sign, 103, 29, false},
                                           {maximize_sign, 74, 27, false},
                                           {close_sign, 47, 41, true}}};
  constexpr float button_height = 18;
  for (const button& b : buttons) {
    const box where{frame.x + frame.width - b.right, frame.y + 1, b.width, button_height};
    const float heat = b.is_close ? pose.close_heat : 0;
    const float calm = pose.is_active ? 0.62F : 0.25F;
    const float red = b.is_close && pose.is_active ? calm + (1 - calm) * heat : 0;
    panel_look look;
    look.top = {0.80F + 0.16F * heat, 0.88F - 0.42F * red, 0.96F - 0.52F * red,
                0.40F + 0.55F * red};
    look.bottom = {0.55F + 0.22F * red, 0.66F - 0.52F * red, 0.80F - 0.66F * red,
                   0.30F + 0.65F * red};
    look.border = {0.05F, 0.09F, 0.15F, 0.62F};
    look.glow = {1.0F, 0.32F, 0.16F, heat};
    look.gloss = 0.24F;
    look.glow_reach = 16 * heat;
    look.radius = 3.5F;
    draw_panel(device_, placed(where, place), look, pose.opacity);
    constexpr float dot = 1.45F, sign_width = glyph_atlas::columns * dot;
    const float x = where.x + (where.width - sign_width) / 2, y = where.y + 2.6F;
    text_.draw(x, y, b.sign, {0xFF10202E, dot, spacing::fixed, 0.75F}, 0.55F * pose.opacity, place);
    text_.draw(x, y, b.sign, {0xFFFFFFFF, dot, spacing::fixed, 0.05F}, pose.opacity, place);
  }
}

void compositor::draw_cursor(const cursor_pose& at) {
  constexpr auto size = static_cast<float>(cursor_size);
  constexpr auto tip = static_cast<float>(cursor_hot_spot);
  draw_image(cursor_, {at.x - tip, at.y - tip, size, size}, 1);
}

}  // namespace desktop
