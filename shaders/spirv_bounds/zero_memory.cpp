// SPDX-License-Identifier: MIT
// Memory that the bounding pass zeroes by code: that of a work group, where the device does not,
// arrays, because compilers make a store of each element of an initializer, and outputs of hull and
// geometry shaders: the former are shared by invocations, the latter are undefined behind each
// vertex.
#include "spirv_bounds/rewriter.hpp"

#include <algorithm>

namespace aerogpu::spirv {
namespace {

constexpr std::uint32_t workgroup_scope = 2;
constexpr std::uint32_t acquire_release_of_workgroup = 0x108;

}  // namespace

auto rewriter::find_entry() -> error {
  return for_each(
      module_, header_words, module_.first_function(), [this](const instruction& in) -> error {
        if (in.op() == spv::Op::OpEntryPoint) {
          if (entry_ != 0) return refused("a module has two entry points", in.at);
          stage_ = static_cast<spv::ExecutionModel>(in.word(1));
          entry_ = in.word(2);
        }
        const auto mode = static_cast<spv::ExecutionMode>(in.word(2));
        if (in.op() == spv::Op::OpExecutionMode && mode == spv::ExecutionMode::LocalSize) {
          const std::uint64_t size = std::uint64_t{in.word(3)} * in.word(4) * in.word(5);
          constexpr std::uint64_t most = 65536;
          if (size == 0 || size > most || in.word(3) > most || in.word(4) > most) {
            return refused("a work group has no sane size", in.at, size, most);
          }
          group_size_ = static_cast<std::uint32_t>(size);
        }
        return {};
      });
}

/// The variable of LocalInvocationIndex: the module's own, or a new one.
auto rewriter::local_index() -> error {
  constexpr auto built_in = static_cast<std::uint32_t>(spv::BuiltIn::LocalInvocationIndex);
  if (stage_ != spv::ExecutionModel::GLCompute || group_size_ == 0) {
    return refused("Workgroup memory is not of a compute shader", 0);
  }
  zeroing_ = out_.new_id();
  const error why = for_each(
      module_, header_words, module_.first_global(), [this](const instruction& in) -> error {
        const bool is_it = in.op() == spv::Op::OpDecorate &&
                           in.word(2) == static_cast<std::uint32_t>(spv::Decoration::BuiltIn) &&
                           in.word(3) == built_in;
        if (is_it) local_index_ = in.word(1);
        return {};
      });
  if (why.code != error_code::none || local_index_ != 0) return why;
  const spirv_id pointer = out_.type_pointer(spv::StorageClass::Input, out_.type_uint());
  local_index_ = out_.more_interface = out_.new_id();
  out_.globals.put(spv::Op::OpVariable,
                   {pointer, local_index_, static_cast<std::uint32_t>(spv::StorageClass::Input)});
  out_.annotations.put(
      spv::Op::OpDecorate,
      {local_index_, static_cast<std::uint32_t>(spv::Decoration::BuiltIn), built_in});
  return {};
}

/// Arrays of plain elements beyond a few.
auto rewriter::is_zeroed_by_loop(const instruction& variable) const noexcept -> bool {
  constexpr std::uint32_t most_stores = 16;
  const instruction array = module_.find(pointee_of(variable.result()));
  std::uint32_t length = 0;
  if (array.op() != spv::Op::OpTypeArray || !module_.read_constant(array.word(3), length)) {
    return false;
  }
  const auto storage = static_cast<spv::StorageClass>(variable.word(3));
  const bool is_own =
      storage == spv::StorageClass::Private || storage == spv::StorageClass::Function;
  return is_own && length > most_stores;
}

auto rewriter::zero_arrays() -> error {
  const spirv_id type = out_.type_uint();
  const counting by{type, out_.constant_uint(0), out_.constant_uint(1)};
  for (const spirv_id variable : locals_) {
    const error why = zero_one(module_.find(variable), by);
    if (why.code != error_code::none) return why;
  }
  if (function_ != entry_) return {};
  for (const spirv_id variable : privates_) {
    const error why = zero_one(module_.find(variable), by);
    if (why.code != error_code::none) return why;
  }
  return {};
}

/// for (i = first; i < length; i += step) variable[i] = 0
auto rewriter::zero_one(const instruction& variable, const counting& by) -> error {
  const instruction array = module_.find(pointee_of(variable.result()));
  std::uint32_t length = 0;
  if (array.op() != spv::Op::OpTypeArray || !module_.read_constant(array.word(3), length)) {
    return refused("memory to be zeroed is no array", variable.at);
  }
  const auto storage = static_cast<spv::StorageClass>(variable.word(3));
  const spirv_id flag = out_.type_bool(), end = out_.constant_uint(length),
                 zero = out_.null_of(array.word(2)),
                 pointer = out_.type_pointer(storage, array.word(2));
  const spirv_id header = out_.new_id(), test = out_.new_id(), body = out_.new_id(),
                 next = out_.new_id(), merge = out_.new_id();
  const spirv_id i = out_.new_id(), is_inside = out_.new_id(), element = out_.new_id(),
                 following = out_.new_id();
  code_buffer& code = out_.code;
  code.put(spv::Op::OpBranch, {header});
  code.put(spv::Op::OpLabel, {header});
  code.put(spv::Op::OpPhi, {by.type, i, by.first, label_, following, next});
  code.put(spv::Op::OpLoopMerge, {merge, next, 0});
  code.put(spv::Op::OpBranch, {test});
  code.put(spv::Op::OpLabel, {test});
  code.put(spv::Op::OpULessThan, {flag, is_inside, i, end});
  code.put(spv::Op::OpBranchConditional, {is_inside, body, merge});
  code.put(spv::Op::OpLabel, {body});
  code.put(spv::Op::OpAccessChain, {pointer, element, variable.result(), i});
  code.put(spv::Op::OpStore, {element, zero});
  code.put(spv::Op::OpBranch, {next});
  code.put(spv::Op::OpLabel, {next});
  code.put(spv::Op::OpIAdd, {by.type, following, i, by.step});
  code.put(spv::Op::OpBranch, {header});
  code.put(spv::Op::OpLabel, {merge});
  label_ = merge;
  return {};
}

auto rewriter::write_zeroing() -> error {
  const spirv_id nothing = out_.type_void(), procedure = out_.type_procedure();
  const spirv_id scope = out_.constant_uint(workgroup_scope),
                 order = out_.constant_uint(acquire_release_of_workgroup);
  out_.code.put(spv::Op::OpFunction, {nothing, zeroing_, 0, procedure});
  label_ = out_.new_id();
  out_.code.put(spv::Op::OpLabel, {label_});
  const spirv_id own_type = pointee_of(local_index_);
  const spirv_id type = own_type != 0 ? own_type : out_.type_uint();
  const counting by{type, out_.new_id(), out_.constant_uint(group_size_)};
  out_.code.put(spv::Op::OpLoad, {type, by.first, local_index_});
  for (const spirv_id variable : shared_) {
    const error why = zero_one(module_.find(variable), by);
    if (why.code != error_code::none) return why;
  }
  out_.code.put(spv::Op::OpControlBarrier, {scope, scope, order});
  out_.code.put(spv::Op::OpReturn, {});
  out_.code.put(spv::Op::OpFunctionEnd, {});
  return {};
}

/// llvmpipe of Mesa 22.3 draws what it emitted before for geometry shaders that write and emit
/// nothing.
auto rewriter::emits_vertices() const noexcept -> bool {
  bool emits = false;
  const error none = for_each(module_, module_.first_function(), module_.words().size(),
                              [&emits](const instruction& in) -> error {
                                emits |= in.op() == spv::Op::OpEmitVertex;
                                return {};
                              });
  return none.code == error_code::none && emits;
}

auto rewriter::collect_outputs() -> error {
  const bool is_hull = stage_ == spv::ExecutionModel::TessellationControl;
  const bool is_geometry = stage_ == spv::ExecutionModel::Geometry;
  if (!is_hull && !(is_geometry && emits_vertices())) return {};
  const error why =
      for_each(module_, module_.first_global(), module_.first_function(),
               [this](const instruction& in) -> error {
                 const bool is_output =
                     in.op() == spv::Op::OpVariable &&
                     static_cast<spv::StorageClass>(in.word(3)) == spv::StorageClass::Output;
                 return !is_output || outputs_.push_back(in.result()) ? error{} : out_of_memory();
               });
  if (why.code != error_code::none || !is_hull || outputs_.empty()) return why;
  if (!of_patch_.resize(module_.bound())) return out_of_memory();
  spirv_id number = 0;
  const error read = for_each(
      module_, module_.first_annotation(), module_.first_global(),
      [this, &number](const instruction& in) -> error {
        if (in.op() != spv::Op::OpDecorate) return {};
        const auto what = static_cast<spv::Decoration>(in.word(2));
        const bool is_number = what == spv::Decoration::BuiltIn &&
                               static_cast<spv::BuiltIn>(in.word(3)) == spv::BuiltIn::InvocationId;
        if (is_number) number = in.word(1);
        if (what == spv::Decoration::Patch && in.word(1) < of_patch_.size()) {
          of_patch_[in.word(1)] = 1;
        }
        return {};
      });
  if (read.code == error_code::none) find_invocation(number);
  return read;
}

/// The variable of InvocationId: the module's own, or a new one.
void rewriter::find_invocation(spirv_id found) {
  invocation_ = found;
  if (found != 0) return;
  constexpr auto input = static_cast<std::uint32_t>(spv::StorageClass::Input);
  const spirv_id pointer = out_.type_pointer(spv::StorageClass::Input, out_.type_uint());
  invocation_ = out_.more_interface = out_.new_id();
  out_.globals.put(spv::Op::OpVariable, {pointer, invocation_, input});
  out_.annotations.put(spv::Op::OpDecorate,
                       {invocation_, static_cast<std::uint32_t>(spv::Decoration::BuiltIn),
                        static_cast<std::uint32_t>(spv::BuiltIn::InvocationId)});
}

/// Place of an invocation's point in an array of them, loaded into `number` once; 0 for one that
/// has none.
auto rewriter::own_place(const instruction& points, spirv_id& number) -> result<spirv_id> {
  constexpr std::uint32_t bits = 32;
  std::uint32_t length = 0;
  if (points.op() != spv::Op::OpTypeArray || !module_.read_constant(points.word(3), length)) {
    return refused("an output of a hull shader is no array of points", points.at);
  }
  const spirv_id declared = pointee_of(invocation_);  // 0 of our own variable.
  const instruction known = module_.find(declared);
  if (declared != 0 && (known.op() != spv::Op::OpTypeInt || known.word(2) != bits)) {
    return refused("a SPIR-V invocation's number is no integer of 32 bits", known.at);
  }
  const spirv_id type = declared != 0 ? declared : out_.type_uint();
  if (number == 0) {
    number = out_.new_id();
    out_.code.put(spv::Op::OpLoad, {type, number, invocation_});
  }
  const spirv_id flag = out_.type_bool(), limit = out_.constant_uint(length);
  const spirv_id zero = out_.null_of(type), is_inside = out_.new_id(), place = out_.new_id();
  out_.code.put(spv::Op::OpULessThan, {flag, is_inside, number, limit});
  out_.code.put(spv::Op::OpSelect, {type, place, is_inside, number, zero});
  return place;
}

/// Each invocation of a hull shader zeroes its own point. What is one for all of them all zero, and
/// none goes on before the others have: a zero must not come behind what another one wrote.
auto rewriter::zero_outputs() -> error {
  const bool is_hull = stage_ == spv::ExecutionModel::TessellationControl;
  spirv_id number = 0;
  bool has_shared = false;
  for (const spirv_id variable : outputs_) {
    const spirv_id whole = pointee_of(variable);
    if (whole == 0) return refused("a SPIR-V variable is of no pointer type", 0, variable);
    spirv_id target = variable, type = whole;
    has_shared |= is_hull && of_patch_[variable] != 0;
    if (is_hull && of_patch_[variable] == 0) {
      const instruction points = module_.find(whole);
      const auto place = own_place(points, number);
      if (!place) return place.why();
      type = points.word(2);
      target = out_.new_id();
      const spirv_id pointer = out_.type_pointer(spv::StorageClass::Output, type);
      out_.code.put(spv::Op::OpAccessChain, {pointer, target, variable, *place});
    }
    const spirv_id zero = out_.null_of(type);
    out_.code.put(spv::Op::OpStore, {target, zero});
  }
  if (!has_shared) return {};
  const spirv_id group = out_.constant_uint(static_cast<std::uint32_t>(spv::Scope::Workgroup)),
                 own = out_.constant_uint(static_cast<std::uint32_t>(spv::Scope::Invocation)),
                 no_memory = out_.constant_uint(0);
  out_.code.put(spv::Op::OpControlBarrier, {group, own, no_memory});
  return {};
}

}  // namespace aerogpu::spirv
