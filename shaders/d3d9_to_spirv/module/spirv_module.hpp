// SPDX-License-Identifier: MIT
/// \file Builds a SPIR-V module section by section; types and constants stand once.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "d3d9_to_spirv/module/word_list.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>

namespace aerogpu::d3d9 {

/// A SPIR-V result id; 0 = none.
enum class spirv_id : std::uint32_t {};

/// Words of one module, in the order the specification wants its sections. When the heap is
/// exhausted it goes on without keeping what is written, and `finish` says so.
class spirv_module {
 public:
  /// Makes room for the code of about as many Direct3D instructions.
  explicit spirv_module(std::size_t instructions = 64) noexcept;

  [[nodiscard]] auto new_id() noexcept -> spirv_id { return spirv_id{next_id_++}; }

  // Module level.
  void capability(spv::Capability what);
  void extension(std::string_view name);
  void entry_point(spv::ExecutionModel model, spirv_id main, std::span<const spirv_id> interface);
  void execution_mode(spirv_id main, spv::ExecutionMode mode,
                      std::initializer_list<std::uint32_t> words = {});
  void name(spirv_id id, std::string_view text);
  void decorate(spirv_id id, spv::Decoration what,
                std::initializer_list<std::uint32_t> words = {}) {
    std::uint32_t* to = open(decorations_, spv::Op::OpDecorate, 2 + words.size());
    *to++ = static_cast<std::uint32_t>(id);
    *to++ = static_cast<std::uint32_t>(what);
    std::ranges::copy(words, to);
  }
  void decorate_member(spirv_id type, std::uint32_t member, spv::Decoration what,
                       std::initializer_list<std::uint32_t> words = {});

  // Types and constants: equal requests give equal ids.
  [[nodiscard]] auto type_void() -> spirv_id { return basic(0, spv::Op::OpTypeVoid, {}); }
  [[nodiscard]] auto type_bool() -> spirv_id { return basic(1, spv::Op::OpTypeBool, {}); }
  [[nodiscard]] auto type_float() -> spirv_id { return basic(2, spv::Op::OpTypeFloat, {32}); }
  [[nodiscard]] auto type_int() -> spirv_id { return basic(3, spv::Op::OpTypeInt, {32, 1}); }
  [[nodiscard]] auto type_uint() -> spirv_id { return basic(4, spv::Op::OpTypeInt, {32, 0}); }
  [[nodiscard]] auto type_vector(spirv_id component, std::uint32_t count) -> spirv_id;
  [[nodiscard]] auto type_pointer(spv::StorageClass storage, spirv_id pointee) -> spirv_id;
  [[nodiscard]] auto type_function(spirv_id returns, std::span<const spirv_id> parameters = {})
      -> spirv_id;
  [[nodiscard]] auto type_sampled_image(spv::Dim dimension, bool is_depth) -> spirv_id;
  [[nodiscard]] auto constant(std::uint32_t bits, spirv_id type) -> spirv_id;
  [[nodiscard]] auto constant_float(float value) -> spirv_id;
  [[nodiscard]] auto constant_int(std::int32_t value) -> spirv_id;
  [[nodiscard]] auto constant_uint(std::uint32_t value) -> spirv_id;
  [[nodiscard]] auto constant_bool(bool value) -> spirv_id;
  [[nodiscard]] auto constant_composite(spirv_id type, std::span<const spirv_id> parts) -> spirv_id;
  [[nodiscard]] auto constant_null(spirv_id type) -> spirv_id;
  /// Never shared: arrays with a stride and structs carry decorations of their own.
  [[nodiscard]] auto new_array(spirv_id element, std::uint32_t count) -> spirv_id;
  [[nodiscard]] auto new_struct(std::initializer_list<spirv_id> members) -> spirv_id;
  [[nodiscard]] auto spec_constant_uint(std::uint32_t default_value, std::uint32_t spec_id)
      -> spirv_id;
  [[nodiscard]] auto variable(spv::StorageClass storage, spirv_id pointee, spirv_id initial = {})
      -> spirv_id;

