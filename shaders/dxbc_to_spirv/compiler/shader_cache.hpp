// SPDX-License-Identifier: MIT
/// \file Compiled programs in a folder, one file each, that may be stale, cut short, damaged or
/// written by somebody else. Nothing is believed but that the words are those of the same job: the
/// caller has them judged like fresh ones.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "dxbc_to_spirv/compiler/limits.hpp"
#include "dxbc_to_spirv/compiler/program_path.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace aerogpu::dxbc {

/// What is known of one file.
struct cache_entry {
  std::uint64_t name[2] = {};
  std::uint64_t size_bytes = 0;
  std::int64_t last_use_ns = 0;  ///< Time of the file.
};

/// What a cache did since it was made.
struct cache_counters {
  std::uint64_t hits = 0;
  std::uint64_t damaged = 0;  ///< Files that were there and are no entry of this job.
  std::uint64_t stored = 0;
  std::uint64_t evicted = 0;
};

/// For one thread at a time. Several processes may share a folder; each holds to the bounds as far
/// as it has seen the folder.
class shader_cache {
 public:
  /// `folder` is made at the first store when it does not exist. Empty = a cache of nothing.
  explicit shader_cache(const char* folder, const compiler_limits& limits = {}) noexcept;

  /// The words that were stored for a job by the same compiler. `identity` says which one it is.
  [[nodiscard]] auto find(const_bytes job, const_bytes identity) noexcept
      -> std::optional<heap_array<std::uint32_t>>;
  /// Keeps words, when there is room or can be made. What cannot be written is not kept.
  void store(const_bytes job, const_bytes identity, std::span<const std::uint32_t> words) noexcept;
  void remove(const_bytes job, const_bytes identity) noexcept;

  [[nodiscard]] auto size_bytes() noexcept -> std::uint64_t;
  [[nodiscard]] auto counters() const noexcept -> const cache_counters& { return counters_; }

 private:
  [[nodiscard]] auto is_on() const noexcept -> bool { return folder_[0] != '\0'; }
  void scan() noexcept;
  void add(const cache_entry& entry) noexcept;
  [[nodiscard]] auto find_entry(const cache_entry& wanted) noexcept -> cache_entry*;
  void drop(cache_entry& entry) noexcept;
  [[nodiscard]] auto make_room(std::uint64_t size_bytes) noexcept -> bool;
  [[nodiscard]] auto path_of(const cache_entry& entry, path_buffer& into) const noexcept -> bool;

  path_buffer folder_{};
  compiler_limits limits_;
  heap_array<cache_entry> entries_;
  std::uint64_t size_bytes_ = 0;
  bool is_scanned_ = false;
  cache_counters counters_;
};

}  // namespace aerogpu::dxbc
