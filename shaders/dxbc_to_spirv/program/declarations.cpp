// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/program/declarations.hpp"

#include "dxbc_to_spirv/program/opcodes.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace aerogpu::dxbc {
namespace {

constexpr const char* twice = "a register is declared twice";
constexpr const char* out_of_range = "a declared register exceeds its limit";
constexpr const char* wrong_operand = "a declaration has an operand that it cannot have";
constexpr const char* wrong_number = "a declaration has a number that it cannot have";

/// Index of a register with one dimension and a plain number; false beyond `limit`.
auto read_index(const operand& target, operand_type type, std::uint32_t limit,
                std::uint32_t& into) noexcept -> bool {
  into = target.indices[0].value;
  return target.type == type && target.dimensions == 1 && !target.indices[0].is_relative &&
         into < limit;
}

/// D3D10_SB_RESOURCE_RETURN_TYPE, the same in all four nibbles as compilers write it.
auto class_of_return(std::uint32_t token) noexcept -> component_class {
  switch (token & 0xFu) {
    case 3: return component_class::signed_integer;
    case 4: return component_class::unsigned_integer;
    default: return component_class::floating;
  }
}

auto class_of_signature(std::uint32_t type) noexcept -> component_class {
  switch (type) {
    case 1: return component_class::unsigned_integer;
    case 2: return component_class::signed_integer;
    default: return component_class::floating;
  }
}

auto shape_of(image_dimension dimension) noexcept -> resource_shape {
  switch (dimension) {
    case image_dimension::none: return shape_none;
    case image_dimension::buffer: return shape_typed_buffer;
    case image_dimension::image_2d_multisampled:
    case image_dimension::image_2d_multisampled_array: return shape_multisampled;
    default: return shape_sampled;
  }
}

/// The element of a signature that covers a declared register; null when there is none.
auto find_element(const signature& rows, std::uint32_t number, std::uint8_t mask) noexcept
    -> const signature_element* {
  const auto found = std::ranges::find_if(rows, [number, mask](const signature_element& row) {
    return row.register_number == number && (row.mask & mask) == mask;
  });
  return found == rows.end() ? nullptr : &*found;
}

/// Whether the element goes from stage to stage, and is no system value of the fixed functions.
auto is_varying(const signature_element& element) noexcept -> bool {
  return element.value == sv_none || is_semantic(element, "sv_target");
}

/// Compilers number both alike, and drivers crash on what comes of others.
auto is_misplaced_target(const signature_element& element) noexcept -> bool {
  return is_semantic(element, "sv_target") && element.index != element.register_number;
}

auto is_distance(std::uint32_t value) noexcept -> bool {
  return value == sv_clip_distance || value == sv_cull_distance;
}

}  // namespace

void declaration_reader::add(binding made, register_file file, std::uint32_t index) noexcept {
  made.register_index = static_cast<std::uint8_t>(index);
  made.set = descriptor_set_of(parts_.stage);
  made.slot = binding_of(file, index);
  is_exhausted_ |= !facts_.bindings.push_back(made);
}

auto declaration_reader::read_constant_buffer(const operand& target) -> const char* {
  const bool is_plain = target.type == operand_type::constant_buffer && target.dimensions == 2 &&
                        !target.indices[0].is_relative && !target.indices[1].is_relative;
  if (!is_plain) return wrong_operand;
  const std::uint32_t index = target.indices[0].value, declared = target.indices[1].value;
  if (index >= registers.constants.size() || declared > constant_limit) return out_of_range;
  if (registers.constants[index] != 0) return twice;
  if (declared == 0) return "a constant buffer has no size";
  registers.constants[index] = static_cast<std::uint16_t>(declared);
  add({.kind = binding_kind::constant_buffer, .size_bytes = declared * 16},
      register_file::constant_buffer, index);
  return nullptr;
}

auto declaration_reader::read_sampler(const declaration& what) -> const char* {
  constexpr std::uint32_t comparison = 1, mono = 2;
  std::uint32_t index = 0;
  if (!read_index(what.target, operand_type::sampler, range_of(register_file::sampler).count,
                  index)) {
    return out_of_range;
  }
  if ((registers.samplers >> index & 1u) != 0) return twice;
  const std::uint32_t mode = what.control(4);
  if (mode >= mono) return "a sampler is of an unknown mode";
  registers.samplers = static_cast<std::uint16_t>(registers.samplers | 1u << index);
  add({.kind = binding_kind::sampler, .is_comparison = mode == comparison}, register_file::sampler,
      index);
  return nullptr;
}

