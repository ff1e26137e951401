// SPDX-License-Identifier: MIT
#include "application.hpp"

#include "tools/aerogpu/terminal/console.hpp"

namespace win7_desktop {

application::application(stack& on, journal& log, std::uint32_t process, program& what)
    : stack_(on), log_(log), program_(what), process_(on.runtime, process), adapter_(process_) {}

auto application::start() -> bool {
  D3DPRESENT_PARAMETERS wanted{};
  wanted.BackBufferWidth = content_width;
  wanted.BackBufferHeight = content_height;
  wanted.BackBufferFormat = D3DFMT_X8R8G8B8;
  wanted.BackBufferCount = 1;
  wanted.SwapEffect = D3DSWAPEFFECT_DISCARD;
  wanted.Windowed = 1;
  wanted.EnableAutoDepthStencil = program_.has_depth() ? 1 : 0;
  wanted.AutoDepthStencilFormat = D3DFMT_D24S8;
  if (!log_.check(adapter_.open(), "OpenAdapter")) return false;
  device_.emplace(adapter_);
  return log_.check(device_->create(wanted), "CreateDeviceEx") &&
         log_.check(device_->create_query(D3DQUERYTYPE_EVENT, query_), "CreateQuery");
}

auto application::stop() -> bool {
  const bool is_released =
      log_.check(device_->release(query_), "the query's Release") &&
      (redirection_ == nullptr ||
       log_.check(device_->release(redirection_), "the redirection surface's Release"));
  const bool is_over = is_released && log_.check(device_->destroy(), "the device's Release");
  device_.reset();
  return is_over && log_.check(adapter_.close(), "CloseAdapter");
}

auto application::open_redirection(D3DKMT_HANDLE share) -> bool {
  return log_.check(device_->open_shared(share, redirection_), "opening the redirection surface");
}

auto application::draw(double new_turn) -> bool {
  if (!program_.draw(*device_, log_, new_turn)) return false;
  turn = new_turn;
  const bool is_sent =
      log_.check(device_->present_to({redirection_, 0}), "Present to the redirection surface") &&
      log_.check(device_->issue(query_, D3DISSUE_END), "Issue");
  issued_ns_ = log_.now_ns();
  return is_sent;
}

/// The application does something else for `step_ns` each time that the answer is not there.
auto application::poll(std::uint64_t step_ns, std::uint64_t limit_ns) -> query_answer {
  polls_ = 0;
  HRESULT answer = S_FALSE;
  while (log_.now_ns() - issued_ns_ < limit_ns) {
    ++polls_;
    answer = device_->get_data(query_, {}, D3DGETDATA_FLUSH);
    if (answer != S_FALSE) break;
    stack_.pass_time(step_ns);
  }
  if (answer == S_OK) return query_answer::done;
  const bool is_loss =
      answer == D3DERR_DEVICELOST || answer == D3DERR_DEVICEREMOVED || answer == D3DERR_DEVICEHUNG;
  if (is_loss) return query_answer::device_lost;
  static_cast<void>(log_.check(answer, "GetData"));
  return query_answer::failed;
}

auto application::wait_for_frame() -> bool {
  constexpr std::uint64_t step_ns = 300'000, limit_ns = 1'000'000'000;
  const auto answer = poll(step_ns, limit_ns);
  if (answer == query_answer::device_lost) return log_.fail("GetData says that a device is lost");
  if (answer == query_answer::failed) return false;
  log_.line(
      program_.title(), stack_.session().scheduler.last_fence(), log_.now_ns() - issued_ns_,
      "presented to the compositor; EVENT answered at poll " + aerogpu::tool::decimal(polls_));
  return true;
}

auto application::wait_for_loss() -> bool {
  constexpr std::uint64_t step_ns = 50'000'000, limit_ns = 20'000'000'000;
  const auto answer = poll(step_ns, limit_ns);
  if (answer == query_answer::done) return log_.fail("GetData finds work done on a stuck device");
  if (answer == query_answer::failed) return false;
  log_.line(
      program_.title(), stack_.session().scheduler.last_fence(), log_.now_ns() - issued_ns_,
      "the device does not answer; GetData says so at poll " + aerogpu::tool::decimal(polls_));
  return true;
}

auto application::check_state(HRESULT wanted) -> bool {
  const HRESULT seen = device_->check_device_state();
  log_.line(program_.title(), stack_.session().scheduler.last_fence(), 0,
            "CheckDeviceState: " + name_of(seen));
  return log_.check(seen, program_.title() + "'s CheckDeviceState", wanted);
}

}  // namespace win7_desktop
