// SPDX-License-Identifier: MIT
#include "tests/drivers/wine/umd/debugger.hpp"

#include <windows.h>

namespace aerogpu::test {

namespace {

constexpr DWORD says_text = 0x40010006;  // DBG_PRINTEXCEPTION_C: length with the zero, address.

HANDLE heard = INVALID_HANDLE_VALUE;

/// OutputDebugStringA raises an exception, and asks a debugger elsewhere when nobody handles it.
/// Without the C library: a DLL speaks as late as when its process has ended.
auto CALLBACK write_text(EXCEPTION_POINTERS* raised) -> LONG {
  const EXCEPTION_RECORD& said = *raised->ExceptionRecord;
  if (said.ExceptionCode != says_text || said.NumberParameters < 2)
    return EXCEPTION_CONTINUE_SEARCH;
  const auto length = static_cast<DWORD>(said.ExceptionInformation[0]);
  const auto* const text = reinterpret_cast<const char*>(said.ExceptionInformation[1]);
  DWORD written = 0;
  WriteFile(heard, text, length != 0 ? length - 1 : 0, &written, nullptr);
  return EXCEPTION_CONTINUE_EXECUTION;
}

}  // namespace

auto hear_debugger_lines(const char* path) -> bool {
  heard = CreateFileA(path, GENERIC_WRITE, FILE_SHARE_READ, nullptr, CREATE_ALWAYS,
                      FILE_ATTRIBUTE_NORMAL, nullptr);
  return heard != INVALID_HANDLE_VALUE && AddVectoredExceptionHandler(1, &write_text) != nullptr;
}

}  // namespace aerogpu::test