/// Typed t# and u#: a dimension in the controls, a return type behind.
auto declaration_reader::read_typed(const declaration& what) -> const char* {
  const std::uint32_t dimension = what.control(5);
  if (dimension == 0 || dimension > static_cast<std::uint32_t>(image_dimension::cube_array)) {
    return "a resource is of an unknown dimension";
  }
  constexpr std::uint32_t first_type = 1, last_type = 5;
  const std::uint32_t type = what.words[0] & 0xFu;
  if (type < first_type || type > last_type) return "a resource is of an unknown type";
  const auto image = static_cast<image_dimension>(dimension);
  const bool is_buffer = image == image_dimension::buffer;
  binding made{.layout = is_buffer ? buffer_layout::typed : buffer_layout::none,
               .dimension = is_buffer ? image_dimension::none : image,
               .delivers = class_of_return(what.words[0])};
  std::uint32_t index = 0;
  if (what.opcode() == op_dcl_uav_typed) {
    if (!is_buffer) return "an unordered access view is a texture: only buffers can be bound";
    const auto limit = static_cast<std::uint32_t>(registers.uavs.size());
    if (!read_index(what.target, operand_type::uav, limit, index)) return out_of_range;
    if (registers.uavs[index] != shape_none) return twice;
    registers.uavs[index] = shape_typed_buffer;
    made.kind = binding_kind::uav_buffer;
    add(made, register_file::uav, index);
    return nullptr;
  }
  const auto limit = static_cast<std::uint32_t>(registers.resources.size());
  if (!read_index(what.target, operand_type::resource, limit, index)) return out_of_range;
  if (registers.resources[index] != shape_none) return twice;
  registers.resources[index] = shape_of(image);
  registers.dimensions[index] = static_cast<std::uint8_t>(dimension);
  made.kind = is_buffer ? binding_kind::buffer_resource : binding_kind::texture;
  add(made, register_file::resource, index);
  return nullptr;
}

/// Raw and structured t# and u#.
auto declaration_reader::read_buffer(const declaration& what) -> const char* {
  constexpr std::uint32_t stride_limit = 2048, order_preserving_counter = 1u << 12;
  const std::uint32_t opcode = what.opcode();
  const bool is_uav = opcode == op_dcl_uav_raw || opcode == op_dcl_uav_structured;
  const bool is_raw = opcode == op_dcl_uav_raw || opcode == op_dcl_resource_raw;
  const std::uint32_t stride = is_raw ? 0 : what.words[0];
  if (!is_raw && (stride == 0 || stride % 4 != 0 || stride > stride_limit)) return wrong_number;
  if (is_uav && (what.control(13) & order_preserving_counter) != 0) {
    return "an unordered access view has a counter";
  }
  const auto limit =
      static_cast<std::uint32_t>(is_uav ? registers.uavs.size() : registers.resources.size());
  std::uint32_t index = 0;
  if (!read_index(what.target, is_uav ? operand_type::uav : operand_type::resource, limit, index)) {
    return out_of_range;
  }
  std::uint8_t& shape = is_uav ? registers.uavs[index] : registers.resources[index];
  if (shape != shape_none) return twice;
  shape = is_raw ? shape_raw : shape_structured;
  add({.kind = is_uav ? binding_kind::uav_buffer : binding_kind::buffer_resource,
       .layout = is_raw ? buffer_layout::raw : buffer_layout::structured,
       .delivers = component_class::unsigned_integer,
       .stride_bytes = stride},
      is_uav ? register_file::uav : register_file::resource, index);
  return nullptr;
}

auto declaration_reader::read_group_shared(const declaration& what) noexcept -> const char* {
  std::uint32_t index = 0;
  if (!read_index(what.target, operand_type::group_shared, group_shared_limit, index)) {
    return out_of_range;
  }
  if (registers.group_shared[index] != shape_none) return twice;
  const bool is_raw = what.opcode() == op_dcl_group_shared_raw;
  const std::uint64_t size = what.words[0], count = is_raw ? 1 : what.words[1];
  if (size == 0 || count == 0 || size % 4 != 0 || size > group_shared_bytes ||
      count > group_shared_bytes || size * count > group_shared_bytes - facts_.group_shared_bytes) {
    return wrong_number;
  }
  facts_.group_shared_bytes += static_cast<std::uint32_t>(size * count);
  registers.group_shared[index] = is_raw ? shape_raw : shape_structured;
  return nullptr;
}

