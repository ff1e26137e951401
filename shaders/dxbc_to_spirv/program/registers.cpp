// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/program/registers.hpp"

#include <algorithm>

namespace aerogpu::dxbc {
namespace {

enum class selects : std::uint8_t { anything, swizzle, mask };

/// Operands that go through a view or group-shared memory.
struct resource_class {
  operand_kind kind;
  bool may_be_resource;
  bool may_be_uav;
  bool may_be_group_shared;
  std::uint8_t shapes;
  selects selected;
};
constexpr std::array resource_classes{
    resource_class{operand_kind::sampled, true, false, false, shape_sampled, selects::swizzle},
    resource_class{operand_kind::loaded, true, false, false, shape_sampled | shape_typed_buffer,
                   selects::swizzle},
    resource_class{operand_kind::multisampled, true, false, false, shape_multisampled,
                   selects::swizzle},
    resource_class{operand_kind::sample_source, true, false, false, shape_multisampled,
                   selects::swizzle},
    resource_class{operand_kind::described, true, false, false, shape_sampled | shape_multisampled,
                   selects::swizzle},
    resource_class{operand_kind::buffer, true, true, false, any_buffer, selects::swizzle},
    resource_class{operand_kind::raw, true, true, true, shape_raw, selects::swizzle},
    resource_class{operand_kind::structured, true, true, true, shape_structured, selects::swizzle},
    resource_class{operand_kind::typed_uav, false, true, false, shape_typed_buffer,
                   selects::swizzle},
    resource_class{operand_kind::to_typed_uav, false, true, false, shape_typed_buffer,
                   selects::mask},
    resource_class{operand_kind::to_raw, false, true, true, shape_raw, selects::mask},
    resource_class{operand_kind::to_structured, false, true, true, shape_structured, selects::mask},
    resource_class{operand_kind::atomic, false, true, true, any_buffer, selects::anything},
    resource_class{operand_kind::counter, false, true, false, shape_structured, selects::anything},
};

auto is_immediate(const operand_index& index, std::uint32_t limit) noexcept -> bool {
  return !index.is_relative && index.value < limit;
}

auto is_relative_base(const phase_registers& phase, const relative_index& base) noexcept -> bool {
  if (base.type == operand_type::temp) return base.index < phase.temps;
  return base.index < phase.indexable.size() && base.second < phase.indexable[base.index];
}

/// A place in an array of `limit`: a number inside, or a number plus a register.
auto is_place(const phase_registers& phase, const operand_index& index,
              std::uint32_t limit) noexcept -> bool {
  if (index.value >= limit) return false;
  return !index.is_relative || is_relative_base(phase, index.base);
}

auto is_interface(const declared_registers& declared, const operand& what,
                  bool may_be_relative) noexcept -> bool {
  const phase_registers& phase = declared.phase;
  const bool has_vertex = has_vertex_index(declared.stage, what.type);
  if (!is_interface_type(what.type) || what.dimensions != (has_vertex ? 2 : 1)) return false;
  if (has_vertex && !is_place(phase, what.indices[0], control_point_limit)) return false;
  const operand_index& row = what.indices[what.dimensions - 1u];
  if (row.is_relative && !may_be_relative) return false;
  return is_place(phase, row, interface_limit) && phase.masks_of(what.type)[row.value] != 0;
}

auto is_variable(const declared_registers& declared, const operand& what) noexcept -> bool {
  const phase_registers& phase = declared.phase;
  if (what.type == operand_type::temp) {
    return what.dimensions == 1 && is_immediate(what.indices[0], phase.temps);
  }
  return what.type == operand_type::indexable_temp && what.dimensions == 2 &&
         is_immediate(what.indices[0], indexable_temp_limit) &&
         is_place(phase, what.indices[1], phase.indexable[what.indices[0].value]);
}

auto is_constant(const declared_registers& declared, const operand& what) noexcept -> bool {
  if (what.type == operand_type::immediate32) return true;
  if (what.type == operand_type::immediate_constant_buffer) {
    return what.dimensions == 1 &&
           is_place(declared.phase, what.indices[0], declared.immediate_constants);
  }
  return what.type == operand_type::constant_buffer && what.dimensions == 2 &&
         is_immediate(what.indices[0], static_cast<std::uint32_t>(declared.constants.size())) &&
         is_place(declared.phase, what.indices[1], declared.constants[what.indices[0].value]);
}

auto is_declared_scalar(const declared_registers& declared, const operand& what) noexcept -> bool {
  return what.dimensions == 0 && (declared.phase.scalars >> static_cast<unsigned>(what.type) & 1u);
}

auto may_be_source(const declared_registers& declared, const operand& what) noexcept -> bool {
  if (what.components == 0 || (what.components == 4 && what.selected == selection::mask)) {
    // Immediates of four components have no swizzle.
    if (what.type != operand_type::immediate32) return false;
  }
  if (is_scalar_input(what.type)) return is_declared_scalar(declared, what);
  if (what.type == operand_type::output) return false;
  // The compiler has no code for constants that a later phase of a hull shader reads.
  const bool is_own_constant =
      what.type == operand_type::patch_constant && declared.stage == shader_stage::hull;
  if (is_own_constant) return false;
  return is_constant(declared, what) || (what.components == 4 && is_variable(declared, what)) ||
         (what.components == 4 && is_interface(declared, what, false));
}

auto may_be_destination(const declared_registers& declared, const operand& what) noexcept -> bool {
  if (what.type == operand_type::null) return what.dimensions == 0 && what.components == 0;
  if (is_scalar_output(what.type)) {
    return what.components == 1 && is_declared_scalar(declared, what);
  }
  const bool has_mask =
      what.components == 4 && what.selected == selection::mask && what.components_selected != 0;
  if (!has_mask) return false;
  return is_variable(declared, what) ||
         (what.type == operand_type::output &&
          is_interface(declared, what, declared.phase.has_output_ranges));
}

/// Shape behind t#, u# or g#; none where the class does not take the register.
auto shape_of(const declared_registers& declared, const resource_class& wanted,
              const operand& what) noexcept -> std::uint8_t {
  const auto at = [&what](const auto& shapes) -> std::uint8_t {
    return is_immediate(what.indices[0], static_cast<std::uint32_t>(shapes.size()))
               ? shapes[what.indices[0].value]
               : std::uint8_t{shape_none};
  };
  if (what.dimensions != 1) return shape_none;
  if (what.type == operand_type::resource && wanted.may_be_resource) return at(declared.resources);
  if (what.type == operand_type::uav && wanted.may_be_uav) return at(declared.uavs);
  if (what.type == operand_type::group_shared && wanted.may_be_group_shared) {
    return at(declared.group_shared);
  }
  return shape_none;
}

/// Of t# one component may be named alone, as of what `sampleinfo` and `lod` read.
auto has_swizzle(const operand& what) noexcept -> bool {
  if (what.components != 4) return false;
  return what.selected == selection::swizzle ||
         (what.selected == selection::one && what.type == operand_type::resource);
}

auto may_be_resource(const declared_registers& declared, const resource_class& wanted,
                     const operand& what) noexcept -> bool {
  const bool is_masked = what.components == 4 && what.selected == selection::mask;
  if (wanted.selected == selects::mask && (!is_masked || what.components_selected == 0)) {
    return false;
  }
  if (wanted.selected == selects::swizzle && !has_swizzle(what)) return false;
  return (shape_of(declared, wanted, what) & wanted.shapes) != 0;
}

auto may_be_sampler(const declared_registers& declared, const operand& what) noexcept -> bool {
  // A gather names the component that it takes with the sampler.
  const bool has_form =
      what.components == 0 || (what.components == 4 && what.selected == selection::one);
  return what.type == operand_type::sampler && what.dimensions == 1 && has_form &&
         is_immediate(what.indices[0], range_of(register_file::sampler).count) &&
         (declared.samplers >> what.indices[0].value & 1u) != 0;
}

auto is_one_component(const operand& what) noexcept -> bool {
  return what.components == 1 || (what.components == 4 && what.selected == selection::one);
}

}  // namespace

auto is_interface_type(operand_type type) noexcept -> bool {
  switch (type) {
    case operand_type::input:
    case operand_type::output:
    case operand_type::input_control_point:
    case operand_type::output_control_point:
    case operand_type::patch_constant: return true;
    default: return false;
  }
}

auto is_scalar_input(operand_type type) noexcept -> bool {
  switch (type) {
    case operand_type::primitive_id:
    case operand_type::output_control_point_id:
    case operand_type::fork_instance_id:
    case operand_type::join_instance_id:
    case operand_type::domain_point:
    case operand_type::thread_id:
    case operand_type::thread_group_id:
    case operand_type::thread_id_in_group:
    case operand_type::thread_id_in_group_flattened:
    case operand_type::input_coverage:
    case operand_type::gs_instance_id: return true;
    default: return false;
  }
}

auto is_vector_input(operand_type type) noexcept -> bool {
  return type == operand_type::domain_point || type == operand_type::thread_id ||
         type == operand_type::thread_group_id || type == operand_type::thread_id_in_group;
}

auto is_scalar_output(operand_type type) noexcept -> bool {
  switch (type) {
    case operand_type::output_depth:
    case operand_type::output_depth_greater:
    case operand_type::output_depth_less:
    case operand_type::output_coverage: return true;
    default: return false;
  }
}

auto may_stand(const declared_registers& declared, operand_kind kind, const operand& what) noexcept
    -> bool {
  switch (kind) {
    case operand_kind::to: return may_be_destination(declared, what);
    case operand_kind::from: return may_be_source(declared, what);
    case operand_kind::from_one: return may_be_source(declared, what) && is_one_component(what);
    case operand_kind::literal:
      return what.type == operand_type::immediate32 && what.components == 1;
    case operand_kind::sampler: return may_be_sampler(declared, what);
    case operand_kind::stream: return what.type == operand_type::stream && what.dimensions == 1;
    default: break;
  }
  if (kind == operand_kind::sample_source && what.type == operand_type::rasterizer) {
    return what.dimensions == 0;
  }
  const auto wanted = std::ranges::find(resource_classes, kind, &resource_class::kind);
  return wanted != resource_classes.end() && may_be_resource(declared, *wanted, what);
}

}  // namespace aerogpu::dxbc
