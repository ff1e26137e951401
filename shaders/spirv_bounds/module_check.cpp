// SPDX-License-Identifier: MIT
#include "spirv_bounds/module_check.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::spirv {
namespace {

using spv::BuiltIn;
using spv::Decoration;
using spv::StorageClass;

/// Decorations that may stand, by number.
constexpr std::array allowed_decorations{Decoration::RelaxedPrecision,
                                         Decoration::SpecId,
                                         Decoration::Block,
                                         Decoration::RowMajor,
                                         Decoration::ColMajor,
                                         Decoration::ArrayStride,
                                         Decoration::MatrixStride,
                                         Decoration::BuiltIn,
                                         Decoration::NoPerspective,
                                         Decoration::Flat,
                                         Decoration::Patch,
                                         Decoration::Centroid,
                                         Decoration::Sample,
                                         Decoration::Invariant,
                                         Decoration::Restrict,
                                         Decoration::Coherent,
                                         Decoration::NonWritable,
                                         Decoration::NonReadable,
                                         Decoration::Location,
                                         Decoration::Component,
                                         Decoration::Index,
                                         Decoration::Binding,
                                         Decoration::DescriptorSet,
                                         Decoration::Offset,
                                         Decoration::NoContraction};

/// A value of the fixed functions, and the longest array of it.
struct built_in_row {
  BuiltIn what;
  std::uint8_t length = 0;
  bool is_of_patch = false;  ///< Not of each vertex.
};
constexpr std::array built_ins{
    built_in_row{BuiltIn::Position},
    built_in_row{BuiltIn::PointSize},
    built_in_row{BuiltIn::ClipDistance, 8},
    built_in_row{BuiltIn::CullDistance, 8},
    built_in_row{BuiltIn::PrimitiveId, 0, true},
    built_in_row{BuiltIn::InvocationId, 0, true},
    built_in_row{BuiltIn::Layer},
    built_in_row{BuiltIn::ViewportIndex},
    built_in_row{BuiltIn::TessLevelOuter, 4, true},
    built_in_row{BuiltIn::TessLevelInner, 2, true},
    built_in_row{BuiltIn::TessCoord, 0, true},
    built_in_row{BuiltIn::PatchVertices, 0, true},
    built_in_row{BuiltIn::FragCoord},
    built_in_row{BuiltIn::PointCoord},
    built_in_row{BuiltIn::FrontFacing},
    built_in_row{BuiltIn::SampleId},
    built_in_row{BuiltIn::SamplePosition},
    built_in_row{BuiltIn::SampleMask, 1},
    built_in_row{BuiltIn::FragDepth},
    built_in_row{BuiltIn::HelperInvocation},
    built_in_row{BuiltIn::NumWorkgroups},
    built_in_row{BuiltIn::WorkgroupId},
    built_in_row{BuiltIn::LocalInvocationId},
    built_in_row{BuiltIn::GlobalInvocationId},
    built_in_row{BuiltIn::LocalInvocationIndex},
    built_in_row{BuiltIn::VertexIndex},
    built_in_row{BuiltIn::InstanceIndex},
    built_in_row{BuiltIn::BaseVertex},
    built_in_row{BuiltIn::BaseInstance},
};

/// What is said of an id; each number is one more than it says, 0 = nothing.
struct facts {
  std::uint32_t set = 0, slot = 0, location = 0, built_in = 0, stride = 0;
  std::uint32_t first_member_offset = 0;
  std::uint32_t bytes = 0;  ///< Of a type, as it is; packed tightly.
  bool is_block = false, is_patch = false;
};

/// Of one type: constant buffers and tables of registers are the largest.
constexpr std::uint64_t most_type_bytes = 65536;
/// Of all constants that are written as a type alone, however large it is.
constexpr std::uint64_t most_null_bytes = 4 * most_type_bytes;

auto is_scalar(spv::Op type) noexcept -> bool {
  return type == spv::Op::OpTypeBool || type == spv::Op::OpTypeInt || type == spv::Op::OpTypeFloat;
}

/// Sets a fact, which is one more than a decoration says; false where it is another already. The
/// library says some things twice; of two different ones, drivers may believe the first.
auto take(std::uint32_t& fact, std::uint32_t said) noexcept -> bool {
  if (said == 0 || (fact != 0 && fact != said)) return false;
  fact = said;
  return true;
}

class global_checker {
 public:
  global_checker(const module_index& module, const expected_module& expected) noexcept
      : module_(module), expected_(expected) {}

