// SPDX-License-Identifier: MIT
/// \file A heap whose n-th allocation fails, where the project's own code asks for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::test {

/// Return addresses of one call of `operator new`, the innermost first; 0 = no more frames.
using heap_call_stack = std::array<std::uintptr_t, 12>;

/// A program that links failing_heap.cpp allocates through it: all forms of `operator new`, of all
/// its libraries too. A call counts while a `heap_scope` lives (in any thread) and when it comes
/// from code of the executable itself, directly or through libstdc++. So what Mesa, LLVM and other
/// shared libraries allocate passes through, and what is ours does not, inlined or not.
namespace failing_heap {

/// Whose allocations are meant.
enum class origin : std::uint8_t {
  code,     ///< The project's own.
  guarded,  ///< Of a library that is linked in and throws, behind a function that catches.
};

/// Calls below `function`, whose code is at most `size_bytes` long, are those of a guarded library.
void guard(const void* function, std::size_t size_bytes) noexcept;

/// Counts anew; counted allocation `number` fails, 1 = the next. 0 = none does. A form that returns
/// null does so; one that throws cannot report in code without exceptions, and ends the program
/// with a sentence: counting runs find those first (`throwing_calls`). In a guarded library it
/// throws.
void plan(std::uint64_t number, origin whose = origin::code) noexcept;

/// From now on only allocations count for which `is_meant` says so, asked in the thread that
/// allocates; null = all.
void count_where(bool (*is_meant)() noexcept) noexcept;

/// Allocations that counted since the last plan.
[[nodiscard]] auto calls(origin whose = origin::code) noexcept -> std::uint64_t;
/// Allocations since the last plan that were asked for while a scope lived, and passed through.
[[nodiscard]] auto foreign_calls() noexcept -> std::uint64_t;
/// Whether the planned allocation was reached.
[[nodiscard]] auto has_failed() noexcept -> bool;
/// Where the allocation that failed last came from.
[[nodiscard]] auto failed_at() noexcept -> const heap_call_stack&;
/// Counted blocks of the project's own code that were not given back, since the program began.
[[nodiscard]] auto live_blocks() noexcept -> std::int64_t;
/// Different callers of throwing forms among the counted calls, since the program began: each could
/// end the process.
[[nodiscard]] auto throwing_calls() noexcept -> std::span<const heap_call_stack>;
/// An address as an offset into the executable, for addr2line.
[[nodiscard]] auto offset_of(std::uintptr_t address) noexcept -> std::uintptr_t;

}  // namespace failing_heap

/// While one lives, allocations count and may fail. They nest.
class heap_scope {
 public:
  heap_scope() noexcept;
  ~heap_scope();
  heap_scope(const heap_scope&) = delete;
  auto operator=(const heap_scope&) -> heap_scope& = delete;
};

}  // namespace aerogpu::test
