// SPDX-License-Identifier: MIT
// A seed of another type is told, in a final class too.
// says: the host's random_seed is not: std::uint64_t random_seed() noexcept
#include "tests/compile_fail/host.hpp"

struct host final : plain_host {
#ifdef WRONG
  auto random_seed() noexcept -> int;
#else
  auto random_seed() noexcept -> std::uint64_t;
#endif
};

template class aerogpu::device<host, aerogpu::null_backend>;
