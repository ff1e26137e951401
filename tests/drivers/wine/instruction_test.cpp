// SPDX-License-Identifier: MIT
/// \file The decoder that serves register accesses of aerogpu.sys, on bytes.
#include "drivers/win7/tests/run_sys/instruction.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

using namespace aerogpu::run_sys;

namespace {

using bytes = std::vector<std::uint8_t>;

/// What follows an instruction must not matter: 0xFF is no prefix, no opcode and no displacement
/// that is small.
auto decode_bytes(const bytes& code, processor on) -> std::optional<instruction> {
  std::array<std::uint8_t, longest_instruction> whole;
  whole.fill(0xFF);
  std::copy_n(code.begin(), std::min(code.size(), whole.size()), whole.begin());
  return decode(whole.data(), on);
}

struct example {
  std::string text;
  bytes code;
  operation what;
  int size;
  int register_size;
  int register_index;
  bool is_high_byte = false;
  std::optional<std::uint64_t> immediate = std::nullopt;
};

void check(const example& one, processor on) {
  CAPTURE(one.text);
  const auto found = decode_bytes(one.code, on);
  REQUIRE(found);
  CHECK(found->what == one.what);
  CHECK(found->length == one.code.size());
  CHECK(found->size == one.size);
  CHECK(found->has_immediate == one.immediate.has_value());
  if (one.immediate) {
    CHECK(found->immediate == *one.immediate);
    return;
  }
  CHECK(found->register_size == one.register_size);
  CHECK(found->register_index == one.register_index);
  CHECK(found->is_high_byte == one.is_high_byte);
}

constexpr auto load = operation::load;
constexpr auto store = operation::store;

/// The same bytes mean the same on both processors.
const std::vector<example> on_both = {
    {"mov [rax], cl", {0x88, 0x08}, store, 1, 1, 1},
    {"mov [rax], ah", {0x88, 0x20}, store, 1, 1, 0, true},
    {"mov [rax], bh", {0x88, 0x38}, store, 1, 1, 3, true},
    {"mov [rcx], eax", {0x89, 0x01}, store, 4, 4, 0},
    {"mov [rcx], di", {0x66, 0x89, 0x39}, store, 2, 2, 7},
    {"mov dl, [rcx]", {0x8A, 0x11}, load, 1, 1, 2},
    {"mov ch, [rcx]", {0x8A, 0x29}, load, 1, 1, 1, true},
    {"mov esp, [rcx]", {0x8B, 0x21}, load, 4, 4, 4},
    {"mov ax, [rdi]", {0x66, 0x8B, 0x07}, load, 2, 2, 0},
    // Forms of the address.
    {"mov eax, [disp32]", {0x8B, 0x05, 1, 2, 3, 4}, load, 4, 4, 0},
    {"mov eax, [rbx + disp8]", {0x8B, 0x43, 0x7F}, load, 4, 4, 0},
    {"mov eax, [rbp + disp8]", {0x8B, 0x45, 0x80}, load, 4, 4, 0},
    {"mov eax, [rsi + disp32]", {0x8B, 0x86, 0, 1, 0, 0}, load, 4, 4, 0},
    {"mov eax, [rsp]", {0x8B, 0x04, 0x24}, load, 4, 4, 0},
    {"mov eax, [rcx + rdx * 4]", {0x8B, 0x04, 0x91}, load, 4, 4, 0},
    {"mov eax, [disp32 + rdx * 8]", {0x8B, 0x04, 0xD5, 0, 0, 0, 1}, load, 4, 4, 0},
    {"mov eax, [rbp + rdx + disp8]", {0x8B, 0x44, 0x15, 8}, load, 4, 4, 0},
    {"mov eax, [rcx + rdx + disp32]", {0x8B, 0x84, 0x11, 0, 0, 1, 0}, load, 4, 4, 0},
    // Immediates are extended with their sign.
    {"mov byte [rcx], 0x7F", {0xC6, 0x01, 0x7F}, store, 1, 1, 0, false, 0x7F},
    {"mov byte [rcx + disp8], -1", {0xC6, 0x41, 4, 0xFF}, store, 1, 1, 0, false, UINT64_MAX},
    {"mov word [rcx], 0x8000",
     {0x66, 0xC7, 0x01, 0x00, 0x80},
     store,
     2,
     2,
     0,
     false,
     0xFFFFFFFFFFFF8000},
    {"mov dword [rcx], 1", {0xC7, 0x01, 1, 0, 0, 0}, store, 4, 4, 0, false, 1},
    {"mov dword [rcx + rdx + disp32], 0x80000000",
     {0xC7, 0x84, 0x11, 0, 1, 0, 0, 0, 0, 0, 0x80},
     store,
     4,
     4,
     0,
     false,
     0xFFFFFFFF80000000},
    {"movzx eax, byte [rcx]", {0x0F, 0xB6, 0x01}, load, 1, 4, 0},
    {"movzx ebx, word [rcx + disp8]", {0x0F, 0xB7, 0x59, 2}, load, 2, 4, 3},
    {"movzx dx, byte [rcx]", {0x66, 0x0F, 0xB6, 0x11}, load, 1, 2, 2},
    {"movzx esi, byte [rcx], not DH", {0x0F, 0xB6, 0x31}, load, 1, 4, 6},
};

const std::vector<example> on_x64 = {
    {"mov [r9], r8d", {0x45, 0x89, 0x01}, store, 4, 4, 8},
    {"mov [rcx], r15", {0x4C, 0x89, 0x39}, store, 8, 8, 15},
    {"mov rax, [rcx]", {0x48, 0x8B, 0x01}, load, 8, 8, 0},
    {"mov rax, [rcx], and 66 does not matter", {0x66, 0x48, 0x8B, 0x01}, load, 8, 8, 0},
    {"mov r10w, [rcx]", {0x66, 0x44, 0x8B, 0x11}, load, 2, 2, 10},
    {"mov [rax], spl, not AH", {0x40, 0x88, 0x20}, store, 1, 1, 4},
    {"mov dil, [rcx], not BH", {0x40, 0x8A, 0x39}, load, 1, 1, 7},
    {"mov r12b, [rcx], not AH", {0x44, 0x8A, 0x21}, load, 1, 1, 12},
    {"mov eax, [r12]", {0x41, 0x8B, 0x04, 0x24}, load, 4, 4, 0},
    {"mov eax, [r13 + 0]", {0x41, 0x8B, 0x45, 0}, load, 4, 4, 0},
    {"mov qword [rcx], -2",
     {0x48, 0xC7, 0x01, 0xFE, 0xFF, 0xFF, 0xFF},
     store,
     8,
     8,
     0,
     false,
     0xFFFFFFFFFFFFFFFE},
    {"movzx r11, word [rcx]", {0x4C, 0x0F, 0xB7, 0x19}, load, 2, 8, 11},
    {"mov eax, [moffs64]", {0xA1, 8, 0, 0, 0, 0x80, 0xF7, 0xFF, 0xFF}, load, 4, 4, 0},
    {"mov rax, [moffs64]", {0x48, 0xA1, 8, 0, 0, 0, 0x80, 0xF7, 0xFF, 0xFF}, load, 8, 8, 0},
    {"mov [moffs64], ax", {0x66, 0xA3, 8, 0, 0, 0, 0x80, 0xF7, 0xFF, 0xFF}, store, 2, 2, 0},
    {"mov rax, cr8", {0x44, 0x0F, 0x20, 0xC0}, operation::read_irql, 8, 8, 0},
    {"mov r9, cr8", {0x45, 0x0F, 0x20, 0xC1}, operation::read_irql, 8, 8, 9},
    {"the longest: 66, REX, SIB, disp32, imm32",
     {0x66, 0x4B, 0xC7, 0x84, 0x11, 0, 1, 0, 0, 5, 0, 0, 0},
     store,
     8,
     8,
     0,
     false,
     5},
};

const std::vector<example> on_x86 = {
    {"mov eax, [moffs32]", {0xA1, 8, 0, 0xDF, 0xFF}, load, 4, 4, 0},
    {"mov [moffs32], ax", {0x66, 0xA3, 8, 0, 0xDF, 0xFF}, store, 2, 2, 0},
};

struct refusal {
  std::string text;
  bytes code;
};

const std::vector<refusal> refused_on_both = {
    {"mov eax, ecx", {0x89, 0xC8}},
    {"mov eax, ecx, the other way", {0x8B, 0xC1}},
    {"mov al, 1 in its long form", {0xC6, 0xC0, 1}},
    {"xabort, which is C6 /7", {0xC6, 0xF8, 1}},
    {"C7 /1 is nothing", {0xC7, 0x09, 0, 0, 0, 0}},
    {"movzx eax, cl", {0x0F, 0xB6, 0xC1}},
    {"movsx eax, byte [rcx]", {0x0F, 0xBE, 0x01}},
    {"movsx eax, word [rcx]", {0x0F, 0xBF, 0x01}},
    {"mov rax, cr0", {0x0F, 0x20, 0xC0}},
    {"mov cr0, rax", {0x0F, 0x22, 0xC0}},
    {"movups xmm0, [rcx]", {0x0F, 0x10, 0x01}},
    {"movaps [rcx], xmm0", {0x0F, 0x29, 0x01}},
    {"movdqa xmm0, [rcx]", {0x66, 0x0F, 0x6F, 0x01}},
    {"or [rcx], eax", {0x09, 0x01}},
    {"test [rcx], eax", {0x85, 0x01}},
    {"and dword [rcx], 1", {0x83, 0x21, 1}},
    {"cmp dword [rcx], 1", {0x83, 0x39, 1}},
    {"xchg [rcx], eax", {0x87, 0x01}},
    {"lock or [rcx], eax", {0xF0, 0x09, 0x01}},
    {"rep movsd", {0xF3, 0xA5}},
    {"movsb", {0xA4}},
    {"push [rcx]", {0xFF, 0x31}},
    {"mov al, [moffs]", {0xA0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"mov [moffs], al", {0xA2, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"mov eax, fs:[rcx]", {0x64, 0x8B, 0x01}},
    {"mov eax, [ecx] by an address-size prefix", {0x67, 0x8B, 0x01}},
    {"two operand-size prefixes", {0x66, 0x66, 0x8B, 0x01}},
    {"fld dword [rcx]", {0xD9, 0x01}},
};

const std::vector<refusal> refused_on_x64 = {
    {"two REX prefixes", {0x40, 0x48, 0x8B, 0x01}},
    {"an operand-size prefix after REX", {0x48, 0x66, 0x8B, 0x01}},
    {"mov rax, cr9", {0x44, 0x0F, 0x20, 0xC8}},
    {"mov cr8, rax", {0x44, 0x0F, 0x22, 0xC0}},
    {"movsxd rax, [rcx]", {0x48, 0x63, 0x01}},
};

const std::vector<refusal> refused_on_x86 = {
    {"inc eax, which is a REX prefix elsewhere", {0x40}},
    {"dec eax, mov eax, [ecx]", {0x48, 0x8B, 0x01}},
    {"inc esp, mov eax, cr0", {0x44, 0x0F, 0x20, 0xC0}},
};

auto is_taken(std::uint8_t opcode) -> bool {
  return (opcode >= 0x88 && opcode <= 0x8B) || opcode == 0xA1 || opcode == 0xA3 || opcode == 0xC6 ||
         opcode == 0xC7;
}

}  // namespace

TEST_CASE("a move between memory and a register is decoded on both processors", "[wine]") {
  const auto& one = GENERATE(from_range(on_both));
  check(one, processor::x86);
  check(one, processor::x64);
}

TEST_CASE("what only x64 has is decoded there", "[wine]") {
  check(GENERATE(from_range(on_x64)), processor::x64);
}

TEST_CASE("an address in the instruction has four bytes on x86", "[wine]") {
  check(GENERATE(from_range(on_x86)), processor::x86);
}

TEST_CASE("any other instruction is refused", "[wine]") {
  const auto on = GENERATE(processor::x86, processor::x64);
  const auto& own = on == processor::x86 ? refused_on_x86 : refused_on_x64;
  for (const auto* const table : {&refused_on_both, &own}) {
    for (const auto& one : *table) {
      CAPTURE(one.text);
      CHECK_FALSE(decode_bytes(one.code, on));
    }
  }
}

TEST_CASE("no opcode is taken beyond those of MOV, whatever follows", "[wine]") {
  const auto on = GENERATE(processor::x86, processor::x64);
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    const auto first = static_cast<std::uint8_t>(opcode);
    const bool is_prefix =
        first == 0x66 || first == 0x0F || (on == processor::x64 && (first & 0xF0) == 0x40);
    if (is_prefix || is_taken(first)) continue;
    CAPTURE(opcode);
    int taken = 0;
    for (unsigned modrm = 0; modrm < 256; ++modrm)
      taken += decode_bytes({first, static_cast<std::uint8_t>(modrm)}, on) ? 1 : 0;
    CHECK(taken == 0);
  }
}

TEST_CASE("after 0F, only MOVZX and, on x64, MOV from CR8 are taken", "[wine]") {
  const auto on = GENERATE(processor::x86, processor::x64);
  const auto prefix = GENERATE(bytes{}, bytes{0x66}, bytes{0x48}, bytes{0x44});
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    for (unsigned modrm = 0; modrm < 256; ++modrm) {
      const bool has_rex = !prefix.empty() && prefix[0] != 0x66;
      const bool is_movzx = (opcode == 0xB6 || opcode == 0xB7) && modrm < 0xC0;
      const bool is_cr8 = opcode == 0x20 && prefix == bytes{0x44} && (modrm & 0x38) == 0;
      const bool is_taken = on == processor::x64 ? is_movzx || is_cr8 : is_movzx && !has_rex;
      auto code = prefix;
      code.insert(code.end(),
                  {0x0F, static_cast<std::uint8_t>(opcode), static_cast<std::uint8_t>(modrm)});
      if (decode_bytes(code, on).has_value() == is_taken) continue;
      CAPTURE(prefix, opcode, modrm, is_taken);
      FAIL_CHECK("not as it should be");
    }
  }
}

TEST_CASE("registers and opcodes that are no part of MOV's group are refused", "[wine]") {
  const auto on = GENERATE(processor::x86, processor::x64);
  const auto opcode = GENERATE(0x88, 0x89, 0x8A, 0x8B, 0xC6, 0xC7);
  for (unsigned modrm = 0; modrm < 256; ++modrm) {
    const bool is_memory = modrm < 0xC0;
    const bool is_taken = is_memory && (opcode < 0xC6 || (modrm & 0x38) == 0);
    CAPTURE(opcode, modrm);
    CHECK(decode_bytes({static_cast<std::uint8_t>(opcode), static_cast<std::uint8_t>(modrm)}, on)
              .has_value() == is_taken);
  }
}
