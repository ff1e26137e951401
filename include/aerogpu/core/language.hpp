// SPDX-License-Identifier: MIT
/// \file What the library needs of whoever includes it, said before the compiler stumbles.
#pragma once

#include <cstddef>  // The first standard header takes min and max away, where it does so at all.

#ifdef _MSVC_LANG  // There __cplusplus is that of C++98 unless an option says otherwise.
#define AEROGPU_LANGUAGE _MSVC_LANG
#else
#define AEROGPU_LANGUAGE __cplusplus
#endif
#if AEROGPU_LANGUAGE < 202002L
#error "AeroGPU needs C++20: -std=c++20, /std:c++20, or cpp_std=c++20 in a Meson project"
#endif
#undef AEROGPU_LANGUAGE

#if defined(min) || defined(max)
#error "min or max is a macro: define NOMINMAX before windows.h, or include AeroGPU before it"
#endif
#ifdef slots
#error "slots is a macro: define QT_NO_KEYWORDS, or include AeroGPU before Qt"
#endif
