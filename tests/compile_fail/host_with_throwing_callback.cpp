// SPDX-License-Identifier: MIT
// An optional callback without noexcept is told, because it would never be called.
// says: the host's on_error is not: void on_error(const error_record&) noexcept
#include "tests/compile_fail/host.hpp"

struct host : plain_host {
#ifdef WRONG
  void on_error(const aerogpu::error_record&);
#else
  void on_error(const aerogpu::error_record&) noexcept;
#endif
};

template class aerogpu::device<host, aerogpu::null_backend>;
