// SPDX-License-Identifier: MIT
#include "story.hpp"

#include "aerogpu/abi/mmio.h"
#include "tools/aerogpu/files/files.hpp"
#include "tools/aerogpu/terminal/console.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace win7_desktop {

using namespace aerogpu;

namespace {

constexpr std::uint32_t compositor_process = 8, first_process = 21, second_process = 22;
/// By which a GPU may round another way than the CPU, in steps of 1/255 after three blends.
constexpr int rounding_steps = 3;
/// On the edges of shapes, one pixel in so many may lie on the other side.
constexpr int pixels_for_each_edge_pixel = 10'000;

[[nodiscard]] auto difference(color a, color b) -> int {
  int most = 0;
  for (const int shift : {0, 8, 16})
    most = std::max(
        most, std::abs(static_cast<int>(a >> shift & 0xFF) - static_cast<int>(b >> shift & 0xFF)));
  return most;
}

}  // namespace

story::story(stack& on, const story_choice& how)
    : stack_(on),
      how_(how),
      log_(on.pc.clock),
      compositor_(on, log_, compositor_process, font_),
      first_(on, log_, first_process, shapes_),
      second_(on, log_, second_process, cubes_) {}

auto story::run(std::string& why) -> bool {
  log_.start();
  const std::array<bool (story::*)(), 6> stages{&story::open_windows,     &story::pace_presents,
                                                &story::change_mode,      &story::time_out,
                                                &story::sleep_and_resume, &story::close};
  for (const auto stage : stages) {
    if ((this->*stage)()) continue;
    why = log_.why();
    return false;
  }
  return true;
}

void story::tell(const std::string& text) {
  log_.line("Windows", stack_.session().scheduler.last_fence(), 0, text);
}

auto story::start_processes() -> bool {
  return compositor_.start(width_, height_) && first_.start() && second_.start() &&
         compositor_.add_window(first_, 48, 72) && compositor_.add_window(second_, 348, 250);
}

auto story::stop_processes() -> bool {
  return first_.stop() && second_.stop() && compositor_.stop();
}

auto story::open_windows() -> bool {
  log_.stage("Two applications and a compositor, in three processes");
  tell("boots to a desktop of " + tool::decimal(static_cast<std::uint64_t>(width_)) + "x" +
       tool::decimal(static_cast<std::uint64_t>(height_)));
  return start_processes() && show_frames("shared surfaces");
}

auto story::show_frame() -> bool {
  constexpr double turn_a_frame = 0.11;
  ++log_.frame;
  const double turn = 0.6 + turn_a_frame * log_.frame;
  return first_.draw(turn) && second_.draw(turn) && first_.wait_for_frame() &&
         second_.wait_for_frame() && compositor_.compose() && compositor_.present();
}

auto story::show_frames(const std::string& status) -> bool {
  if (!compositor_.set_status(status)) return false;
  for (std::uint32_t i = 0; i < how_.frames; ++i) {
    if (!show_frame()) return false;
    const bool is_last = i + 1 == how_.frames;
    if (how_.png_folder.empty() && !is_last) continue;
    canvas shown;
    std::string why;
    if (!compositor_.wait_until_shown()) return false;
    if (!stack_.display(shown, why)) return log_.fail(why);
    if (!save(shown, {})) return false;
    if (is_last && !check_picture(shown)) return false;
  }
  return true;
}

auto story::show_picture(const std::string& label) -> bool {
  canvas shown;
  std::string why;
  if (!compositor_.compose() || !compositor_.present() || !compositor_.wait_until_shown())
    return false;
  if (!stack_.display(shown, why)) return log_.fail(why);
  return save(shown, label) && check_picture(shown);
}

auto story::check_picture(const canvas& shown) -> bool {
  const canvas wanted = compositor_.expected();
  if (shown.width() != wanted.width() || shown.height() != wanted.height()) {
    return log_.fail(
        "the monitor shows " + tool::decimal(static_cast<std::uint64_t>(shown.width())) +
        " columns instead of " + tool::decimal(static_cast<std::uint64_t>(wanted.width())));
  }
  int wrong = 0, first_x = 0, first_y = 0;
  for (int y = 0; y < shown.height(); ++y) {
    for (int x = 0; x < shown.width(); ++x) {
      if (difference(shown.at(x, y), wanted.at(x, y)) <= rounding_steps) continue;
      if (wrong++ == 0) first_x = x, first_y = y;
    }
  }
  const auto count = [](int n) { return tool::decimal(static_cast<std::uint64_t>(n)); };
  const int allowed = shown.width() * shown.height() / pixels_for_each_edge_pixel;
  if (wrong > allowed) {
    std::string why;
    if (!how_.png_folder.empty())
      static_cast<void>(write_picture(tool::join(how_.png_folder, "wanted.png"), wanted, why));
    return log_.fail("the monitor has " + count(wrong) + " wrong pixels, where " + count(allowed) +
                     " at edges may be; the first at (" + count(first_x) + ", " + count(first_y) +
                     ") is " + tool::hex(shown.at(first_x, first_y)) + " instead of " +
                     tool::hex(wanted.at(first_x, first_y)));
  }
  ++checked_;
  tell("the picture is right: " + count(shown.width() * shown.height()) + " pixels, " +
       count(wrong) + " of them at edges differ");
  return true;
}

