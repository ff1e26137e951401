// SPDX-License-Identifier: MIT
// Makes, reads and writes the variables behind Direct3D 9 registers.
#include "d3d9_to_spirv/shader_registers.hpp"

#include "aerogpu/core/text.hpp"
#include "d3d9_to_spirv/assembly/names.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::d3d9 {

namespace {

constexpr std::uint32_t float_constant_count = 256;

constexpr auto slot_of(register_file file) noexcept -> std::size_t {
  return static_cast<std::size_t>(file);
}

/// Registers of a file that can be indexed.
constexpr auto count_of(register_file file) noexcept -> std::uint32_t {
  return file == file_of(register_type::input) ? vertex_register_count : 12;
}

/// Appends the register's name for people.
void append_name(text_buffer& to, register_file file, std::uint32_t number,
                 shader_version version) noexcept {
  const auto type = static_cast<register_type>(file);
  if (file == register_file::texture_coordinates) {
    to.append("coordinates");
  } else if (file == register_file::matrix_rows) {
    to.append("row");
  } else if (type == register_type::rast_out) {
    return to.append(rast_out_names[number]);
  } else if (type == register_type::misc) {
    return to.append(misc_names[number]);
  } else if (type == register_type::depth_out) {
    return to.append(depth_out_name);
  } else {
    to.append(register_prefix(type, version));
  }
  append_decimal(to, number);
}

}  // namespace

shader_registers::shader_registers(spirv_module& module, shader_math& math, const program& shader,
                                   bool wants_names) noexcept
    : module_(module), math_(math), shader_(shader), wants_names_(wants_names) {
  for (const definition& d : shader.definitions) {
    if (d.type == register_type::constant) {
      if (d.number < float_constant_count) {
        float_definitions_[d.number] = &d;
      } else if (!far_definitions_.push_back(&d)) {
        is_exhausted_ = true;
      }
    } else {
      small_definitions_[d.type == register_type::constant_bool ? 1 : 0][d.number] = &d;
    }
  }
  std::ranges::stable_sort(far_definitions_, {}, &definition::number);
  const auto note = [&](const register_ref& reg) {
    if (reg.is_relative) is_indexed_[static_cast<std::size_t>(reg.type)] = true;
  };
  for (const instruction& in : shader.instructions) {
    if (in.has_destination) note(in.destination.reg);
    for (std::size_t i = 0; i < in.source_count; ++i) note(in.sources[i].reg);
    if (!in.has_destination && reads_small_constant(in)) uses_ints_or_bools_ = true;
  }
}

/// An i# or b# of the buffer, which only instructions without a destination can read.
auto shader_registers::reads_small_constant(const instruction& in) const noexcept -> bool {
  for (std::size_t i = 0; i < in.source_count; ++i) {
    const register_ref& reg = in.sources[i].reg;
    const bool is_bool = reg.type == register_type::constant_bool;
    if (!is_bool && reg.type != register_type::constant_int) continue;
    if (small_definitions_[is_bool ? 1 : 0][reg.number] == nullptr) return true;
  }
  return false;
}

auto shader_registers::new_register(spirv_id type, std::string_view name) -> spirv_id {
  const spirv_id id =
      module_.variable(spv::StorageClass::Private, type, module_.constant_null(type));
  if (wants_names_) module_.name(id, name);
  return id;
}

auto shader_registers::array_of(register_file file) -> spirv_id {
  spirv_id& id = arrays_[slot_of(file)];
  if (id == spirv_id{}) {
    const spirv_id type = module_.new_array(math_.float_type(4), count_of(file));
    id = new_register(type, file == file_of(register_type::input) ? "v" : "o");
  }
  return id;
}

auto shader_registers::pointer(register_file file, std::uint32_t number) -> spirv_id {
  spirv_id& id = registers_[slot_of(file)][number];
  if (is_indexed_[slot_of(file)]) {
    id = array_of(file);  // Marks the register as used.
    const spirv_id type = module_.type_pointer(spv::StorageClass::Private, math_.float_type(4));
    return module_.access(type, id, {module_.constant_uint(number)});
  }
  if (id == spirv_id{}) {
    std::array<char, 24> storage;
    text_buffer name{storage};
    if (wants_names_) append_name(name, file, number, shader_.version);
    id = new_register(math_.float_type(4), name.view());
  }
  return id;
}

