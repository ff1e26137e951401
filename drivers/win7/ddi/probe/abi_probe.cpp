// SPDX-License-Identifier: MIT
// Prints the layout of the user-mode DDI, one line a row: for scripts/abi_probe.py --printed.
#include "drivers/win7/ddi/probe/abi_rows.hpp"

#include <cstdio>

int main() {
  for (std::size_t at = 0; at < aerogpu::ddi::abi_row_count; ++at) {
    const aerogpu::ddi::abi_row& row = aerogpu::ddi::abi_rows[at];
    if (std::printf("%s %u\n", row.text, static_cast<unsigned>(row.value)) < 0) return 1;
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}
