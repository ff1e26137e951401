// SPDX-License-Identifier: MIT
/// \file Counters that all processes of the session share, and random numbers.
#include "drivers/win7/umd/d3d9/core/handles.hpp"
#include "drivers/win7/umd/d3d9/core/os.hpp"
#include "drivers/win7/umd/d3d9/trace/section_log.hpp"

#include <aclapi.h>
#include <array>
#include <cstring>
#include <sddl.h>
#include <windows.h>

namespace aerogpu::umd::os {

namespace {

/// Everyone may use it, from low integrity up; nobody below may write up (umd-d3d9.md 2.4).
constexpr char section_sddl[] = "D:(A;;GA;;;WD)S:(ML;;NW;;;LW)";
constexpr DWORD section_bytes = sizeof(std::uint64_t);

struct mapped_counter {
  std::array<char, 64> name{};
  std::uint64_t* value = nullptr;
};
constinit std::array<mapped_counter, 8> mapped{};
constinit mutex mapped_lock;

/// Gives a section that another process made the low label, as far as it lets us.
auto relabel(HANDLE section, PSECURITY_DESCRIPTOR security) noexcept -> bool {
  BOOL is_present = 0;
  BOOL is_default = 0;
  PACL labels = nullptr;
  if (GetSecurityDescriptorSacl(security, &is_present, &labels, &is_default) == 0) return false;
  return is_present != 0 && SetSecurityInfo(section, SE_KERNEL_OBJECT, LABEL_SECURITY_INFORMATION,
                                            nullptr, nullptr, nullptr, labels) == ERROR_SUCCESS;
}

auto create_labelled(const char* name) noexcept -> HANDLE {
  PSECURITY_DESCRIPTOR security = nullptr;
  if (ConvertStringSecurityDescriptorToSecurityDescriptorA(section_sddl, SDDL_REVISION_1, &security,
                                                           nullptr) == 0) {
    return nullptr;
  }
  SECURITY_ATTRIBUTES attributes{sizeof attributes, security, 0};
  const HANDLE section =
      CreateFileMappingA(INVALID_HANDLE_VALUE, &attributes, PAGE_READWRITE, 0, section_bytes, name);
  section_security taken = section_security::sddl;
  if (section != nullptr && GetLastError() == ERROR_ALREADY_EXISTS) {
    taken = relabel(section, security) ? section_security::relabelled : section_security::unchanged;
  }
  static_cast<void>(LocalFree(security));
  if (section != nullptr) log_section(name, taken);
  return section;
}

/// With an access list that lets everyone in, and no label.
auto create_open_to_all(const char* name) noexcept -> HANDLE {
  SECURITY_DESCRIPTOR security{};
  if (InitializeSecurityDescriptor(&security, SECURITY_DESCRIPTOR_REVISION) == 0) return nullptr;
  if (SetSecurityDescriptorDacl(&security, 1, nullptr, 0) == 0) return nullptr;
  SECURITY_ATTRIBUTES attributes{sizeof attributes, &security, 0};
  const HANDLE section =
      CreateFileMappingA(INVALID_HANDLE_VALUE, &attributes, PAGE_READWRITE, 0, section_bytes, name);
  if (section != nullptr) log_section(name, section_security::null_dacl);
  return section;
}

/// What another process lets us have.
auto open_existing(const char* name) noexcept -> HANDLE {
  const HANDLE section = OpenFileMappingA(FILE_MAP_READ | FILE_MAP_WRITE, 0, name);
  if (section != nullptr) log_section(name, section_security::unchanged);
  return section;
}

/// The first process of a session that counts says where the session begins.
void begin_counting(std::uint64_t& counter) noexcept {
  DWORD session = 0;
  if (ProcessIdToSessionId(GetCurrentProcessId(), &session) == 0) session = 0;
  const std::uint64_t first = first_shared_number(session, random_bits());
  static_cast<void>(InterlockedCompareExchange64(reinterpret_cast<volatile LONGLONG*>(&counter),
                                                 static_cast<LONGLONG>(first), 0));
}

auto map_counter(const char* name) noexcept -> std::uint64_t* {
  HANDLE section = create_labelled(name);
  if (section == nullptr) section = create_open_to_all(name);
  if (section == nullptr) section = open_existing(name);
  if (section == nullptr) return nullptr;
  void* const view = MapViewOfFile(section, FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, section_bytes);
  // Kept open as long as the process lives: a section loses its name with the last handle, whatever
  // views there are, and the next process would make another one.
  if (view == nullptr) static_cast<void>(CloseHandle(section));
  auto* const counter = static_cast<std::uint64_t*>(view);
  if (counter != nullptr) begin_counting(*counter);
  return counter;
}

/// A generator of the system by name; false when the library has none.
auto fill_by_advapi(std::uint64_t& out) noexcept -> bool {
  using generate = BOOLEAN(APIENTRY*)(void*, ULONG);  // RtlGenRandom
  const HMODULE library = GetModuleHandleA("advapi32.dll");
  if (library == nullptr) return false;
  const FARPROC found = GetProcAddress(library, "SystemFunction036");
  if (found == nullptr) return false;
  return reinterpret_cast<generate>(reinterpret_cast<void*>(found))(&out, sizeof out) != 0;
}
auto fill_by_bcrypt(std::uint64_t& out) noexcept -> bool {
  using generate = LONG(APIENTRY*)(void*, unsigned char*, ULONG, ULONG);  // BCryptGenRandom
  constexpr ULONG preferred_generator = 2;
  const HMODULE library = LoadLibraryA("bcrypt.dll");
  if (library == nullptr) return false;
  const FARPROC found = GetProcAddress(library, "BCryptGenRandom");
  if (found == nullptr) return false;
  return reinterpret_cast<generate>(reinterpret_cast<void*>(found))(
             nullptr, reinterpret_cast<unsigned char*>(&out), sizeof out, preferred_generator) == 0;
}

/// SplitMix64, from what differs between processes and moments.
auto mix() noexcept -> std::uint64_t {
  static constinit std::uint64_t calls = 0;
  std::uint64_t x = ticks() + (std::uint64_t{process_id()} << 32 | thread_id());
  x += increment(calls) * 0x9E3779B97F4A7C15 + GetTickCount();
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

}  // namespace

auto shared_counter(const char* name) noexcept -> std::uint64_t* {
  const std::string_view wanted{name};
  if (wanted.empty() || wanted.size() >= mapped[0].name.size()) return nullptr;
  mapped_lock.lock();
  std::uint64_t* found = nullptr;
  for (mapped_counter& counter : mapped) {
    const bool is_free = counter.name[0] == '\0';
    if (!is_free && wanted != counter.name.data()) continue;
    if (is_free) counter.value = map_counter(name);
    if (is_free && counter.value != nullptr) {
      std::memcpy(counter.name.data(), name, wanted.size() + 1);
    }
    found = counter.value;
    break;
  }
  mapped_lock.unlock();
  return found;
}

auto increment(std::uint64_t& counter) noexcept -> std::uint64_t {
  return static_cast<std::uint64_t>(
      InterlockedIncrement64(reinterpret_cast<volatile LONGLONG*>(&counter)));
}

auto random_bits() noexcept -> std::uint64_t {
  std::uint64_t bits = 0;
  if (fill_by_advapi(bits) || fill_by_bcrypt(bits)) return bits;
  return mix();
}

}  // namespace aerogpu::umd::os
