// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/fixed/pixel/pixel_program.hpp"

#include "drivers/win7/umd/d3d9/fixed/pixel/pixel_writer.hpp"

namespace aerogpu::umd::fixed {

namespace detail {

namespace {

using enum opcode;

constexpr unsigned input_limit = 10;  ///< Of ps_3_0.

/// Sampler types of declarations: umd-d3d9.md 3.2.
constexpr std::array<std::uint8_t, 4> sampler_types{0, 2, 3, 4};

}  // namespace

pixel_writer::pixel_writer(const pixel_key& key, std::span<std::uint32_t> out) noexcept
    : key_(key), code_(out, ps_3_0) {}

auto pixel_writer::write() noexcept -> std::span<const std::uint32_t> {
  declare();
  code_.define(pixel_registers::definitions, {0, 1, 0.5f, 4});
  if (key_.clamps_colors) clamp_colors();
  if (is_fog_in_specular_ && reads(D3DTA_SPECULAR)) split_specular();
  current_ = diffuse_;
  if (reads(D3DTA_TEMP)) code_.emit(mov, temp_register, pixel_zero);
  for (unsigned stage = 0; stage < key_.stage_count; ++stage) write_stage(stage);
  finish_color();
  write_fog();
  code_.emit(mov, {register_file::color_out, 0}, current_);
  return code_.finish();
}

auto pixel_writer::reads(std::uint8_t argument) const noexcept -> bool {
  for (unsigned i = 0; i < key_.stage_count; ++i) {
    if (fixed::reads(key_.stages[i], argument)) return true;
  }
  return false;
}

auto pixel_writer::has_specular() const noexcept -> bool {
  return key_.adds_specular || reads(D3DTA_SPECULAR);
}

void pixel_writer::declare() noexcept {
  unsigned next = 0;
  const auto take = [&](usage what, unsigned index) {
    code_.declare(what, index, {register_file::input, static_cast<std::uint16_t>(next)});
    return input(next++);
  };
  diffuse_ = take(usage::color, 0);
  for (unsigned i = 0; i < texture_stage_count; ++i) {
    if (key_.stages[i].texture != texture_shape::none) texcoords_[i] = take(usage::texcoord, i);
  }
  const bool has_fog = key_.fog != pixel_fog::none;
  // The vertex shader packs the two alike: components match, which is what links them.
  is_fog_in_specular_ = has_fog && has_specular() && next + 2 > input_limit;
  if (has_specular() && !is_fog_in_specular_) specular_ = take(usage::color, 1);
  if (has_fog) {
    const auto number = static_cast<std::uint16_t>(next);
    const std::uint8_t mask = key_.fog_divides ? mask_zw : mask_w;
    code_.declare(usage::depth, 0, {register_file::input, number, mask});
    if (is_fog_in_specular_) {
      code_.declare(usage::color, 1, {register_file::input, number, mask_xyz});
      specular_ = input(next);
    }
    fog_input_ = input(next);
  }
  for (unsigned i = 0; i < texture_stage_count; ++i) {
    const auto shape = static_cast<std::size_t>(key_.stages[i].texture);
    if (shape != 0) code_.declare_sampler(i, sampler_types[shape]);
  }
}

/// As a shader below model 3 reads them (shaders.md 1.14).
void pixel_writer::clamp_colors() noexcept {
  const auto clamp = [this](source& color, temp in) {
    code_.emit(mov, in.to().saturated(), color);
    color = in;
  };
  clamp(diffuse_, diffuse_register);
  if (has_specular()) clamp(specular_, specular_register);
}

/// The alpha of its register is the fog's: it has none.
void pixel_writer::split_specular() noexcept {
  code_.emit(mov, specular_register.to(mask_xyz), specular_);
  code_.emit(mov, specular_register.to(mask_w), pixel_zero);
  specular_ = specular_register;
}

/// The texel of a stage: sampled where it is read first.
auto pixel_writer::texel(unsigned stage) noexcept -> source {
  const temp to{static_cast<std::uint16_t>(first_texel + stage)};
  const pixel_stage& how = key_.stages[stage];
  if (how.texture == texture_shape::none) return pixel_one;
  if ((sampled_stages_ >> stage & 1u) != 0) return to;
  sampled_stages_ = static_cast<std::uint8_t>(sampled_stages_ | 1u << stage);
  source at = texcoords_[stage];
  if (how.divisor == 1 || how.divisor == 2) {
    code_.emit(mov, coordinate, at);
    code_.emit(mov, coordinate.to(mask_w), at.at(how.divisor));
    at = coordinate;
  }
  code_.sample(to, at, stage, how.divisor != 0);
  return to;
}

auto pixel_writer::register_of(unsigned stage, std::uint8_t argument) noexcept -> source {
  switch (argument & D3DTA_SELECTMASK) {
    case D3DTA_CURRENT: return current_;
    case D3DTA_TEXTURE: return texel(stage);
    case D3DTA_TFACTOR: return constant(pixel_registers::texture_factor.first);
    case D3DTA_SPECULAR: return specular_;
    case D3DTA_TEMP: return temp_register;
    case D3DTA_CONSTANT: return constant(pixel_registers::stage_constants.first + stage);
    default: return diffuse_;
  }
}

auto pixel_writer::argument(unsigned stage, std::uint8_t value, unsigned which) noexcept -> source {
  source from = register_of(stage, value);
  if ((value & D3DTA_ALPHAREPLICATE) != 0) from = from.w();
  if ((value & D3DTA_COMPLEMENT) == 0) return from;
  const temp complement{static_cast<std::uint16_t>(first_complement + which)};
  code_.emit(add, complement, pixel_one, -from);
  return complement;
}

auto pixel_writer::resolve(unsigned stage, const stage_operation& from) noexcept -> arguments {
  const operation_row* row = find_operation(from.op);
  arguments args{};
  for (unsigned i = 0; i < args.size(); ++i) {
    if ((row->args >> i & 1u) != 0) args[i] = argument(stage, from.args[i], i);
  }
  return args;
}

void pixel_writer::write_stage(unsigned stage) noexcept {
  const pixel_stage& how = key_.stages[stage];
  const temp to = how.writes_temp ? temp_register : current_register;
  const bool is_one = how.color == how.alpha || how.color.op == D3DTOP_DOTPRODUCT3;
  operate(stage, how.color, to.to(is_one ? mask_xyzw : mask_xyz));
  if (!is_one) write_alpha(stage, to);
  if (!how.writes_temp) current_ = current_register;
}

/// Without an operation of its own alpha is that of CURRENT.
void pixel_writer::write_alpha(unsigned stage, temp to) noexcept {
  const pixel_stage& how = key_.stages[stage];
  if (how.alpha.op != D3DTOP_DISABLE) return operate(stage, how.alpha, to.to(mask_w));
  const bool is_there = current_ == current_register.from() && !how.writes_temp;
  if (!is_there) code_.emit(mov, to.to(mask_w), current_.w());
}

void pixel_writer::finish_color() noexcept {
  if (!key_.adds_specular) return;
  code_.emit(add, current_register.to(mask_xyz).saturated(), current_, specular_);
  if (current_ != current_register.from()) {
    code_.emit(mov, current_register.to(mask_w), current_.w());
  }
  current_ = current_register;
}

/// What of the fog's colour shows, in made.x: for a factor and for EXP what of it does not.
void pixel_writer::write_fog_amount() noexcept {
  const source scale = constant(pixel_registers::fog.first);
  const source amount = made.from().x();
  source depth = fog_input_.w();
  if (key_.fog_divides) {
    code_.emit(rcp, made.to(mask_x), depth);
    code_.emit(mul, made.to(mask_x), fog_input_.z(), amount);
    depth = amount;
  }
  switch (key_.fog) {
    case pixel_fog::linear:
      code_.emit(add, made.to(mask_x), depth, -scale.at(fog_start));
      code_.emit(mul, made.to(mask_x).saturated(), amount, scale.at(fog_inverse_range));
      return;
    case pixel_fog::exponential:
      code_.emit(mul, made.to(mask_x), depth, scale.at(fog_density_log2));
      break;
    case pixel_fog::exponential_squared:
      code_.emit(mul, made.to(mask_x), depth, scale.at(fog_density_root));
      code_.emit(mul, made.to(mask_x), amount, amount);
      break;
    default: code_.emit(mov, made.to(mask_x).saturated(), depth); return;
  }
  code_.emit(exp, made.to(mask_x).saturated(), -amount);
}

void pixel_writer::write_fog() noexcept {
  if (key_.fog == pixel_fog::none) return;
  write_fog_amount();
  const source color = constant(pixel_registers::fog_color.first);
  const source amount = made.from().x();
  const bool is_of_fog = key_.fog == pixel_fog::linear;
  code_.emit(lrp, other.to(mask_xyz), amount, is_of_fog ? color : current_,
             is_of_fog ? current_ : color);
  code_.emit(mov, other.to(mask_w), current_.w());
  current_ = other;
}

}  // namespace detail

auto make_pixel_shader(const pixel_key& key, std::span<std::uint32_t> out) noexcept
    -> std::span<const std::uint32_t> {
  return detail::pixel_writer{key, out}.write();
}

}  // namespace aerogpu::umd::fixed
