// SPDX-License-Identifier: MIT
// Pointers of the bounding pass: each index is made safe, and what lies outside reads 0.
#include "spirv_bounds/rewriter.hpp"

#include <array>

namespace aerogpu::spirv {

auto rewriter::inside_of(spirv_id pointer) const noexcept -> spirv_id {
  return pointer < inside_of_.size() ? inside_of_[pointer] : 0;
}

auto rewriter::pointee_of(spirv_id pointer) const noexcept -> spirv_id {
  const instruction type = module_.type_of(pointer);
  return type.op() == spv::Op::OpTypePointer ? type.word(3) : 0;
}

/// The index, or 0 where it is beyond `length`; `inside` takes in whether it was not.
auto rewriter::bound_index(spirv_id index, std::uint32_t length, spirv_id& inside)
    -> result<spirv_id> {
  constexpr std::uint32_t bits = 32;
  const instruction type = module_.type_of(index);
  if (type.op() != spv::Op::OpTypeInt || type.word(2) != bits) {
    return refused("a SPIR-V index is no integer of 32 bits", module_.find(index).at);
  }
  // One comparison without sign covers what lies in front as well.
  const spirv_id flag = out_.type_bool(), limit = out_.constant_uint(length);
  const spirv_id zero = out_.null_of(type.result());
  const spirv_id is_inside = out_.new_id(), safe = out_.new_id();
  out_.code.put(spv::Op::OpULessThan, {flag, is_inside, index, limit});
  out_.code.put(spv::Op::OpSelect, {type.result(), safe, is_inside, index, zero});
  both(inside, is_inside);
  return safe;
}

void rewriter::both(spirv_id& inside, spirv_id more) {
  if (inside == 0) {
    inside = more;
    return;
  }
  const spirv_id made = out_.new_id();
  out_.code.put(spv::Op::OpLogicalAnd, {out_.type_bool(), made, inside, more});
  inside = made;
}

/// An index of `number * size + (offset >> 2)`, maybe plus a constant, is how structures lie in an
/// array of words: their product must not wrap around into the array.
void rewriter::bound_structure(spirv_id index, std::uint32_t length, spirv_id& inside) {
  std::uint32_t size = 0;
  instruction sum = module_.find(index);
  if (sum.op() == spv::Op::OpIAdd && module_.read_constant(sum.word(4), size)) {
    sum = module_.find(sum.word(3));
  }
  if (sum.op() != spv::Op::OpIAdd) return;
  const instruction product = module_.find(sum.word(3)), offset = module_.find(sum.word(4));
  const bool is_it = product.op() == spv::Op::OpIMul &&
                     offset.op() == spv::Op::OpShiftRightLogical &&
                     module_.read_constant(product.word(4), size) && size != 0 &&
                     module_.type_of(product.word(3)).op() == spv::Op::OpTypeInt;
  if (!is_it) return;
  const spirv_id flag = out_.type_bool(), limit = out_.constant_uint((length - 1) / size + 1),
                 is_inside = out_.new_id();
  out_.code.put(spv::Op::OpULessThan, {flag, is_inside, product.word(3), limit});
  both(inside, is_inside);
}

auto rewriter::bound_access(const instruction& in) -> error {
  word_list words;
  if (!words.resize(in.words.size() - 1)) {
    return out_of_memory();
  }
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = in.word(i + 1);
  spirv_id inside = inside_of(in.word(3));
  instruction type = module_.find(pointee_of(in.word(3)));
  const bool is_shared = static_cast<spv::StorageClass>(module_.type_of(in.word(3)).word(2)) ==
                         spv::StorageClass::Workgroup;
  for (std::size_t i = 4; i < in.words.size(); ++i) {
    std::uint32_t length = 0, index = 0;
    const bool is_constant = module_.read_constant(in.word(i), index);
    switch (type.op()) {
      case spv::Op::OpTypeStruct:
        length = static_cast<std::uint32_t>(type.words.size() - 2);
        if (!is_constant || index >= length) {
          return refused("a SPIR-V access names no member", in.at, index, length);
        }
        type = module_.find(type.word(2 + index));
        continue;
      case spv::Op::OpTypeVector: length = type.word(3); break;
      case spv::Op::OpTypeArray:
        if (module_.read_constant(type.word(3), length)) break;
        return refused("a SPIR-V array has no fixed length", in.at);
      default: return refused("a SPIR-V access goes into what has no parts", in.at);
    }
    type = module_.find(type.word(2));
    if (is_constant && index < length) continue;
    if (length == 0) return refused("a SPIR-V array is empty", in.at);
    const auto safe = bound_index(in.word(i), length, inside);
    if (!safe) return safe.why();
    words[i - 1] = *safe;
    if (is_shared) bound_structure(in.word(i), length, inside);
  }
  out_.code.put(in.op(), words.view());
  inside_of_[in.result()] = inside;
  return {};
}

auto rewriter::open_guard(spirv_id inside) -> guard {
  const guard made{label_, out_.new_id(), out_.new_id()};
  out_.code.put(spv::Op::OpSelectionMerge, {made.merge, 0});
  out_.code.put(spv::Op::OpBranchConditional, {inside, made.then, made.merge});
  out_.code.put(spv::Op::OpLabel, {made.then});
  return made;
}

void rewriter::close_guard(const guard& open) {
  out_.code.put(spv::Op::OpBranch, {open.merge});
  out_.code.put(spv::Op::OpLabel, {open.merge});
  label_ = open.merge;
}

/// What lies at a pointer that may be outside, or 0.
auto rewriter::load_inside(spirv_id type, spirv_id from, spirv_id into) -> error {
  const instruction what = module_.find(type);
  const bool is_vector = what.op() == spv::Op::OpTypeVector;
  const std::uint32_t width = is_vector ? what.word(3) : 1;
  const bool is_scalar = what.op() == spv::Op::OpTypeInt || what.op() == spv::Op::OpTypeFloat ||
                         what.op() == spv::Op::OpTypeBool;
  if (!is_scalar && (!is_vector || width < 2 || width > 4)) {
    return refused("a SPIR-V access loads more than a vector through an index", what.at);
  }
  const spirv_id loaded = out_.new_id(), zero = out_.null_of(type);
  spirv_id inside = inside_of(from);
  out_.code.put(spv::Op::OpLoad, {type, loaded, from});
  if (is_vector) {
    const spirv_id flags = out_.new_id();
    const std::array<std::uint32_t, 6> words{
        out_.type_bool_vector(width), flags, inside, inside, inside, inside};
    out_.code.put(spv::Op::OpCompositeConstruct, word_span{words}.first(2 + width));
    inside = flags;
  }
  out_.code.put(spv::Op::OpSelect, {type, into, inside, loaded, zero});
  return {};
}

auto rewriter::load(const instruction& in) -> error {
  if (in.word(4) != 0) return refused("a SPIR-V access has memory operands", in.at, in.word(4));
  if (inside_of(in.word(3)) != 0) return load_inside(in.type(), in.word(3), in.result());
  out_.code.put(spv::Op::OpLoad, in.words.subspan(1, 3));
  return {};
}

auto rewriter::store(const instruction& in) -> error {
  if (in.word(3) != 0) return refused("a SPIR-V access has memory operands", in.at, in.word(3));
  const spirv_id inside = inside_of(in.word(1));
  guard open;
  if (inside != 0) open = open_guard(inside);
  out_.code.put(spv::Op::OpStore, in.words.subspan(1, 2));
  if (inside != 0) close_guard(open);
  return {};
}

/// A copy becomes a load and a store where one of its sides may be outside.
auto rewriter::copy(const instruction& in) -> error {
  if (in.words.size() > 3) return refused("a SPIR-V access has memory operands", in.at, in.word(3));
  const spirv_id to = in.word(1), from = in.word(2);
  if (inside_of(to) == 0 && inside_of(from) == 0) {
    out_.code.copy(in.words);
    return {};
  }
  const spirv_id type = pointee_of(to), value = out_.new_id();
  if (inside_of(from) != 0) {
    if (const error why = load_inside(type, from, value); why.code != error_code::none) return why;
  } else {
    out_.code.put(spv::Op::OpLoad, {type, value, from});
  }
  guard open;
  if (inside_of(to) != 0) open = open_guard(inside_of(to));
  out_.code.put(spv::Op::OpStore, {to, value});
  if (inside_of(to) != 0) close_guard(open);
  return {};
}

/// An atomic: outside it does nothing and gives 0.
auto rewriter::update(const instruction& in) -> error {
  const spirv_id inside = inside_of(in.word(3));
  if (inside == 0) {
    out_.code.copy(in.words);
    return {};
  }
  const guard open = open_guard(inside);
  const spirv_id old = out_.new_id(), zero = out_.null_of(in.type());
  const std::size_t start = out_.code.size();
  out_.code.copy(in.words);
  if (out_.code.is_exhausted()) return {};
  out_.code.at(start + 2) = old;
  close_guard(open);
  out_.code.put(spv::Op::OpPhi, {in.type(), in.result(), old, open.then, zero, open.before});
  return {};
}

/// Everything else takes a pointer as it is, so it must be none that may be outside.
auto rewriter::check_values(const instruction& in) const -> error {
  bool is_fine = true;
  for_each_value(in, [&](spirv_id value) { is_fine &= inside_of(value) == 0; });
  const bool makes_pointer = module_.find(in.type()).op() == spv::Op::OpTypePointer;
  const bool may_make =
      in.op() == spv::Op::OpImageTexelPointer || in.op() == spv::Op::OpFunctionParameter;
  if (makes_pointer && !may_make) return refused("a SPIR-V pointer is computed", in.at);
  return is_fine ? error{} : refused("an indexed SPIR-V pointer is passed on", in.at);
}

}  // namespace aerogpu::spirv