auto story::save(const canvas& shown, const std::string& label) -> bool {
  if (how_.png_folder.empty()) return true;
  std::string number = tool::decimal(log_.frame), why;
  number.insert(0, number.size() < 4 ? 4 - number.size() : 0, '0');
  const std::string file = "frame-" + number + (label.empty() ? "" : "-" + label) + ".png";
  return write_picture(tool::join(how_.png_folder, file), shown, why) || log_.fail(why);
}

auto story::pace_presents() -> bool {
  log_.stage("PresentEx at the pace of the maximum frame latency");
  for (const UINT limit : {1u, 2u, 3u}) {
    if (!fill_queue(limit)) return false;
  }
  return show_frames("paced presents");
}

/// Presents without leave to wait, until the queue says that it is full.
auto story::fill_queue(UINT limit) -> bool {
  constexpr DWORD do_not_wait = 0x1;  // D3DPRESENT_DONOTWAIT
  auto& device = compositor_.device();
  if (!log_.check(device.set_maximum_frame_latency(limit), "SetMaximumFrameLatency") ||
      !compositor_.wait_until_shown()) {
    return false;
  }
  UINT taken = 0;
  HRESULT answer = S_OK;
  while (taken <= limit) {
    if (!compositor_.compose()) return false;
    answer = device.present_ex(do_not_wait);
    if (answer != S_OK) break;
    ++taken;
  }
  tell("latency " + tool::decimal(limit) + ": " + tool::counted(taken, "present") +
       " taken at once, the next answers " + name_of(answer));
  if (taken != limit) return log_.fail("the queue of presents has not the length of the latency");
  if (!log_.check(answer, "PresentEx to a full queue", D3DERR_WASSTILLDRAWING)) return false;
  const auto before = log_.now_ns();
  if (!compositor_.compose() || !compositor_.present()) return false;
  return log_.now_ns() > before || log_.fail("PresentEx to a full queue does not wait");
}

auto story::change_mode() -> bool {
  log_.stage("Another mode");
  width_ = 1024;
  height_ = 768;
  if (!compositor_.change_mode(width_, height_)) return false;
  tell("the mode is 1024x768");
  if (!first_.check_state(S_PRESENT_MODE_CHANGED) || !second_.check_state(S_PRESENT_MODE_CHANGED))
    return false;
  compositor_.move_window(0, 190, 130);
  compositor_.move_window(1, 470, 320);
  return show_frames("1024 x 768");
}

auto story::time_out() -> bool {
  log_.stage("A device that stops answering, and recovery");
  auto& scheduler = stack_.session().scheduler;
  stack_.pc.bus.host.doorbells = sim::doorbell_mode::held;
  ++log_.frame;
  if (!first_.draw(first_.turn) || !first_.wait_for_loss()) return false;
  stack_.pc.bus.host.doorbells = sim::doorbell_mode::delayed;
  stack_.windows().poll();
  tell("timeout detection has reset the device; resets: " + tool::decimal(scheduler.resets()));
  if (scheduler.resets() != 1) return log_.fail("one timeout takes another number of resets");
  if (!first_.check_state(D3DERR_DEVICELOST) || !second_.check_state(D3DERR_DEVICELOST) ||
      !compositor_.check_state(D3DERR_DEVICELOST)) {
    return false;
  }
  if (!stop_processes() || !start_processes()) return false;
  compositor_.move_window(0, 190, 130);
  compositor_.move_window(1, 470, 320);
  tell("all three have new devices and surfaces");
  return show_frames("after a timeout");
}

auto story::sleep_and_resume() -> bool {
  log_.stage("Sleep and resume");
  if (stack_.windows().sleep() != STATUS_SUCCESS) return log_.fail("the adapter does not sleep");
  const bool is_dark = stack_.pc.bus.peek(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 0;
  if (!is_dark) return log_.fail("the screen is not dark in sleep");
  tell("sleeps; the screen is dark, video memory is lost");
  auto video_memory = stack_.pc.bus.video_memory();
  std::fill(video_memory.begin(), video_memory.end(), std::byte{0x55});
  if (stack_.windows().wake() != STATUS_SUCCESS) return log_.fail("the adapter does not wake up");
  tell("is awake again");
  if (!first_.check_state(S_OK) || !second_.check_state(S_OK) || !compositor_.check_state(S_OK))
    return false;
  // The applications draw nothing: their surfaces have to hold what they had.
  return show_picture("resumed") && show_frames("after sleep");
}

auto story::close() -> bool {
  log_.stage("The end");
  if (!stop_processes()) return false;
  tell("all devices are closed");
  return true;
}

}  // namespace win7_desktop
