// SPDX-License-Identifier: MIT
#include "spirv_bounds/cost.hpp"

#include "spirv_bounds/indexed_arrays.hpp"
#include "spirv_bounds/saturating.hpp"

#include <algorithm>
#include <limits>

namespace aerogpu::spirv {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

/// One function; its own code first, with its callees when they are known.
struct function_cost {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint64_t instructions = 0, blocks = 0, nesting = 0, private_bytes = 0;
  std::uint32_t depth = 0;
  std::uint64_t returns = 0, loops = 0, array_stores = 0;
  bool is_entered = false;  ///< Its calls are being counted.
  bool is_known = false;
};

class meter {
 public:
  meter(const module_index& module, const indexed_arrays* arrays) noexcept
      : module_(module), arrays_(arrays) {}

  [[nodiscard]] auto run() -> result<module_cost>;

 private:
  [[nodiscard]] auto find_functions() -> error;
  [[nodiscard]] auto count_globals() -> error;
  [[nodiscard]] auto count_function(function_cost& f) -> error;
  [[nodiscard]] auto weight_of(const instruction& in) const noexcept -> std::uint64_t;
  [[nodiscard]] auto parts_of(const instruction& in) const noexcept -> std::uint64_t;
  [[nodiscard]] auto count_one(function_cost& f, const instruction& in) -> error;
  void note_flow(function_cost& f, const instruction& in);
  void enter_block(std::uint32_t label) noexcept;
  void reach(std::uint32_t label, std::uint32_t depth) noexcept;
  [[nodiscard]] auto call(function_cost& caller, const instruction& in) -> error;
  [[nodiscard]] auto size_of(const instruction& type) const noexcept -> std::uint64_t;
  [[nodiscard]] auto bytes_of(const instruction& variable) const noexcept -> std::uint64_t;
  [[nodiscard]] auto visit_from(std::uint32_t root) -> error;

  const module_index& module_;
  const indexed_arrays* arrays_;  ///< Null where no array is indexed.
  module_cost total_;
  heap_array<function_cost> functions_;
  word_list function_of_;               ///< By id: 1 + its place in `functions_`.
  word_list nesting_of_;                ///< By label: 1 + its nesting.
  heap_array<std::uint64_t> bytes_of_;  ///< By type.
  std::uint32_t nesting_ = 0;           ///< Of the block at hand.
  std::uint32_t merge_ = 0;
};

/// Bytes of a type that is laid out tightly, from those in front of it; 0 where it has none.
auto meter::size_of(const instruction& type) const noexcept -> std::uint64_t {
  constexpr std::uint64_t word = 4;
  const auto known = [this](std::uint32_t id) -> std::uint64_t {
    return id < bytes_of_.size() ? bytes_of_[id] : 0;
  };
  std::uint32_t length = 0;
  std::uint64_t sum = 0;
  switch (type.op()) {
    case spv::Op::OpTypeBool:
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat: return word;
    case spv::Op::OpTypeVector: return saturating_multiply(known(type.word(2)), type.word(3));
    case spv::Op::OpTypeArray:
      return module_.read_constant(type.word(3), length)
                 ? saturating_multiply(known(type.word(2)), length)
                 : most;
    case spv::Op::OpTypeStruct:
      for (std::size_t i = 2; i < type.words.size(); ++i)
        sum = saturating_add(sum, known(type.word(i)));
      return sum;
    default: return 0;
  }
}

auto meter::bytes_of(const instruction& variable) const noexcept -> std::uint64_t {
  const auto storage = static_cast<spv::StorageClass>(variable.word(3));
  if (storage != spv::StorageClass::Private && storage != spv::StorageClass::Function) return 0;
  const std::uint32_t pointee = module_.find(variable.type()).word(3);
  return pointee < bytes_of_.size() ? bytes_of_[pointee] : most;
}

auto meter::count_globals() -> error {
  if (!bytes_of_.resize(module_.bound())) return out_of_memory();
  return for_each(module_, module_.first_global(), module_.first_function(),
                  [this](const instruction& in) -> error {
                    if (in.op() == spv::Op::OpVariable) {
                      ++total_.variables;
                      total_.private_bytes = saturating_add(total_.private_bytes, bytes_of(in));
                    } else if (in.result() != 0) {
                      bytes_of_[in.result()] = size_of(in);
                    }
                    return {};
                  });
}

auto meter::find_functions() -> error {
  if (!nesting_of_.resize(module_.bound()) || !functions_.resize(module_.functions().size())) {
    return out_of_memory();
  }
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    functions_[i].begin = module_.functions()[i];
    const bool is_last = i + 1 == functions_.size();
    functions_[i].end = is_last ? module_.words().size() : module_.functions()[i + 1];
  }
  if (!module_.has_calls()) return {};
  if (!function_of_.resize(module_.bound())) return out_of_memory();
  for (std::uint32_t i = 0; i < functions_.size(); ++i) {
    function_of_[module_.at(functions_[i].begin).result()] = i + 1;
  }
  return {};
}

