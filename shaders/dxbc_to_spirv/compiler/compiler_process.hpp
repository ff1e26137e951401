// SPDX-License-Identifier: MIT
/// \file The shader compiler's process as the host sees it: started at the first program, started
/// again when it ended, and never believed.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "dxbc_to_spirv/compiler/child_process.hpp"
#include "dxbc_to_spirv/compiler/limits.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace aerogpu::dxbc {

/// What a process did since its host object was made.
struct process_counters {
  std::uint64_t starts = 0;
  std::uint64_t answers = 0;
  std::uint64_t deaths = 0;  ///< Ended by itself, by the system, or by the host for what it did.
};

/// How many processes may still end. Full at first; a part comes back with time.
class death_budget {
 public:
  explicit death_budget(const compiler_limits& limits) noexcept : limits_(limits) {}
  [[nodiscard]] auto is_empty(deadline now) noexcept -> bool;
  void spend(deadline now) noexcept;

 private:
  void refill(deadline now) noexcept;

  compiler_limits limits_;
  std::uint32_t spent_ = 0;
  deadline since_{};
};

/// The latest programs that ended a process, by a hash whose seed nobody knows.
class refused_programs {
 public:
  refused_programs() noexcept;
  [[nodiscard]] auto contains(const_bytes job) const noexcept -> bool;
  void add(const_bytes job) noexcept;

 private:
  [[nodiscard]] auto hash_of(const_bytes job) const noexcept -> std::uint64_t;

  std::uint64_t seed_ = 0;
  std::array<std::uint64_t, max_refused_programs> hashes_{};
  std::uint32_t count_ = 0;
  std::uint32_t next_ = 0;
};

/// May be called by several threads; one program is compiled at a time.
class compiler_process {
 public:
  explicit compiler_process(const compiler_limits& limits = {}) noexcept
      : limits_(limits), budget_(limits) {}

  /// Hands a job to the process, which is `program`. Words are no more than words: the caller has
  /// them judged. Errors: unsupported, when the library refuses the job or the job ended a process,
  /// now or before; out_of_memory, also when too many processes ended lately: nothing is known
  /// about the job then.
  [[nodiscard]] auto compile(const char* program, const_bytes job, std::string* log) noexcept
      -> result<heap_array<std::uint32_t>>;

  [[nodiscard]] auto counters() const noexcept -> const process_counters& { return counters_; }
  /// For tests: -1 when there is no process.
  [[nodiscard]] auto process_id() const noexcept -> pid_t { return child_.id(); }

 private:
  /// What a job did to its process.
  enum class fault { none, ended, late };

  [[nodiscard]] auto try_once(const char* program, const_bytes job, std::string* log) noexcept
      -> result<heap_array<std::uint32_t>>;
  [[nodiscard]] auto start(const char* program) noexcept -> result<void>;
  [[nodiscard]] auto exchange(const_bytes job, std::string* log) noexcept
      -> result<heap_array<std::uint32_t>>;
  [[nodiscard]] auto receive(std::uint32_t id, deadline until, std::string* log) noexcept
      -> result<heap_array<std::uint32_t>>;
  /// Ends the process for what the transfer says about it.
  [[nodiscard]] auto give_up(transfer how) noexcept -> error;
  void bury() noexcept;

  compiler_limits limits_;
  std::mutex lock_;
  child_process child_;
  death_budget budget_;
  refused_programs refused_;
  process_counters counters_;
  fault fault_ = fault::none;
  std::uint32_t last_id_ = 0;
};

}  // namespace aerogpu::dxbc
