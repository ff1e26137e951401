// SPDX-License-Identifier: MIT
// Varyings, built-ins and push constants: what a stage shares with its neighbours and the backend.
#include "d3d9_to_spirv/shader_context.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace aerogpu::d3d9 {

namespace {

constexpr std::uint32_t first_texcoord_location = 2;
constexpr std::uint32_t fog_location = 10;

/// Location of a semantic that has a fixed one, or `no_location`.
constexpr auto fixed_location(semantic s) noexcept -> std::uint8_t {
  if (s.what == usage::color && s.index < 2) return s.index;
  if (s.what == usage::texcoord && s.index < 8) {
    return static_cast<std::uint8_t>(first_texcoord_location + s.index);
  }
  if (s.what == usage::fog && s.index == 0) return fog_location;
  return no_location;
}

constexpr auto is_builtin(semantic s) noexcept -> bool {
  return s.index == 0 && (s.what == usage::position || s.what == usage::point_size);
}

constexpr auto order_of(semantic s) noexcept {
  return std::tuple{s.what, s.index};
}

/// Adds a semantic in order, once.
auto insert(varying_list& list, semantic s) -> bool {
  if (std::ranges::find(list, s) != list.end()) return true;
  if (!list.push_back(s)) return false;
  std::ranges::sort(list, {}, order_of);
  return true;
}

struct push_member {
  std::size_t offset;
  bool is_integer;
};

/// Members behind the clip planes, which are member 0.
constexpr std::array push_members{
    push_member{offsetof(push_constants, point_size), false},
    push_member{offsetof(push_constants, point_size_min), false},
    push_member{offsetof(push_constants, point_size_max), false},
    push_member{offsetof(push_constants, alpha_reference), false},
    push_member{offsetof(push_constants, fog_color), true},
    push_member{offsetof(push_constants, fog_end), false},
    push_member{offsetof(push_constants, fog_inverse_range), false},
    push_member{offsetof(push_constants, fog_density), false},
};

auto push_block(shader_context& to) -> spirv_id {
  if (to.push_block != spirv_id{}) return to.push_block;
  spirv_module& m = to.module;
  const spirv_id planes = m.new_array(to.math.float_type(4), max_clip_planes);
  m.decorate(planes, spv::Decoration::ArrayStride, {16});
  const spirv_id f = m.type_float();
  const spirv_id type = m.new_struct({planes, f, f, f, f, m.type_uint(), f, f, f});
  m.decorate(type, spv::Decoration::Block);
  m.decorate_member(type, 0, spv::Decoration::Offset, {0});
  for (std::uint32_t i = 0; i < push_members.size(); ++i) {
    m.decorate_member(type, i + 1, spv::Decoration::Offset,
                      {static_cast<std::uint32_t>(push_members[i].offset)});
  }
  to.push_block = m.variable(spv::StorageClass::PushConstant, type);
  if (to.options.wants_names) m.name(to.push_block, "pushed");
  return to.push_block;
}

}  // namespace

auto location_of(semantic s, const varying_list& extra) noexcept -> std::uint8_t {
  if (const std::uint8_t fixed = fixed_location(s); fixed != no_location) return fixed;
  const auto at = std::ranges::find(extra, s);
  if (at == extra.end()) return no_location;
  return static_cast<std::uint8_t>(fixed_varyings + (at - extra.begin()));
}

auto collect_extra_varyings(const program& shader) noexcept -> result<varying_list> {
  varying_list list;
  const auto add = [&](semantic s) -> result<void> {
    if (fixed_location(s) != no_location || is_builtin(s) || insert(list, s)) return {};
    return make_error(error_code::unsupported, "shader has too many varyings", shader.size_bytes,
                      max_extra_varyings);
  };
  for (const declaration& d : shader.declarations) {
    if (d.reg.type != register_type::texcoord_out_or_output) continue;
    if (const auto ok = add({d.semantic, d.semantic_index}); !ok) return ok.why();
  }
  if (shader.version.major >= 3) return list;
  for (const instruction& in : shader.instructions) {
    const register_ref& reg = in.destination.reg;
    if (!in.has_destination || reg.type != register_type::texcoord_out_or_output) continue;
    const semantic s{usage::texcoord, static_cast<std::uint8_t>(reg.number)};
    if (const auto ok = add(s); !ok) return ok.why();
  }
  return list;
}

auto interface_variable(shader_context& to, spv::StorageClass storage, spirv_id type) -> spirv_id {
  const spirv_id id = to.module.variable(storage, type);
  AEROGPU_CHECK(to.interface.push_back(id));
  return id;
}

auto builtin_variable(shader_context& to, spv::StorageClass storage, spirv_id type,
                      spv::BuiltIn what) -> spirv_id {
  const spirv_id id = interface_variable(to, storage, type);
  to.module.decorate(id, spv::Decoration::BuiltIn, {static_cast<std::uint32_t>(what)});
  return id;
}

auto push_constant(shader_context& to, std::size_t offset) -> spirv_id {
  const auto member = std::ranges::find(push_members, offset, &push_member::offset);
  const spirv_id type = member->is_integer ? to.module.type_uint() : to.module.type_float();
  const auto index = static_cast<std::uint32_t>(member - push_members.begin() + 1);
  return to.module.load(
      type, to.module.access(to.module.type_pointer(spv::StorageClass::PushConstant, type),
                             push_block(to), {to.module.constant_uint(index)}));
}

auto clip_plane(shader_context& to, std::uint32_t number) -> value {
  const spirv_id type = to.math.float_type(4);
  const spirv_id at = to.module.access(
      to.module.type_pointer(spv::StorageClass::PushConstant, type), push_block(to),
      {to.module.constant_uint(0), to.module.constant_uint(number)});
  return {to.module.load(type, at), 4};
}

}  // namespace aerogpu::d3d9
