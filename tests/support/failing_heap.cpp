// SPDX-License-Identifier: MIT
#include "tests/support/failing_heap.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <link.h>
#include <mutex>
#include <new>
#include <string_view>
#include <unwind.h>

// Where the linker put the executable's code.
extern "C" const char __executable_start, etext;

namespace aerogpu::test {

namespace {

/// In front of every block, in the 16 bytes before it.
struct block_header {
  std::uint64_t is_counted = 0;
  std::uint64_t padding = 0;
};
constexpr std::size_t header_bytes = 16;
static_assert(sizeof(block_header) == header_bytes);

enum class on_failure : std::uint8_t { returns_null, throws };

struct address_range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  [[nodiscard]] auto contains(std::uintptr_t at) const noexcept -> bool {
    return at >= begin && at < end;
  }
};

constexpr std::size_t most_throwing_calls = 256;

struct heap_state {
  std::atomic<int> scopes{0};
  std::atomic<bool (*)() noexcept> is_meant{nullptr};
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> guarded_calls{0};
  std::atomic<std::uint64_t> foreign_calls{0};
  std::atomic<bool> fails_guarded{false};
  std::atomic<std::uint64_t> fails_at{0};
  std::atomic<std::int64_t> live_blocks{0};
  std::atomic<bool> has_failed{false};
  std::mutex mutex;  ///< Of what follows.
  heap_call_stack failed_at{};
  std::array<heap_call_stack, most_throwing_calls> throwing{};
  std::size_t throwing_count = 0;
};

auto state() noexcept -> heap_state& {
  static constinit heap_state one;
  return one;
}

auto executable() noexcept -> address_range {
  return {reinterpret_cast<std::uintptr_t>(&__executable_start),
          reinterpret_cast<std::uintptr_t>(&etext)};
}

/// Code of the executable below which a library may throw.
constinit address_range guarded;

/// Where the code of a library is; an empty range when it is not loaded.
auto library_named(std::string_view part) noexcept -> address_range {
  struct search {
    std::string_view part;
    address_range found;
  } wanted{part, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        auto& to = *static_cast<search*>(out);
        if (std::string_view{info->dlpi_name}.find(to.part) == std::string_view::npos) return 0;
        to.found = {UINTPTR_MAX, 0};
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD) continue;
          const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
          to.found.begin = std::min(to.found.begin, begin);
          to.found.end = std::max<std::uintptr_t>(to.found.end, begin + part.p_memsz);
        }
        return 1;
      },
      &wanted);
  return wanted.found;
}

/// Allocates for whoever calls it.
auto standard_library() noexcept -> const address_range& {
  static const address_range found = library_named("/libstdc++");
  return found;
}
/// Calls main and the functions of threads.
auto c_library() noexcept -> const address_range& {
  static const address_range found = library_named("/libc.so");
  return found;
}

struct stack_walk {
  std::uintptr_t caller;  ///< Frames before the one that returns here are the heap's own.
  heap_call_stack frames{};
  std::size_t count = 0;
  bool has_begun = false;
};

auto walk_from(std::uintptr_t caller) noexcept -> heap_call_stack {
  stack_walk walk{caller};
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* into) {
        auto& to = *static_cast<stack_walk*>(into);
        const auto at = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
        to.has_begun = to.has_begun || at == to.caller;
        if (to.has_begun) to.frames[to.count++] = at;
        return to.count == to.frames.size() ? _URC_NORMAL_STOP : _URC_NO_REASON;
      },
      &walk);
  return walk.frames;
}

enum class caller_kind : std::uint8_t { foreign, code, guarded };

/// What lies between a call and main, or the start of a thread.
struct call_path {
  bool has_executable = false;
  bool has_others = false;
  bool is_guarded = false;
};

/// Functions of templates stand once in a process: a driver's own std::vector may grow in code of
/// the executable. So who called the executable decides: nobody else may have.
auto kind_of(std::uintptr_t caller) noexcept -> caller_kind {
  if (!executable().contains(caller) && !standard_library().contains(caller)) {
    return caller_kind::foreign;
  }
  call_path path;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* into) {
        const auto at = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
        auto& found = *static_cast<call_path*>(into);
        if (executable().contains(at)) {
          found.has_executable = true;
          found.is_guarded = found.is_guarded || guarded.contains(at);
          return _URC_NO_REASON;
        }
        if (standard_library().contains(at)) return _URC_NO_REASON;
        found.has_others = at != 0 && !c_library().contains(at);
        return _URC_NORMAL_STOP;
      },
      &path);
  if (!path.has_executable || path.has_others) return caller_kind::foreign;
  return path.is_guarded ? caller_kind::guarded : caller_kind::code;
}

