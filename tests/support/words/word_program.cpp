// SPDX-License-Identifier: MIT
#include "tests/support/words/word_program.hpp"

#include "tests/support/words/word_operations.hpp"

#include <array>

namespace aerogpu::test {

namespace {

using action = word_instruction::action;
using memory = word_instruction::memory;
using kind = word_source::kind;

constexpr unsigned most_depth = 3;
constexpr std::uint32_t most_statements = 40;

/// Makes choices into instructions.
class writer {
 public:
  writer(word_stage stage, const word_choices& choose) : stage_(stage), choose_(choose) {}

  [[nodiscard]] auto run() -> word_program {
    word_program made;
    made.stage = stage_;
    for (word4& row : made.immediate_constants) row = literal();
    left_ = 4 + below(most_statements);
    while (left_ != 0) made.code.push_back(statement(0));
    return made;
  }

 private:
  [[nodiscard]] auto below(std::uint32_t count) -> std::uint32_t { return choose_() % count; }
  [[nodiscard]] auto byte_below(std::uint32_t count) -> std::uint8_t {
    return static_cast<std::uint8_t>(below(count));
  }

  /// Small numbers, which are places, and such as are not.
  [[nodiscard]] auto number() -> std::uint32_t {
    constexpr std::array<std::uint32_t, 8> edges{0,          1,          0xFFFFFFFF, 0x7FFFFFFF,
                                                 0x80000000, 0x3FFFFFFF, 0x40000000, 0x10000};
    switch (below(4)) {
      case 0: return below(8);
      case 1: return edges[below(edges.size())];
      case 2: return below(128);
      default: return choose_();
    }
  }
  [[nodiscard]] auto literal() -> word4 { return {number(), number(), number(), number()}; }

  [[nodiscard]] auto source() -> word_source {
    constexpr std::array kinds{kind::temp,
                               kind::temp,
                               kind::literal,
                               kind::temp,
                               kind::constant,
                               kind::constant,
                               kind::immediate_constant,
                               kind::indexable};
    word_source made;
    made.what = kinds[below(kinds.size())];
    for (std::uint8_t& lane : made.swizzle) lane = byte_below(4);
    if (made.what == kind::literal) {
      made.literal = literal();
      made.swizzle = {0, 1, 2, 3};
      return made;
    }
    made.number = byte_below(made.what == kind::temp ? word_temps : 8);
    if (made.what == kind::temp) return made;
    made.is_relative = below(2) == 0;
    made.index_temp = byte_below(word_temps);
    made.index_lane = byte_below(4);
    return made;
  }
  [[nodiscard]] auto target() -> word_target {
    word_target made;
    made.is_indexable = below(4) == 3;
    made.number = byte_below(made.is_indexable ? word_indexables : word_temps);
    made.mask = static_cast<std::uint8_t>(1 + below(15));
    if (!made.is_indexable) return made;
    made.is_relative = below(2) == 0;
    made.index_temp = byte_below(word_temps);
    made.index_lane = byte_below(4);
    return made;
  }

  [[nodiscard]] auto compute() -> word_instruction {
    word_instruction made;
    made.operation = byte_below(word_operations.size());
    made.to = target();
    for (word_source& each : made.from) each = source();
    return made;
  }
  [[nodiscard]] auto access() -> word_instruction;

  [[nodiscard]] auto block(action what, unsigned depth) -> word_instruction {
    word_instruction made;
    made.what = what;
    made.from[0] = source();
    made.count = byte_below(4);
    const std::uint32_t statements = 1 + below(4);
    for (std::uint32_t i = 0; i < statements; ++i) made.body.push_back(statement(depth + 1));
    if (what == action::if_not_zero && below(2) == 0) made.other.push_back(statement(depth + 1));
    return made;
  }
  [[nodiscard]] auto statement(unsigned depth) -> word_instruction {
    if (left_ != 0) --left_;
    const std::uint32_t what = below(10);
    if (what == 9 && depth < most_depth) return block(action::if_not_zero, depth);
    if (what == 8 && depth < most_depth) return block(action::loop, depth);
    if (what >= 4 && stage_ == word_stage::compute) return access();
    return compute();
  }

  word_stage stage_;
  const word_choices& choose_;
  std::uint32_t left_ = 0;
};

auto writer::access() -> word_instruction {
  constexpr std::array actions{action::load_raw, action::store_raw, action::load_structured,
                               action::store_structured, action::atomic};
  word_instruction made;
  made.what = actions[below(actions.size())];
  made.to = target();
  for (word_source& each : made.from) each = source();
  made.is_wild = below(4) == 0;
  switch (made.what) {
    case action::load_raw:
      made.on = std::array{memory::group_raw, memory::source, memory::scratch}[below(3)];
      break;
    case action::store_raw:
      made.on = below(2) == 0 ? memory::group_raw : memory::scratch;
      made.to.mask = static_cast<std::uint8_t>((2u << below(4)) - 1);  // x, xy, xyz or xyzw.
      break;
    case action::store_structured:
      made.to.mask = static_cast<std::uint8_t>((2u << below(4)) - 1);
      made.on = memory::group_structured;
      break;
    case action::load_structured: made.on = memory::group_structured; break;
    default:
      made.on = below(2) == 0 ? memory::group_raw : memory::group_structured;
      made.operation = byte_below(word_atomics.size());
      made.to.mask = static_cast<std::uint8_t>(1u << below(4));
      break;
  }
  return made;
}

}  // namespace

auto make_word_program(word_stage stage, const word_choices& choose) -> word_program {
  return writer{stage, choose}.run();
}

}  // namespace aerogpu::test
