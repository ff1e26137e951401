// SPDX-License-Identifier: MIT
// Packets that set fixed-function state and constants.
#include "tests/property/stream_generator.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::property {

namespace {

/// D3DRENDERSTATETYPE, and those of the driver.
constexpr std::array<std::uint32_t, 66> render_states{
    7,   8,   9,   14,  15,  16,  18,  19,  19,  20,  20,  22,  23,  24,  25,  26,  27,
    27,  28,  29,  34,  35,  36,  37,  38,  47,  48,  52,  52,  53,  54,  55,  56,  57,
    58,  59,  60,  128, 152, 154, 155, 156, 157, 166, 168, 171, 174, 174, 175, 185, 186,
    187, 188, 189, 190, 191, 192, 193, 194, 194, 195, 206, 207, 208, 209, 210};

[[nodiscard]] auto float_bits(choices& by) -> std::uint32_t {
  return std::bit_cast<std::uint32_t>(odd_float(by));
}

}  // namespace

void stream_generator::set_viewport() {
  std::array<float, 6> v{0, 0, 16, 16, 0, 1};
  if (by_.one_in(8)) v = {};
  if (by_.one_in(2)) {
    for (std::size_t i = 0; i < 4; ++i) v[i] = static_cast<float>(by_.below(40)) - 10;
  }
  if (by_.one_in(3)) v[by_.below(v.size())] = odd_float(by_);
  if (by_.one_in(8)) v[by_.below(v.size())] = odd_float(by_);
  stream_.viewport(v);
}

void stream_generator::set_scissor() {
  const auto number = [this] {
    return by_.one_in(6) ? static_cast<std::int32_t>(odd_word(by_))
                         : static_cast<std::int32_t>(by_.below(40)) - 8;
  };
  const auto extent = [&] { return by_.one_in(3) ? 16 : number(); };
  stream_.scissor(number(), number(), extent(), extent());
}

void stream_generator::set_blend() {
  aerogpu_blend_state state{};
  state.enable = by_.below(2);
  const auto factor = [this] { return mostly_below(by_, 8); };
  state.src_factor = factor();
  state.dst_factor = factor();
  state.blend_op = mostly_below(by_, 5);
  state.src_factor_alpha = factor();
  state.dst_factor_alpha = factor();
  state.blend_op_alpha = mostly_below(by_, 5);
  state.color_write_mask = static_cast<std::uint8_t>(by_.one_in(3) ? by_.below(256) : 0xF);
  for (std::uint32_t& channel : state.blend_constant_rgba_f32) channel = float_bits(by_);
  state.sample_mask = by_.one_in(12) ? odd_word(by_) : 0xFFFFFFFF;
  stream_.blend(state);
}

void stream_generator::set_depth_stencil() {
  aerogpu_depth_stencil_state state{};
  state.depth_enable = by_.below(2);
  state.depth_write_enable = by_.below(2);
  state.depth_func = mostly_below(by_, 8);
  state.stencil_enable = by_.below(2);
  state.stencil_read_mask = static_cast<std::uint8_t>(by_.below(256));
  state.stencil_write_mask = static_cast<std::uint8_t>(by_.below(256));
  stream_.depth_stencil(state);
}

void stream_generator::set_rasterizer() {
  aerogpu_rasterizer_state state{};
  state.fill_mode = by_.one_in(4) ? mostly_below(by_, 2) : 0;
  state.cull_mode = mostly_below(by_, 3);
  state.front_ccw = by_.below(2);
  state.scissor_enable = by_.one_in(3) ? 1 : 0;
  state.depth_bias = by_.one_in(2) ? static_cast<std::int32_t>(odd_word(by_)) : 0;
  state.flags = by_.below(4);
  stream_.rasterizer(state);
}

void stream_generator::set_render_state() {
  const std::uint32_t id = by_.one_in(32) ? odd_word(by_) : by_.pick(render_states);
  std::uint32_t value = by_.below(17);
  if (by_.one_in(4)) value = odd_word(by_);
  if (by_.one_in(4)) value = float_bits(by_);
  stream_.render_state(id, value);
  // Clip planes and what else the driver has above 256.
  if (by_.one_in(8)) stream_.render_state(256 + by_.below(64), float_bits(by_));
}

void stream_generator::set_sampler_state() {
  std::uint32_t value = by_.below(6);
  if (by_.one_in(4)) value = by_.one_in(2) ? odd_word(by_) : float_bits(by_);
  stream_.sampler_state(by_.below(2),
                        by_.one_in(8) ? by_.below(by_.is_careful ? 16 : 17) : by_.below(2),
                        1 + by_.below(13), value);
}

void stream_generator::set_constants() {
  const test::wire_stage stage = any_stage();
  const std::uint32_t start = by_.one_in(8) ? by_.below(256) : 0;
  const std::size_t count = 1 + by_.below(8);
  switch (by_.below(4)) {
    case 0: {
      std::vector<std::array<std::int32_t, 4>> values(count);
      for (auto& value : values) {
        for (std::int32_t& v : value) v = static_cast<std::int32_t>(by_.below(4));
      }
      stream_.constants_i(by_.one_in(2) ? test::wire_vs : test::wire_ps, start, values);
      break;
    }
    case 1: {
      std::vector<std::array<std::uint32_t, 4>> values(count);
      for (auto& value : values) value.fill(by_.below(2));
      stream_.constants_b(by_.one_in(2) ? test::wire_vs : test::wire_ps, start, values);
      break;
    }
    default: {
      std::vector<std::array<float, 4>> values(count);
      for (auto& value : values) {
        for (float& v : value) v = odd_float(by_);
      }
      stream_.constants_f(stage, start, values);
      break;
    }
  }
}

void stream_generator::set_some_state() {
  switch (by_.below(10)) {
    case 0: set_viewport(); break;
    case 1: set_scissor(); break;
    case 2: set_blend(); break;
    case 3: set_depth_stencil(); break;
    case 4: set_rasterizer(); break;
    case 5: set_sampler_state(); break;
    case 6: set_constants(); break;
    default: set_render_state(); break;
  }
}

}  // namespace aerogpu::property
