// SPDX-License-Identifier: MIT
#include "tests/drivers/d3d9/random/random_program.hpp"

#include <algorithm>

namespace aerogpu::test {

random_program::random_program(d3d9_device& device, HWND window, choices& from, program_kind kind)
    : device_(device), window_(window), choose_(from), kind_(kind), memory_(std::size_t{1} << 17) {
  start();
}

auto random_program::parameters(HWND window) -> D3DPRESENT_PARAMETERS {
  D3DPRESENT_PARAMETERS made{};
  made.BackBufferWidth = width;
  made.BackBufferHeight = height;
  made.BackBufferFormat = D3DFMT_X8R8G8B8;
  made.BackBufferCount = 1;
  made.SwapEffect = D3DSWAPEFFECT_DISCARD;
  made.hDeviceWindow = window;
  made.Windowed = 1;
  return made;
}

random_program::~random_program() {
  if (is_recording_) {
    d3d9_block* block = nullptr;
    if (device_.EndStateBlock(&block) >= 0) block->Release();
  }
}

/// From here on a comparable program's picture depends on its choices alone.
void random_program::start() {
  d3d9_surface* target = nullptr;
  if (device_.GetRenderTarget(0, &target) >= 0) back_buffer_.reset(target);
  device_.SetRenderState(D3DRS_LIGHTING, 0);
  device_.SetRenderState(D3DRS_CULLMODE, D3DCULL_NONE);
  device_.SetRenderState(D3DRS_ZENABLE, 0);
  device_.Clear(0, nullptr, D3DCLEAR_TARGET, 0xFF406080, 1, 0);
  // A stage that samples nothing means little.
  while (textures_[0] == nullptr && !choose_.is_over()) make_texture();
  for (DWORD stage = 0; stage < stages; ++stage) device_.SetTexture(stage, textures_[0].get());
  pass_coordinates_on();
}

auto random_program::any_or(std::uint32_t usual) -> std::uint32_t {
  if (!is_wild() || !choose_.one_in(6)) return usual;
  return choose_.one_in(2) ? choose_.below(64) : choose_.u32();
}

auto random_program::real(float least, float most) -> float {
  constexpr std::uint32_t parts = 64;
  if (is_wild() && choose_.one_in(16)) {
    constexpr std::array<float, 5> odd{1e30f, -1e30f, 0, 1e-40f, 65536};
    return one_of<float>(odd);
  }
  constexpr float off_the_grid = 1.0f / 997;  // Of pixels and texels, where ties are anybody's.
  const float chosen = static_cast<float>(choose_.below(parts)) / parts + off_the_grid;
  return least + (most - least) * chosen;
}

/// Inside of every target; of a wild program anywhere.
auto random_program::area() -> RECT {
  const auto edge = [&](UINT most) { return static_cast<LONG>(any_or(choose_.below(most))); };
  RECT made{edge(width), edge(height), 0, 0};
  made.right = made.left + 1 + edge(width);
  made.bottom = made.top + 1 + edge(height);
  if (is_wild()) return made;
  made.right = std::min<LONG>(made.right, width);
  made.bottom = std::min<LONG>(made.bottom, height);
  return made;
}

void random_program::run(unsigned steps) {
  for (unsigned i = 0; i < steps && !choose_.is_over(); ++i) step();
}

void random_program::step() {
  using call = void (random_program::*)();
  using me = random_program;
  // What stands twice is twice as likely.
  static constexpr std::array<call, 31> calls{&me::set_render_state,
                                              &me::set_render_state,
                                              &me::set_render_state,
                                              &me::set_stage_state,
                                              &me::set_stage_state,
                                              &me::set_sampler_state,
                                              &me::set_transform,
                                              &me::set_light,
                                              &me::set_clip_plane,
                                              &me::set_coordinates,
                                              &me::set_viewport,
                                              &me::use_block,
                                              &me::set_shaders,
                                              &me::make_texture,
                                              &me::make_texture,
                                              &me::make_cube,
                                              &me::change_texture,
                                              &me::make_target,
                                              &me::choose_target,
                                              &me::bind_texture,
                                              &me::bind_texture,
                                              &me::make_buffers,
                                              &me::copy,
                                              &me::fill,
                                              &me::clear,
                                              &me::draw_on_screen,
                                              &me::draw_in_space,
                                              &me::draw_in_space,
                                              &me::draw_points,
                                              &me::draw_blended,
                                              &me::draw_buffers};
  static constexpr std::array<call, 4> wild_calls{&me::make_anything, &me::lock_anything,
                                                  &me::ask_anything, &me::present_anything};
  const bool is_any = is_wild() && choose_.one_in(5);
  (this->*(is_any ? one_of<call>(wild_calls) : one_of<call>(calls)))();
}

}  // namespace aerogpu::test
