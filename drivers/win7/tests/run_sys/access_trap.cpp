// SPDX-License-Identifier: MIT
/// \file Wine or Windows tells of each access that faults; here it is carried out.
#include "drivers/win7/tests/run_sys/hardware_access.hpp"
#include "drivers/win7/tests/run_sys/import_table.hpp"
#include "drivers/win7/tests/run_sys/instruction.hpp"
#include "drivers/win7/tests/run_sys/run_end.hpp"

#include <cstdio>
#include <windows.h>

namespace aerogpu::run_sys {
namespace {

#ifdef __i386__
using machine_word = decltype(CONTEXT::Eax);

/// In the order of the processor's numbers.
[[nodiscard]] auto register_of(CONTEXT& context, unsigned index) -> machine_word& {
  machine_word* const all[8] = {&context.Eax, &context.Ecx, &context.Edx, &context.Ebx,
                                &context.Esp, &context.Ebp, &context.Esi, &context.Edi};
  return *all[index];
}
[[nodiscard]] auto instruction_pointer(CONTEXT& context) -> machine_word& {
  return context.Eip;
}
#else
using machine_word = decltype(CONTEXT::Rax);

[[nodiscard]] auto register_of(CONTEXT& context, unsigned index) -> machine_word& {
  machine_word* const all[16] = {&context.Rax, &context.Rcx, &context.Rdx, &context.Rbx,
                                 &context.Rsp, &context.Rbp, &context.Rsi, &context.Rdi,
                                 &context.R8,  &context.R9,  &context.R10, &context.R11,
                                 &context.R12, &context.R13, &context.R14, &context.R15};
  return *all[index];
}
[[nodiscard]] auto instruction_pointer(CONTEXT& context) -> machine_word& {
  return context.Rip;
}
#endif
[[nodiscard]] auto code_at(CONTEXT& context) -> const std::uint8_t* {
  return reinterpret_cast<const std::uint8_t*>(instruction_pointer(context));
}

[[nodiscard]] auto low_bytes(std::uint64_t value, std::uint8_t size) -> std::uint64_t {
  return size == 8 ? value : value & ((std::uint64_t{1} << 8 * size) - 1);
}

[[nodiscard]] auto value_to_store(CONTEXT& context, const instruction& one) -> std::uint64_t {
  if (one.has_immediate) return low_bytes(one.immediate, one.size);
  const auto whole = register_of(context, one.register_index);
  return low_bytes(one.is_high_byte ? whole >> 8 : whole, one.size);
}

/// 32-bit results clear the upper half, smaller ones leave the rest alone.
void put_loaded(CONTEXT& context, const instruction& one, std::uint64_t value) {
  auto& to = register_of(context, one.register_index);
  if (one.register_size >= 4) {
    to = static_cast<machine_word>(low_bytes(value, one.size));
    return;
  }
  const int shift = one.is_high_byte ? 8 : 0;
  const auto mask = low_bytes(~std::uint64_t{0}, one.register_size) << shift;
  to = static_cast<machine_word>((to & ~mask) | (value << shift & mask));
}

[[noreturn]] void give_up(const char* why, CONTEXT& context, std::uintptr_t address) {
  const auto* const code = code_at(context);
  char line[256];
  int used = std::snprintf(line, sizeof line, "%s at %p, for address %p:", why,
                           static_cast<const void*>(code), reinterpret_cast<const void*>(address));
  for (std::size_t i = 0; i < longest_instruction; ++i) {
    const auto at = static_cast<std::size_t>(used);
    used += std::snprintf(line + at, sizeof line - at, " %02x", code[i]);
  }
  end_run(line, undecoded_status);
}

[[nodiscard]] auto carry_out(CONTEXT& context, const instruction& one, std::uintptr_t address)
    -> access_result {
  if (one.what == operation::store)
    return write_hardware(address, one.size, value_to_store(context, one));
  std::uint64_t value = 0;
  const auto result = read_hardware(address, one.size, value);
  if (result == access_result::done) put_loaded(context, one, value);
  return result;
}

/// What is neither a register nor done by the driver is somebody else's to handle.
[[nodiscard]] auto on_access_violation(const EXCEPTION_RECORD& record, CONTEXT& context) -> LONG {
  constexpr ULONG_PTR executes = 8;
  const auto address = static_cast<std::uintptr_t>(record.ExceptionInformation[1]);
  const bool is_fetch = record.ExceptionInformation[0] == executes ||
                        address == static_cast<std::uintptr_t>(instruction_pointer(context));
  if (record.NumberParameters < 2 || is_fetch) return EXCEPTION_CONTINUE_SEARCH;
  if (!is_driver_code(code_at(context)) && !is_register(address)) return EXCEPTION_CONTINUE_SEARCH;
  const auto one = decode(code_at(context));
  if (!one || one->what == operation::read_irql)
    give_up("an access that cannot be decoded", context, address);
  switch (carry_out(context, *one, address)) {
    case access_result::done: break;
    case access_result::wrong_size: give_up("a register access of a wrong size", context, address);
    case access_result::not_hardware: give_up("an access to no memory", context, address);
  }
  instruction_pointer(context) += one->length;
  return EXCEPTION_CONTINUE_EXECUTION;
}

[[nodiscard]] auto on_privileged(CONTEXT& context) -> LONG {
  if (!is_driver_code(code_at(context))) return EXCEPTION_CONTINUE_SEARCH;
  const auto one = decode(code_at(context));
  if (!one || one->what != operation::read_irql)
    give_up("a privileged instruction that cannot be decoded", context, 0);
  register_of(context, one->register_index) = static_cast<machine_word>(read_irql());
  instruction_pointer(context) += one->length;
  return EXCEPTION_CONTINUE_EXECUTION;
}

auto CALLBACK on_exception(EXCEPTION_POINTERS* what) -> LONG {
  switch (what->ExceptionRecord->ExceptionCode) {
    case EXCEPTION_ACCESS_VIOLATION:
      return on_access_violation(*what->ExceptionRecord, *what->ContextRecord);
    case EXCEPTION_PRIV_INSTRUCTION: return on_privileged(*what->ContextRecord);
    default: return EXCEPTION_CONTINUE_SEARCH;
  }
}

}  // namespace

void install_access_trap() noexcept {
  static void* installed = nullptr;
  constexpr ULONG is_first = 1;
  if (installed != nullptr) RemoveVectoredExceptionHandler(installed);
  installed = AddVectoredExceptionHandler(is_first, &on_exception);
  if (installed == nullptr) end_run("no exception handler can be installed", undecoded_status);
}

}  // namespace aerogpu::run_sys
