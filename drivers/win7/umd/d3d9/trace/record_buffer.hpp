// SPDX-License-Identifier: MIT
/// \file The first calls of a process, in memory that is there from the start.
#pragma once

#include "drivers/win7/umd/d3d9/trace/environment.hpp"
#include "drivers/win7/umd/d3d9/trace/packing.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace aerogpu::umd::trace {

/// What stands in a record between entry and return.
inline constexpr std::uint32_t pending_result = 0x7FFFFFFF;

/// One call.
struct record {
  std::uint64_t time = 0;  ///< os::ticks
  std::uint32_t thread = 0;
  entry_id entry{};
  packed_arguments arguments{};
  std::uint32_t result = pending_result;
};

/// Records in the order in which calls began; what comes after the limit is dropped. Any thread,
/// without a lock: words of 32 bits, which every processor stores whole.
class record_buffer {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  /// Empty, for `limit` records. No other thread is inside.
  void clear(std::uint32_t limit) noexcept;
  /// The place of a new record, or none.
  [[nodiscard]] auto add(const record& added) noexcept -> std::uint32_t;
  void set_result(std::uint32_t index, std::uint32_t result) noexcept;

  /// Places that were given out; some may still be in the writing.
  [[nodiscard]] auto size() const noexcept -> std::uint32_t;
  /// False for one that is not written yet.
  [[nodiscard]] auto read(std::uint32_t index, record& out) const noexcept -> bool;

 private:
  using word = std::atomic<std::uint32_t>;
  /// 64 bits in two words: x86 without a library has no atomic of them.
  struct wide_word {
    word low{0};
    word high{0};

    void store(std::uint64_t value) noexcept;
    [[nodiscard]] auto load() const noexcept -> std::uint64_t;
  };
  struct slot {
    word is_written{0};
    word thread{0};
    word entry{0};
    word result{0};
    wide_word time;
    std::array<wide_word, 4> arguments;
  };

  word taken_{0};
  std::uint32_t limit_ = 0;
  std::array<slot, trace_settings::most_records> slots_;
};

}  // namespace aerogpu::umd::trace
