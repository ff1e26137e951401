// SPDX-License-Identifier: MIT
/// \file The x87 unit's precision, which Direct3D 9 lowers unless the program forbids it.
#pragma once

#include <cstdint>

namespace aerogpu::d3d9 {

/// 24 bits for results, all exceptions masked, on x86. Elsewhere programs do not compute with it.
inline void set_single_precision() noexcept {
#ifdef __i386__
  constexpr std::uint16_t precision = 0x0300;
  constexpr std::uint16_t masks = 0x003F;
  std::uint16_t control = 0;
  asm volatile("fnstcw %0" : "=m"(control));
  control = static_cast<std::uint16_t>((control & ~precision) | masks);
  asm volatile("fldcw %0" : : "m"(control));
#endif
}

}  // namespace aerogpu::d3d9