  [[nodiscard]] auto run() -> error;

 private:
  [[nodiscard]] auto check_decoration(const instruction& in) -> error;
  [[nodiscard]] auto check(const instruction& in) -> error;
  [[nodiscard]] auto check_type(const instruction& in) -> error;
  [[nodiscard]] auto check_composite(const instruction& in) -> error;
  [[nodiscard]] auto check_constant(const instruction& in) -> error;
  [[nodiscard]] auto check_image(const instruction& in) const -> error;
  [[nodiscard]] auto check_variable(const instruction& in) -> error;
  [[nodiscard]] auto check_shared(const instruction& in, const instruction& type) -> error;
  [[nodiscard]] auto check_interface(const instruction& in, instruction type) const -> error;
  [[nodiscard]] auto check_descriptor(const instruction& in, const instruction& type) const
      -> error;
  [[nodiscard]] auto fits(const expected_binding& binding, const instruction& type) const -> bool;
  [[nodiscard]] auto is_constant_buffer(const instruction& type, std::uint32_t size_bytes) const
      -> bool;
  [[nodiscard]] auto points_of(StorageClass storage) const noexcept -> std::uint32_t;
  /// Whether an id is a type of values that stands in front of `in`.
  [[nodiscard]] auto holds_values(std::uint32_t id, const instruction& in) const noexcept -> bool;

