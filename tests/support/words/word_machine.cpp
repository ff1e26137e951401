// SPDX-License-Identifier: MIT
// Runs random programs over words on the host.
#include "tests/support/words/word_operations.hpp"
#include "tests/support/words/word_program.hpp"

namespace aerogpu::test {

namespace {

using action = word_instruction::action;
using memory = word_instruction::memory;
using kind = word_source::kind;

class machine {
 public:
  machine(const word_program& program, const word_inputs& inputs)
      : program_(program), inputs_(inputs) {
    state.temps[0] = {inputs.id_x, inputs.id_y, 0, 0};
  }

  void run(const std::vector<word_instruction>& code) {
    for (const word_instruction& each : code) run(each);
  }

  word_state state;

 private:
  /// Rows outside read zero.
  template <class Rows>
  [[nodiscard]] static auto row_of(const Rows& rows, std::uint32_t at) -> word4 {
    return at < rows.size() ? rows[at] : word4{};
  }
  [[nodiscard]] auto place(std::uint32_t number, bool is_relative, std::uint8_t temp,
                           std::uint8_t lane) const -> std::uint32_t {
    return number + (is_relative ? state.temps[temp][lane] : 0);
  }
  [[nodiscard]] auto read(const word_source& from) const -> word4 {
    if (from.what == kind::literal) return from.literal;
    const std::uint32_t at = place(from.number, from.is_relative, from.index_temp, from.index_lane);
    word4 row{};
    switch (from.what) {
      case kind::temp: row = row_of(state.temps, at); break;
      case kind::constant: row = row_of(inputs_.constants, at); break;
      case kind::immediate_constant: row = row_of(program_.immediate_constants, at); break;
      default: row = row_of(state.indexables, at); break;
    }
    return {row[from.swizzle[0]], row[from.swizzle[1]], row[from.swizzle[2]], row[from.swizzle[3]]};
  }
  void write(const word_target& to, const word4& values) {
    const std::uint32_t at = place(to.number, to.is_relative, to.index_temp, to.index_lane);
    if (to.is_indexable && at >= word_indexables) return;
    word4& row = to.is_indexable ? state.indexables[at] : state.temps[at];
    for (std::size_t i = 0; i < 4; ++i) {
      if ((to.mask >> i & 1u) != 0) row[i] = values[i];
    }
  }

  /// A word of memory, or null where there is none.
  [[nodiscard]] auto word_at(const word_instruction& what, std::uint32_t offset) -> std::uint32_t* {
    const word4 first = read(what.from[0]);
    switch (what.on) {
      case memory::group_raw: {
        const std::uint32_t at = (first[0] >> 2) + offset;
        return at < state.raw.size() ? &state.raw[at] : nullptr;
      }
      case memory::group_structured: {
        const word4 second = read(what.from[1]);
        if (first[0] >= word_structures) return nullptr;
        const std::uint32_t at = first[0] * 4 + (second[0] >> 2) + offset;
        return at < word_structures * 4 ? &state.structures[at / 4][at % 4] : nullptr;
      }
      case memory::scratch:
        if (what.is_wild) return nullptr;
        return &state.scratch[((first[0] & scratch_mask) >> 2) + offset];
      default: {
        const std::uint32_t at = (first[0] >> 2) + offset;
        source_word_ = at < inputs_.source.size() ? inputs_.source[at] : 0;
        return &source_word_;
      }
    }
  }
  [[nodiscard]] auto load(const word_instruction& what) -> word4 {
    word4 made{};
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t* const word = word_at(what, i);
      made[i] = word != nullptr ? *word : 0;
    }
    return made;
  }
  void store(const word_instruction& what) {
    const word4 values = read(what.from[2]);
    for (std::uint32_t i = 0; i < 4; ++i) {
      std::uint32_t* const word = word_at(what, i);
      if ((what.to.mask >> i & 1u) != 0 && word != nullptr) *word = values[i];
    }
  }
  void change(const word_instruction& what) {
    const std::uint32_t value = read(what.from[2])[0];
    std::uint32_t* const word = word_at(what, 0);
    const std::uint32_t old = word != nullptr ? *word : 0;
    if (word != nullptr) *word = word_atomics[what.operation].compute(old, value, 0);
    write(what.to, {old, old, old, old});
  }
  void compute(const word_instruction& what) {
    const word4 a = read(what.from[0]), b = read(what.from[1]), c = read(what.from[2]);
    word4 made{};
    for (std::size_t i = 0; i < 4; ++i) {
      made[i] = word_operations[what.operation].compute(a[i], b[i], c[i]);
    }
    write(what.to, made);
  }

  void run(const word_instruction& what) {
    switch (what.what) {
      case action::compute: return compute(what);
      case action::if_not_zero: return run(read(what.from[0])[0] != 0 ? what.body : what.other);
      case action::loop:
        for (unsigned i = 0; i < what.count; ++i) run(what.body);
        return;
      case action::load_raw:
      case action::load_structured: return write(what.to, load(what));
      case action::store_raw:
      case action::store_structured: return store(what);
      case action::atomic: return change(what);
    }
  }

  const word_program& program_;
  const word_inputs& inputs_;
  std::uint32_t source_word_ = 0;
};

}  // namespace

auto run(const word_program& program, const word_inputs& inputs) -> word_state {
  machine made{program, inputs};
  made.run(program.code);
  return made.state;
}

auto word_color(const word_state& state) -> std::array<std::uint8_t, 4> {
  std::array<std::uint8_t, 4> made{};
  for (std::size_t i = 0; i < made.size(); ++i) {
    std::uint32_t sum = 0;
    for (const word4& row : state.temps) sum ^= row[i];
    for (const word4& row : state.indexables) sum ^= row[i];
    sum ^= sum >> 16;
    sum ^= sum >> 8;
    made[i] = static_cast<std::uint8_t>(sum);
  }
  return made;
}

}  // namespace aerogpu::test
