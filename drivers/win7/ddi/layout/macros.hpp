// SPDX-License-Identifier: MIT
/// \file How a layout is stated: one number for x64, one for x86.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::ddi {

constexpr std::size_t for_target(std::size_t x64, std::size_t x86) noexcept {
  return sizeof(void*) == 8 ? x64 : x86;
}

}  // namespace aerogpu::ddi

#define AEROGPU_DDI_SIZE(type, x64, x86) \
  static_assert(sizeof(type) == ::aerogpu::ddi::for_target(x64, x86), "the size of " #type)
#define AEROGPU_DDI_OFFSET(type, member, x64, x86)                              \
  static_assert(offsetof(type, member) == ::aerogpu::ddi::for_target(x64, x86), \
                "the offset of " #type "." #member)
/// For the low 32 bits of a constant, so that signed and unsigned kinds compare.
#define AEROGPU_DDI_VALUE(name, value)                                                 \
  static_assert(static_cast<std::uint32_t>(name) == static_cast<std::uint32_t>(value), \
                "the value of " #name)

/// Members and constants that kits of the 10.0 series know by another name.
#ifdef AEROGPU_WITH_WDK
#define AEROGPU_DDI_OFFSET_OWN(type, member, x64, x86) \
  static_assert(sizeof(type) > ::aerogpu::ddi::for_target(x64, x86), "the size of " #type)
#define AEROGPU_DDI_VALUE_OWN(name, value) static_assert(true)
#else
#define AEROGPU_DDI_VALUE_OWN(name, value) AEROGPU_DDI_VALUE(name, value)
#define AEROGPU_DDI_OFFSET_OWN(type, member, x64, x86) AEROGPU_DDI_OFFSET(type, member, x64, x86)
#endif
