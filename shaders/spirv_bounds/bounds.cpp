// SPDX-License-Identifier: MIT
#include "spirv_bounds/bounds.hpp"

#include "spirv_bounds/rewriter.hpp"

#include <utility>

namespace aerogpu::spirv {
namespace {

auto is_end_of_block(spv::Op op) noexcept -> bool {
  switch (op) {
    case spv::Op::OpBranch:
    case spv::Op::OpBranchConditional:
    case spv::Op::OpSwitch:
    case spv::Op::OpKill:
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue:
    case spv::Op::OpUnreachable: return true;
    default: return false;
  }
}

constexpr std::size_t words_without_initializer = 4;

}  // namespace

/// What a stage leaves unwritten is read by the next one, or by the guest. Those of hull and
/// geometry shaders take code (zero_memory.cpp).
auto rewriter::begins_as_zero(spv::StorageClass storage) const noexcept -> bool {
  switch (storage) {
    case spv::StorageClass::Private:
    case spv::StorageClass::Function: return true;
    case spv::StorageClass::Output:
      return stage_ != spv::ExecutionModel::TessellationControl &&
             stage_ != spv::ExecutionModel::Geometry;
    case spv::StorageClass::Workgroup: return options_.device_zeroes_workgroup;
    default: return false;
  }
}

auto rewriter::add_variable(const instruction& in, code_buffer& to) -> error {
  const auto storage = static_cast<spv::StorageClass>(in.word(3));
  if (in.words.size() > words_without_initializer || !begins_as_zero(storage)) {
    to.copy(in.words);
    return {};
  }
  if (is_zeroed_by_loop(in)) {
    to.copy(in.words);
    word_list& list = storage == spv::StorageClass::Function ? locals_ : privates_;
    return list.push_back(in.result()) ? error{} : out_of_memory();
  }
  const spirv_id pointee = pointee_of(in.result());
  if (pointee == 0) return refused("a SPIR-V variable is of no pointer type", in.at);
  const spirv_id zero = out_.null_of(pointee);
  to.put(spv::Op::OpVariable, {in.type(), in.result(), in.word(3), zero});
  return {};
}

auto rewriter::rewrite_global(const instruction& in) -> error {
  switch (in.op()) {
    case spv::Op::OpLine:
    case spv::Op::OpNoLine: return {};
    case spv::Op::OpUndef:
      out_.globals.put(spv::Op::OpConstantNull, in.words.subspan(1));
      return {};
    case spv::Op::OpVariable:
      if (static_cast<spv::StorageClass>(in.word(3)) == spv::StorageClass::Workgroup &&
          !options_.device_zeroes_workgroup && !shared_.push_back(in.result())) {
        return out_of_memory();
      }
      return add_variable(in, out_.globals);
    default: out_.globals.copy(in.words); return {};
  }
}

/// Follows all functions, and finds out what the code will need.
auto rewriter::prepare() -> error {
  if (!inside_of_.resize(module_.bound()) || !tail_of_.resize(module_.bound())) {
    return out_of_memory();
  }
  if (const error why = find_entry(); why.code != error_code::none) return why;
  std::size_t begin = 0;
  const error followed =
      for_each(module_, module_.first_function(), module_.words().size(),
               [this, &begin](const instruction& in) -> error {
                 if (in.op() == spv::Op::OpFunction) begin = in.at;
                 return in.op() == spv::Op::OpFunctionEnd ? flow_.read(begin, in.at) : error{};
               });
  if (followed.code != error_code::none) return followed;
  const error written = for_each(module_, module_.first_global(), module_.first_function(),
                                 [this](const instruction& in) { return rewrite_global(in); });
  if (written.code != error_code::none) return written;
  if (flow_.has_loops()) {
    const spirv_id type = out_.type_uint(), full = out_.constant_uint(options_.back_edge_budget);
    const spirv_id pointer = out_.type_pointer(spv::StorageClass::Private, type);
    budget_ = out_.new_id();
    out_.globals.put(
        spv::Op::OpVariable,
        {pointer, budget_, static_cast<std::uint32_t>(spv::StorageClass::Private), full});
  }
  if (const error why = add_first_target(); why.code != error_code::none) return why;
  if (const error why = collect_outputs(); why.code != error_code::none) return why;
  return shared_.empty() ? error{} : local_index();
}

auto rewriter::run() -> result<word_list> {
  if (const error why = prepare(); why.code != error_code::none) return why;
  std::size_t begin = 0;
  const error why = for_each(module_, module_.first_function(), module_.words().size(),
                             [this, &begin](const instruction& in) -> error {
                               if (in.op() == spv::Op::OpFunction) begin = in.at;
                               return in.op() == spv::Op::OpFunctionEnd
                                          ? rewrite_function(begin, in.at + in.words.size())
                                          : error{};
                             });
  if (why.code != error_code::none) return why;
  if (!shared_.empty()) {
    if (const error zeroed = write_zeroing(); zeroed.code != error_code::none) return zeroed;
  }
  return out_.finish();
}

auto rewriter::rewrite_function(std::size_t begin, std::size_t end) -> error {
  phi_parents_.clear();
  block_ = label_ = 0;
  const error why =
      for_each(module_, begin, end, [this](const instruction& in) { return rewrite(in); });
  if (why.code != error_code::none || out_.code.is_exhausted()) return why;
  for (const std::uint32_t place : phi_parents_) {
    std::uint32_t& parent = out_.code.at(place);
    if (tail_of_[parent] != 0) parent = tail_of_[parent];
  }
  return {};
}

auto rewriter::rewrite(const instruction& in) -> error {
  switch (in.op()) {
    case spv::Op::OpLine:
    case spv::Op::OpNoLine: return {};
    case spv::Op::OpFunction:
      function_ = in.result();
      result_type_ = in.type();
      is_first_ = true;
      locals_.clear();
      out_.code.copy(in.words);
      return {};
    case spv::Op::OpFunctionParameter:
    case spv::Op::OpFunctionEnd: out_.code.copy(in.words); return {};
    case spv::Op::OpLabel:
      block_ = label_ = in.result();
      is_body_ = false;
      merge_ = {};
      out_.code.copy(in.words);
      return {};
    case spv::Op::OpPhi:
      return is_body_ ? refused("a SPIR-V phi stands within its block", in.at) : rewrite_phi(in);
    case spv::Op::OpVariable:
      if (is_body_) return refused("a SPIR-V variable stands within a block", in.at);
      return add_variable(in, out_.code);
    default: break;
  }
  if (!is_body_) {
    if (const error why = begin_body(); why.code != error_code::none) return why;
  }
  return rewrite_body(in);
}

/// Labels may stand further on, and become others: they are put in at the end of the function.
auto rewriter::rewrite_phi(const instruction& in) -> error {
  const std::size_t start = out_.code.size();
  out_.code.copy(in.words);
  for (std::size_t i = 4; i < in.words.size(); i += 2) {
    if (in.word(i) >= tail_of_.size()) return refused("a SPIR-V phi names no block", in.at);
    if (!phi_parents_.push_back(static_cast<std::uint32_t>(start + i))) return out_of_memory();
  }
  return check_values(in);
}

/// Between what a block begins with and its code.
auto rewriter::begin_body() -> error {
  is_body_ = true;
  if (const instruction merge = flow_.loop_at(block_); !merge.words.empty()) begin_loop_body(merge);
  if (!std::exchange(is_first_, false)) return {};
  if (const error why = zero_arrays(); why.code != error_code::none) return why;
  if (function_ != entry_) return {};
  if (const error why = zero_outputs(); why.code != error_code::none) return why;
  if (shared_.empty()) return {};
  const spirv_id type = out_.type_void(), call = out_.new_id();
  out_.code.put(spv::Op::OpFunctionCall, {type, call, zeroing_});
  return {};
}

/// A loop's top keeps its phis; its code moves behind a test of the budget. Loops around the one
/// that spends the last of it make it negative.
void rewriter::begin_loop_body(const instruction& merge) {
  const spirv_id test = out_.new_id(), body = out_.new_id();
  const spirv_id left = out_.new_id(), goes_on = out_.new_id();
  const spirv_id zero = out_.constant_uint(0), type = out_.type_uint(), flag = out_.type_bool();
  out_.code.copy(merge.words);
  out_.code.put(spv::Op::OpBranch, {test});
  out_.code.put(spv::Op::OpLabel, {test});
  out_.code.put(spv::Op::OpLoad, {type, left, budget_});
  out_.code.put(spv::Op::OpSGreaterThan, {flag, goes_on, left, zero});
  out_.code.put(spv::Op::OpBranchConditional, {goes_on, body, merge.word(1)});
  out_.code.put(spv::Op::OpLabel, {body});
  label_ = body;
}

void rewriter::spend_budget() {
  const spirv_id type = out_.type_uint(), one = out_.constant_uint(1);
  const spirv_id left = out_.new_id(), less = out_.new_id();
  out_.code.put(spv::Op::OpLoad, {type, left, budget_});
  out_.code.put(spv::Op::OpISub, {type, less, left, one});
  out_.code.put(spv::Op::OpStore, {budget_, less});
}

/// Ends a function as if it returned.
void rewriter::leave(const instruction&) {
  if (module_.find(result_type_).op() == spv::Op::OpTypeVoid) {
    out_.code.put(spv::Op::OpReturn, {});
  } else {
    const spirv_id zero = out_.null_of(result_type_);
    out_.code.put(spv::Op::OpReturnValue, {zero});
  }
}

void rewriter::end_block(const instruction& in) {
  if (flow_.leads_back(block_)) spend_budget();
  if (!merge_.words.empty()) out_.code.copy(merge_.words);
  if (in.op() == spv::Op::OpUnreachable) {
    leave(in);
  } else {
    out_.code.copy(in.words);
  }
  if (label_ != block_) tail_of_[block_] = label_;
}

auto rewriter::rewrite_body(const instruction& in) -> error {
  constexpr std::uint32_t undefined_component = 0xFFFFFFFF;
  switch (in.op()) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain: return bound_access(in);
    case spv::Op::OpLoad: return load(in);
    case spv::Op::OpStore: return store(in);
    case spv::Op::OpCopyMemory: return copy(in);
    case spv::Op::OpLoopMerge: return {};  // Written at the top.
    case spv::Op::OpSelectionMerge: merge_ = in; return {};
    case spv::Op::OpUndef:
      out_.globals.put(spv::Op::OpConstantNull, in.words.subspan(1));
      return {};
    default: break;
  }
  if (in.op() >= spv::Op::OpAtomicExchange && in.op() <= spv::Op::OpAtomicXor) return update(in);
  if (const error why = check_values(in); why.code != error_code::none) return why;
  if (is_end_of_block(in.op())) {
    end_block(in);
    return {};
  }
  const std::size_t start = out_.code.size();
  out_.code.copy(in.words);
  if (in.op() == spv::Op::OpEmitVertex) return zero_outputs();
  if (in.op() != spv::Op::OpVectorShuffle || out_.code.is_exhausted()) return {};
  for (std::size_t i = 5; i < in.words.size(); ++i) {
    if (in.word(i) == undefined_component) out_.code.at(start + i) = 0;
  }
  return {};
}

auto bound_module(const module_index& module, const bounding_options& options)
    -> result<word_list> {
  auto out = module_writer::create(module);
  if (!out) return out.why();
  auto flow = flow_reader::create(module);
  if (!flow) return flow.why();
  return rewriter{module, options, *std::move(out), *std::move(flow)}.run();
}

}  // namespace aerogpu::spirv
