// SPDX-License-Identifier: MIT
/// \file An object for each shared resource: a section that holds the kernel's number.
#include "drivers/wine/d3d9/window/user.hpp"

#include <array>
#include <string_view>
#include <windows.h>

namespace aerogpu::d3d9::user {
namespace {

struct shared_page {
  std::uint32_t magic;
  std::uint32_t share;
  std::uint64_t published;  ///< Which of this process, so that a handle used again is known.
  std::uint32_t process;
};

constexpr std::uint32_t page_magic = 0x52485341;  // "ASHR"

/// A program's handle may be of anything; then nothing is mapped.
[[nodiscard]] auto read(HANDLE section, shared_page& found) -> bool {
  void* const at = MapViewOfFile(section, FILE_MAP_READ, 0, 0, sizeof found);
  if (at == nullptr) return false;
  found = *static_cast<const shared_page*>(at);
  UnmapViewOfFile(at);
  return found.magic == page_magic;
}

[[nodiscard]] auto write(HANDLE section, const shared_page& page) -> bool {
  void* const at = MapViewOfFile(section, FILE_MAP_WRITE, 0, 0, sizeof page);
  if (at == nullptr) return false;
  *static_cast<shared_page*>(at) = page;
  UnmapViewOfFile(at);
  return true;
}

}  // namespace

auto has_global_shares() -> bool {
  std::array<char, 16> value{};
  const auto length = GetEnvironmentVariableA("AEROGPU_D3D9_SHARED_HANDLES", value.data(),
                                              static_cast<DWORD>(value.size()));
  return std::string_view{value.data(), length < value.size() ? length : 0} == "global";
}

/// Inheritable, as a Windows 7 program gives a child nothing but the number.
auto publish_share(std::uint32_t share) -> share_object {
  static LONG64 last = 0;
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  share_object made;
  made.published = static_cast<std::uint64_t>(InterlockedIncrement64(&last));
  made.handle = CreateFileMappingA(INVALID_HANDLE_VALUE, &inherited, PAGE_READWRITE, 0,
                                   sizeof(shared_page), nullptr);
  if (made.handle == nullptr) return {};
  if (write(made.handle, {page_magic, share, made.published, GetCurrentProcessId()})) return made;
  CloseHandle(made.handle);
  return {};
}

auto find_share(void* handle) -> std::uint32_t {
  shared_page found{};
  return read(handle, found) ? found.share : 0;
}

/// The program may have closed it, and its number may be another object's by now.
void close_share(const share_object& gone) {
  shared_page found{};
  if (!read(gone.handle, found)) return;
  if (found.published == gone.published && found.process == GetCurrentProcessId())
    CloseHandle(gone.handle);
}

}  // namespace aerogpu::d3d9::user
