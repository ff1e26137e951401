// SPDX-License-Identifier: MIT
/// \file Guest memory as a concept: bytes are copied out or in, never pointed to.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/ids.hpp"

#include <concepts>
#include <cstddef>
#include <span>

namespace aerogpu {

/// Guest physical memory as the host sees it. `read` copies all bytes or returns false; `write`
/// stores all bytes or returns false. Neither hands out a pointer: guest memory is hostile and
/// changes under us, so every byte is fetched once, checked, then used. A range that wraps past
/// 2^64 or leaves memory is false, never undefined.
template <class M>
concept guest_memory = requires(M& m, gpa at, mutable_bytes out, const_bytes in) {
  { m.read(at, out) }
  noexcept->std::same_as<bool>;
  { m.write(at, in) }
  noexcept->std::same_as<bool>;
};

/// Copies one wire structure out of guest memory. False when the memory is not there.
template <guest_memory Memory, class T>
[[nodiscard]] auto read_object(Memory& memory, gpa at, T& out) noexcept -> bool {
  return memory.read(at, mutable_bytes_of(out));
}

/// Copies one wire structure into guest memory. False when the memory is not there.
template <guest_memory Memory, class T>
[[nodiscard]] auto write_object(Memory& memory, gpa at, const T& value) noexcept -> bool {
  return memory.write(at, bytes_of(value));
}

}  // namespace aerogpu
