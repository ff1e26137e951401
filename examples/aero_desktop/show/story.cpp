// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/show/story.hpp"

#include <algorithm>
#include <span>

namespace desktop {

namespace {

struct key {
  float at, x, y;
};

/// Client areas where the story begins, and when windows open and close.
struct window_script {
  box client;
  float opens, opened, closes, closed;
};
constexpr float never = 2;
constexpr std::array<window_script, program_count> scripts{{
    {{52, 64, 416, 236}, -1, -0.9F, never, never},
    {{610, 60, 316, 248}, -1, -0.9F, never, never},
    {{404, 356, 380, 190}, 0.06F, 0.24F, 0.86F, 0.98F},
    {{120, 334, 216, 216}, -0.02F, 0.14F, never, never},
}};

/// The title of the clock is held between these moments.
constexpr float grabbed = 0.32F, dropped = 0.62F;
constexpr key clock_moves[]{{grabbed, 0, 0}, {0.48F, 150, -86}, {dropped, 236, -62}};
constexpr float grip_x = 92, grip_y = -14;  ///< From the client's corner.

constexpr key cursor_moves[]{{0, 40, 600},        {0.10F, 60, 608},    {0.30F, 212, 320},
                             {grabbed, 212, 320}, {dropped, 448, 258}, {0.78F, 769, 342},
                             {1.0F, 771, 343}};
constexpr float hover_begins = 0.72F, hover_ends = 0.79F;

auto smooth(float from, float to, float at) -> float {
  const float t = std::clamp((at - from) / (to - from), 0.0F, 1.0F);
  return t * t * (3 - 2 * t);
}

auto place_at(std::span<const key> keys, float at) -> cursor_pose {
  if (at <= keys.front().at) return {keys.front().x, keys.front().y};
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const key& a = keys[i - 1];
    const key& b = keys[i];
    if (at > b.at) continue;
    const float t = smooth(a.at, b.at, at);
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
  }
  return {keys.back().x, keys.back().y};
}

auto pose_of(const window_script& script, float at) -> window_pose {
  window_pose pose;
  pose.is_visible = at > script.opens && at < script.closed;
  pose.client = script.client;
  const float shown =
      smooth(script.opens, script.opened, at) * (1 - smooth(script.closes, script.closed, at));
  pose.opacity = shown;
  pose.scale = 0.86F + 0.14F * shown;
  return pose;
}

}  // namespace

auto scene_at(float at) -> scene {
  scene now;
  for (std::size_t i = 0; i < program_count; ++i) now.windows[i] = pose_of(scripts[i], at);
  auto& wave = now.windows[static_cast<std::size_t>(program_kind::wave)];
  auto& clock = now.windows[static_cast<std::size_t>(program_kind::clock)];
  const cursor_pose drag = place_at(clock_moves, at);
  clock.client = clock.client.moved(drag.x, drag.y);
  now.cursor = place_at(cursor_moves, at);
  if (at >= grabbed && at <= dropped) {
    now.cursor = {clock.client.x + grip_x, clock.client.y + grip_y};
  }
  wave.close_heat = smooth(hover_begins, hover_ends, at);
  wave.is_active = wave.is_visible && at > hover_begins;
  clock.is_active = !wave.is_active;
  now.orb_heat = 1 - smooth(0.14F, 0.24F, at);
  return now;
}

}  // namespace desktop
