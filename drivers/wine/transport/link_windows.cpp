// SPDX-License-Identifier: MIT
#include "drivers/wine/transport/link.hpp"

#include <cstdlib>
#include <windows.h>

/// RtlGenRandom, by the name that advapi32 exports.
extern "C" auto NTAPI SystemFunction036(PVOID bytes, ULONG size) -> BOOLEAN;

namespace aerogpu::wine {
namespace {

constexpr std::intptr_t none = -1;

[[nodiscard]] auto handle_of(std::intptr_t value) -> HANDLE {
  return reinterpret_cast<HANDLE>(value);
}

/// Wine shows the system's files as drive Z.
[[nodiscard]] auto open_existing(const std::string& path, DWORD access) -> std::intptr_t {
  std::string name = "Z:" + path;
  for (auto& one : name) one = one == '/' ? '\\' : one;
  return reinterpret_cast<std::intptr_t>(
      CreateFileA(name.c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                  nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
}

}  // namespace

/// The view alone keeps the file.
auto mapped_file::open(const std::string& path, std::uint64_t size_bytes) -> bool {
  const auto file = open_existing(path, GENERIC_READ | GENERIC_WRITE);
  if (file == none) return false;
  LARGE_INTEGER there{};
  const bool is_whole = GetFileSizeEx(handle_of(file), &there) != 0 &&
                        static_cast<std::uint64_t>(there.QuadPart) >= size_bytes;
  const HANDLE section =
      is_whole ? CreateFileMappingA(handle_of(file), nullptr, PAGE_READWRITE, 0, 0, nullptr)
               : nullptr;
  CloseHandle(handle_of(file));
  if (section == nullptr) return false;
  void* const at =
      MapViewOfFile(section, FILE_MAP_ALL_ACCESS, 0, 0, static_cast<SIZE_T>(size_bytes));
  CloseHandle(section);
  if (at == nullptr) return false;
  bytes_ = {static_cast<std::byte*>(at), static_cast<std::size_t>(size_bytes)};
  return true;
}

void mapped_file::close() {
  if (!bytes_.empty()) UnmapViewOfFile(bytes_.data());
  bytes_ = {};
}

/// For both directions, as natively: a FIFO without a reader is opened at once.
auto fifo_end::open_to_write(const std::string& path) -> bool {
  handle_ = open_existing(path, GENERIC_READ | GENERIC_WRITE);
  return handle_ != none;
}

auto fifo_end::open_to_read(const std::string& path) -> bool {
  handle_ = open_existing(path, GENERIC_READ);
  return handle_ != none;
}

void fifo_end::close() {
  if (handle_ != none) CloseHandle(handle_of(handle_));
  handle_ = none;
}

auto fifo_end::write(const_bytes bytes) -> bool {
  DWORD written = 0;
  const auto size = static_cast<DWORD>(bytes.size());
  return WriteFile(handle_of(handle_), bytes.data(), size, &written, nullptr) != 0 &&
         written == size;
}

auto fifo_end::wait_byte() -> bool {
  char byte = 0;
  DWORD taken = 0;
  return ReadFile(handle_of(handle_), &byte, 1, &taken, nullptr) != 0 && taken == 1;
}

void fill_random(mutable_bytes bytes) {
  if (SystemFunction036(bytes.data(), static_cast<ULONG>(bytes.size())) == 0) std::abort();
}

auto folder_of_environment() -> std::string {
  const char* const value = std::getenv("AEROGPU_GUESTD");
  return value != nullptr ? value : "";
}

}  // namespace aerogpu::wine
