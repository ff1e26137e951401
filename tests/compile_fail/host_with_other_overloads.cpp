// SPDX-License-Identifier: MIT
// Overloads of an optional callback of which none is the right one are told.
// says: the host's on_present is not: void on_present(const present_notice&) noexcept
#include "tests/compile_fail/host.hpp"

struct host : plain_host {
  void on_present(int) noexcept;
#ifdef WRONG
  void on_present(const aerogpu::present_notice&, int) noexcept;
#else
  void on_present(const aerogpu::present_notice&) noexcept;
#endif
};

template class aerogpu::device<host, aerogpu::null_backend>;