auto declaration_reader::read_interface(const declaration& what, const signature& rows,
                                        interface_registers* facts) -> const char* {
  const operand& target = what.target;
  const bool has_vertex = has_vertex_index(parts_.stage, target.type);
  if (!is_interface_type(target.type) || target.dimensions != (has_vertex ? 2 : 1)) {
    return wrong_operand;
  }
  const std::uint8_t mask = target.components_selected;
  if (target.components != 4 || target.selected != selection::mask || mask == 0) {
    return wrong_operand;
  }
  constexpr std::uint32_t last_vector_value = 3;  // Position, clip and cull distances.
  const bool has_name = !what.words.empty();
  const bool has_value = has_name && what.words[0] > last_vector_value;
  if (has_value && !std::has_single_bit(mask)) return "a system value has too many components";
  const operand_index& points = target.indices[0];
  if (has_vertex && (points.is_relative || points.value == 0 || points.value > control_point_limit))
    return out_of_range;
  const operand_index& row = target.indices[target.dimensions - 1u];
  if (row.is_relative || row.value >= interface_limit) return out_of_range;
  std::uint8_t& declared = registers.phase.masks_of(target.type)[row.value];
  if ((declared & mask) != 0) return twice;
  const signature_element* element = find_element(rows, row.value, mask);
  if (element == nullptr) return "a declared register is not in the signature";
  const bool is_written = target.type == operand_type::output;
  if (is_written && is_misplaced_target(*element))
    return "a target is of another register than its number";
  // The names of the tokens and of the signature have the same numbers here.
  if (!is_written && (is_distance(element->value) || (has_name && is_distance(what.words[0])))) {
    return "a clip or cull distance is read: the compiler has no code for it";
  }
  declared = static_cast<std::uint8_t>(declared | mask);
  // Some places are plain registers whatever value their signature names: inputs that are declared
  // as such, but for those of hull shaders, and the control points that hull shaders write.
  const bool is_hull = parts_.stage == shader_stage::hull;
  const bool is_plain = facts == (is_hull ? &facts_.outputs : &facts_.inputs);
  if (facts == nullptr || (!is_plain && !is_varying(*element))) return nullptr;
  interface_register& fact = (*facts)[row.value];
  fact = {static_cast<std::uint8_t>(fact.mask | element->mask), class_of_signature(element->type)};
  return nullptr;
}

auto declaration_reader::read_input(const declaration& what) -> const char* {
  constexpr std::uint32_t vertex_id = 6, instance_id = 8;
  const operand& target = what.target;
  if (is_scalar_input(target.type)) {
    if (target.dimensions != 0) return wrong_operand;
    registers.phase.scalars |= 1ull << static_cast<unsigned>(target.type);
    return nullptr;
  }
  if (what.opcode() == op_dcl_input_sgv && parts_.stage == shader_stage::vertex) {
    facts_.uses_draw_parameters |= what.words[0] == vertex_id || what.words[0] == instance_id;
  }
  const bool is_plain = what.opcode() == op_dcl_input || what.opcode() == op_dcl_input_ps;
  switch (target.type) {
    case operand_type::output_control_point: return read_interface(what, parts_.outputs, nullptr);
    case operand_type::patch_constant:
      return read_interface(what, parts_.patch_constants, &facts_.patch_constants);
    case operand_type::input:
    case operand_type::input_control_point:
      return read_interface(what, parts_.inputs, is_plain ? &facts_.inputs : nullptr);
    default: return wrong_operand;
  }
}

auto declaration_reader::read_output(const declaration& what) -> const char* {
  const operand& target = what.target;
  if (is_scalar_output(target.type)) {
    // Compilers declare oMask without components.
    const bool has_form = target.components == 1 ||
                          (target.components == 0 && target.type == operand_type::output_coverage);
    if (target.dimensions != 0 || !has_form) return wrong_operand;
    registers.phase.scalars |= 1ull << static_cast<unsigned>(target.type);
    facts_.writes_depth |= target.type != operand_type::output_coverage;
    return nullptr;
  }
  if (target.type != operand_type::output) return wrong_operand;
  // Fork and join phases write the constants of the patch.
  return is_in_patch_phase_ ? read_interface(what, parts_.patch_constants, &facts_.patch_constants)
                            : read_interface(what, parts_.outputs, &facts_.outputs);
}

