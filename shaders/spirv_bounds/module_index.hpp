// SPDX-License-Identifier: MIT
/// \file A SPIR-V module of any words, read without trust: each instruction is known, of a length
/// that it can have and in its section, and each id is defined once.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "spirv_bounds/instruction_table.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::spirv {

using word_span = std::span<const std::uint32_t>;
using word_list = heap_array<std::uint32_t>;

inline constexpr std::size_t header_words = 5;
inline constexpr std::size_t bound_word = 3;  ///< Of the header: one more than the highest id.

/// One instruction within its module; without words where there is none.
class instruction {
 public:
  std::size_t at = 0;  ///< First word, from the start of the module.
  word_span words;

  instruction() noexcept = default;
  /// Precondition: the first word is there.
  instruction(std::size_t first, word_span all) noexcept
      : at(first), words(all), form_(&form_of(static_cast<spv::Op>(all[0] & 0xFFFFu))) {}

  [[nodiscard]] auto op() const noexcept -> spv::Op {
    return words.empty() ? spv::Op::OpNop : static_cast<spv::Op>(words[0] & 0xFFFFu);
  }
  [[nodiscard]] auto form() const noexcept -> const instruction_form& { return *form_; }
  /// The word at `i`, or 0 behind the end: no id, and the least of most literals.
  [[nodiscard]] auto word(std::size_t i) const noexcept -> std::uint32_t {
    return i < words.size() ? words[i] : 0;
  }
  /// Words in front of the operands.
  [[nodiscard]] auto operands_at() const noexcept -> std::size_t {
    return 1u + static_cast<std::size_t>(form_->result);
  }
  [[nodiscard]] auto type() const noexcept -> std::uint32_t {
    return form_->result == result_form::type_and_id ? word(1) : 0;
  }
  [[nodiscard]] auto result() const noexcept -> std::uint32_t {
    return form_->result == result_form::none ? 0 : word(static_cast<std::size_t>(form_->result));
  }

 private:
  const instruction_form* form_ = &detail::forms.back();
};

class module_index {
 public:
  /// Keeps a view of `words`. Errors: unsupported, with the byte offset; out_of_memory.
  [[nodiscard]] static auto create(word_span words) -> result<module_index>;

  [[nodiscard]] auto words() const noexcept -> word_span { return words_; }
  [[nodiscard]] auto bound() const noexcept -> std::uint32_t { return words_[bound_word]; }
  /// The instruction that starts at a word; precondition: one does, or `at` is the end.
  [[nodiscard]] auto at(std::size_t at) const noexcept -> instruction {
    return at < words_.size() ? instruction{at, words_.subspan(at, words_[at] >> 16)}
                              : instruction{};
  }
  /// The instruction that defines an id; an empty one where none does.
  [[nodiscard]] auto find(std::uint32_t id) const noexcept -> instruction {
    return id < places_.size() && places_[id] != 0 ? at(places_[id]) : instruction{};
  }
  /// Words where functions begin.
  [[nodiscard]] auto functions() const noexcept -> word_span { return functions_.view(); }
  [[nodiscard]] auto has_calls() const noexcept -> bool { return has_calls_; }
  /// Whether an array is indexed by what is no constant, or shared by invocations.
  [[nodiscard]] auto has_indices() const noexcept -> bool { return has_indices_; }
  [[nodiscard]] auto first_annotation() const noexcept -> std::size_t { return first_annotation_; }
  [[nodiscard]] auto first_global() const noexcept -> std::size_t { return first_global_; }
  [[nodiscard]] auto first_function() const noexcept -> std::size_t { return first_function_; }

  /// The type that a value or variable has; an empty instruction where there is none.
  [[nodiscard]] auto type_of(std::uint32_t id) const noexcept -> instruction {
    return find(find(id).type());
  }
  /// An integer constant of 32 bits; false for everything else.
  [[nodiscard]] auto read_constant(std::uint32_t id, std::uint32_t& value) const noexcept -> bool;

 private:
  void note_indices(const instruction& in) noexcept;
  [[nodiscard]] auto read_instruction(std::size_t at, module_section& reached) -> const char*;

  word_span words_;
  heap_array<std::uint32_t> places_;  ///< By id: the word where it is defined; 0 = nowhere.
  word_list functions_;
  std::size_t first_annotation_ = 0;
  std::size_t first_global_ = 0;
  std::size_t first_function_ = 0;
  bool is_in_function_ = false;
  bool has_calls_ = false;
  bool has_indices_ = false;
};

/// An error about the instruction at a word.
[[nodiscard]] auto refused(const char* what, std::size_t at, std::uint64_t detail = 0,
                           std::uint64_t limit = 0) noexcept -> error;

[[nodiscard]] auto out_of_memory() noexcept -> error;

/// Calls `visit(instruction)` for each of [first, last) until one returns an error other than none.
template <class Visit>
[[nodiscard]] auto for_each(const module_index& module, std::size_t first, std::size_t last,
                            Visit visit) -> error {
  for (std::size_t at = first; at < last;) {
    const instruction in = module.at(at);
    if (const error why = visit(in); why.code != error_code::none) return why;
    at += in.words.size();
  }
  return {};
}

}  // namespace aerogpu::spirv
