// SPDX-License-Identifier: MIT
// Texture instructions (shaders.md 1.11 and 1.13).
#include "aerogpu/core/text.hpp"
#include "d3d9_to_spirv/shader_context.hpp"

#include <array>

namespace aerogpu::d3d9 {

namespace {

/// How a sample chooses its level: operands of the SPIR-V instruction behind the coordinate.
struct level_choice {
  spv::ImageOperandsMask how = spv::ImageOperandsMask::MaskNone;
  std::array<value, 2> operands{};
};

auto dimension_of(const shader_context& from, std::uint32_t number) noexcept -> sampler_dimension {
  switch (from.textures[number]) {
    case texture_type::undeclared: return from.options.undeclared_samplers[number];
    case texture_type::cube: return sampler_dimension::cube;
    case texture_type::volume: return sampler_dimension::volume;
    case texture_type::texture_1d:
    case texture_type::texture_2d: break;
  }
  return sampler_dimension::image_2d;
}

/// Whether lookups compare with the texel. Depth textures are flat: other samplers never see one.
auto compares(const shader_context& from, std::uint32_t number) noexcept -> bool {
  return from.is_pixel() && (from.options.depth_samplers >> number & 1u) != 0 &&
         dimension_of(from, number) == sampler_dimension::image_2d;
}

auto image_type(shader_context& to, std::uint32_t number) -> spirv_id {
  constexpr std::array dimensions{spv::Dim::Dim2D, spv::Dim::Cube, spv::Dim::Dim3D};
  const auto dimension = static_cast<std::size_t>(dimension_of(to, number));
  return to.module.type_sampled_image(dimensions[dimension], compares(to, number));
}

void name_sampler(spirv_module& module, spirv_id id, std::uint32_t number) {
  std::array<char, 8> storage;
  text_buffer name{storage};
  name.append("s");
  append_decimal(name, number);
  module.name(id, name.view());
}

auto sampler_variable(shader_context& to, std::uint32_t number) -> spirv_id {
  spirv_id& id = to.samplers[number];
  if (id != spirv_id{}) return id;
  id = to.module.variable(spv::StorageClass::UniformConstant, image_type(to, number));
  const std::uint32_t binding = number + (to.is_pixel() ? 0 : vertex_sampler_binding);
  to.module.decorate(id, spv::Decoration::DescriptorSet, {1});
  to.module.decorate(id, spv::Decoration::Binding, {binding});
  if (to.options.wants_names) name_sampler(to.module, id, number);
  const auto bit = static_cast<std::uint16_t>(1u << number);
  to.out.samplers |= bit;
  if (compares(to, number)) to.out.depth_samplers |= bit;
  to.out.dimensions[number] = dimension_of(to, number);
  return id;
}

/// The components of `v` that address a texture of this dimension.
auto coordinate_of(shader_context& to, std::uint32_t number, value v) -> value {
  if (to.textures[number] == texture_type::texture_1d) {
    v = to.math.merge(v, to.math.constant(0), 0x2);
  }
  const bool is_flat = dimension_of(to, number) == sampler_dimension::image_2d;
  return to.math.swizzle(v, identity_swizzle, is_flat ? 2 : 3);
}

constexpr auto is_explicit(spv::ImageOperandsMask how) noexcept -> bool {
  return how == spv::ImageOperandsMask::Lod || how == spv::ImageOperandsMask::Grad;
}

/// The sample instruction: by level and by whether it compares.
constexpr auto sample_op(spv::ImageOperandsMask how, bool is_compared) noexcept -> spv::Op {
  if (is_compared) {
    return is_explicit(how) ? spv::Op::OpImageSampleDrefExplicitLod
                            : spv::Op::OpImageSampleDrefImplicitLod;
  }
  return is_explicit(how) ? spv::Op::OpImageSampleExplicitLod : spv::Op::OpImageSampleImplicitLod;
}

/// The reference of a comparison is z, in the texture's range.
auto sample_at(shader_context& to, std::uint32_t number, value coordinate,
               const level_choice& level) -> value {
  const auto word = [](spirv_id id) { return static_cast<std::uint32_t>(id); };
  const spirv_id variable = sampler_variable(to, number);
  const spirv_id image = to.module.load(image_type(to, number), variable);
  std::array<std::uint32_t, 6> words{word(image), word(coordinate_of(to, number, coordinate).id)};
  std::size_t count = 2;
  const bool is_compared = compares(to, number);
  if (is_compared) {
    words[count++] = word(to.math.saturate(to.math.component(coordinate, 2)).id);
  }
  if (level.how != spv::ImageOperandsMask::MaskNone) {
    words[count++] = static_cast<std::uint32_t>(level.how);
  }
  for (const value v : level.operands) {
    if (v.id != spirv_id{}) words[count++] = word(v.id);
  }
  const std::uint32_t width = is_compared ? 1 : 4;
  const spirv_id texel = to.module.emit_words(sample_op(level.how, is_compared),
                                              to.math.float_type(width), {words.data(), count});
  return is_compared ? to.math.splat(value{texel, 1}) : value{texel, 4};
}

auto project(shader_context& to, value v) -> value {
  const value divided = to.math.divide(v, to.math.splat(to.math.component(v, 3)));
  return to.math.merge(v, divided, 0x7);
}

/// Vertex shaders have no derivatives: level 0.
auto implicit_level(shader_context& to) -> level_choice {
  if (to.is_pixel()) return {};
  return {spv::ImageOperandsMask::Lod, {to.math.constant(0, 1)}};
}

/// texld, texldp, texldb, texldl and texldd from SM2 on.
auto load_texel(shader_context& to, const instruction& in) -> value {
  const std::uint32_t number = in.sources[1].reg.number;
  value coordinate = read_source(to, in.sources[0]);
  level_choice level = implicit_level(to);
  if (in.op == opcode::texldl) {
    level = {spv::ImageOperandsMask::Lod, {to.math.component(coordinate, 3)}};
  } else if (in.op == opcode::texldd) {
    level = {spv::ImageOperandsMask::Grad,
             {coordinate_of(to, number, read_source(to, in.sources[2])),
              coordinate_of(to, number, read_source(to, in.sources[3]))}};
  } else if ((in.control & texture_control_project) != 0) {
    coordinate = project(to, coordinate);
  } else if ((in.control & texture_control_bias) != 0 && to.is_pixel()) {
    level = {spv::ImageOperandsMask::Bias, {to.math.component(coordinate, 3)}};
  }
  return to.math.swizzle(sample_at(to, number, coordinate, level), in.sources[1].swizzle);
}

void emit_texkill(shader_context& to, const instruction& in) {
  shader_math& m = to.math;
  const register_ref& reg = in.destination.reg;
  const bool is_coordinate = to.is_ps_below_1_4() && reg.type == register_type::address_or_texture;
  const value v = is_coordinate ? to.registers.load(register_file::texture_coordinates, reg.number)
                                : to.registers.load(reg);
  truth killed = m.compare(comparison::lt, v, m.constant(0));
  if (in.is_predicated) killed = m.both(killed, filter_of(to, in).where);
  std::uint8_t mask = to.major() == 1 ? std::uint8_t{0x7} : in.destination.write_mask;
  if (mask == 0) mask = full_mask;
  truth any{{}, 0};
  for (std::uint32_t i = 0; i < 4; ++i) {
    if ((mask >> i & 1u) == 0) continue;
    const truth one = m.component(killed, i);
    any = any.width == 0 ? one : m.either(any, one);
  }
  emit_kill_if(to, any);
}

/// depth = r5.r / r5.g, of ps_1_4.
void emit_texdepth(shader_context& to, const instruction& in) {
  shader_math& m = to.math;
  const value r = to.registers.load(in.destination.reg);
  const value one = m.constant(1, 1);
  const value divisor = m.component(r, 1);
  const truth is_zero = m.compare(comparison::eq, divisor, m.constant(0, 1));
  const value depth = m.select(is_zero, one, m.divide(m.component(r, 0), divisor));
  to.registers.store(file_of(register_type::depth_out), 0, m.splat(depth));
}

}  // namespace

auto sample(shader_context& to, std::uint32_t number, value coordinate) -> value {
  return sample_at(to, number, coordinate, implicit_level(to));
}

void emit_kill_if(shader_context& to, truth is_killed) {
  const spirv_id kill = to.module.new_id();
  const spirv_id rest = to.module.new_id();
  to.kills = true;
  to.module.selection_merge(rest);
  to.module.branch_if(is_killed.id, kill, rest);
  to.module.label(kill);
  to.module.emit_void(spv::Op::OpDemoteToHelperInvocation, {});
  to.module.branch(rest);
  to.module.label(rest);
}

void emit_texture(shader_context& to, const instruction& in) {
  const std::uint32_t number = in.destination.reg.number;
  if (in.op == opcode::texkill) return emit_texkill(to, in);
  if (in.op == opcode::texdepth) return emit_texdepth(to, in);
  if (to.is_ps_below_1_4()) return emit_texture_addressing(to, in);
  if (to.major() >= 2) return write_destination(to, in, load_texel(to, in));
  const value coordinate = read_source(to, in.sources[0]);
  write_destination(to, in, in.op == opcode::tex ? sample(to, number, coordinate) : coordinate);
}

}  // namespace aerogpu::d3d9
