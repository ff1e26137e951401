// SPDX-License-Identifier: MIT
/// \file The blocks and loops of one function: which blocks lead back, which values leave a loop.
#pragma once

#include "spirv_bounds/module_writer.hpp"

namespace aerogpu::spirv {

struct flow_block {
  std::uint32_t loop_merge = 0;  ///< Word of its OpLoopMerge.
  spirv_id loop = 0;             ///< Header of the innermost loop around it.
  spirv_id outer = 0;            ///< Of a header: the loop around its loop.
  bool is_listed = false;
  bool is_reached = false;
  bool is_loop_merge = false;
  bool leads_back = false;
};

/// Read in one pass over a function, in the order of its blocks: each stands behind those that
/// dominate it, so any way round goes through a branch to a block that stands in front.
class flow_reader {
 public:
  /// Errors: out_of_memory.
  [[nodiscard]] static auto create(const module_index& module) -> result<flow_reader>;

  /// Takes one function in. Errors: unsupported for a way round that is no loop, a loop of one
  /// block, values that leave their loop, merges of loops with phis. What is left can have each
  /// loop end at its top as well.
  [[nodiscard]] auto read(std::size_t begin, std::size_t end) -> error;

  /// The OpLoopMerge of a block, or an empty instruction.
  [[nodiscard]] auto loop_at(spirv_id label) const noexcept -> instruction;
  /// Whether the branch at the end of a block leads back to a loop's top.
  [[nodiscard]] auto leads_back(spirv_id label) const noexcept -> bool {
    return blocks_[label].leads_back;
  }
  [[nodiscard]] auto has_loops() const noexcept -> bool { return has_loops_; }

 private:
  explicit flow_reader(const module_index& module) noexcept : module_(&module) {}
  [[nodiscard]] auto read_one(const instruction& in) -> error;
  [[nodiscard]] auto begin_loop(const instruction& in) -> error;
  [[nodiscard]] auto branch(spirv_id to, const instruction& in) -> error;
  [[nodiscard]] auto branches(const instruction& in) -> error;
  [[nodiscard]] auto check_uses(const instruction& in) const -> error;
  [[nodiscard]] auto is_visible(spirv_id value, spirv_id from_block) const noexcept -> bool;
  void reach(spirv_id label, spirv_id loop) noexcept;

  const module_index* module_;
  heap_array<flow_block> blocks_;    ///< By label.
  word_list loop_of_value_;          ///< By id: header of the innermost loop where it is made.
  spirv_id label_ = 0;               ///< The block at hand.
  std::size_t begin_ = 0, end_ = 0;  ///< The function at hand.
  bool has_loops_ = false;
};

/// Calls `visit(id)` for each operand that is a value.
template <class Visit>
void for_each_value(const instruction& in, Visit visit) {
  const instruction_form& form = in.form();
  std::size_t i = in.operands_at();
  for (std::size_t left = form.leading_ids; left > 0 && i < in.words.size(); --left, ++i) {
    visit(in.word(i));
  }
  if (form.leading_ids == all_ids) {
    for (; i < in.words.size(); ++i) visit(in.word(i));
  }
  if (!form.has_trailing_ids) return;
  for (++i; i < in.words.size(); ++i) visit(in.word(i));
}

}  // namespace aerogpu::spirv
