// SPDX-License-Identifier: MIT
/// \file Where containers become SPIR-V: in a process of its own or in this one, behind a cache on
/// disk. One for each backend, so that a compiler that one guest broke compiles for no other.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/bounded_cache.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "dxbc_to_spirv/compile.hpp"
#include "dxbc_to_spirv/compiler/compiler_process.hpp"
#include "dxbc_to_spirv/compiler/limits.hpp"
#include "dxbc_to_spirv/compiler/program_path.hpp"
#include "dxbc_to_spirv/compiler/shader_cache.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace aerogpu::dxbc {

/// Judges what the compiler made, and completes it. It is called for words of the cache too.
using module_judge = auto(*)(heap_array<std::uint32_t>& words, const compiled& facts,
                             const compile_options& options) -> result<void>;

/// May be called by several threads; one program is compiled at a time.
class shader_compiler {
 public:
  explicit shader_compiler(const compiler_choice& choice) noexcept;

  /// A judged module of a container that was checked and written by `put_together`.
  /// Errors: those of `compiler_process::compile` and of `judge`. What the library or `judge`
  /// refused is refused again without them, unless there is a log to be filled.
  [[nodiscard]] auto compile(const_bytes container, const compiled& facts,
                             const compile_options& options, module_judge judge) noexcept
      -> result<heap_array<std::uint32_t>>;

  [[nodiscard]] auto process() noexcept -> compiler_process& { return process_; }
  [[nodiscard]] auto cache() noexcept -> shader_cache& { return cache_; }

  /// Refusals that are remembered.
  [[nodiscard]] auto known_failures() const noexcept -> std::size_t { return failures_.size(); }

 private:
  /// All that the outcome depends on, by a hash whose seed nobody knows.
  struct failure_key {
    std::uint64_t hash;

    void hash_into(keyed_hash& into) const noexcept { into.add(hash); }
    friend auto operator==(const failure_key&, const failure_key&) -> bool = default;
  };

  [[nodiscard]] auto failure_key_of(const_bytes job, const compile_options& options) const noexcept
      -> failure_key;
  [[nodiscard]] auto make_module(const_bytes job, const compiled& facts,
                                 const compile_options& options, module_judge judge) noexcept
      -> result<heap_array<std::uint32_t>>;
  [[nodiscard]] auto make_words(const_bytes job, std::string* log) noexcept
      -> result<heap_array<std::uint32_t>>;
  [[nodiscard]] auto find_program() noexcept -> result<void>;
  void identify() noexcept;

  bool in_process_;
  std::mutex lock_;  ///< Of all below but the process, which has its own.
  path_buffer chosen_{};
  path_buffer program_{};  ///< Empty until it was found.
  heap_array<char> identity_;
  compiler_process process_;
  shader_cache cache_;
  std::uint64_t seed_;
  bounded_cache<failure_key, error> failures_;
  bool was_judged_ = false;  ///< The last failure is of the program itself.
};

/// Compiles a job here and now, whatever the library does to this process.
/// Errors: unsupported, with the library's code as `detail`; out_of_memory.
[[nodiscard]] auto compile_in_process(const_bytes job, std::string* log) noexcept
    -> result<heap_array<std::uint32_t>>;

}  // namespace aerogpu::dxbc