  const module_index& module_;
  const expected_module& expected_;
  heap_array<facts> facts_;  ///< By id.
  std::uint64_t null_bytes_ = 0;
  std::uint64_t shared_bytes_ = 0;
};

auto global_checker::run() -> error {
  if (!facts_.resize(module_.bound())) {
    return out_of_memory();
  }
  const error said = for_each(module_, module_.first_annotation(), module_.first_global(),
                              [this](const instruction& in) { return check_decoration(in); });
  if (said.code != error_code::none) return said;
  return for_each(module_, module_.first_global(), module_.words().size(),
                  [this](const instruction& in) { return check(in); });
}

auto global_checker::check_decoration(const instruction& in) -> error {
  if (in.form().section == module_section::anywhere) return {};
  const bool is_of_member = in.op() == spv::Op::OpMemberDecorate;
  const std::size_t at = is_of_member ? 3 : 2;
  const auto what = static_cast<Decoration>(in.word(at));
  const bool is_known = std::ranges::find(allowed_decorations, what) != allowed_decorations.end();
  if (!is_known || in.word(1) >= facts_.size()) {
    return refused("a SPIR-V decoration is not allowed", in.at, in.word(at));
  }
  const error contradicting =
      refused("a SPIR-V decoration contradicts another", in.at, in.word(at));
  const bool has_number = in.words.size() == at + 2;
  const std::uint32_t said = has_number ? in.word(at + 1) + 1 : 0;
  facts& of = facts_[in.word(1)];
  if (is_of_member) {
    if (what == Decoration::BuiltIn || what == Decoration::Location) {
      return refused("a SPIR-V decoration is not allowed", in.at, in.word(at));
    }
    const bool is_first_offset = what == Decoration::Offset && in.word(2) == 0;
    return !is_first_offset || take(of.first_member_offset, said) ? error{} : contradicting;
  }
  bool is_taken = true;
  switch (what) {
    case Decoration::DescriptorSet: is_taken = take(of.set, said); break;
    case Decoration::Binding: is_taken = take(of.slot, said); break;
    case Decoration::Location: is_taken = take(of.location, said); break;
    case Decoration::BuiltIn: is_taken = take(of.built_in, said); break;
    case Decoration::ArrayStride: is_taken = take(of.stride, said); break;
    case Decoration::Block: of.is_block = true; break;
    case Decoration::Patch: of.is_patch = true; break;
    default: break;
  }
  return is_taken ? error{} : contradicting;
}

auto global_checker::holds_values(std::uint32_t id, const instruction& in) const noexcept -> bool {
  const instruction type = module_.find(id);
  if (type.at >= in.at) return false;
  switch (type.op()) {
    case spv::Op::OpTypeBool:
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeStruct: return true;
    default: return false;
  }
}

auto global_checker::check_image(const instruction& in) const -> error {
  const auto dimension = static_cast<spv::Dim>(in.word(3));
  const bool is_usual = dimension <= spv::Dim::Cube || dimension == spv::Dim::Buffer;
  const bool has_use = in.word(7) == 1 || in.word(7) == 2;
  const bool has_texels = holds_values(in.word(2), in);
  return is_usual && has_use && has_texels && in.words.size() == 9
             ? error{}
             : refused("a SPIR-V image type is not allowed", in.at, in.word(3));
}

auto global_checker::check_type(const instruction& in) -> error {
  constexpr std::uint32_t bits = 32;
  constexpr std::uint32_t word_bytes = 4;
  bool is_fine = true;
  std::uint32_t parts = 1;
  switch (in.op()) {
    case spv::Op::OpTypeInt: is_fine = in.word(2) == bits && in.word(3) <= 1; break;
    case spv::Op::OpTypeFloat: is_fine = in.word(2) == bits; break;
    case spv::Op::OpTypeVector:
      parts = in.word(3);
      is_fine = is_scalar(module_.find(in.word(2)).op()) && parts >= 2 && parts <= 4 &&
                holds_values(in.word(2), in);
      break;
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeStruct: return check_composite(in);
    case spv::Op::OpTypeImage: return check_image(in);
    case spv::Op::OpTypePointer: {
      const spv::Op to = module_.find(in.word(3)).op();
      is_fine = holds_values(in.word(3), in) || to == spv::Op::OpTypeImage ||
                to == spv::Op::OpTypeSampler;
      break;
    }
    default: break;
  }
  if (!is_fine) return refused("a SPIR-V type is not allowed", in.at, in.result());
  facts_[in.result()].bytes = parts * word_bytes;
  return {};
}

/// An array of numbers, of vectors or of arrays of those, or a struct of one or two of such:
/// buffers and results in two parts. Of deeper types a few words make a module that takes all
/// memory.
auto global_checker::check_composite(const instruction& in) -> error {
  constexpr std::size_t most_members = 2;
  const bool is_array = in.op() == spv::Op::OpTypeArray;
  std::uint32_t length = 1;
  const bool has_length = module_.read_constant(in.word(3), length) && length != 0 &&
                          module_.find(in.word(3)).at < in.at;
  const std::size_t members = is_array ? 1 : in.words.size() - 2;
  bool is_fine = is_array ? has_length : members != 0 && members <= most_members;
  std::uint64_t bytes = 0;
  for (std::size_t i = 2; i < 2 + members && is_fine; ++i) {
    const instruction part = module_.find(in.word(i));
    const bool is_nested = part.op() == spv::Op::OpTypeArray &&
                           module_.find(part.word(2)).op() == spv::Op::OpTypeArray;
    is_fine = holds_values(in.word(i), in) && part.op() != spv::Op::OpTypeStruct && !is_nested;
    if (is_fine) bytes += facts_[in.word(i)].bytes;
  }
  if (!is_fine) return refused("a SPIR-V type is not allowed", in.at, in.result());
  if (is_array) bytes *= length;
  if (bytes > most_type_bytes) {
    return refused("a SPIR-V type is too large", in.at, bytes, most_type_bytes);
  }
  facts_[in.result()].bytes = static_cast<std::uint32_t>(bytes);
  return {};
}

auto global_checker::check_constant(const instruction& in) -> error {
  if (!holds_values(in.type(), in)) {
    return refused("a SPIR-V constant is of no plain type", in.at, in.result());
  }
  const spv::Op type = module_.find(in.type()).op();
  const bool is_composite = type == spv::Op::OpTypeArray || type == spv::Op::OpTypeStruct;
  const bool is_null = in.op() == spv::Op::OpConstantNull || in.op() == spv::Op::OpUndef;
  if (is_composite && is_null) null_bytes_ += facts_[in.type()].bytes;
  return null_bytes_ <= most_null_bytes
             ? error{}
             : refused("SPIR-V constants are too large", in.at, null_bytes_, most_null_bytes);
}

auto global_checker::check(const instruction& in) -> error {
  if (in.op() >= spv::Op::OpTypeVoid && in.op() <= spv::Op::OpTypeFunction) return check_type(in);
  const bool is_constant = in.op() == spv::Op::OpUndef || (in.op() >= spv::Op::OpConstantTrue &&
                                                           in.op() <= spv::Op::OpSpecConstant);
  if (is_constant) return check_constant(in);
  return in.op() == spv::Op::OpVariable ? check_variable(in) : error{};
}

auto global_checker::check_variable(const instruction& in) -> error {
  const auto storage = static_cast<StorageClass>(in.word(3));
  const instruction pointer = module_.find(in.type());
  const bool is_typed = pointer.op() == spv::Op::OpTypePointer && pointer.word(2) == in.word(3);
  if (!is_typed) return refused("a SPIR-V variable is of a wrong type", in.at, in.result());
  const instruction type = module_.find(pointer.word(3));
  const bool is_local = in.at >= module_.first_function();
  if (is_local != (storage == StorageClass::Function)) {
    return refused("a SPIR-V variable stands in a wrong place", in.at, in.result());
  }
  if (in.words.size() > 5) return refused("a SPIR-V variable is too long", in.at, in.result());
  switch (storage) {
    case StorageClass::UniformConstant:
    case StorageClass::Uniform: return check_descriptor(in, type);
    case StorageClass::Input:
    case StorageClass::Output: return check_interface(in, type);
    case StorageClass::Private:
    case StorageClass::Function:
      return holds_values(type.result(), in)
                 ? error{}
                 : refused("a SPIR-V variable is of a wrong type", in.at, in.result());
    case StorageClass::Workgroup:
      if (expected_.stage == spv::ExecutionModel::GLCompute) return check_shared(in, type);
      [[fallthrough]];
    default: return refused("a SPIR-V storage class is not allowed", in.at, in.word(3));
  }
}

/// An array of 32-bit numbers: the code that zeroes it counts them.
auto global_checker::check_shared(const instruction& in, const instruction& type) -> error {
  const bool is_plain = type.op() == spv::Op::OpTypeArray && holds_values(type.result(), in) &&
                        module_.find(type.word(2)).op() == spv::Op::OpTypeInt;
  if (!is_plain) return refused("a SPIR-V variable is of a wrong type", in.at, in.result());
  shared_bytes_ += facts_[type.result()].bytes;
  return shared_bytes_ <= expected_.shared_bytes
             ? error{}
             : refused("a module has more group-shared memory than it declares", in.at,
                       shared_bytes_, expected_.shared_bytes);
}

/// Vertices that an array of each of them has; 0 where a stage sees one.
auto global_checker::points_of(StorageClass storage) const noexcept -> std::uint32_t {
  const bool is_input = storage == StorageClass::Input;
  switch (expected_.stage) {
    case spv::ExecutionModel::Geometry:
    case spv::ExecutionModel::TessellationEvaluation: return is_input ? expected_.input_points : 0;
    case spv::ExecutionModel::TessellationControl:
      return is_input ? expected_.input_points : expected_.output_points;
    default: return 0;
  }
}

auto global_checker::check_interface(const instruction& in, instruction type) const -> error {
  const facts& of = facts_[in.result()];
  const bool has_built_in = of.built_in != 0;
  const auto row =
      std::ranges::find(built_ins, static_cast<BuiltIn>(of.built_in - 1), &built_in_row::what);
  if (has_built_in && row == built_ins.end()) {
    return refused("a SPIR-V built-in is not allowed", in.at, of.built_in - 1);
  }
  if (has_built_in && of.location != 0) {
    return refused("a SPIR-V variable has a built-in and a location", in.at, of.location - 1);
  }
  if (!has_built_in && (of.location == 0 || of.location > location_count)) {
    return refused("a SPIR-V variable has no location within the limit", in.at, of.location,
                   location_count);
  }
  std::uint32_t length = 0;
  const std::uint32_t points = points_of(static_cast<StorageClass>(in.word(3)));
  const bool is_of_vertex = points != 0 && !of.is_patch && !(has_built_in && row->is_of_patch);
  if (is_of_vertex) {
    const bool is_array = type.op() == spv::Op::OpTypeArray &&
                          module_.read_constant(type.word(3), length) && length == points;
    if (!is_array) {
      return refused("a SPIR-V variable is not of all vertices", in.at, length, points);
    }
    type = module_.find(type.word(2));
  }
  if (type.op() == spv::Op::OpTypeArray) {
    const std::uint32_t most = has_built_in ? row->length : location_count - (of.location - 1);
    if (!module_.read_constant(type.word(3), length) || length > most) {
      return refused("a SPIR-V interface array is too long", in.at, length, most);
    }
    type = module_.find(type.word(2));
  }
  const bool is_plain = is_scalar(type.op()) || type.op() == spv::Op::OpTypeVector;
  return is_plain ? error{} : refused("a SPIR-V interface is no number or vector", in.at);
}

auto global_checker::check_descriptor(const instruction& in, const instruction& type) const
    -> error {
  const facts& of = facts_[in.result()];
  for (const expected_binding& binding : expected_.bindings) {
    if (of.set != binding.set + 1 || of.slot != binding.slot + 1) continue;
    const bool is_block = static_cast<StorageClass>(in.word(3)) == StorageClass::Uniform;
    if (is_block == (binding.kind == descriptor_kind::constant_buffer) && fits(binding, type)) {
      return {};
    }
    return refused("a SPIR-V descriptor is of another kind than its register", in.at, binding.slot);
  }
  return refused("a SPIR-V descriptor belongs to no register", in.at, of.slot);
}

/// struct { vec4 rows[n]; } of at most so many bytes.
auto global_checker::is_constant_buffer(const instruction& type, std::uint32_t size_bytes) const
    -> bool {
  constexpr std::uint32_t row_bytes = 16;
  if (type.op() != spv::Op::OpTypeStruct || type.words.size() != 3) return false;
  const instruction array = module_.find(type.word(2));
  const instruction row = module_.find(array.word(2));
  std::uint32_t length = 0;
  return facts_[type.result()].is_block && facts_[type.result()].first_member_offset == 1 &&
         array.op() == spv::Op::OpTypeArray && module_.read_constant(array.word(3), length) &&
         facts_[array.result()].stride == row_bytes + 1 && length <= size_bytes / row_bytes &&
         row.op() == spv::Op::OpTypeVector && row.word(3) == 4;
}

auto global_checker::fits(const expected_binding& binding, const instruction& type) const -> bool {
  if (binding.kind == descriptor_kind::constant_buffer) {
    return is_constant_buffer(type, binding.size_bytes);
  }
  if (binding.kind == descriptor_kind::sampler) return type.op() == spv::Op::OpTypeSampler;
  if (type.op() != spv::Op::OpTypeImage) return false;
  const instruction texel = module_.find(type.word(2));
  const bool is_float = texel.op() == spv::Op::OpTypeFloat;
  const texel_class texels = is_float             ? texel_class::floating
                             : texel.word(3) != 0 ? texel_class::signed_integer
                                                  : texel_class::unsigned_integer;
  const bool is_texture = binding.kind == descriptor_kind::texture;
  const bool is_storage = binding.kind == descriptor_kind::storage_buffer;
  const spv::Dim dimension = is_texture ? binding.dimension : spv::Dim::Buffer;
  return texels == binding.texels && static_cast<spv::Dim>(type.word(3)) == dimension &&
         (type.word(5) != 0) == (is_texture && binding.is_arrayed) &&
         (type.word(6) != 0) == (is_texture && binding.is_multisampled) &&
         type.word(7) == (is_storage ? 2u : 1u);
}

}  // namespace

auto check_globals(const module_index& module, const expected_module& expected) -> result<void> {
  const error why = global_checker{module, expected}.run();
  if (why.code != error_code::none) return why;
  return {};
}

}  // namespace aerogpu::spirv
