// SPDX-License-Identifier: MIT
// A guest memory that cannot be written is refused, and the call is named.
// says (gcc): the required expression 'm.write(at, in)' is invalid
// says (clang): no member named 'write'
#include "aerogpu/memory/guest_memory.hpp"

struct read_only_memory {
  auto read(aerogpu::gpa, aerogpu::mutable_bytes) noexcept -> bool;
#ifndef WRONG
  auto write(aerogpu::gpa, aerogpu::const_bytes) noexcept -> bool;
#endif
};

static_assert(aerogpu::guest_memory<read_only_memory>);
