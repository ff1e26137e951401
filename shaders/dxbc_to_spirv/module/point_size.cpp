// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/module/point_size.hpp"

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/fixed_vector.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>

namespace aerogpu::dxbc {
namespace point_size {
namespace {

constexpr std::size_t first_instruction = 5, bound_word = 3;
constexpr std::uint32_t spv_op_entry_point = 15, spv_op_type_void = 19, spv_op_type_float = 22,
                        spv_op_type_pointer = 32, spv_op_constant = 43, spv_op_function = 54,
                        spv_op_variable = 59, spv_op_store = 62, spv_op_decorate = 71,
                        spv_op_emit_vertex = 218, spv_op_label = 248;
constexpr std::uint32_t model_vertex = 0, storage_output = 3, decoration_built_in = 11,
                        built_in_point_size = 1, word_bits = 32;

using module_words = heap_array<std::uint32_t>;
using few_words = fixed_vector<std::uint32_t, 16>;

auto instruction_of(std::uint32_t token) noexcept -> std::uint32_t {
  return token & 0xFFFFu;
}

void append(few_words& to, std::uint32_t code,
            std::initializer_list<std::uint32_t> operands) noexcept {
  AEROGPU_CHECK(to.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | code));
  for (const std::uint32_t each : operands) AEROGPU_CHECK(to.push_back(each));
}

/// Where the parts of a module are; 0 = not there.
struct places {
  std::size_t entry_point = 0;
  std::size_t first_type = 0;
  std::size_t first_function = 0;
  std::size_t first_store = 0;   ///< Behind the variables of the entry point.
  std::uint32_t float_type = 0;  ///< Id of the type of 32 bits.
  bool has_point_size = false;
};

auto find_places(const module_words& module) noexcept -> places {
  places found;
  std::uint32_t entry = 0;
  bool is_in_entry = false;
  for (std::size_t at = first_instruction; at < module.size();) {
    const std::size_t length = module[at] >> 16;
    if (length == 0 || length > module.size() - at) return {};
    const std::uint32_t code = instruction_of(module[at]);
    if (code == spv_op_entry_point && length > 3 && module[at + 1] == model_vertex) {
      found.entry_point = at;
      entry = module[at + 2];
    }
    found.has_point_size |= code == spv_op_decorate && length > 3 &&
                            module[at + 2] == decoration_built_in &&
                            module[at + 3] == built_in_point_size;
    if (code == spv_op_type_void && found.first_type == 0) found.first_type = at;
    if (code == spv_op_type_float && length > 2 && module[at + 2] == word_bits) {
      found.float_type = module[at + 1];
    }
    if (code == spv_op_function && length > 2) {
      if (found.first_function == 0) found.first_function = at;
      is_in_entry = module[at + 2] == entry;
    }
    const bool is_start = code == spv_op_label && found.first_store == 0;
    const bool is_local = code == spv_op_variable && found.first_store == at;
    if (is_in_entry && (is_start || is_local)) found.first_store = at + length;
    at += length;
  }
  return found;
}

/// Precondition: there is room.
void insert(module_words& module, std::size_t at, std::span<const std::uint32_t> what) noexcept {
  AEROGPU_CHECK(module.append(what));
  const auto front = module.begin() + at;
  std::rotate(front, module.end() - what.size(), module.end());
}

/// The words of the instruction at `at`; none at the end of the module, or of what is none.
auto instruction_at(std::span<const std::uint32_t> module, std::size_t at) noexcept
    -> std::span<const std::uint32_t> {
  if (at >= module.size()) return {};
  const std::size_t length = module[at] >> 16;
  return length <= module.size() - at ? module.subspan(at, length) : module.first(0);
}

/// The store of a point size; empty = there is none.
auto find_store(std::span<const std::uint32_t> module) noexcept -> std::span<const std::uint32_t> {
  std::uint32_t variable = 0;
  std::span<const std::uint32_t> now;
  for (std::size_t at = first_instruction; !(now = instruction_at(module, at)).empty();
       at += now.size()) {
    const std::uint32_t code = instruction_of(now[0]);
    if (code == spv_op_decorate && now.size() > 3 && now[2] == decoration_built_in &&
        now[3] == built_in_point_size) {
      variable = now[1];
    }
    if (code == spv_op_store && now.size() > 2 && variable != 0 && now[1] == variable) return now;
  }
  return {};
}

}  // namespace
}  // namespace point_size

auto write_point_size(heap_array<std::uint32_t>& module) noexcept -> result<void> {
  using namespace point_size;
  const places at = find_places(module);
  if (at.entry_point == 0 || at.first_type == 0 || at.first_store == 0 || at.has_point_size) {
    return {};
  }
  std::uint32_t next = module[bound_word];
  const std::uint32_t type = at.float_type != 0 ? at.float_type : next++;
  const std::uint32_t pointer = next++, one = next++, variable = next++;
  module[bound_word] = next;

  few_words store, globals, decoration;
  append(store, spv_op_store, {variable, one});
  if (at.float_type == 0) append(globals, spv_op_type_float, {type, word_bits});
  append(globals, spv_op_type_pointer, {pointer, storage_output, type});
  append(globals, spv_op_constant, {type, one, as_bits(1.0f)});
  append(globals, spv_op_variable, {pointer, variable, storage_output});
  append(decoration, spv_op_decorate, {variable, decoration_built_in, built_in_point_size});

  const auto all = [](const few_words& words) { return std::span{words.begin(), words.size()}; };
  if (!module.reserve_more(store.size() + globals.size() + decoration.size() + 1)) {
    return make_error(error_code::out_of_memory, "no memory for the size of points");
  }
  // From the back, so that places in front stay right.
  insert(module, at.first_store, all(store));
  insert(module, at.first_function, all(globals));
  insert(module, at.first_type, all(decoration));
  const std::size_t end = at.entry_point + (module[at.entry_point] >> 16);
  insert(module, end, std::array{variable});
  module[at.entry_point] += 1u << 16;
  return {};
}

auto repeat_point_size(heap_array<std::uint32_t>& module) noexcept -> result<void> {
  using namespace point_size;
  const std::span<const std::uint32_t> store = find_store(module.view());
  if (store.empty()) return {};
  heap_array<std::uint32_t> repeated;
  bool has_room = repeated.append(module.view().first(first_instruction));
  std::span<const std::uint32_t> now;
  for (std::size_t at = first_instruction; !(now = instruction_at(module.view(), at)).empty();
       at += now.size()) {
    if (instruction_of(now[0]) == spv_op_emit_vertex) has_room = has_room && repeated.append(store);
    has_room = has_room && repeated.append(now);
  }
  if (!has_room) return make_error(error_code::out_of_memory, "no memory for the size of points");
  module = std::move(repeated);
  return {};
}

}  // namespace aerogpu::dxbc
