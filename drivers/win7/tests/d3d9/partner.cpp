// SPDX-License-Identifier: MIT
#include "drivers/win7/tests/d3d9/partner.hpp"

#include "drivers/win7/tests/d3d9/shared_surface.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace aerogpu::guest {
namespace {

[[nodiscard]] auto handle_of(std::uint64_t number) -> HANDLE {
  return reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(number));
}

/// This program, or that of the same name beside the folder that it lies in.
[[nodiscard]] auto program_for(partner_machine machine) -> std::string {
  char path[MAX_PATH] = {};
  GetModuleFileNameA(nullptr, path, MAX_PATH);
  std::string own{path};
  if (machine == partner_machine::own) return own;
  const auto name = own.rfind('\\');
  return own.substr(0, name) + "\\..\\x64" + own.substr(name);
}

void close(HANDLE handle) {
  if (handle != nullptr) CloseHandle(handle);
}

[[nodiscard]] auto produce(const char* color) -> int {
  report found;
  stage on{found};
  if (!on.open()) return 1;
  shared_surface made;
  if (!made.create(on, static_cast<D3DCOLOR>(std::strtoul(color, nullptr, 16)))) return 1;
  std::printf("%llx\n", static_cast<unsigned long long>(number_of(made.handle())));
  std::fflush(stdout);
  static_cast<void>(std::getchar());
  return 0;
}

[[nodiscard]] auto consume() -> int {
  report found;
  stage on{found};
  if (!on.open()) return 1;
  unsigned long long handle = 0;
  unsigned color = 0;
  if (std::scanf("%llx %x", &handle, &color) != 2) return 1;
  shared_surface opened;
  const bool is_right = opened.open(on, handle_of(handle)) && opened.holds(on, color, "");
  return is_right ? 0 : 1;
}

/// Queries, and presents that may not wait, beside whoever does the same.
[[nodiscard]] auto stress() -> int {
  constexpr int rounds = 200;
  report found;
  stage on{found};
  if (!on.open()) return 1;
  for (int i = 0; i < rounds; ++i) {
    on.clear(i % 2 == 0 ? red : blue);
    const HRESULT result = on->PresentEx(nullptr, nullptr, nullptr, nullptr, D3DPRESENT_DONOTWAIT);
    const bool is_presented = SUCCEEDED(result) || result == D3DERR_WASSTILLDRAWING;
    if (!is_presented || !on.finish()) return 1;
  }
  return 0;
}

}  // namespace

partner::~partner() {
  close(to_);
  close(from_);
  if (process_ == nullptr) return;
  if (!wait()) TerminateProcess(process_, 1);
  CloseHandle(process_);
}

auto partner::start(const char* words, partner_machine machine) -> bool {
  const auto program = program_for(machine);
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  HANDLE their_input = nullptr, their_output = nullptr;
  if (CreatePipe(&their_input, &to_, &inherited, 0) == 0) return false;
  const bool has_pipes = CreatePipe(&from_, &their_output, &inherited, 0) != 0 &&
                         SetHandleInformation(to_, HANDLE_FLAG_INHERIT, 0) != 0 &&
                         SetHandleInformation(from_, HANDLE_FLAG_INHERIT, 0) != 0;
  STARTUPINFOA how{};
  how.cb = sizeof how;
  how.dwFlags = STARTF_USESTDHANDLES;
  how.hStdInput = their_input;
  how.hStdOutput = their_output;
  how.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  PROCESS_INFORMATION made{};
  std::string line = "\"" + program + "\" " + words;
  const bool is_started =
      has_pipes && CreateProcessA(program.c_str(), line.data(), nullptr, nullptr, TRUE, 0, nullptr,
                                  nullptr, &how, &made) != 0;
  close(their_input);
  close(their_output);
  if (!is_started) return false;
  CloseHandle(made.hThread);
  process_ = made.hProcess;
  return true;
}

void partner::send(std::uint64_t handle, D3DCOLOR color) const {
  char line[40];
  const int size =
      std::snprintf(line, sizeof line, "%llx %x\n", static_cast<unsigned long long>(handle),
                    static_cast<unsigned>(color));
  DWORD written = 0;
  WriteFile(to_, line, static_cast<DWORD>(size), &written, nullptr);
}

auto partner::hear() const -> std::optional<std::uint64_t> {
  std::string line;
  char letter = 0;
  DWORD read = 0;
  while (ReadFile(from_, &letter, 1, &read, nullptr) != 0 && read == 1) {
    if (letter == '\n') return std::strtoull(line.c_str(), nullptr, 16);
    line += letter;
  }
  return std::nullopt;
}

auto partner::wait() const -> std::optional<std::uint32_t> {
  constexpr DWORD limit_ms = 30'000;
  if (WaitForSingleObject(process_, limit_ms) != WAIT_OBJECT_0) return std::nullopt;
  DWORD code = 1;
  GetExitCodeProcess(process_, &code);
  return code;
}

auto partner::give(HANDLE ours) const -> HANDLE {
  HANDLE theirs = nullptr;
  const bool is_handle = DuplicateHandle(GetCurrentProcess(), ours, process_, &theirs, 0, FALSE,
                                         DUPLICATE_SAME_ACCESS) != 0;
  return is_handle ? theirs : ours;
}

auto partner::take(HANDLE theirs) const -> HANDLE {
  HANDLE ours = nullptr;
  const bool is_handle = DuplicateHandle(process_, theirs, GetCurrentProcess(), &ours, 0, FALSE,
                                         DUPLICATE_SAME_ACCESS) != 0;
  return is_handle ? ours : theirs;
}

auto run_as_partner(int count, char** words) -> std::optional<int> {
  if (count == 3 && std::strcmp(words[1], "--produce") == 0) return produce(words[2]);
  if (count == 2 && std::strcmp(words[1], "--consume") == 0) return consume();
  if (count == 2 && std::strcmp(words[1], "--stress") == 0) return stress();
  return std::nullopt;
}

}  // namespace aerogpu::guest
