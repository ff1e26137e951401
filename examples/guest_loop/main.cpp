// SPDX-License-Identifier: MIT
/// \file Two guest processes share a surface by token; one draws, the other presents at vblanks.
#include "aerogpu/sync/frame_latency.hpp"
#include "guest_kernel.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>

using namespace example;

namespace {

constexpr context_id painter{1}, compositor{2};
constexpr resource_handle surface{10}, alias{20}, screen{21};
constexpr std::uint32_t size = guest_kernel::width;
constexpr std::uint32_t frames = 6, latency = 2;

/// Prints one aligned line for each step and remembers whether all were as they should be.
struct step_log {
  const machine& pc;
  const guest_kernel& kernel;
  bool is_right = true;

  void step(const char* who, const char* what, fence_value fence, bool is_expected) {
    std::printf("%8.3f ms  vblank %2" PRIu64 "  %-10s  %-30s  fence %#11" PRIx64 "%s\n",
                static_cast<double>(pc.time_ns) / 1e6, kernel.vblanks(), who, what, raw(fence),
                is_expected ? "" : "  <- unexpected");
    is_right = is_right && is_expected;
  }
};

/// Red of frame `i`, as the display must show it.
constexpr auto red_of(std::uint32_t i) -> std::uint32_t {
  return 51 * i;
}

auto shown_red(gpu& card) -> std::uint32_t {
  rgba8_image image;
  if (!card.read_scanout(image)) return UINT32_MAX;
  return std::to_integer<std::uint32_t>(image.pixels()[0]);
}

auto paint(guest_kernel& kernel, std::uint32_t i) -> fence_value {
  return kernel.submit(painter, [&](auto& w) {
    return w.set_render_targets(std::array{surface}, {}) &&
           w.clear({.color = {static_cast<float>(red_of(i)) / 255, 0.25f, 0.5f, 1}});
  });
}

auto compose(guest_kernel& kernel) -> fence_value {
  return kernel.submit(compositor, [](auto& w) {
    return w.copy_texture2d({{screen}, {alias}, size, size}) &&
           w.set_render_targets(std::array{screen}, {}) && w.present(0, AEROGPU_PRESENT_FLAG_VSYNC);
  });
}

/// Waits until another present may be queued; at most `latency` are.
void throttle(guest_kernel& kernel, frame_latency& frames_ahead, const machine& pc) {
  const std::uint64_t began_ns = pc.time_ns;
  for (;;) {
    const auto next =
        frames_ahead.next_step(kernel.completed(), present_mode::wait, pc.time_ns - began_ns);
    if (next.action == present_action::present) return;
    kernel.wait_for(next.fence, next.slice_ns);
  }
}

auto create(guest_kernel& kernel, context_id process, resource_handle handle) {
  return kernel.submit(process, [&](auto& w) {
    return w.create_texture2d(
        {handle, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_B8G8R8A8_UNORM, size, size});
  });
}

/// The whole scene: who shares what with whom, and what each may expect.
class scene {
 public:
  scene(machine& pc, gpu& card, guest_kernel& kernel)
      : card_(card), pc_(pc), kernel_(kernel), log_{pc, kernel} {}

  [[nodiscard]] auto run() -> bool {
    share();
    for (std::uint32_t i = 0; i < frames; ++i) present(i);
    kernel_.wait_for(last_, 100'000'000);
    log_.step("compositor", "all presents are on the screen", last_,
              is_done(last_) && kernel_.vblanks() == frames);
    part();
    return log_.is_right && raw(last_) >> 32 == 1;  // The guest's 32-bit ids wrapped on the way.
  }

 private:
  void share() {
    token_ = kernel_.create_shared();
    last_ = create(kernel_, painter, surface);
    log_.step("painter", "create a surface", last_, is_done(last_));
    last_ =
        kernel_.submit(painter, [&](auto& w) { return w.export_shared_surface(surface, token_); });
    log_.step("painter", "export it by its token", last_, is_done(last_));
    const bool is_open = kernel_.open_shared(token_);
    last_ = create(kernel_, compositor, screen);
    log_.step("compositor", "create a screen", last_, is_done(last_));
    last_ =
        kernel_.submit(compositor, [&](auto& w) { return w.import_shared_surface(alias, token_); });
    log_.step("compositor", "open and import the surface", last_, is_open && is_done(last_));
    is_limited_ = static_cast<bool>(ahead_.set_maximum(latency));
  }

  void present(std::uint32_t i) {
    const fence_value painted = paint(kernel_, i);
    throttle(kernel_, ahead_, pc_);
    last_ = compose(kernel_);
    ahead_.presented(last_);
    is_limited_ = is_limited_ && ahead_.in_flight() <= latency && painted < last_;
    // The first presents queue up; from then on each one waited for a vblank of its own.
    const std::uint64_t expected_vblank = i < latency ? 0 : i - latency + 1;
    log_.step("compositor", "copy and present", last_,
              is_limited_ && painted != fence_value{} && shown_red(card_) == red_of(i) &&
                  kernel_.vblanks() == expected_vblank);
  }

  void part() {
    last_ = kernel_.submit(painter, [](auto& w) { return w.destroy_resource(surface); });
    log_.step("painter", "destroy and close", last_,
              is_done(last_) && kernel_.close_shared(token_) == token_drop::kept);
    log_.step("compositor", "close: the token is released", last_,
              kernel_.close_shared(token_) == token_drop::last && pc_.errors == 0);
    last_ = kernel_.submit(
        compositor, [&](auto& w) { return w.import_shared_surface(resource_handle{22}, token_); });
    log_.step("compositor", "import again: refused", last_,
              is_done(last_) && pc_.last_error == error_code::unknown_share_token);
    last_ = kernel_.submit(compositor, [](auto& w) {
      return w.copy_texture2d({{screen}, {alias}, size, size}) && w.destroy_resource(alias);
    });
    log_.step("compositor", "the alias lived on until now", last_,
              is_done(last_) && pc_.errors == 1);
  }

  [[nodiscard]] auto is_done(fence_value fence) const -> bool {
    return fence != fence_value{} && kernel_.completed() == fence;
  }

  gpu& card_;
  machine& pc_;
  guest_kernel& kernel_;
  step_log log_;
  frame_latency ahead_;
  share_token token_{};
  fence_value last_{};
  bool is_limited_ = true;
};

}  // namespace

auto main(int argc, char**) -> int {
  if (argc != 1) return std::fputs("usage: guest_loop\n", stderr), 2;
  machine pc;
  null_backend backend;
  const auto card = gpu::create(pc, backend);
  if (!card) return std::fprintf(stderr, "guest_loop: %s\n", card.why().what), 1;
  guest_kernel kernel{pc, **card};
  if (!kernel.start()) return std::fputs("guest_loop: no ring\n", stderr), 1;
  if (scene{pc, **card, kernel}.run()) return 0;
  return std::fputs("guest_loop: the guest saw something unexpected\n", stderr), 1;
}
