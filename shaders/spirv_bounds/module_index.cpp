// SPDX-License-Identifier: MIT
#include "spirv_bounds/module_index.hpp"

#include "spirv_bounds/shader_limits.hpp"

#include <utility>

namespace aerogpu::spirv {
namespace {

constexpr std::uint32_t magic = 0x07230203, first_version = 0x00010000, last_version = 0x00010300;
constexpr std::uint32_t most_words_of_one = 0x10000;
constexpr const char* exhausted = "no memory to check a shader";

/// Whether an instruction of `section` may follow one of `reached`.
auto may_follow(module_section section, module_section reached, bool is_in_function) noexcept
    -> bool {
  if (section == module_section::anywhere) return true;
  if (section == module_section::global_or_function) {
    return reached <= module_section::global || is_in_function;
  }
  return section >= reached;
}

}  // namespace

auto refused(const char* what, std::size_t at, std::uint64_t detail, std::uint64_t limit) noexcept
    -> error {
  error why = make_error(error_code::unsupported, what, detail, limit);
  why.offset = static_cast<std::uint32_t>(at * sizeof(std::uint32_t));
  return why;
}

auto out_of_memory() noexcept -> error {
  return make_error(error_code::out_of_memory, exhausted);
}

auto module_index::read_constant(std::uint32_t id, std::uint32_t& value) const noexcept -> bool {
  constexpr std::uint32_t bits = 32;
  const instruction found = find(id);
  const instruction type = find(found.type());
  const bool is_integer = type.op() == spv::Op::OpTypeInt && type.word(2) == bits;
  if (!is_integer || (found.op() != spv::Op::OpConstant && found.op() != spv::Op::OpConstantNull)) {
    return false;
  }
  value = found.op() == spv::Op::OpConstant ? found.word(3) : 0;
  return true;
}

/// Group-shared memory counts as indexed: each invocation stores for itself.
void module_index::note_indices(const instruction& in) noexcept {
  constexpr auto shared = static_cast<std::uint32_t>(spv::StorageClass::Workgroup);
  has_indices_ |= in.op() == spv::Op::OpVariable && in.word(3) == shared;
  if (in.op() != spv::Op::OpAccessChain && in.op() != spv::Op::OpInBoundsAccessChain) return;
  for (std::size_t i = 4; i < in.words.size(); ++i) {
    const std::uint32_t id = in.word(i);
    has_indices_ |= id >= places_.size() || places_[id] == 0 || places_[id] >= first_function_;
  }
}

auto module_index::read_instruction(std::size_t at, module_section& reached) -> const char* {
  const std::size_t length = words_[at] >> 16;
  if (length == 0 || length > words_.size() - at) return "a SPIR-V instruction has no sane length";
  const instruction in{at, words_.subspan(at, length)};
  const instruction_form& form = in.form();
  if (form.least_words == 0) return "a SPIR-V instruction is not allowed";
  if (length < form.least_words) return "a SPIR-V instruction is too short";
  if (!may_follow(form.section, reached, is_in_function_)) {
    return "a SPIR-V instruction stands in a wrong section";
  }
  if (form.section < module_section::global_or_function) reached = form.section;
  if (form.section == module_section::global_or_function && !is_in_function_) {
    reached = module_section::global;
  }
  if (in.op() == spv::Op::OpFunction) {
    if (is_in_function_) return "a SPIR-V function begins within another";
    is_in_function_ = true;
    if (first_function_ == 0) first_function_ = at;
    if (!functions_.push_back(static_cast<std::uint32_t>(at))) return exhausted;
  } else if (reached == module_section::function && !is_in_function_) {
    return "a SPIR-V instruction stands outside all functions";
  }
  if (!has_indices_) note_indices(in);
  has_calls_ |= in.op() == spv::Op::OpFunctionCall;
  if (in.op() == spv::Op::OpFunctionEnd) is_in_function_ = false;
  if (first_annotation_ == 0 && reached >= module_section::annotation) first_annotation_ = at;
  if (first_global_ == 0 && reached >= module_section::global) first_global_ = at;
  if (form.result == result_form::none) return nullptr;
  const std::uint32_t id = in.result();
  if (id == 0 || id >= places_.size()) return "a SPIR-V id is beyond the bound";
  if (places_[id] != 0) return "a SPIR-V id is defined twice";
  places_[id] = static_cast<std::uint32_t>(at);
  return nullptr;
}

auto module_index::create(word_span words) -> result<module_index> {
  module_index made;
  made.words_ = words;
  if (words.size() <= header_words || words[0] != magic || words[4] != 0) {
    return refused("the module is no SPIR-V", 0);
  }
  if (words.size() > limits_of_shaders.words) {
    return refused("a shader has too many words of SPIR-V", 0, words.size(),
                   limits_of_shaders.words);
  }
  if (words[1] < first_version || words[1] > last_version) {
    return refused("the version of SPIR-V is not one of 1.0 to 1.3", 0, words[1]);
  }
  // Each id costs at least two words where it is defined.
  if (words[bound_word] > words.size()) {
    return refused("the bound of SPIR-V ids exceeds the module", 0, words[bound_word],
                   words.size());
  }
  if (!made.places_.resize(words[bound_word])) {
    return out_of_memory();
  }
  module_section reached = module_section::capability;
  for (std::size_t at = header_words; at < words.size(); at += words[at] >> 16) {
    if (const char* why = made.read_instruction(at, reached); why != nullptr) {
      if (why == exhausted) return out_of_memory();
      return refused(why, at, words[at] % most_words_of_one);
    }
  }
  if (made.first_function_ == 0) return refused("the module has no function", 0);
  if (made.is_in_function_) return refused("a SPIR-V function does not end", words.size());
  return made;
}

}  // namespace aerogpu::spirv
