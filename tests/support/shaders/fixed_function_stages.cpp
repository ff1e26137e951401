// SPDX-License-Identifier: MIT
// Pixels: texture stages, specular, fog.
#include "tests/support/shaders/fixed_function_reference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace aerogpu::test {

namespace {

auto held(const double4& v) -> double4 {
  double4 out;
  std::transform(v.begin(), v.end(), out.begin(), [](double x) { return std::clamp(x, 0.0, 1.0); });
  return out;
}

auto argb_color(std::uint32_t argb) -> double4 {
  const auto channel = [argb](unsigned shift) { return (argb >> shift & 0xFFu) / 255.0; };
  return {channel(16), channel(8), channel(0), channel(24)};
}

/// The formula of an operation for one component, where the others do not matter.
struct operands {
  double4 a0, a1, a2;
};

class pixel_pipeline {
 public:
  pixel_pipeline(const reference_draw& draw, const reference_varyings& in,
                 const reference_texture& texture)
      : draw_(draw), in_(in), texture_(texture), current_(in.color0) {}

  auto run() -> double4 {
    for (unsigned stage = 0; stage < 8 && apply(stage); ++stage) {
    }
    if (state(D3DRS_SPECULARENABLE) != 0) {
      for (std::size_t i = 0; i < 3; ++i) current_[i] += in_.color1[i];
      current_ = {held(current_)[0], held(current_)[1], held(current_)[2], current_[3]};
    }
    if (state(D3DRS_FOGENABLE) != 0) fog();
    return current_;
  }

 private:
  [[nodiscard]] auto state(std::size_t which) const -> std::uint32_t {
    return draw_.state->render_states[which];
  }
  [[nodiscard]] auto number(std::size_t which) const -> double {
    return static_cast<double>(std::bit_cast<float>(state(which)));
  }
  [[nodiscard]] auto apply(unsigned stage) -> bool;
  [[nodiscard]] auto sample(unsigned stage) const -> double4;
  [[nodiscard]] auto argument(unsigned stage, std::uint32_t value) const -> double4;
  [[nodiscard]] auto arguments(unsigned stage, unsigned arg0, unsigned arg1) const -> operands;
  [[nodiscard]] auto operate(unsigned stage, std::uint32_t op, const operands& x) const -> double4;
  [[nodiscard]] auto reads_texture(unsigned stage, unsigned op_state, unsigned arg0,
                                   unsigned arg1) const -> bool;
  void fog();