auto declaration_reader::read_index_range(const declaration& what) noexcept -> const char* {
  const operand& target = what.target;
  if (!is_interface_type(target.type) || target.dimensions == 0) return wrong_operand;
  const operand_index& first = target.indices[target.dimensions - 1u];
  const std::uint32_t count = what.words[0];
  if (first.is_relative || first.value >= interface_limit || count == 0 ||
      count > interface_limit - first.value) {
    return out_of_range;
  }
  const register_masks& masks = registers.phase.masks_of(target.type);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (masks[first.value + i] == 0) return "a range has a register that is not declared";
  }
  // Elsewhere the compiler has no code for it, and the operand that is indexed is refused.
  registers.phase.has_output_ranges |= target.type == operand_type::output && is_in_patch_phase_;
  return nullptr;
}

auto declaration_reader::read_temps(const declaration& what) noexcept -> const char* {
  if (registers.phase.temps != 0) return twice;
  if (what.words[0] == 0 || what.words[0] > temp_limit) return out_of_range;
  registers.phase.temps = what.words[0];
  return nullptr;
}

auto declaration_reader::read_indexable_temp(const declaration& what) noexcept -> const char* {
  const std::uint32_t index = what.words[0], size = what.words[1], components = what.words[2];
  if (index >= indexable_temp_limit || size == 0 || size > temp_limit) return out_of_range;
  if (components == 0 || components > 4) return wrong_number;
  if (registers.phase.indexable[index] != 0) return twice;
  if (size * 4 > indexable_word_limit - indexable_words_) return out_of_range;
  indexable_words_ += size * 4;
  registers.phase.indexable[index] = static_cast<std::uint16_t>(size);
  return nullptr;
}

auto declaration_reader::read_geometry(const declaration& what) noexcept -> const char* {
  constexpr std::uint32_t vertex_limit = 1024, instance_limit = 32;
  geometry_facts& facts = facts_.geometry;
  if (parts_.stage != shader_stage::geometry) return "a declaration is of another stage";
  switch (what.opcode()) {
    case op_dcl_gs_input_primitive: {
      const std::uint32_t primitive = what.control(6);
      const bool is_known = (primitive >= 1 && primitive <= 3) || primitive == 6 || primitive == 7;
      if (!is_known) return wrong_number;
      facts.input_primitive = static_cast<std::uint8_t>(primitive);
      return nullptr;
    }
    case op_dcl_gs_output_topology: {
      const std::uint32_t topology = what.control(7);
      if (topology != 1 && topology != 3 && topology != 5) return wrong_number;
      facts.output_topology = static_cast<std::uint8_t>(topology);
      return nullptr;
    }
    case op_dcl_max_output_vertices:
      if (what.words[0] == 0 || what.words[0] > vertex_limit) return wrong_number;
      facts.max_vertices = what.words[0];
      return nullptr;
    default:
      if (what.words[0] == 0 || what.words[0] > instance_limit) return wrong_number;
      facts.instances = what.words[0];
      return nullptr;
  }
}

auto declaration_reader::read_tessellation(const declaration& what) noexcept -> const char* {
  tessellation_facts& facts = facts_.tessellation;
  const bool is_hull = parts_.stage == shader_stage::hull;
  if (!is_hull && parts_.stage != shader_stage::domain) return "a declaration is of another stage";
  struct row {
    std::uint32_t opcode;
    std::uint32_t bits;
    std::uint32_t least;
    std::uint32_t most;
    std::uint8_t* into;
    bool is_of_domain;
  };
  const std::array rows{row{op_dcl_input_control_points, 6, 1, control_point_limit,
                            &facts.input_control_points, true},
                        row{op_dcl_output_control_points, 6, 0, control_point_limit,
                            &facts.output_control_points, false},
                        row{op_dcl_tess_domain, 2, 1, 3, &facts.domain, true},
                        row{op_dcl_tess_partitioning, 3, 1, 4, &facts.partitioning, false},
                        row{op_dcl_tess_output_primitive, 3, 1, 4, &facts.output_primitive, false}};
  const auto found = std::ranges::find(rows, what.opcode(), &row::opcode);
  if (found == rows.end() || (!is_hull && !found->is_of_domain)) return wrong_number;
  const std::uint32_t value = what.control(found->bits);
  if (value < found->least || value > found->most) return wrong_number;
  *found->into = static_cast<std::uint8_t>(value);
  return nullptr;
}

