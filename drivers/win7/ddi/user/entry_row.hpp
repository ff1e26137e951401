// SPDX-License-Identifier: MIT
/// \file One row of a table of entry points, and how a list of entries becomes rows.
#pragma once

#include "drivers/win7/ddi/platform.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace aerogpu::ddi {

/// What the driver does in an entry (umd-d3d9.md 1.3.3).
enum class entry_plan : char {
  I = 'I',  ///< Implemented.
  N = 'N',  ///< Benign: S_OK, at most remembered.
  S = 'S',  ///< Stub: D3DERR_NOTAVAILABLE.
  X = 'X',  ///< Stub of a feature that caps never report: video, overlays, encryption.
  O = 'O',  ///< Optional, and left NULL: the runtime then does without.
};

struct entry_row {
  std::uint16_t index;
  const char* name;           ///< Without pfn.
  const char* member;         ///< With it.
  const char* trace_name;     ///< Ends in " (stub)" where the plan is S or X (umd-d3d9.md 5.2).
  std::uint16_t stack_bytes;  ///< What a stdcall pops on x86.
  entry_plan plan;

  constexpr bool is_stub() const noexcept { return plan == entry_plan::S || plan == entry_plan::X; }
  constexpr bool is_null() const noexcept { return plan == entry_plan::O; }
};

/// What an argument takes on the stack of x86: pointers and handles 4 bytes.
template <class Argument>
constexpr std::uint16_t stack_bytes_of_argument() noexcept {
  if (std::is_pointer_v<Argument> || std::is_class_v<Argument>) return 4;
  return static_cast<std::uint16_t>((sizeof(Argument) + 3) / 4 * 4);
}

/// Of a pointer to a function; 0 for anything else.
template <class Function>
inline constexpr std::uint16_t stack_bytes = 0;
template <class Result, class... Arguments>
inline constexpr std::uint16_t stack_bytes<Result(APIENTRY*)(Arguments...)> =
    static_cast<std::uint16_t>((0 + ... + stack_bytes_of_argument<Arguments>()));

}  // namespace aerogpu::ddi

#define AEROGPU_DDI_TRACE_SUFFIX_I
#define AEROGPU_DDI_TRACE_SUFFIX_N
#define AEROGPU_DDI_TRACE_SUFFIX_S " (stub)"
#define AEROGPU_DDI_TRACE_SUFFIX_X " (stub)"
#define AEROGPU_DDI_TRACE_SUFFIX_O

#define AEROGPU_DDI_ENTRY_ROW(prefix, index, name, bytes, plan)                        \
  ::aerogpu::ddi::entry_row{index,       #name,                                        \
                            "pfn" #name, prefix #name AEROGPU_DDI_TRACE_SUFFIX_##plan, \
                            bytes,       ::aerogpu::ddi::entry_plan::plan},
#define AEROGPU_DDI_M_ENTRY_ROW(index, name, bytes, plan) \
  AEROGPU_DDI_ENTRY_ROW("M::", index, name, bytes, plan)
#define AEROGPU_DDI_U_ADAPTER_ENTRY_ROW(index, name, bytes, plan) \
  AEROGPU_DDI_ENTRY_ROW("Adapter::", index, name, bytes, plan)
#define AEROGPU_DDI_U_DEVICE_ENTRY_ROW(index, name, bytes, plan) \
  AEROGPU_DDI_ENTRY_ROW("Device::", index, name, bytes, plan)

/// That a table has an entry where its row says, with a function that pops what its row says.
#define AEROGPU_DDI_ASSERT_ENTRY(table, index, name, bytes)                                  \
  static_assert(offsetof(table, pfn##name) == (index) * sizeof(void*), #table ".pfn" #name); \
  static_assert(::aerogpu::ddi::stack_bytes<decltype(table::pfn##name)> == (bytes),          \
                "the stack of " #table ".pfn" #name);
