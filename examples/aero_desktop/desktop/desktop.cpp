// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/desktop/desktop.hpp"

#include "tools/aerogpu/terminal/console.hpp"

namespace desktop {

using namespace aerogpu;

guest::guest(hardware& pc, const shader_library& shaders)
    : kernel_(pc), services_{kernel_, shaders, font_}, compositor_(services_) {
  for (std::size_t i = 0; i < program_count; ++i) {
    programs_[i] = make_program(static_cast<program_kind>(i), services_);
  }
}

auto guest::check(bool is_sent, std::string& why) const -> bool {
  if (kernel_.errors() != 0) {
    why = "the device reports: " + kernel_.first_error();
  } else if (!is_sent) {
    why = "a packet, the ring or a fence is refused";
  }
  return kernel_.errors() == 0 && is_sent;
}

auto guest::start(std::string& why) -> bool {
  return kernel_.start(why) && check(compositor_.start(), why);
}

auto guest::open(program_kind kind) -> bool {
  window_program& program = *programs_[static_cast<std::size_t>(kind)];
  return program.open() && compositor_.adopt(kind, program);
}

/// The compositor lets go first; the last reference releases the token.
auto guest::close(program_kind kind) -> bool {
  window_program& program = *programs_[static_cast<std::size_t>(kind)];
  return compositor_.release(kind, program.token()) && program.close();
}

auto guest::open_and_close(const scene& now) -> bool {
  for (std::size_t i = 0; i < program_count; ++i) {
    const bool is_wanted = now.windows[i].is_visible;
    if (programs_[i]->is_open() == is_wanted) continue;
    const auto kind = static_cast<program_kind>(i);
    if (!(is_wanted ? open(kind) : close(kind))) return false;
  }
  return true;
}

auto guest::show(std::uint32_t index, std::uint32_t count, std::string& why) -> bool {
  const scene now = scene_at(static_cast<float>(index) / static_cast<float>(count));
  const float seconds = static_cast<float>(kernel_.time_ns()) / 1e9F;
  bool is_good = open_and_close(now);
  for (const auto& program : programs_) {
    if (program->is_open()) is_good = is_good && program->paint(seconds);
  }
  kernel_.throttle();
  const fence_value shown = compositor_.compose(now, seconds);
  kernel_.presented(shown);
  is_good = is_good && shown != fence_value{} && kernel_.wait_for(shown);
  constexpr std::uint32_t log_interval = 8;
  if (index % log_interval == 0) {
    kernel_.log("frame " + tool::decimal(index) + ": fence " + tool::decimal(raw(shown)) +
                ", vblank " + tool::decimal(kernel_.vblanks()));
  }
  return check(is_good, why);
}

auto guest::stop(std::string& why) -> bool {
  bool is_good = open_and_close(scene{});
  is_good = compositor_.stop() && is_good;
  return check(is_good && kernel_.wait_for(kernel_.last_fence()), why);
}

}  // namespace desktop