void remember_throwing(std::uintptr_t caller) noexcept {
  const heap_call_stack frames = walk_from(caller);
  heap_state& s = state();
  const std::lock_guard lock{s.mutex};
  const auto known = std::span{s.throwing}.first(s.throwing_count);
  if (std::ranges::find(known, frames) != known.end()) return;
  if (s.throwing_count < most_throwing_calls) s.throwing[s.throwing_count++] = frames;
}

[[noreturn]] void end_program(std::uint64_t number, std::uintptr_t caller) noexcept {
  std::fprintf(stderr, "allocation %llu failed where nobody can report it; called from:",
               static_cast<unsigned long long>(number));
  for (const std::uintptr_t frame : walk_from(caller)) {
    if (frame != 0) {
      std::fprintf(stderr, " %#llx",
                   static_cast<unsigned long long>(failing_heap::offset_of(frame)));
    }
  }
  std::fputc('\n', stderr);
  std::abort();
}

/// What becomes of an allocation.
struct decision {
  caller_kind kind = caller_kind::foreign;
  bool fails = false;
};

auto decide(std::uintptr_t caller, on_failure how) noexcept -> decision {
  heap_state& s = state();
  if (s.scopes.load(std::memory_order_relaxed) == 0) return {};
  const auto is_meant = s.is_meant.load(std::memory_order_relaxed);
  if (is_meant != nullptr && !is_meant()) return {};
  const caller_kind kind = kind_of(caller);
  if (kind == caller_kind::foreign) {
    ++s.foreign_calls;
    return {};
  }
  const bool is_guarded = kind == caller_kind::guarded;
  const std::uint64_t number = is_guarded ? ++s.guarded_calls : ++s.calls;
  if (how == on_failure::throws && !is_guarded) remember_throwing(caller);
  if (is_guarded != s.fails_guarded || number != s.fails_at.load(std::memory_order_relaxed)) {
    return {kind, false};
  }
  s.has_failed = true;
  if (how == on_failure::throws && !is_guarded) end_program(number, caller);
  const heap_call_stack frames = walk_from(caller);
  const std::lock_guard lock{s.mutex};
  s.failed_at = frames;
  return {kind, true};
}

auto allocate(std::size_t size, std::size_t alignment, std::uintptr_t caller,
              on_failure how) noexcept -> void* {
  const decision what = decide(caller, how);
  if (what.fails) return nullptr;
  const std::size_t before = std::max(alignment, header_bytes);
  if (size > SIZE_MAX / 2) return nullptr;
  const std::size_t whole = (size + before + before - 1) / before * before;
  auto* const base = static_cast<std::byte*>(
      alignment <= header_bytes ? std::malloc(size + before) : std::aligned_alloc(before, whole));
  if (base == nullptr) return nullptr;
  std::byte* const block = base + before;
  const bool is_counted = what.kind == caller_kind::code;
  new (block - header_bytes) block_header{is_counted ? 1u : 0u};
  if (is_counted) ++state().live_blocks;
  return block;
}

auto allocate_or_throw(std::size_t size, std::size_t alignment, std::uintptr_t caller) -> void* {
  void* const block = allocate(size, alignment, caller, on_failure::throws);
  if (block == nullptr) throw std::bad_alloc{};
  return block;
}

void give_back(void* block, std::size_t alignment) noexcept {
  if (block == nullptr) return;
  auto* const bytes = static_cast<std::byte*>(block);
  if (reinterpret_cast<block_header*>(bytes - header_bytes)->is_counted != 0) {
    --state().live_blocks;
  }
  std::free(bytes - std::max(alignment, header_bytes));
}

[[gnu::always_inline]] inline auto return_address() noexcept -> std::uintptr_t {
  return reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
}

}  // namespace