  const reference_draw& draw_;
  const reference_varyings& in_;
  const reference_texture& texture_;
  double4 current_;
  double4 temp_{};
};

auto count_of_args(std::uint32_t op) -> int {
  if (op == D3DTOP_DISABLE) return 0;
  if (op == D3DTOP_SELECTARG1 || op == D3DTOP_PREMODULATE) return 1;
  return op == D3DTOP_MULTIPLYADD || op == D3DTOP_LERP ? 3 : 2;
}

/// `arg1` is followed by ARG2.
auto pixel_pipeline::reads_texture(unsigned stage, unsigned op_state, unsigned arg0,
                                   unsigned arg1) const -> bool {
  const auto& s = draw_.state->stage_states[stage];
  const auto is_texture = [&s](std::size_t which) { return (s[which] & 0xF) == D3DTA_TEXTURE; };
  const std::uint32_t op = s[op_state];
  if (op == D3DTOP_BLENDTEXTUREALPHA || op == D3DTOP_BLENDTEXTUREALPHAPM) return true;
  if (op == D3DTOP_SELECTARG2) return is_texture(arg1 + 1);
  const int count = count_of_args(op);
  return (count > 0 && is_texture(arg1)) || (count > 1 && is_texture(arg1 + 1)) ||
         (count > 2 && is_texture(arg0));
}

auto pixel_pipeline::sample(unsigned stage) const -> double4 {
  double4 at = in_.texcoords[stage];
  const std::uint32_t flags = draw_.state->stage_states[stage][D3DTSS_TEXTURETRANSFORMFLAGS];
  if ((flags & D3DTTFF_PROJECTED) != 0) {
    const std::uint32_t count = flags & 0xFF;
    const double divisor = at[count == 0 ? 3 : count - 1];
    if (count != 1) {
      for (std::size_t i = 0; i < 3; ++i) at[i] /= divisor;
    }
  }
  return texture_(stage, at);
}

auto pixel_pipeline::argument(unsigned stage, std::uint32_t value) const -> double4 {
  double4 v = in_.color0;
  switch (value & 0xF) {
    case D3DTA_CURRENT: v = current_; break;
    case D3DTA_TEXTURE: v = sample(stage); break;
    case D3DTA_TFACTOR: v = argb_color(state(D3DRS_TEXTUREFACTOR)); break;
    case D3DTA_SPECULAR: v = in_.color1; break;
    case D3DTA_TEMP: v = temp_; break;
    case D3DTA_CONSTANT: v = argb_color(draw_.state->stage_states[stage][D3DTSS_CONSTANT]); break;
    default: break;
  }
  if ((value & D3DTA_ALPHAREPLICATE) != 0) v = {v[3], v[3], v[3], v[3]};
  if ((value & D3DTA_COMPLEMENT) != 0) v = {1 - v[0], 1 - v[1], 1 - v[2], 1 - v[3]};
  return v;
}

auto pixel_pipeline::arguments(unsigned stage, unsigned arg0, unsigned arg1) const -> operands {
  const auto& s = draw_.state->stage_states[stage];
  return {argument(stage, s[arg0]), argument(stage, s[arg1]), argument(stage, s[arg1 + 1])};
}

auto pixel_pipeline::operate(unsigned stage, std::uint32_t op, const operands& x) const -> double4 {
  const double4& a0 = x.a0;
  const double4& a1 = x.a1;
  const double4& a2 = x.a2;
  const auto each = [](auto compute) {
    double4 out;
    for (std::size_t i = 0; i < 4; ++i) out[i] = compute(i);
    return held(out);
  };
  const auto lerp_by = [&](double f) {
    return each([&](std::size_t i) { return a1[i] * f + a2[i] * (1 - f); });
  };
  const double4& p = a1;
  const double4& q = a2;
  switch (op) {
    case D3DTOP_SELECTARG1: return held(a1);
    case D3DTOP_SELECTARG2: return held(a2);
    case D3DTOP_MODULATE: return each([&](auto i) { return p[i] * q[i]; });
    case D3DTOP_MODULATE2X: return each([&](auto i) { return p[i] * q[i] * 2; });
    case D3DTOP_MODULATE4X: return each([&](auto i) { return p[i] * q[i] * 4; });
    case D3DTOP_ADD: return each([&](auto i) { return p[i] + q[i]; });
    case D3DTOP_ADDSIGNED: return each([&](auto i) { return p[i] + q[i] - 0.5; });
    case D3DTOP_ADDSIGNED2X: return each([&](auto i) { return (p[i] + q[i] - 0.5) * 2; });
    case D3DTOP_SUBTRACT: return each([&](auto i) { return p[i] - q[i]; });
    case D3DTOP_ADDSMOOTH: return each([&](auto i) { return p[i] + q[i] - p[i] * q[i]; });
    case D3DTOP_BLENDDIFFUSEALPHA: return lerp_by(in_.color0[3]);
    case D3DTOP_BLENDTEXTUREALPHA: return lerp_by(sample(stage)[3]);
    case D3DTOP_BLENDFACTORALPHA: return lerp_by(argb_color(state(D3DRS_TEXTUREFACTOR))[3]);
    case D3DTOP_BLENDCURRENTALPHA: return lerp_by(current_[3]);
    case D3DTOP_BLENDTEXTUREALPHAPM: {
      const double rest = 1 - sample(stage)[3];
      return each([&](auto i) { return p[i] + q[i] * rest; });
    }
    case D3DTOP_PREMODULATE: {
      const bool has_next = stage < 7 && draw_.has_texture[stage + 1];
      const double4 next = has_next ? sample(stage + 1) : double4{1, 1, 1, 1};
      return each([&](auto i) { return p[i] * next[i]; });
    }
    case D3DTOP_MODULATEALPHA_ADDCOLOR: return each([&](auto i) { return p[i] + p[3] * q[i]; });
    case D3DTOP_MODULATECOLOR_ADDALPHA: return each([&](auto i) { return p[i] * q[i] + p[3]; });
    case D3DTOP_MODULATEINVALPHA_ADDCOLOR:
      return each([&](auto i) { return (1 - p[3]) * q[i] + p[i]; });
    case D3DTOP_MODULATEINVCOLOR_ADDALPHA:
      return each([&](auto i) { return (1 - p[i]) * q[i] + p[3]; });
    case D3DTOP_DOTPRODUCT3: {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) sum += (p[i] - 0.5) * (q[i] - 0.5);
      return held({4 * sum, 4 * sum, 4 * sum, 4 * sum});
    }
    case D3DTOP_MULTIPLYADD: return each([&](auto i) { return a0[i] + p[i] * q[i]; });
    case D3DTOP_LERP: return each([&](auto i) { return a0[i] * p[i] + (1 - a0[i]) * q[i]; });
    default: return {};
  }
}

