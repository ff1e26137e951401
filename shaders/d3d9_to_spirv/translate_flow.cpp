// SPDX-License-Identifier: MIT
// Flow control as structured SPIR-V (shaders.md 1.12).
#include "d3d9_to_spirv/shader_context.hpp"

#include <array>
#include <span>

namespace aerogpu::d3d9 {

namespace {

/// An open if, loop or rep.
struct block {
  opcode opened = opcode::nop;
  spirv_id merge{};
  spirv_id other{};  ///< if: where else begins, until it does. Loops: the continue block.
  spirv_id header{};
  spirv_id counter{};     ///< Variable: iterations to go.
  spirv_id step{};        ///< Of aL; loop only.
  spirv_id outer_loop{};  ///< aL before; loop only.
  bool reaches_merge = false;
};

/// Writes one routine. Code behind a break is left out, up to where its block ends.
class routine_writer {
 public:
  routine_writer(shader_context& to, std::span<const spirv_id> functions, spirv_id budget) noexcept
      : to_(to), module_(to.module), functions_(functions), budget_(budget) {}

  [[nodiscard]] auto run(const routine& which, spirv_id function) -> result<void>;

 private:
  [[nodiscard]] auto emit_one(std::uint32_t& at, std::uint32_t end) -> result<void>;
  void emit_flow(const instruction& in);
  void open_if(truth condition);
  void begin_else();
  void close_if();
  void open_loop(const instruction& in);
  void close_loop();
  void break_if(truth condition);
  void emit_call(const instruction& in);
  void merge_here(block& closed);
  [[nodiscard]] auto compare_sources(const instruction& in) -> truth;
  [[nodiscard]] auto innermost_loop() -> block&;
  void step_int(spirv_id variable, spirv_id by);
  [[nodiscard]] auto is_positive(spirv_id variable) -> truth;