/// Precondition: the register is relative.
auto shader_registers::indexed(const register_ref& reg) -> indexed_register {
  const register_file file = file_of(reg.type);
  const spirv_id type = module_.type_int(), index = index_of(reg);
  const spirv_id count = module_.constant_int(static_cast<std::int32_t>(count_of(file)));
  const truth is_inside{module_.emit(spv::Op::OpULessThan, math_.bool_type(1), {index, count}), 1};
  const spirv_id safe =
      module_.emit(spv::Op::OpSelect, type, {is_inside.id, index, module_.constant_int(0)});
  for (std::uint32_t i = 0; i < count_of(file); ++i) registers_[slot_of(file)][i] = array_of(file);
  const spirv_id to = module_.type_pointer(spv::StorageClass::Private, math_.float_type(4));
  return {module_.access(to, array_of(file), {safe}), math_.splat(is_inside)};
}

/// Register number plus a0 or aL, a signed int.
auto shader_registers::index_of(const register_ref& reg) -> spirv_id {
  const spirv_id int_type = module_.type_int();
  spirv_id base{};
  if (reg.index_is_loop) {
    base = module_.load(int_type, loop_counter());
  } else {
    const spirv_id all = module_.load(module_.type_vector(int_type, 4), address());
    base = module_.extract(int_type, all, reg.index_component);
  }
  return module_.emit(spv::Op::OpIAdd, int_type, {base, module_.constant_int(reg.number)});
}

auto shader_registers::address() -> spirv_id {
  if (address_ == spirv_id{}) {
    address_ = new_register(module_.type_vector(module_.type_int(), 4), "a0");
  }
  return address_;
}

auto shader_registers::loop_counter() -> spirv_id {
  if (loop_counter_ == spirv_id{}) loop_counter_ = new_register(module_.type_int(), "aL");
  return loop_counter_;
}

auto shader_registers::is_known(const known_value& known) const noexcept -> bool {
  return known.block == module_.block_number();
}

auto shader_registers::load(register_file file, std::uint32_t number) -> value {
  const spirv_id from = pointer(file, number);
  if (is_indexed_[slot_of(file)]) return {module_.load(math_.float_type(4), from), 4};
  known_value& known = known_[slot_of(file)][number];
  if (!is_known(known)) known = {module_.load(math_.float_type(4), from), module_.block_number()};
  return {known.id, 4};
}

void shader_registers::store(register_file file, std::uint32_t number, value v) {
  module_.store(pointer(file, number), v.id);
  if (!is_indexed_[slot_of(file)]) known_[slot_of(file)][number] = {v.id, module_.block_number()};
}

auto shader_registers::is_used(register_file file, std::uint32_t number) const noexcept -> bool {
  return registers_[slot_of(file)][number] != spirv_id{};
}

auto shader_registers::load(const register_ref& reg) -> value {
  switch (reg.type) {
    case register_type::constant:
    case register_type::constant2:
    case register_type::constant3:
    case register_type::constant4: return constant_register(reg);
    default: break;
  }
  if (!reg.is_relative) return load(file_of(reg.type), reg.number);
  const indexed_register from = indexed(reg);
  const value held{module_.load(math_.float_type(4), from.pointer), 4};
  return math_.select(from.is_inside, held, math_.constant(0));
}

void shader_registers::store(const register_ref& reg, value v, const write_filter& filter) {
  if (reg.type == register_type::address_or_texture && !shader_.version.is_pixel) {
    return store_address(v, filter);
  }
  if (!reg.is_relative) {
    const register_file file = file_of(reg.type);
    if (!filter.is_open()) v = filtered(load(file, reg.number), v, filter);
    return store(file, reg.number, v);
  }
  const indexed_register to = indexed(reg);
  const value old{module_.load(math_.float_type(4), to.pointer), 4};
  if (!filter.is_open()) v = filtered(old, v, filter);
  module_.store(to.pointer, math_.select(to.is_inside, v, old).id);
}