namespace failing_heap {

void guard(const void* function, std::size_t size_bytes) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(function);
  guarded = {begin, begin + size_bytes};
}
void plan(std::uint64_t number, origin whose) noexcept {
  heap_state& s = state();
  s.calls = 0;
  s.guarded_calls = 0;
  s.fails_guarded = whose == origin::guarded;
  s.foreign_calls = 0;
  s.has_failed = false;
  s.fails_at = number;
}
void count_where(bool (*is_meant)() noexcept) noexcept {
  state().is_meant = is_meant;
}
auto calls(origin whose) noexcept -> std::uint64_t {
  return whose == origin::code ? state().calls : state().guarded_calls;
}
auto foreign_calls() noexcept -> std::uint64_t {
  return state().foreign_calls;
}
auto has_failed() noexcept -> bool {
  return state().has_failed;
}
auto failed_at() noexcept -> const heap_call_stack& {
  return state().failed_at;
}
auto live_blocks() noexcept -> std::int64_t {
  return state().live_blocks;
}
auto throwing_calls() noexcept -> std::span<const heap_call_stack> {
  return std::span{state().throwing}.first(state().throwing_count);
}
auto offset_of(std::uintptr_t address) noexcept -> std::uintptr_t {
  return address - executable().begin;
}

}  // namespace failing_heap

heap_scope::heap_scope() noexcept {
  ++state().scopes;
}
heap_scope::~heap_scope() {
  --state().scopes;
}

}  // namespace aerogpu::test

namespace heap = aerogpu::test;

constexpr std::size_t usual_alignment = alignof(std::max_align_t);

// Inlined, GCC would see `free` of what `new` made, and warn; and callers must be those of `new`.
[[gnu::noinline]] auto operator new(std::size_t size, const std::nothrow_t&) noexcept -> void* {
  return heap::allocate(size, usual_alignment, heap::return_address(),
                        heap::on_failure::returns_null);
}
[[gnu::noinline]] auto operator new[](std::size_t size, const std::nothrow_t&) noexcept -> void* {
  return heap::allocate(size, usual_alignment, heap::return_address(),
                        heap::on_failure::returns_null);
}
[[gnu::noinline]] auto operator new(std::size_t size, std::align_val_t alignment,
                                    const std::nothrow_t&) noexcept -> void* {
  return heap::allocate(size, static_cast<std::size_t>(alignment), heap::return_address(),
                        heap::on_failure::returns_null);
}
[[gnu::noinline]] auto operator new[](std::size_t size, std::align_val_t alignment,
                                      const std::nothrow_t&) noexcept -> void* {
  return heap::allocate(size, static_cast<std::size_t>(alignment), heap::return_address(),
                        heap::on_failure::returns_null);
}
[[gnu::noinline]] auto operator new(std::size_t size) -> void* {
  return heap::allocate_or_throw(size, usual_alignment, heap::return_address());
}
[[gnu::noinline]] auto operator new[](std::size_t size) -> void* {
  return heap::allocate_or_throw(size, usual_alignment, heap::return_address());
}
[[gnu::noinline]] auto operator new(std::size_t size, std::align_val_t alignment) -> void* {
  return heap::allocate_or_throw(size, static_cast<std::size_t>(alignment), heap::return_address());
}
[[gnu::noinline]] auto operator new[](std::size_t size, std::align_val_t alignment) -> void* {
  return heap::allocate_or_throw(size, static_cast<std::size_t>(alignment), heap::return_address());
}

[[gnu::noinline]] void operator delete(void* block) noexcept {
  heap::give_back(block, usual_alignment);
}
[[gnu::noinline]] void operator delete[](void* block) noexcept {
  heap::give_back(block, usual_alignment);
}
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept {
  heap::give_back(block, usual_alignment);
}
[[gnu::noinline]] void operator delete[](void* block, std::size_t) noexcept {
  heap::give_back(block, usual_alignment);
}
[[gnu::noinline]] void operator delete(void* block, const std::nothrow_t&) noexcept {
  heap::give_back(block, usual_alignment);
}
[[gnu::noinline]] void operator delete[](void* block, const std::nothrow_t&) noexcept {
  heap::give_back(block, usual_alignment);
}
[[gnu::noinline]] void operator delete(void* block, std::align_val_t alignment) noexcept {
  heap::give_back(block, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete[](void* block, std::align_val_t alignment) noexcept {
  heap::give_back(block, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* block, std::size_t,
                                       std::align_val_t alignment) noexcept {
  heap::give_back(block, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete[](void* block, std::size_t,
                                         std::align_val_t alignment) noexcept {
  heap::give_back(block, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* block, std::align_val_t alignment,
                                       const std::nothrow_t&) noexcept {
  heap::give_back(block, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete[](void* block, std::align_val_t alignment,
                                         const std::nothrow_t&) noexcept {
  heap::give_back(block, static_cast<std::size_t>(alignment));
}