auto pixel_pipeline::apply(unsigned stage) -> bool {
  const auto& s = draw_.state->stage_states[stage];
  const std::uint32_t color_op = s[D3DTSS_COLOROP], alpha_op = s[D3DTSS_ALPHAOP];
  if (color_op == D3DTOP_DISABLE) return false;
  const auto lacks_texture = [&](unsigned op, unsigned arg0, unsigned arg1) {
    return !draw_.has_texture[stage] && reads_texture(stage, op, arg0, arg1);
  };
  if (lacks_texture(D3DTSS_COLOROP, D3DTSS_COLORARG0, D3DTSS_COLORARG1)) return false;
  double4 made = operate(stage, color_op, arguments(stage, D3DTSS_COLORARG0, D3DTSS_COLORARG1));
  if (color_op != D3DTOP_DOTPRODUCT3) {
    made[3] =
        alpha_op == D3DTOP_DISABLE ||
                lacks_texture(D3DTSS_ALPHAOP, D3DTSS_ALPHAARG0, D3DTSS_ALPHAARG1)
            ? current_[3]
            : operate(stage, alpha_op, arguments(stage, D3DTSS_ALPHAARG0, D3DTSS_ALPHAARG1))[3];
  }
  (s[D3DTSS_RESULTARG] == D3DTA_TEMP ? temp_ : current_) = made;
  return true;
}

void pixel_pipeline::fog() {
  const double start = number(D3DRS_FOGSTART), end = number(D3DRS_FOGEND);
  const double density = number(D3DRS_FOGDENSITY);
  double stays = in_.fog;
  switch (state(D3DRS_FOGTABLEMODE)) {
    case D3DFOG_EXP: stays = std::exp(-in_.fog * density); break;
    case D3DFOG_EXP2: stays = std::exp(-in_.fog * density * in_.fog * density); break;
    case D3DFOG_LINEAR: stays = end == start ? 0 : (end - in_.fog) / (end - start); break;
    default: break;
  }
  stays = std::clamp(stays, 0.0, 1.0);
  const double4 color = argb_color(state(D3DRS_FOGCOLOR));
  for (std::size_t i = 0; i < 3; ++i) current_[i] = color[i] + (current_[i] - color[i]) * stays;
}

}  // namespace

auto process_pixel(const reference_draw& draw, const reference_varyings& in,
                   const reference_texture& texture) -> double4 {
  return pixel_pipeline{draw, in, texture}.run();
}

}  // namespace aerogpu::test
