// SPDX-License-Identifier: MIT
/// \file The parts of the bounding pass that write code (bounds.hpp).
#pragma once

#include "spirv_bounds/bounds.hpp"
#include "spirv_bounds/flow.hpp"

namespace aerogpu::spirv {

class rewriter {
 public:
  rewriter(const module_index& module, const bounding_options& options, module_writer out,
           flow_reader flow) noexcept
      : module_(module), options_(options), out_(std::move(out)), flow_(std::move(flow)) {}

  [[nodiscard]] auto run() -> result<word_list>;

 private:
  // bounds.cpp: the module and its blocks.
  [[nodiscard]] auto prepare() -> error;
  [[nodiscard]] auto rewrite_global(const instruction& in) -> error;
  [[nodiscard]] auto rewrite_function(std::size_t begin, std::size_t end) -> error;
  [[nodiscard]] auto rewrite(const instruction& in) -> error;
  [[nodiscard]] auto rewrite_body(const instruction& in) -> error;
  [[nodiscard]] auto begin_body() -> error;
  void begin_loop_body(const instruction& merge);
  void end_block(const instruction& in);
  void spend_budget();
  void leave(const instruction& in);
  [[nodiscard]] auto rewrite_phi(const instruction& in) -> error;
  [[nodiscard]] auto begins_as_zero(spv::StorageClass storage) const noexcept -> bool;
  [[nodiscard]] auto add_variable(const instruction& in, code_buffer& to) -> error;

  // access.cpp: pointers.
  [[nodiscard]] auto bound_access(const instruction& in) -> error;
  [[nodiscard]] auto bound_index(spirv_id index, std::uint32_t length, spirv_id& inside)
      -> result<spirv_id>;
  void bound_structure(spirv_id index, std::uint32_t length, spirv_id& inside);
  void both(spirv_id& inside, spirv_id more);
  [[nodiscard]] auto load(const instruction& in) -> error;
  [[nodiscard]] auto load_inside(spirv_id type, spirv_id from, spirv_id into) -> error;
  [[nodiscard]] auto store(const instruction& in) -> error;
  [[nodiscard]] auto copy(const instruction& in) -> error;
  [[nodiscard]] auto update(const instruction& in) -> error;
  [[nodiscard]] auto check_values(const instruction& in) const -> error;
  [[nodiscard]] auto inside_of(spirv_id pointer) const noexcept -> spirv_id;
  [[nodiscard]] auto pointee_of(spirv_id pointer) const noexcept -> spirv_id;
  struct guard {
    spirv_id before = 0, then = 0, merge = 0;
  };
  [[nodiscard]] auto open_guard(spirv_id inside) -> guard;
  void close_guard(const guard& open);

  // first_target.cpp
  [[nodiscard]] auto add_first_target() -> error;

  // zero_memory.cpp: memory that is zeroed by code.
  [[nodiscard]] auto is_zeroed_by_loop(const instruction& variable) const noexcept -> bool;
  [[nodiscard]] auto zero_arrays() -> error;
  struct counting {
    spirv_id type = 0, first = 0, step = 0;
  };
  [[nodiscard]] auto write_zeroing() -> error;
  [[nodiscard]] auto find_entry() -> error;
  [[nodiscard]] auto local_index() -> error;
  [[nodiscard]] auto emits_vertices() const noexcept -> bool;
  [[nodiscard]] auto collect_outputs() -> error;
  void find_invocation(spirv_id found);
  [[nodiscard]] auto own_place(const instruction& points, spirv_id& number) -> result<spirv_id>;
  [[nodiscard]] auto zero_outputs() -> error;
  [[nodiscard]] auto zero_one(const instruction& variable, const counting& by) -> error;

  const module_index& module_;
  const bounding_options& options_;
  module_writer out_;
  flow_reader flow_;

  word_list inside_of_;    ///< By pointer: the bool that says whether it is inside; 0 = it is.
  word_list tail_of_;      ///< By label: the last of the blocks that a block became.
  word_list phi_parents_;  ///< Places in the code that name labels of the module.
  word_list shared_;       ///< Workgroup variables that the invocations zero.
  word_list privates_;     ///< Private arrays that the entry point zeroes.
  word_list locals_;       ///< Arrays that the function at hand zeroes.
  word_list outputs_;      ///< Variables that code makes 0, time and again.
  word_list of_patch_;     ///< By variable: whether it is one for all invocations of a hull shader.
  spirv_id invocation_ = 0;  ///< Variable: number of the invocation of a hull shader.
  spirv_id budget_ = 0;      ///< Variable: back edges to go.
  spirv_id entry_ = 0;       ///< Function of the entry point.
  spv::ExecutionModel stage_{};
  spirv_id zeroing_ = 0;      ///< Function that zeroes Workgroup memory.
  spirv_id local_index_ = 0;  ///< Variable: number of the invocation in its group.
  std::uint32_t group_size_ = 0;

  // The function and block at hand.
  spirv_id result_type_ = 0;
  spirv_id function_ = 0;
  spirv_id block_ = 0;     ///< Label in the module.
  spirv_id label_ = 0;     ///< Of what is being written.
  bool is_body_ = false;   ///< Phis and variables are behind.
  bool is_first_ = false;  ///< Of its function.
  instruction merge_;      ///< Waits for the end of the block.
};

}  // namespace aerogpu::spirv