  // Code, appended in order.
  void begin_function(spirv_id function, spirv_id returns);
  void end_function();
  /// Sets the function under construction aside for one of at most 3 parameters, all of one type.
  /// It has one block, calls nothing and touches no variable. Fills `parameters`.
  [[nodiscard]] auto begin_helper(spirv_id returns, spirv_id parameter_type,
                                  std::span<spirv_id> parameters) -> spirv_id;
  /// Returns `result`, and goes on with the function that was set aside.
  void end_helper(spirv_id result);
  void label(spirv_id id);
  void branch(spirv_id to);
  void branch_if(spirv_id condition, spirv_id yes, spirv_id no);
  void selection_merge(spirv_id merge);
  void loop_merge(spirv_id merge, spirv_id next);
  void call(spirv_id function, spirv_id returns);
  void emit_void(spv::Op op, std::initializer_list<std::uint32_t> words);
  [[nodiscard]] auto emit(spv::Op op, spirv_id type, std::initializer_list<spirv_id> operands)
      -> spirv_id {
    const result_place made = open_result(op, type, operands.size());
    for (std::uint32_t* to = made.operands; const spirv_id o : operands) {
      *to++ = static_cast<std::uint32_t>(o);
    }
    return made.id;
  }
  [[nodiscard]] auto emit_words(spv::Op op, spirv_id type, std::span<const std::uint32_t> words)
      -> spirv_id {
    const result_place made = open_result(op, type, words.size());
    for (std::uint32_t* to = made.operands; const std::uint32_t w : words) *to++ = w;
    return made.id;
  }
  /// An instruction of GLSL.std.450.
  [[nodiscard]] auto glsl(GLSLstd450 op, spirv_id type, std::span<const spirv_id> operands)
      -> spirv_id;
  [[nodiscard]] auto load(spirv_id type, spirv_id pointer) -> spirv_id;
  void store(spirv_id pointer, spirv_id value) {
    std::uint32_t* to = open(code_, spv::Op::OpStore, 2);
    *to++ = static_cast<std::uint32_t>(pointer);
    *to = static_cast<std::uint32_t>(value);
  }
  [[nodiscard]] auto access(spirv_id pointer_type, spirv_id base,
                            std::initializer_list<spirv_id> indices) -> spirv_id;
  [[nodiscard]] auto extract(spirv_id type, spirv_id composite, std::uint32_t index) -> spirv_id;

  /// Counts basic blocks, and begins anew behind a call: what was loaded in one stays true
  /// there.
  [[nodiscard]] auto block_number() const noexcept -> std::uint32_t { return block_number_; }
  /// Words so far, all sections together.
  [[nodiscard]] auto size_words() const noexcept -> std::size_t;
  /// The finished module. Errors: out_of_memory, here or at any call before.
  [[nodiscard]] auto finish() noexcept -> result<heap_array<std::uint32_t>>;

 private:
  using section = word_list;

  /// A short request for a type or constant, and what it got. Equal operations have as many words.
  struct recent_request {
    spv::Op op = spv::Op::OpNop;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    spirv_id id{};
  };

  /// A type that is asked for all the time: remembered by its place in `basic_`.
  [[nodiscard]] auto basic(std::size_t place, spv::Op op,
                           std::initializer_list<std::uint32_t> words) -> spirv_id {
    if (basic_[place] == spirv_id{}) basic_[place] = shared(op, words, false);
    return basic_[place];
  }
  /// An instruction with room for `words` words behind its first; where they go.
  [[nodiscard]] auto open(section& to, spv::Op op, std::size_t words) -> std::uint32_t* {
    std::uint32_t* first = to.grow(1 + words);
    if (first == nullptr) [[unlikely]]
      first = discard(1 + words);
    *first = static_cast<std::uint32_t>((words + 1) << 16) | static_cast<std::uint32_t>(op);
    return first + 1;
  }
  /// The heap is exhausted: somewhere to write `words` words that nobody reads.
  [[nodiscard]] auto discard(std::size_t words) noexcept -> std::uint32_t* {
    is_exhausted_ = true;
    AEROGPU_CHECK(words <= discarded_.size());
    return discarded_.data();
  }
  /// An instruction of the code with a result: where its operands go.
  struct result_place {
    spirv_id id;
    std::uint32_t* operands;
  };
  [[nodiscard]] auto open_result(spv::Op op, spirv_id type, std::size_t operands) -> result_place {
    const spirv_id id = new_id();
    std::uint32_t* to = open(code_, op, 2 + operands);
    *to++ = static_cast<std::uint32_t>(type);
    *to++ = static_cast<std::uint32_t>(id);
    return {id, to};
  }
  void append(section& to, spv::Op op, std::span<const std::uint32_t> words);
  [[nodiscard]] auto shared(spv::Op op, std::initializer_list<std::uint32_t> words, bool has_type)
      -> spirv_id;
  [[nodiscard]] auto shared_span(spv::Op op, std::span<const std::uint32_t> words, bool has_type)
      -> spirv_id;
  [[nodiscard]] auto grow_index() noexcept -> bool;

  section capabilities_, extensions_, entry_points_, modes_, names_, decorations_, globals_,
      helpers_, code_;
  heap_array<std::uint32_t> shared_index_;  ///< Word offsets into globals_, plus 1; hashed.
  std::uint32_t shared_count_ = 0;
  std::array<recent_request, 64> recent_{};
  std::uint32_t next_id_ = 1;
  std::uint32_t block_number_ = 0;
  spirv_id glsl_import_{};
  std::array<spirv_id, 5> basic_{};
  bool is_exhausted_ = false;
  /// More than any one instruction has: an entry point with all that it can interface with.
  std::array<std::uint32_t, 128> discarded_;
};

}  // namespace aerogpu::d3d9
