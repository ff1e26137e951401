// SPDX-License-Identifier: MIT
#include "spirv_bounds/module_writer.hpp"

#include "spirv_bounds/shader_limits.hpp"

#include <algorithm>

namespace aerogpu::spirv {
namespace {

auto first_word(spv::Op op, std::size_t operands) noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>(operands + 1) << 16 | static_cast<std::uint32_t>(op);
}

}  // namespace

void code_buffer::put(spv::Op op, word_span operands) {
  const std::uint32_t first = first_word(op, operands.size());
  copy({&first, 1});
  copy(operands);
}

void code_buffer::put(spv::Op op, std::initializer_list<std::uint32_t> operands) {
  put(op, word_span{operands.begin(), operands.size()});
}

void code_buffer::copy(word_span words) {
  for (const std::uint32_t word : words) {
    if (!words_.push_back(word)) is_exhausted_ = true;
  }
}

auto module_writer::create(const module_index& from) -> result<module_writer> {
  module_writer made{from};
  if (!made.nulls_.resize(from.bound())) return out_of_memory();
  made.find_types();
  return made;
}

/// Types must not be declared twice, so those of the module are used.
void module_writer::find_types() {
  for (std::size_t at = from_->first_global(); at < from_->first_function();) {
    const instruction in = from_->at(at);
    const spirv_id id = in.result();
    if (in.op() == spv::Op::OpTypeVoid) void_ = id;
    if (in.op() == spv::Op::OpTypeBool) bool_ = id;
    if (in.op() == spv::Op::OpTypeInt && in.word(2) == 32 && in.word(3) == 0) uint_ = id;
    if (in.op() == spv::Op::OpTypeVector && in.word(2) == bool_ && bool_ != 0 &&
        in.word(3) < bool_vectors_.size()) {
      bool_vectors_[in.word(3)] = id;
    }
    if (in.op() == spv::Op::OpTypeFunction && in.words.size() == 3 && in.word(2) == void_) {
      procedure_ = id;
    }
    at += in.words.size();
  }
}

auto module_writer::type_void() -> spirv_id {
  if (void_ == 0) globals.put(spv::Op::OpTypeVoid, {void_ = new_id()});
  return void_;
}

auto module_writer::type_bool() -> spirv_id {
  if (bool_ == 0) globals.put(spv::Op::OpTypeBool, {bool_ = new_id()});
  return bool_;
}

auto module_writer::type_uint() -> spirv_id {
  if (uint_ == 0) globals.put(spv::Op::OpTypeInt, {uint_ = new_id(), 32, 0});
  return uint_;
}

auto module_writer::type_bool_vector(std::uint32_t width) -> spirv_id {
  spirv_id& id = bool_vectors_[width];
  if (id == 0) {
    const spirv_id component = type_bool();
    globals.put(spv::Op::OpTypeVector, {id = new_id(), component, width});
  }
  return id;
}

auto module_writer::type_procedure() -> spirv_id {
  if (procedure_ == 0) {
    const spirv_id nothing = type_void();
    globals.put(spv::Op::OpTypeFunction, {procedure_ = new_id(), nothing});
  }
  return procedure_;
}

/// Pointers may be declared twice in SPIR-V, so those of the module are not searched.
auto module_writer::type_pointer(spv::StorageClass storage, spirv_id to) -> spirv_id {
  const auto known = std::ranges::find_if(pointers_.view(), [&](const written_pointer& row) {
    return row.storage == storage && row.to == to;
  });
  if (known != pointers_.view().end()) return known->id;
  const spirv_id id = new_id();
  globals.put(spv::Op::OpTypePointer, {id, static_cast<std::uint32_t>(storage), to});
  // One that is not remembered is declared again.
  (void)pointers_.push_back({storage, to, id});
  return id;
}

auto module_writer::constant_uint(std::uint32_t value) -> spirv_id {
  const spirv_id type = type_uint();
  const auto known = std::ranges::find(constants_.view(), value, &written_constant::value);
  if (known != constants_.view().end()) return known->id;
  const spirv_id id = new_id();
  globals.put(spv::Op::OpConstant, {type, id, value});
  // Lengths of arrays are few; beyond this many a constant is declared again.
  constexpr std::size_t most_remembered = 64;
  if (constants_.size() < most_remembered) (void)constants_.push_back({value, id});
  return id;
}

auto module_writer::null_of(spirv_id type) -> spirv_id {
  if (type < nulls_.size() && nulls_[type] != 0) return nulls_[type];
  const spirv_id id = new_id();
  globals.put(spv::Op::OpConstantNull, {type, id});
  if (type < nulls_.size()) nulls_[type] = id;
  return id;
}

auto module_writer::finish() -> result<word_list> {
  code_buffer all;
  all.copy(from_->words().first(header_words));
  for (std::size_t at = header_words; at < from_->first_global();) {
    const instruction in = from_->at(at);
    const std::size_t start = all.size();
    if (in.form().section != module_section::anywhere) all.copy(in.words);
    if (in.op() == spv::Op::OpEntryPoint && more_interface != 0 && !all.is_exhausted()) {
      all.copy({&more_interface, 1});
      all.at(start) += 1u << 16;
    }
    at += in.words.size();
  }
  for (const code_buffer* part : {&annotations, &globals, &code}) {
    if (part->is_exhausted()) return out_of_memory();
    all.copy(part->words());
  }
  if (all.is_exhausted()) return out_of_memory();
  all.at(bound_word) = next_id_;
  if (all.size() > limits_of_shaders.words) {
    return refused("a bounded shader has too many words of SPIR-V", 0, all.size(),
                   limits_of_shaders.words);
  }
  word_list made;
  if (!made.resize(all.size())) return out_of_memory();
  std::ranges::copy(all.words(), made.begin());
  return made;
}

}  // namespace aerogpu::spirv