void meter::reach(std::uint32_t label, std::uint32_t depth) noexcept {
  if (label < nesting_of_.size() && nesting_of_[label] == 0) nesting_of_[label] = depth + 1;
}

void meter::enter_block(std::uint32_t label) noexcept {
  nesting_ = nesting_of_[label] == 0 ? 0 : nesting_of_[label] - 1;
  merge_ = 0;
}

/// A block is as deep as the first that leads to it; blocks come after those that dominate them.
void meter::note_flow(function_cost& f, const instruction& in) {
  const std::uint32_t inner = nesting_ + (merge_ != 0 ? 1 : 0);
  switch (in.op()) {
    case spv::Op::OpLoopMerge:
    case spv::Op::OpSelectionMerge:
      merge_ = in.word(1);
      reach(merge_, nesting_);
      break;
    case spv::Op::OpBranch: reach(in.word(1), inner); break;
    case spv::Op::OpBranchConditional:
      reach(in.word(2), inner);
      reach(in.word(3), inner);
      break;
    case spv::Op::OpSwitch:
      reach(in.word(2), inner);
      for (std::size_t i = 4; i < in.words.size(); i += 2) reach(in.word(i), inner);
      break;
    case spv::Op::OpReturn:
    case spv::Op::OpReturnValue: ++f.returns; break;
    default: return;
  }
  f.nesting = std::max<std::uint64_t>(f.nesting, inner);
}

/// Adds a callee that is known; one that is not is left to `visit_from`.
auto meter::call(function_cost& caller, const instruction& in) -> error {
  const std::uint32_t id = in.word(3);
  if (id >= function_of_.size() || function_of_[id] == 0) {
    return refused("a SPIR-V call names no function", in.at, id);
  }
  const function_cost& callee = functions_[function_of_[id] - 1];
  caller.instructions = saturating_add(caller.instructions, callee.instructions);
  caller.blocks = saturating_add(caller.blocks, callee.blocks);
  caller.nesting = std::max(caller.nesting, saturating_add(nesting_, callee.nesting));
  caller.loops = saturating_add(caller.loops, callee.loops);
  caller.array_stores = saturating_add(caller.array_stores, callee.array_stores);
  caller.private_bytes = saturating_add(caller.private_bytes, callee.private_bytes);
  caller.depth = std::max(caller.depth, callee.depth + 1);
  return {};
}

/// Arithmetic is done number by number.
auto meter::weight_of(const instruction& in) const noexcept -> std::uint64_t {
  const bool is_extended = in.op() == spv::Op::OpExtInst;
  const std::uint64_t weight = is_extended ? weight_of_extended(in.word(4)) : in.form().weight;
  // Phis and switches cost by the length of their lists.
  const bool is_list = in.op() == spv::Op::OpPhi || in.op() == spv::Op::OpSwitch;
  if (is_list) return weight + in.words.size();
  if (!is_extended && !in.form().is_by_component) return weight;
  const instruction type = module_.find(in.type());
  return type.op() == spv::Op::OpTypeVector ? saturating_multiply(weight, type.word(3)) : weight;
}

/// Numbers in the array or structure that an instruction makes or moves, which a driver does one by
/// one; 1 where it has none.
auto meter::parts_of(const instruction& in) const noexcept -> std::uint64_t {
  constexpr std::uint64_t word = 4;
  std::uint32_t id = in.type();
  if (in.op() == spv::Op::OpStore) id = module_.find(in.word(2)).type();
  if (in.op() == spv::Op::OpCopyMemory) id = module_.type_of(in.word(1)).word(3);
  const spv::Op type = module_.find(id).op();
  const bool is_composite = type == spv::Op::OpTypeArray || type == spv::Op::OpTypeStruct;
  return is_composite ? std::max<std::uint64_t>(bytes_of_[id] / word, 1) : 1;
}

auto meter::count_one(function_cost& f, const instruction& in) -> error {
  const std::uint64_t weight = weight_of(in);
  if (in.op() == spv::Op::OpExtInst && weight == 0) {
    return refused("a SPIR-V extended instruction is not allowed", in.at, in.word(4));
  }
  f.instructions = saturating_add(f.instructions, saturating_multiply(weight, parts_of(in)));
  if (arrays_ != nullptr) f.array_stores = saturating_add(f.array_stores, arrays_->stores_of(in));
  note_flow(f, in);
  switch (in.op()) {
    case spv::Op::OpVariable:
      ++total_.variables;
      f.private_bytes = saturating_add(f.private_bytes, bytes_of(in));
      return {};
    case spv::Op::OpLabel:
      ++f.blocks;
      enter_block(in.result());
      return {};
    case spv::Op::OpLoopMerge: ++f.loops; return {};
    case spv::Op::OpFunctionCall: return call(f, in);
    default: return {};
  }
}

