// SPDX-License-Identifier: MIT
// Three of the programs: a console, an oscilloscope and a clock.
#include "examples/aero_desktop/desktop/cube_program.hpp"
#include "examples/aero_desktop/desktop/window_program.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace desktop {

using namespace aerogpu;

namespace {

constexpr float turn = 2 * std::numbers::pi_v<float>;

/// The kernel's log, green on dark glass, with a prompt that types itself.
class console_program final : public window_program {
 public:
  explicit console_program(const program_services& services)
      : window_program(services, context_id{1}, {"Console - aerogpu log", 416, 236}) {}

 protected:
  void create(d3d_device& device) override {
    static_cast<void>(device);
    text_.create(services().font);
  }
  void draw(d3d_device& device, float seconds) override {
    text_.restart();
    device.set_pixel_constants(0, {{1, 0, 1, 0},
                                   {area().width, area().height, 0, 1 / area().height},
                                   {0.045F, 0.055F, 0.085F, 1},
                                   {0.015F, 0.020F, 0.035F, 1},
                                   {0, 0, 0, 0},
                                   {0, 0, 0, 0}});
    device.draw_box(shader::panel, area());
    const auto& log = services().kernel.log();
    const std::size_t first = log.size() > most_lines ? log.size() - most_lines : 0;
    float y = 10;
    for (std::size_t i = first; i < log.size(); ++i, y += line_height) line(y, log[i], i);
    prompt(y, seconds);
  }

 private:
  static constexpr std::size_t most_lines = 14;
  static constexpr float line_height = 14.6F, dot = 1.1F;

  void line(float y, const std::string& words, std::size_t number) {
    constexpr std::uint32_t colors[]{0xFF7FE8A8, 0xFF8AD4FF, 0xFFD9E3F0};
    const bool is_token = words.find("token") != words.npos || words.find("port") != words.npos;
    text_.draw(12, y, words,
               {is_token     ? colors[1]
                : number < 2 ? colors[2]
                             : colors[0],
                dot, spacing::fixed});
  }
  void prompt(float y, float seconds) {
    constexpr std::string_view words = "$ aerogpu replay desktop.aerogputrace --backend vulkan";
    constexpr float letters_a_second = 60;
    const auto typed = std::min(words.size(), static_cast<std::size_t>(seconds * letters_a_second));
    text_.draw(12, y, std::string{words.substr(0, typed)} + "_", {0xFFFFFFFF, dot, spacing::fixed});
  }

  text_painter text_{device()};
};

class wave_program final : public window_program {
 public:
  explicit wave_program(const program_services& services)
      : window_program(services, context_id{3}, {"Oscilloscope", 380, 190}) {}

 protected:
  void draw(d3d_device& device, float seconds) override {
    const float swing = 1 + 0.25F * std::sin(seconds * 9);
    device.set_pixel_constants(0, {{seconds * 16, -seconds * 11 + 1, seconds * 7 + 2, seconds},
                                   {15.5F, 9.2F, 24, 0},
                                   {0.30F * swing, 0.36F, 0.16F, 0},
                                   {20, 10, area().width, area().height}});
    device.draw_box(shader::wave, area());
  }
};

class clock_program final : public window_program {
 public:
  explicit clock_program(const program_services& services)
      : window_program(services, context_id{4}, {"Plasma Clock", 216, 216}) {}

 protected:
  void draw(d3d_device& device, float seconds) override {
    const float second = 36 + seconds;
    const float minute = 9 + second / 60;
    const float hour = 10 + minute / 60;
    device.set_pixel_constants(0,
                               {{seconds * 2.2F, -seconds * 1.7F, seconds * 1.3F, -seconds * 3.1F},
                                hand(hour / 12, 0.42F, 0.048F),
                                hand(minute / 60, 0.62F, 0.034F),
                                hand(second / 60, 0.68F, 0.014F),
                                {area().width / area().height, area().height / 2, 0, 0}});
    device.draw_box(shader::clock, area());
  }

 private:
  static auto hand(float share, float length, float half_width) -> float4 {
    return {std::sin(share * turn), -std::cos(share * turn), length, half_width};
  }
};

}  // namespace

auto make_program(program_kind kind, const program_services& services)
    -> std::unique_ptr<window_program> {
  switch (kind) {
    case program_kind::console: return std::make_unique<console_program>(services);
    case program_kind::cube: return std::make_unique<cube_program>(services);
    case program_kind::wave: return std::make_unique<wave_program>(services);
    case program_kind::clock: break;
  }
  return std::make_unique<clock_program>(services);
}

}  // namespace desktop