auto declaration_reader::read_thread_group(const declaration& what) noexcept -> const char* {
  constexpr std::array<std::uint32_t, 3> limits{1024, 1024, 64};
  constexpr std::uint64_t thread_limit = 1024;
  if (parts_.stage != shader_stage::compute) return "a declaration is of another stage";
  std::uint64_t threads = 1;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (what.words[i] == 0 || what.words[i] > limits[i]) return wrong_number;
    facts_.group_size[i] = what.words[i];
    threads *= what.words[i];
  }
  return threads > thread_limit ? wrong_number : nullptr;
}

auto declaration_reader::read_hull_phase(std::uint32_t opcode) noexcept -> const char* {
  constexpr std::uint32_t phase_limit = 64;
  if (parts_.stage != shader_stage::hull) return "a declaration is of another stage";
  if (opcode == op_hs_decls) return hull_phases_ == 0 ? nullptr : "hs_decls follows a phase";
  if (++hull_phases_ > phase_limit) return "a hull shader has too many phases";
  if (opcode == op_hs_control_point_phase && hull_phases_ != 1) {
    return "a hull shader has its control point phase behind others";
  }
  is_in_patch_phase_ = opcode != op_hs_control_point_phase;
  registers.phase = {};
  indexable_words_ = 0;
  return nullptr;
}

auto declaration_reader::read_immediate_constants(std::size_t words) noexcept -> const char* {
  if (registers.immediate_constants != 0) return twice;
  if (words == 0 || words % 4 != 0 || words / 4 > constant_limit) return wrong_number;
  registers.immediate_constants = static_cast<std::uint32_t>(words / 4);
  return nullptr;
}

auto declaration_reader::read(const declaration& what) -> const char* {
  constexpr std::uint32_t phase_instance_limit = 128;
  switch (what.opcode()) {
    case op_dcl_resource:
    case op_dcl_uav_typed: return read_typed(what);
    case op_dcl_constant_buffer: return read_constant_buffer(what.target);
    case op_dcl_sampler: return read_sampler(what);
    case op_dcl_resource_raw:
    case op_dcl_resource_structured:
    case op_dcl_uav_raw:
    case op_dcl_uav_structured: return read_buffer(what);
    case op_dcl_group_shared_raw:
    case op_dcl_group_shared_structured: return read_group_shared(what);
    case op_dcl_input:
    case op_dcl_input_sgv:
    case op_dcl_input_siv:
    case op_dcl_input_ps:
    case op_dcl_input_ps_sgv:
    case op_dcl_input_ps_siv: return read_input(what);
    case op_dcl_output:
    case op_dcl_output_sgv:
    case op_dcl_output_siv: return read_output(what);
    case op_dcl_index_range: return read_index_range(what);
    case op_dcl_temps: return read_temps(what);
    case op_dcl_indexable_temp: return read_indexable_temp(what);
    case op_dcl_gs_input_primitive:
    case op_dcl_gs_output_topology:
    case op_dcl_max_output_vertices:
    case op_dcl_gs_instances: return read_geometry(what);
    case op_dcl_input_control_points:
    case op_dcl_output_control_points:
    case op_dcl_tess_domain:
    case op_dcl_tess_partitioning:
    case op_dcl_tess_output_primitive: return read_tessellation(what);
    case op_dcl_thread_group: return read_thread_group(what);
    case op_hs_decls:
    case op_hs_control_point_phase:
    case op_hs_fork_phase:
    case op_hs_join_phase: return read_hull_phase(what.opcode());
    case op_dcl_fork_instances:
    case op_dcl_join_instances:
      return what.words[0] == 0 || what.words[0] > phase_instance_limit ? wrong_number : nullptr;
    default: return nullptr;
  }
}

}  // namespace aerogpu::dxbc
