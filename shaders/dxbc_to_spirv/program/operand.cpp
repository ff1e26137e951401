// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/program/operand.hpp"

namespace aerogpu::dxbc {
namespace {

/// Hands out tokens one by one.
class token_reader {
 public:
  explicit token_reader(token_span tokens) noexcept : tokens_(tokens) {}

  [[nodiscard]] auto take(std::uint32_t& into) noexcept -> bool {
    if (at_ == tokens_.size()) return false;
    into = tokens_[at_++];
    return true;
  }
  [[nodiscard]] auto skip(std::size_t count) noexcept -> bool {
    if (count > tokens_.size() - at_) return false;
    at_ += count;
    return true;
  }
  [[nodiscard]] auto taken() const noexcept -> std::size_t { return at_; }

 private:
  token_span tokens_;
  std::size_t at_ = 0;
};

/// Takes in the first word. False for component counts and types that there are not.
auto read_form(std::uint32_t token, operand& into) noexcept -> bool {
  constexpr std::array<std::uint8_t, 3> component_counts{0, 1, 4};
  const std::uint32_t count = token & 3u, type = token >> 12 & 0xFFu;
  if (count >= component_counts.size() || type >= operand_type_count) return false;
  into.type = static_cast<operand_type>(type);
  into.components = component_counts[count];
  into.dimensions = static_cast<std::uint8_t>(token >> 20 & 3u);
  if (into.components != 4) return true;
  into.selected = static_cast<selection>(token >> 2 & 3u);
  constexpr std::array<std::uint8_t, 4> bits{0xF, 0xFF, 0x3, 0};
  into.components_selected =
      static_cast<std::uint8_t>(token >> 4 & bits[static_cast<std::size_t>(into.selected)]);
  return into.selected != selection::none;
}

/// A negation or absolute value behind the first word, and a precision that is enough.
auto read_modifier(token_reader& tokens) noexcept -> bool {
  constexpr std::uint32_t is_modifier = 1, modifier_limit = 3;
  // D3D11_SB_OPERAND_MIN_PRECISION: full, float16, float2_8, sint16, uint16.
  constexpr std::uint32_t precisions = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 4 | 1u << 5;
  std::uint32_t token = 0;
  if (!tokens.take(token)) return false;
  const std::uint32_t modifier = token >> 6 & 0xFFu, precision = token >> 14;
  return (token & 0x3Fu) == is_modifier && modifier <= modifier_limit && precision < 8 &&
         (precisions >> precision & 1u) != 0;
}

auto read_relative(token_reader& tokens, relative_index& into) noexcept -> bool {
  std::uint32_t token = 0;
  operand base;
  if (!tokens.take(token) || (token & extended_bit) != 0 || !read_form(token, base)) return false;
  if (base.selected != selection::one) return false;
  const bool is_temp = base.type == operand_type::temp && base.dimensions == 1;
  const bool is_indexable = base.type == operand_type::indexable_temp && base.dimensions == 2;
  if ((!is_temp && !is_indexable) || (token >> 22 & 0x3Fu) != 0) return false;
  into.type = base.type;
  if (!tokens.take(into.index)) return false;
  return is_temp || tokens.take(into.second);
}

/// Index representations: 0 a word, 2 a register, 3 both.
auto read_index(token_reader& tokens, std::uint32_t representation, operand_index& into) noexcept
    -> bool {
  if (representation != 0 && representation != 2 && representation != 3) return false;
  if (representation != 2 && !tokens.take(into.value)) return false;
  into.is_relative = representation != 0;
  return !into.is_relative || read_relative(tokens, into.base);
}

}  // namespace

auto read_operand(token_span tokens, operand& into) noexcept -> bool {
  token_reader reader{tokens};
  std::uint32_t token = 0;
  into = {};
  if (!reader.take(token) || !read_form(token, into)) return false;
  if ((token & extended_bit) != 0 && !read_modifier(reader)) return false;
  for (std::uint32_t i = 0; i < into.dimensions; ++i) {
    if (!read_index(reader, token >> (22 + 3 * i) & 7u, into.indices[i])) return false;
  }
  if (into.type == operand_type::immediate32) {
    if (into.dimensions != 0 || into.components == 0 || !reader.skip(into.components)) return false;
  }
  into.words = reader.taken();
  return true;
}

}  // namespace aerogpu::dxbc