  shader_context& to_;
  spirv_module& module_;
  std::span<const spirv_id> functions_;  ///< By label number; main has none.
  spirv_id budget_;
  fixed_vector<block, max_nesting + 1> open_;  ///< And the if of one callnz.
  bool is_dead_ = false;
};

auto routine_writer::run(const routine& which, spirv_id function) -> result<void> {
  module_.begin_function(function, module_.type_void());
  for (std::uint32_t at = which.begin; at < which.end;) {
    if (const auto ok = emit_one(at, which.end); !ok) return ok.why();
  }
  module_.end_function();
  return {};
}

auto routine_writer::emit_one(std::uint32_t& at, std::uint32_t end) -> result<void> {
  const std::span<const instruction> all = to_.shader.instructions.view();
  const instruction& in = all[at];
  const opcode_class kind = to_.shader.row_of(in).kind;
  std::uint32_t last = at + 1;
  if (kind == opcode_class::arithmetic && to_.is_pixel() && to_.major() == 1) {
    if (last < end && all[last].is_coissued && to_.shader.row_of(all[last]).kind == kind) ++last;
  }
  if (kind == opcode_class::flow) {
    emit_flow(in);
  } else if (!is_dead_ && kind == opcode_class::arithmetic) {
    emit_arithmetic(to_, all.subspan(at, last - at));
  } else if (!is_dead_ && kind == opcode_class::texture) {
    emit_texture(to_, in);
  }
  at = last;
  if (module_.size_words() <= max_module_words) return {};
  return error{error_code::unsupported,
               0,
               in.offset,
               module_.size_words(),
               max_module_words,
               "shader translates to too much code"};
}

void routine_writer::emit_flow(const instruction& in) {
  switch (in.op) {
    case opcode::if_: return open_if(is_dead_ ? truth{} : read_condition(to_, in.sources[0]));
    case opcode::ifc: return open_if(is_dead_ ? truth{} : compare_sources(in));
    case opcode::else_: return begin_else();
    case opcode::endif: return close_if();
    case opcode::loop:
    case opcode::rep: return open_loop(in);
    case opcode::endloop:
    case opcode::endrep: return close_loop();
    default: break;
  }
  if (is_dead_) return;
  switch (in.op) {
    case opcode::break_:
      module_.branch(innermost_loop().merge);
      is_dead_ = true;
      return;
    case opcode::breakc: return break_if(compare_sources(in));
    case opcode::breakp: return break_if(read_condition(to_, in.sources[0]));
    case opcode::call:
    case opcode::callnz: return emit_call(in);
    default: return;
  }
}

auto routine_writer::compare_sources(const instruction& in) -> truth {
  const value a = read_scalar(to_, in.sources[0]);
  const value b = read_scalar(to_, in.sources[1]);
  return to_.math.compare(static_cast<comparison>(in.control & 7), a, b);
}

/// A block that opens in dead code has no merge label, and stays dead to its end.
void routine_writer::open_if(truth condition) {
  AEROGPU_CHECK(open_.push_back({.opened = opcode::if_}));
  if (is_dead_) return;
  block& b = open_.back();
  b.merge = module_.new_id();
  b.other = module_.new_id();
  const spirv_id then = module_.new_id();
  module_.selection_merge(b.merge);
  module_.branch_if(condition.id, then, b.other);
  module_.label(then);
}

void routine_writer::begin_else() {
  block& b = open_.back();
  if (b.merge == spirv_id{}) return;
  if (!is_dead_) module_.branch(b.merge);
  b.reaches_merge = !is_dead_;
  module_.label(b.other);
  b.other = {};
  is_dead_ = false;
}

void routine_writer::close_if() {
  block b = open_.back();
  open_.pop_back();
  if (b.merge == spirv_id{}) return;
  if (!is_dead_) module_.branch(b.merge);
  b.reaches_merge = b.reaches_merge || !is_dead_;
  if (b.other != spirv_id{}) {
    module_.label(b.other);
    module_.branch(b.merge);
    b.reaches_merge = true;
  }
  merge_here(b);
}

void routine_writer::merge_here(block& closed) {
  module_.label(closed.merge);
  is_dead_ = !closed.reaches_merge;
  if (is_dead_) module_.emit_void(spv::Op::OpUnreachable, {});
}

auto routine_writer::is_positive(spirv_id variable) -> truth {
  const spirv_id now = module_.load(module_.type_int(), variable);
  return {
      module_.emit(spv::Op::OpSGreaterThan, to_.math.bool_type(1), {now, module_.constant_int(0)}),
      1};
}

void routine_writer::step_int(spirv_id variable, spirv_id by) {
  const spirv_id type = module_.type_int();
  const spirv_id now = module_.load(type, variable);
  module_.store(variable, module_.emit(spv::Op::OpIAdd, type, {now, by}));
}

/// The integer register is read once, here. Counts and starts are 0..255, steps -128..127.
void routine_writer::open_loop(const instruction& in) {
  AEROGPU_CHECK(open_.push_back({.opened = in.op}));
  if (is_dead_) return;
  block& b = open_.back();
  const bool has_counter = in.op == opcode::loop;
  const spirv_id type = module_.type_int();
  const spirv_id number = to_.registers.int_constant(in.sources[has_counter ? 1 : 0].reg.number);
  const auto part = [&](std::uint32_t index, std::int32_t low, std::int32_t high) {
    return module_.glsl(GLSLstd450SClamp, type,
                        std::array{module_.extract(type, number, index), module_.constant_int(low),
                                   module_.constant_int(high)});
  };
  b.counter = module_.variable(spv::StorageClass::Private, type, module_.constant_null(type));
  module_.store(b.counter, part(0, 0, 255));
  if (has_counter) {
    b.outer_loop = module_.load(type, to_.registers.loop_counter());
    module_.store(to_.registers.loop_counter(), part(1, 0, 255));
    b.step = part(2, -128, 127);
  }
  b.header = module_.new_id();
  b.merge = module_.new_id();
  b.other = module_.new_id();
  const spirv_id test = module_.new_id();
  const spirv_id body = module_.new_id();
  module_.branch(b.header);
  module_.label(b.header);
  module_.loop_merge(b.merge, b.other);
  module_.branch(test);
  module_.label(test);
  const truth goes_on = to_.math.both(is_positive(b.counter), is_positive(budget_));
  module_.branch_if(goes_on.id, body, b.merge);
  module_.label(body);
}

void routine_writer::close_loop() {
  block b = open_.back();
  open_.pop_back();
  if (b.merge == spirv_id{}) return;
  if (!is_dead_) module_.branch(b.other);
  module_.label(b.other);
  step_int(b.counter, module_.constant_int(-1));
  step_int(budget_, module_.constant_int(-1));
  if (b.step != spirv_id{}) step_int(to_.registers.loop_counter(), b.step);
  module_.branch(b.header);
  b.reaches_merge = true;
  merge_here(b);
  if (b.step != spirv_id{}) module_.store(to_.registers.loop_counter(), b.outer_loop);
}

auto routine_writer::innermost_loop() -> block& {
  std::size_t i = open_.size() - 1;
  while (open_[i].opened == opcode::if_ && i > 0) --i;
  return open_[i];
}

void routine_writer::break_if(truth condition) {
  const spirv_id rest = module_.new_id();
  module_.selection_merge(rest);
  module_.branch_if(condition.id, innermost_loop().merge, rest);
  module_.label(rest);
}

void routine_writer::emit_call(const instruction& in) {
  const spirv_id function = functions_[in.sources[0].reg.number];
  if (in.op == opcode::call) return module_.call(function, module_.type_void());
  open_if(read_condition(to_, in.sources[1]));
  module_.call(function, module_.type_void());
  close_if();
}

}  // namespace

auto emit_routines(shader_context& to, heap_array<spirv_id>& functions) -> result<void> {
  constexpr std::size_t label_count = 2048;
  const bool has_labels = to.shader.routines.size() > 1;
  heap_array<spirv_id> by_label;
  if (!functions.reserve(to.shader.routines.size()) ||
      !by_label.resize(has_labels ? label_count : 0)) {
    return make_error(error_code::out_of_memory, "no memory for a shader's functions");
  }
  for (const routine& r : to.shader.routines) {
    AEROGPU_CHECK(functions.push_back(to.module.new_id()));
    if (functions.size() > 1) by_label[r.label] = functions.back();
  }
  const spirv_id type = to.module.type_int();
  const spirv_id budget = to.module.variable(spv::StorageClass::Private, type,
                                             to.module.constant_int(back_edge_budget));
  for (std::size_t i = 0; i < functions.size(); ++i) {
    routine_writer writer{to, by_label.view(), budget};
    if (const auto ok = writer.run(to.shader.routines[i], functions[i]); !ok) return ok.why();
  }
  return {};
}

}  // namespace aerogpu::d3d9
