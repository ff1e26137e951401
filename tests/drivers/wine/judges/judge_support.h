/* SPDX-License-Identifier: MIT */
/* What Wine's headers have and mingw-w64's lack, and the choice of one function of a test file. */
#pragma once

/* Each needs those before it. */
/* clang-format off */
#include <stdarg.h>
#include <windef.h>
#include <winbase.h>
#include <wingdi.h>
#include <wincon.h>
/* clang-format on */

#define __WINE_ALLOC_SIZE(...)
#define __WINE_MALLOC

/* Before the test's first statement: a crash then says which check was the last one. */
#define JUDGE_BEGIN() SetUnhandledExceptionFilter(exc_filter)
/* The third word of the command line names a function; without it all run. */
#define JUDGE_WANTS(function) (winetest_argc < 3 || !strcmp(winetest_argv[2], #function))
