// SPDX-License-Identifier: MIT
// Splits a decoded shader into routines and checks its flow control (shaders.md 1.12).
#include "d3d9_to_spirv/program.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace aerogpu::d3d9::detail {

namespace {

auto fail(std::uint32_t offset, const char* what, std::uint64_t detail = 0,
          std::uint64_t limit = 0) noexcept -> error {
  return error{error_code::invalid_parameter, 0, offset, detail, limit, what};
}

auto exhausted() noexcept -> error {
  return make_error(error_code::out_of_memory, "no memory for a shader's routines");
}

/// Open blocks of one routine.
class block_stack {
 public:
  [[nodiscard]] auto step(const instruction& in) noexcept -> result<void> {
    switch (in.op) {
      case opcode::if_:
      case opcode::ifc:
      case opcode::loop:
      case opcode::rep: return open(in);
      case opcode::else_:
        if (!is_in({opcode::if_, opcode::ifc})) return fail(in.offset, "else without if");
        open_[depth_ - 1] = opcode::else_;
        return {};
      case opcode::endif: return close(in, {opcode::if_, opcode::ifc, opcode::else_});
      case opcode::endloop: return close(in, {opcode::loop});
      case opcode::endrep: return close(in, {opcode::rep});
      case opcode::break_:
      case opcode::breakc:
      case opcode::breakp:
        if (loops_ == 0) return fail(in.offset, "break outside a loop");
        return {};
      default: return {};
    }
  }
  [[nodiscard]] auto is_balanced() const noexcept -> bool { return depth_ == 0; }

 private:
  /// Whether the innermost open block is one of these.
  [[nodiscard]] auto is_in(std::initializer_list<opcode> openers) const noexcept -> bool {
    return depth_ != 0 && std::ranges::find(openers, open_[depth_ - 1]) != openers.end();
  }
  [[nodiscard]] auto open(const instruction& in) noexcept -> result<void> {
    if (depth_ == open_.size()) {
      return fail(in.offset, "flow control nests too deeply", depth_ + 1, max_nesting);
    }
    open_[depth_++] = in.op;
    if (is_in({opcode::loop, opcode::rep})) ++loops_;
    return {};
  }
  [[nodiscard]] auto close(const instruction& in, std::initializer_list<opcode> openers) noexcept
      -> result<void> {
    if (!is_in(openers)) return fail(in.offset, "block is closed that is not open");
    if (is_in({opcode::loop, opcode::rep})) --loops_;
    --depth_;
    return {};
  }

  std::array<opcode, max_nesting> open_{};
  std::size_t depth_ = 0;
  std::size_t loops_ = 0;
};

/// Routine number of each label; 0 (main) = the label does not exist.
using label_index = std::array<std::uint16_t, 2048>;

/// Walks the instructions once and cuts them at labels and `ret`.
class splitter {
 public:
  splitter(program& shader, label_index& labels) noexcept : shader_(shader), labels_(labels) {}

  [[nodiscard]] auto run() -> result<void> {
    shader_.routines.clear();
    if (!shader_.routines.push_back(routine{})) return exhausted();
    for (std::uint32_t i = 0; i < shader_.instructions.size(); ++i) {
      if (const auto ok = step(i); !ok) return ok.why();
    }
    if (is_closed_) return {};
    constexpr std::uint32_t end_token_bytes = 4;
    return close(static_cast<std::uint32_t>(shader_.instructions.size()),
                 shader_.size_bytes - end_token_bytes);
  }

 private:
  [[nodiscard]] auto step(std::uint32_t i) -> result<void> {
    const instruction& in = shader_.instructions[i];
    if (in.op == opcode::label) return open(i);
    if (is_closed_) {
      if (in.op == opcode::nop) return {};
      return fail(in.offset, "instruction follows ret outside any label");
    }
    return in.op == opcode::ret ? close(i, in.offset) : blocks_.step(in);
  }

  /// A label begins a routine, and ends the one before it where that has no `ret`.
  [[nodiscard]] auto open(std::uint32_t i) -> result<void> {
    const instruction& in = shader_.instructions[i];
    if (!is_closed_) {
      if (const auto ok = close(i, in.offset); !ok) return ok.why();
    }
    const std::uint16_t number = in.sources[0].reg.number;
    if (labels_[number] != 0) return fail(in.offset, "label stands twice", number);
    labels_[number] = static_cast<std::uint16_t>(shader_.routines.size());
    if (!shader_.routines.push_back({number, i + 1, i + 1})) return exhausted();
    is_closed_ = false;
    return {};
  }

  [[nodiscard]] auto close(std::uint32_t end, std::uint32_t offset) -> result<void> {
    if (!blocks_.is_balanced()) return fail(offset, "flow control is not closed");
    shader_.routines.back().end = end;
    is_closed_ = true;
    return {};
  }

  program& shader_;
  label_index& labels_;
  block_stack blocks_;
  bool is_closed_ = false;
};

/// One call of the shader.
struct call_site {
  std::uint32_t caller = 0;
  std::uint32_t callee = 0;
  std::uint32_t offset = 0;
};

auto find_calls(const program& shader, const label_index& labels, heap_array<call_site>& calls)
    -> result<void> {
  for (std::uint32_t r = 0; r < shader.routines.size(); ++r) {
    for (std::uint32_t i = shader.routines[r].begin; i < shader.routines[r].end; ++i) {
      const instruction& in = shader.instructions[i];
      if (in.op != opcode::call && in.op != opcode::callnz) continue;
      const std::uint16_t number = in.sources[0].reg.number;
      if (labels[number] == 0) {
        return fail(in.offset, "call of a label that does not exist", number);
      }
      if (!calls.push_back({r, labels[number], in.offset})) return exhausted();
    }
  }
  return {};
}

/// The longest chain of calls below each routine, by relaxation: a cycle grows past every limit.
auto check_depth(const program& shader, const heap_array<call_site>& calls) -> result<void> {
  heap_array<std::uint32_t> depth;
  if (!depth.resize(shader.routines.size())) return exhausted();
  for (bool changed = true; changed;) {
    changed = false;
    for (const call_site& call : calls) {
      if (depth[call.caller] > depth[call.callee]) continue;
      depth[call.caller] = depth[call.callee] + 1;
      changed = true;
      if (depth[call.caller] > max_call_depth) {
        return fail(call.offset, "calls recurse or nest too deeply", depth[call.caller],
                    max_call_depth);
      }
    }
  }
  return {};
}

}  // namespace

auto find_routines(program& shader) noexcept -> result<void> {
  label_index labels{};
  if (const auto ok = splitter{shader, labels}.run(); !ok) return ok.why();
  heap_array<call_site> calls;
  if (const auto ok = find_calls(shader, labels, calls); !ok) return ok.why();
  return check_depth(shader, calls);
}

}  // namespace aerogpu::d3d9::detail