auto meter::count_function(function_cost& f) -> error {
  nesting_ = 0;
  const error why = for_each(module_, f.begin, f.end,
                             [this, &f](const instruction& in) { return count_one(f, in); });
  if (f.returns > 1) f.nesting = saturating_add(f.nesting, f.returns - 1);
  f.is_known = true;
  return why;
}

/// Counts a function behind all that it calls, without recursion: a call is an edge of the host's
/// stack otherwise.
auto meter::visit_from(std::uint32_t root) -> error {
  word_list open;
  if (!open.push_back(root)) return out_of_memory();
  while (!open.empty()) {
    const std::uint32_t place = open[open.size() - 1];
    function_cost& f = functions_[place];
    if (f.is_known || f.is_entered) {
      open.truncate(open.size() - 1);
      if (f.is_known) continue;
      if (const error why = count_function(f); why.code != error_code::none) return why;
      continue;
    }
    f.is_entered = true;
    if (!module_.has_calls()) continue;
    const error why =
        for_each(module_, f.begin, f.end, [this, &open](const instruction& in) -> error {
          if (in.op() != spv::Op::OpFunctionCall || in.word(3) >= function_of_.size()) return {};
          const std::uint32_t next = function_of_[in.word(3)];
          if (next == 0 || functions_[next - 1].is_known) return {};
          if (functions_[next - 1].is_entered) {
            return refused("SPIR-V functions call each other in a circle", in.at, in.word(3));
          }
          return open.push_back(next - 1) ? error{} : out_of_memory();
        });
    if (why.code != error_code::none) return why;
  }
  return {};
}

auto meter::run() -> result<module_cost> {
  if (const error why = find_functions(); why.code != error_code::none) return why;
  if (const error why = count_globals(); why.code != error_code::none) return why;
  for (std::uint32_t i = 0; i < functions_.size(); ++i) {
    if (const error why = visit_from(i); why.code != error_code::none) return why;
  }
  // A driver may compile what the entry point does not reach.
  std::uint64_t bytes = 0;
  for (const function_cost& f : functions_) {
    total_.instructions = std::max(total_.instructions, f.instructions);
    total_.blocks = std::max(total_.blocks, f.blocks);
    total_.nesting = std::max(total_.nesting, f.nesting);
    total_.loops = std::max(total_.loops, f.loops);
    total_.array_stores = std::max(total_.array_stores, f.array_stores);
    total_.call_depth = std::max(total_.call_depth, f.depth);
    bytes = std::max(bytes, f.private_bytes);
  }
  total_.private_bytes = saturating_add(total_.private_bytes, bytes);
  return total_;
}

}  // namespace

auto measure(const module_index& module) -> result<module_cost> {
  if (!module.has_indices()) return meter{module, nullptr}.run();
  const auto arrays = indexed_arrays::create(module);
  if (!arrays) return arrays.why();
  return meter{module, &*arrays}.run();
}

auto check_cost(const module_cost& cost, const shader_limits& limits) noexcept -> result<void> {
  struct row {
    std::uint64_t count;
    std::uint64_t limit;
    const char* what;
  };
  const row rows[] = {
      {cost.instructions, limits.instructions,
       "a shader has more weighted instructions than a driver is given"},
      {cost.blocks, limits.blocks, "a shader has more basic blocks than a driver is given"},
      {cost.nesting, limits.nesting, "a shader nests deeper than a driver is given"},
      {cost.loops, limits.loops, "a shader has more loops than a driver is given"},
      {cost.array_stores, limits.array_stores,
       "a shader has more stores to indexed arrays than a driver is given"},
      {cost.call_depth, limits.call_depth, "a shader calls deeper than a driver is given"},
      {cost.variables, limits.variables, "a shader has more variables than a driver is given"},
      {cost.private_bytes, limits.private_bytes,
       "a shader has more bytes of variables than a driver is given"}};
  for (const row& r : rows) {
    if (r.count > r.limit) return make_error(error_code::unsupported, r.what, r.count, r.limit);
  }
  return {};
}

auto check_cost(word_span words) -> result<void> {
  const auto module = module_index::create(words);
  if (!module) return module.why();
  const auto cost = measure(*module);
  if (!cost) return cost.why();
  return check_cost(*cost);
}

}  // namespace aerogpu::spirv