/// The old value, or the new one where the filter lets it through.
auto shader_registers::filtered(value old, value v, const write_filter& filter) -> value {
  const value merged = math_.merge(old, v, filter.mask);
  return filter.where.width == 0 ? merged : math_.select(filter.where, merged, old);
}

/// vs_1_1 rounds down, later versions to the nearest integer (shaders.md 1.6).
void shader_registers::store_address(value v, const write_filter& filter) {
  const spirv_id type = module_.type_vector(module_.type_int(), 4);
  const spirv_id old = module_.load(type, address());
  const bool floors = shader_.version.major == 1;
  const value whole = math_.clamp(math_.glsl(floors ? GLSLstd450Floor : GLSLstd450RoundEven, {v}),
                                  -2147483648.0f, 2147483520.0f);
  spirv_id ints = module_.emit(spv::Op::OpConvertFToS, type, {whole.id});
  if (filter.mask != full_mask) {
    std::array words{
        static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(ints), 0u, 0u, 0u, 0u};
    for (std::uint32_t i = 0; i < 4; ++i) {
      words[2 + i] = i + ((filter.mask >> i & 1u) != 0 ? 4 : 0);
    }
    ints = module_.emit_words(spv::Op::OpVectorShuffle, type, words);
  }
  if (filter.where.width != 0) {
    ints = module_.emit(spv::Op::OpSelect, type, {filter.where.id, ints, old});
  }
  module_.store(address(), ints);
}

auto shader_registers::constant_register(const register_ref& reg) -> value {
  if (reg.type != register_type::constant) return math_.constant(0);
  const value v = reg.is_relative ? indexed_constant(reg) : fixed_constant(reg.number);
  const bool clamps = shader_.version.is_pixel && shader_.version.major == 1;
  return clamps ? math_.clamp(v, -1, 1) : v;
}

/// Of a c#; the last one counts.
auto shader_registers::find_definition(std::uint32_t number) const -> const definition* {
  if (number < float_constant_count) return float_definitions_[number];
  const auto behind = std::ranges::upper_bound(far_definitions_, number, {}, &definition::number);
  const bool is_found = behind != far_definitions_.begin() && (*(behind - 1))->number == number;
  return is_found ? *(behind - 1) : nullptr;
}

auto shader_registers::fixed_constant(std::uint32_t number) -> value {
  const definition* d = find_definition(number);
  if (number >= float_constant_count) {
    return d != nullptr ? math_.constant_bits(d->words) : math_.constant(0);
  }
  known_value& known = known_constants_[number];
  if (d != nullptr) {
    if (known.id == spirv_id{}) known.id = math_.constant_bits(d->words).id;
  } else if (!is_known(known)) {
    known = {float_uniform(module_.constant_uint(number), number).id, module_.block_number()};
  }
  return {known.id, 4};
}

/// Out of range reads zero; a definition hides what the buffer has in its place.
auto shader_registers::indexed_constant(const register_ref& reg) -> value {
  const spirv_id int_type = module_.type_int();
  const spirv_id index = index_of(reg);
  const truth is_inside{module_.emit(spv::Op::OpULessThan, math_.bool_type(1),
                                     {index, module_.constant_int(float_constant_count)}),
                        1};
  const spirv_id safe =
      module_.emit(spv::Op::OpSelect, int_type, {is_inside.id, index, module_.constant_int(0)});
  value v = float_uniform(safe, float_constant_count - 1);
  v = math_.select(math_.splat(is_inside), v, math_.constant(0));
  for (std::uint32_t i = 0; i < float_constant_count; ++i) {
    if (float_definitions_[i] == nullptr) continue;
    const truth is_it{module_.emit(spv::Op::OpIEqual, math_.bool_type(1),
                                   {index, module_.constant_int(static_cast<std::int32_t>(i))}),
                      1};
    v = math_.select(math_.splat(is_it), math_.constant_bits(float_definitions_[i]->words), v);
  }
  return v;
}

