// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/run_sys/instruction.hpp"

#include <cstring>

namespace aerogpu::run_sys {
namespace {

struct prefixes {
  bool is_16_bit = false;
  std::uint8_t rex = 0;

  [[nodiscard]] auto is_wide() const noexcept -> bool { return (rex & 8) != 0; }
  [[nodiscard]] auto operand_size() const noexcept -> std::uint8_t {
    return is_wide() ? 8 : is_16_bit ? 2 : 4;
  }
};

/// Bytes of ModRM, SIB and displacement. `modrm` names memory.
[[nodiscard]] auto address_length(const std::uint8_t* modrm) noexcept -> std::uint8_t {
  const unsigned mod = modrm[0] >> 6;
  const unsigned rm = modrm[0] & 7;
  const bool has_sib = rm == 4;
  unsigned length = has_sib ? 2 : 1;
  if (mod == 1) length += 1;
  if (mod == 2) length += 4;
  const bool is_based_on_nothing = has_sib ? (modrm[1] & 7) == 5 : rm == 5;
  if (mod == 0 && is_based_on_nothing) length += 4;
  return static_cast<std::uint8_t>(length);
}

void name_register(instruction& out, const prefixes& before, std::uint8_t modrm, bool is_byte) {
  const unsigned low = modrm >> 3 & 7;
  out.is_high_byte = is_byte && before.rex == 0 && low >= 4;
  out.register_index =
      static_cast<std::uint8_t>(out.is_high_byte ? low - 4 : low | (before.rex & 4u) << 1);
}

[[nodiscard]] auto signed_immediate(const std::uint8_t* at, std::uint8_t size) noexcept
    -> std::uint64_t {
  std::int64_t value = 0;
  std::memcpy(&value, at, size);
  const int spare = 64 - 8 * size;
  value = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << spare) >> spare;
  return static_cast<std::uint64_t>(value);
}

/// 0F B6, 0F B7: zero-extending loads. 0F 20 with REX.R: MOV from CR8.
[[nodiscard]] auto decode_two_byte(const std::uint8_t* at, const prefixes& before,
                                   std::uint8_t before_length) noexcept
    -> std::optional<instruction> {
  const std::uint8_t opcode = at[1];
  const std::uint8_t modrm = at[2];
  instruction out;
  if (opcode == 0x20) {
    const bool is_cr8 = (before.rex & 4) != 0 && (modrm >> 3 & 7) == 0;
    if (!is_cr8) return std::nullopt;
    out.what = operation::read_irql;
    out.register_index = static_cast<std::uint8_t>((modrm & 7) | (before.rex & 1) << 3);
    out.size = out.register_size = 8;
    out.length = static_cast<std::uint8_t>(before_length + 3);
    return out;
  }
  if ((opcode != 0xB6 && opcode != 0xB7) || modrm >> 6 == 3) return std::nullopt;
  out.size = opcode == 0xB6 ? 1 : 2;
  out.register_size = before.operand_size();
  name_register(out, before, modrm, false);
  out.length = static_cast<std::uint8_t>(before_length + 2 + address_length(at + 2));
  return out;
}

/// A1, A3: between the accumulator and an address in the instruction.
[[nodiscard]] auto decode_accumulator(std::uint8_t opcode, const prefixes& before,
                                      std::uint8_t before_length, processor on) noexcept
    -> instruction {
  const int address_bytes = on == processor::x64 ? 8 : 4;
  instruction out;
  out.what = opcode == 0xA1 ? operation::load : operation::store;
  out.size = out.register_size = before.operand_size();
  out.length = static_cast<std::uint8_t>(before_length + 1 + address_bytes);
  return out;
}

}  // namespace

auto decode(const std::uint8_t* code, processor on) noexcept -> std::optional<instruction> {
  prefixes before;
  const std::uint8_t* at = code;
  if (*at == 0x66) {
    before.is_16_bit = true;
    ++at;
  }
  if (on == processor::x64 && (*at & 0xF0) == 0x40) before.rex = *at++;
  const auto before_length = static_cast<std::uint8_t>(at - code);
  const std::uint8_t opcode = *at;
  if (opcode == 0x0F) return decode_two_byte(at, before, before_length);
  if (opcode == 0xA1 || opcode == 0xA3)
    return decode_accumulator(opcode, before, before_length, on);
  const bool is_immediate = opcode == 0xC6 || opcode == 0xC7;
  if (!is_immediate && (opcode < 0x88 || opcode > 0x8B)) return std::nullopt;
  if (at[1] >> 6 == 3 || (is_immediate && (at[1] >> 3 & 7) != 0)) return std::nullopt;

  instruction out;
  const bool is_byte = (opcode & 1) == 0;
  out.what = !is_immediate && opcode >= 0x8A ? operation::load : operation::store;
  out.size = out.register_size = is_byte ? std::uint8_t{1} : before.operand_size();
  name_register(out, before, at[1], is_byte);
  const auto length = static_cast<std::uint8_t>(before_length + 1 + address_length(at + 1));
  out.length = length;
  if (is_immediate) {
    const auto bytes = static_cast<std::uint8_t>(out.size == 8 ? 4 : out.size);
    out.has_immediate = true;
    out.immediate = signed_immediate(code + length, bytes);
    out.length = static_cast<std::uint8_t>(length + bytes);
  }
  return out;
}

}  // namespace aerogpu::run_sys
