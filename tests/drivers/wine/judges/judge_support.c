// SPDX-License-Identifier: MIT
/* The two functions of Wine's ntdll that its debugging header calls. */
#include <stdio.h>

enum { places = 64, longest = 512 };

/* A copy that lives until 63 others were made. */
const char* __cdecl __wine_dbg_strdup(const char* text) {
  static char copies[places][longest];
  static unsigned next;
  char* const copy = copies[__sync_fetch_and_add(&next, 1) % places];
  snprintf(copy, longest, "%s", text);
  return copy;
}

int __cdecl __wine_dbg_output(const char* text) {
  return printf("%s", text);
}
