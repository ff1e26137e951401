// SPDX-License-Identifier: MIT
/// \file A reference to any guest memory, for code that is compiled once.
#pragma once

#include "aerogpu/memory/guest_memory.hpp"

#include <concepts>
#include <type_traits>

namespace aerogpu {

class memory_ref;

namespace detail {

template <class M>
concept referable_memory = guest_memory<M> && !std::same_as<std::remove_cv_t<M>, memory_ref>;

}  // namespace detail

/// Refers to a model of `guest_memory` and is one itself. The memory outlives the reference.
class memory_ref {
 public:
  /// Implicit, as a reference binds without a cast.
  template <detail::referable_memory Memory>
  memory_ref(Memory& memory) noexcept
      : memory_(address_of(memory)),
        read_([](void* self, gpa at, mutable_bytes out) noexcept {
          return static_cast<Memory*>(self)->read(at, out);
        }),
        write_([](void* self, gpa at, const_bytes in) noexcept {
          return static_cast<Memory*>(self)->write(at, in);
        }) {}

  /// Copies all bytes out, or returns false.
  [[nodiscard]] auto read(gpa at, mutable_bytes out) const noexcept -> bool {
    return read_(memory_, at, out);
  }
  /// Stores all bytes, or returns false.
  [[nodiscard]] auto write(gpa at, const_bytes in) const noexcept -> bool {
    return write_(memory_, at, in);
  }

 private:
  template <class Memory>
  [[nodiscard]] static auto address_of(Memory& memory) noexcept -> void* {
    return const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(memory)));
  }

  void* memory_;
  auto(*read_)(void*, gpa, mutable_bytes) noexcept -> bool;
  auto(*write_)(void*, gpa, const_bytes) noexcept -> bool;
};

static_assert(guest_memory<memory_ref> && guest_memory<const memory_ref>);

}  // namespace aerogpu
