// SPDX-License-Identifier: MIT
// An optional callback that wants to change its argument is told.
// says: the host's on_scanout is not: void on_scanout(const scanout_descriptor&) noexcept
#include "tests/compile_fail/host.hpp"

struct host : plain_host {
#ifdef WRONG
  void on_scanout(aerogpu::scanout_descriptor&) noexcept;
#else
  void on_scanout(const aerogpu::scanout_descriptor&) noexcept;
#endif
};

template class aerogpu::device<host, aerogpu::null_backend>;
