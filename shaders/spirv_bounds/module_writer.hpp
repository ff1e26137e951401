// SPDX-License-Identifier: MIT
/// \file A module that is written anew from another: its globals with more of them, its code.
#pragma once

#include "spirv_bounds/module_index.hpp"

#include <array>
#include <initializer_list>

namespace aerogpu::spirv {

using spirv_id = std::uint32_t;  ///< Of the module at hand; 0 = none.

/// Instructions one behind another. Remembers when the memory is out.
class code_buffer {
 public:
  void put(spv::Op op, std::initializer_list<std::uint32_t> operands);
  void put(spv::Op op, word_span operands);
  void copy(word_span words);

  [[nodiscard]] auto is_exhausted() const noexcept -> bool { return is_exhausted_; }
  [[nodiscard]] auto words() const noexcept -> word_span { return words_.view(); }
  [[nodiscard]] auto size() const noexcept -> std::size_t { return words_.size(); }
  /// The word at `i`; precondition: it is there.
  [[nodiscard]] auto at(std::size_t i) noexcept -> std::uint32_t& { return words_[i]; }

 private:
  word_list words_;
  bool is_exhausted_ = false;
};

/// Types and constants that a module got.
struct written_pointer {
  spv::StorageClass storage{};
  spirv_id to = 0;
  spirv_id id = 0;
};
struct written_constant {
  std::uint32_t value = 0;
  spirv_id id = 0;
};

class module_writer {
 public:
  [[nodiscard]] static auto create(const module_index& from) -> result<module_writer>;

  code_buffer annotations;  ///< Behind those of the module.
  code_buffer globals;      ///< The module's own, then new ones.
  code_buffer code;
  spirv_id more_interface = 0;  ///< One more variable of the entry point.

  [[nodiscard]] auto new_id() noexcept -> spirv_id { return next_id_++; }

  // Types and constants: the module's own, or new ones in `globals`.
  [[nodiscard]] auto type_void() -> spirv_id;
  [[nodiscard]] auto type_bool() -> spirv_id;
  [[nodiscard]] auto type_uint() -> spirv_id;
  /// Precondition: 2 <= width <= 4.
  [[nodiscard]] auto type_bool_vector(std::uint32_t width) -> spirv_id;
  [[nodiscard]] auto type_pointer(spv::StorageClass storage, spirv_id to) -> spirv_id;
  [[nodiscard]] auto type_procedure() -> spirv_id;  ///< A function without parameters or result.
  [[nodiscard]] auto constant_uint(std::uint32_t value) -> spirv_id;
  /// Zero of a type of the module. Precondition: the type's own definition is written.
  [[nodiscard]] auto null_of(spirv_id type) -> spirv_id;

  /// The whole module. Errors: unsupported when it is too long; out_of_memory.
  [[nodiscard]] auto finish() -> result<word_list>;

 private:
  explicit module_writer(const module_index& from) noexcept
      : from_(&from), next_id_(from.bound()) {}
  void find_types();

  const module_index* from_;
  spirv_id next_id_;
  spirv_id void_ = 0, bool_ = 0, uint_ = 0, procedure_ = 0;
  std::array<spirv_id, 5> bool_vectors_{};
  heap_array<written_pointer> pointers_;
  heap_array<written_constant> constants_;  ///< New ones of type uint.
  word_list nulls_;                         ///< By type of the module.
};

}  // namespace aerogpu::spirv