auto shader_registers::int_constant(std::uint32_t number) -> spirv_id {
  const spirv_id type = module_.type_vector(module_.type_int(), 4);
  const definition* d = small_definitions_[0][number];
  if (d == nullptr) return uniform(0, type, module_.constant_uint(number));
  std::array<spirv_id, 4> parts;
  for (std::size_t i = 0; i < 4; ++i) parts[i] = module_.constant(d->words[i], module_.type_int());
  return module_.constant_composite(type, parts);
}

auto shader_registers::bool_constant(std::uint32_t number) -> truth {
  if (const definition* d = small_definitions_[1][number]; d != nullptr) {
    return math_.truth_constant(d->words[0] != 0, 1);
  }
  const spirv_id type = module_.type_uint();
  const spirv_id all = uniform(1, type, module_.constant_uint(0));
  const spirv_id bit =
      module_.emit(spv::Op::OpBitwiseAnd, type, {all, module_.constant_uint(1u << number)});
  return {module_.emit(spv::Op::OpINotEqual, math_.bool_type(1), {bit, module_.constant_uint(0)}),
          1};
}

auto shader_registers::float_uniform(spirv_id index, std::uint32_t last) -> value {
  float_constants_ = std::max(float_constants_, last + 1);
  return {uniform(uses_ints_or_bools_ ? 2 : 0, math_.float_type(4), index), 4};
}

auto shader_registers::uniform(std::uint32_t member, spirv_id type, spirv_id index) -> spirv_id {
  const spirv_id pointer_type = module_.type_pointer(spv::StorageClass::Uniform, type);
  return module_.load(
      type, module_.access(pointer_type, block(), {module_.constant_uint(member), index}));
}

auto shader_registers::block() -> spirv_id {
  if (block_ != spirv_id{}) return block_;
  const spirv_id floats = module_.new_array(math_.float_type(4), float_constant_count);
  module_.decorate(floats, spv::Decoration::ArrayStride, {16});
  const spirv_id type = uses_ints_or_bools_ ? whole_block(floats) : module_.new_struct({floats});
  if (!uses_ints_or_bools_) module_.decorate_member(type, 0, spv::Decoration::Offset, {0});
  module_.decorate(type, spv::Decoration::Block);
  block_ = module_.variable(spv::StorageClass::Uniform, type);
  module_.decorate(block_, spv::Decoration::DescriptorSet, {0});
  module_.decorate(block_, spv::Decoration::Binding, {shader_.version.is_pixel ? 1u : 0u});
  if (wants_names_) module_.name(block_, "constants");
  return block_;
}

/// `constant_block`; the bools' padding makes their member a uint4.
auto shader_registers::whole_block(spirv_id floats) -> spirv_id {
  const spirv_id ints = module_.new_array(module_.type_vector(module_.type_int(), 4), 16);
  const spirv_id bools = module_.type_vector(module_.type_uint(), 4);
  module_.decorate(ints, spv::Decoration::ArrayStride, {16});
  const spirv_id type = module_.new_struct({ints, bools, floats});
  module_.decorate_member(type, 0, spv::Decoration::Offset, {offsetof(constant_block, ints)});
  module_.decorate_member(type, 1, spv::Decoration::Offset, {offsetof(constant_block, bools)});
  module_.decorate_member(type, 2, spv::Decoration::Offset, {offsetof(constant_block, floats)});
  return type;
}

auto shader_registers::predicate() -> truth {
  if (predicate_ == spirv_id{}) predicate_ = new_register(math_.bool_type(4), "p0");
  return {module_.load(math_.bool_type(4), predicate_), 4};
}

void shader_registers::store_predicate(truth t, const write_filter& filter) {
  const truth old = predicate();
  truth writes = math_.truth_constant(true, 4);
  if (filter.mask != full_mask) {
    std::array<spirv_id, 4> parts;
    for (std::size_t i = 0; i < 4; ++i) {
      parts[i] = module_.constant_bool((filter.mask >> i & 1u) != 0);
    }
    writes = {module_.constant_composite(math_.bool_type(4), parts), 4};
  }
  if (filter.where.width != 0) writes = math_.both(writes, filter.where);
  const truth kept = math_.both(old, math_.invert(writes));
  module_.store(predicate_, math_.either(math_.both(t, writes), kept).id);
}

}  // namespace aerogpu::d3d9
