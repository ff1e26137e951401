// SPDX-License-Identifier: MIT
#include "spirv_bounds/flow.hpp"

namespace aerogpu::spirv {
namespace {

constexpr const char* no_block = "a SPIR-V branch leads to no block";

}  // namespace

auto flow_reader::create(const module_index& module) -> result<flow_reader> {
  flow_reader made{module};
  if (!made.blocks_.resize(module.bound()) || !made.loop_of_value_.resize(module.bound())) {
    return out_of_memory();
  }
  return made;
}

auto flow_reader::loop_at(spirv_id label) const noexcept -> instruction {
  const std::uint32_t at = blocks_[label].loop_merge;
  return at == 0 ? instruction{} : module_->at(at);
}

auto flow_reader::read(std::size_t begin, std::size_t end) -> error {
  label_ = 0;
  begin_ = begin;
  end_ = end;
  return for_each(*module_, begin, end, [this](const instruction& in) { return read_one(in); });
}

void flow_reader::reach(spirv_id label, spirv_id loop) noexcept {
  flow_block& b = blocks_[label];
  if (b.is_reached) return;
  b.is_reached = true;
  b.loop = loop;
}

/// Whether every way from where a value is made to a block passes through its loop's inside.
auto flow_reader::is_visible(spirv_id value, spirv_id from_block) const noexcept -> bool {
  if (value >= loop_of_value_.size() || loop_of_value_[value] == 0) return true;
  const spirv_id made_in = loop_of_value_[value];
  spirv_id loop = blocks_[from_block].loop;
  while (loop != 0 && loop != made_in) loop = blocks_[loop].outer;
  return loop == made_in;
}

auto flow_reader::check_uses(const instruction& in) const -> error {
  bool is_fine = true;
  if (in.op() == spv::Op::OpPhi) {
    for (std::size_t i = 3; i + 1 < in.words.size(); i += 2) {
      const spirv_id from = in.word(i + 1);
      if (from >= blocks_.size()) return refused(no_block, in.at, from);
      // A block that stands further on is within the loop of this one.
      is_fine &= !blocks_[from].is_listed || is_visible(in.word(i), from);
    }
  } else {
    for_each_value(in, [&](spirv_id value) { is_fine &= is_visible(value, label_); });
  }
  return is_fine ? error{} : refused("a SPIR-V value is used behind its loop", in.at);
}

auto flow_reader::begin_loop(const instruction& in) -> error {
  const spirv_id merge = in.word(1), next = in.word(2);
  if (merge >= blocks_.size() || next >= blocks_.size()) return refused(no_block, in.at);
  if (next == label_ || merge == label_) return refused("a SPIR-V loop is one block", in.at);
  if (blocks_[merge].is_listed || blocks_[merge].is_loop_merge) {
    return refused("a SPIR-V loop ends where it cannot", in.at, merge);
  }
  flow_block& header = blocks_[label_];
  header.loop_merge = static_cast<std::uint32_t>(in.at);
  header.outer = header.loop;
  reach(merge, header.loop);
  blocks_[merge].is_loop_merge = true;
  header.loop = label_;
  has_loops_ = true;
  // What the header makes is made behind the place where its loop can end.
  for (std::size_t at = module_->find(label_).at; at < in.at;) {
    const instruction made = module_->at(at);
    if (made.op() != spv::Op::OpPhi && made.result() != 0) loop_of_value_[made.result()] = label_;
    at += made.words.size();
  }
  return {};
}

auto flow_reader::branch(spirv_id to, const instruction& in) -> error {
  const instruction target = module_->find(to);
  if (target.op() != spv::Op::OpLabel || target.at < begin_ || target.at >= end_) {
    return refused(no_block, in.at, to);
  }
  if (blocks_[to].is_listed) {
    if (blocks_[to].loop_merge == 0) return refused("a SPIR-V branch makes no proper loop", in.at);
    blocks_[label_].leads_back = true;
  }
  reach(to, blocks_[label_].loop);
  return {};
}

auto flow_reader::branches(const instruction& in) -> error {
  const bool is_header = blocks_[label_].loop_merge != 0;
  const auto is_exit = [&](std::size_t word) {
    return in.word(word) == loop_at(label_).word(1) || in.word(word) == loop_at(label_).word(2);
  };
  switch (in.op()) {
    case spv::Op::OpBranch: return branch(in.word(1), in);
    case spv::Op::OpBranchConditional: {
      if (is_header && !is_exit(2) && !is_exit(3)) {
        return refused("a SPIR-V loop begins with a choice", in.at);
      }
      const error why = branch(in.word(2), in);
      return why.code != error_code::none ? why : branch(in.word(3), in);
    }
    case spv::Op::OpSwitch: {
      if (is_header) return refused("a SPIR-V loop begins with a choice", in.at);
      error why = branch(in.word(2), in);
      for (std::size_t i = 4; i < in.words.size() && why.code == error_code::none; i += 2) {
        why = branch(in.word(i), in);
      }
      return why;
    }
    default: return {};
  }
}

auto flow_reader::read_one(const instruction& in) -> error {
  if (in.op() == spv::Op::OpLabel) {
    label_ = in.result();
    blocks_[label_].is_listed = true;
    return {};
  }
  if (in.op() == spv::Op::OpFunction || in.op() == spv::Op::OpFunctionParameter ||
      in.op() == spv::Op::OpFunctionEnd || in.form().section == module_section::anywhere) {
    return {};
  }
  if (label_ == 0) return refused("a SPIR-V instruction stands in no block", in.at);
  const flow_block& here = blocks_[label_];
  if (in.op() == spv::Op::OpPhi && here.is_loop_merge) {
    return refused("a SPIR-V loop ends with a phi", in.at);
  }
  if (const error why = check_uses(in); why.code != error_code::none) return why;
  if (in.result() != 0) loop_of_value_[in.result()] = here.loop;
  if (in.op() == spv::Op::OpSelectionMerge) {
    if (in.word(1) >= blocks_.size()) return refused(no_block, in.at, in.word(1));
    reach(in.word(1), here.loop);
  }
  return in.op() == spv::Op::OpLoopMerge ? begin_loop(in) : branches(in);
}

}  // namespace aerogpu::spirv
