// SPDX-License-Identifier: MIT
/// \file A guest's kernel without scruples: memory, ring, doorbell, and the embedder's loop around
/// the device.
#pragma once

#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/ring.h"
#include "tests/hostile/computer.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace aerogpu::hostile {

using test::byte_vector;
using test::stream_builder;

inline constexpr std::uint64_t fence_page_at = 0x1000;
inline constexpr std::uint64_t frame_at = 0x2000;  ///< Of the honest guest's scanout.
inline constexpr std::uint64_t ring_at = 0x10000;
inline constexpr std::uint32_t ring_entries = 256;
/// Guest memory that `allocate` and `place` hand out.
inline constexpr std::uint64_t heap_at = 0x100000;

struct guest_memory_block {
  std::uint32_t id = 0;
  std::uint64_t at = 0;
  std::uint64_t size_bytes = 0;
};

class guest {
 public:
  explicit guest(computer& on);

  [[nodiscard]] auto on() -> computer& { return on_; }
  [[nodiscard]] auto memory() -> machine& { return on_.memory(); }

  // Registers and ring

  [[nodiscard]] auto reg(std::uint32_t offset) -> std::uint32_t {
    return static_cast<std::uint32_t>(on_.read(offset, 4));
  }
  void reg(std::uint32_t offset, std::uint32_t value) { on_.write(offset, value, 4); }
  void reg64(std::uint32_t offset, std::uint64_t value) { on_.write(offset, value, 8); }
  [[nodiscard]] auto completed() -> std::uint64_t {
    return on_.read(AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8);
  }

  /// BARs, bus mastering, a ring at `at` and the fence page: as a driver does it when it starts.
  void power_on();
  void start_ring(std::uint64_t at = ring_at, std::uint32_t entries = ring_entries);
  /// Forgets all that was submitted and made, and starts again.
  void reset_ring();

  // Memory

  /// A block that the allocation tables of later submissions name. Zero at first.
  [[nodiscard]] auto allocate(std::uint64_t size_bytes) -> guest_memory_block;
  /// Guest memory without an allocation.
  [[nodiscard]] auto take(std::uint64_t size_bytes) -> std::uint64_t;
  /// Hands out everything from the beginning again.
  void forget_memory();

  // Submissions

  [[nodiscard]] auto next_fence() -> std::uint64_t { return ++last_fence_; }
  [[nodiscard]] auto last_fence() const -> std::uint64_t { return last_fence_; }
  /// A descriptor for a stream, with all allocations so far and a fence of its own.
  [[nodiscard]] auto describe(const stream_builder& stream, std::uint32_t context = 0)
      -> aerogpu_submit_desc;
  /// Publishes an entry without ringing.
  void push(const aerogpu_submit_desc& desc);
  void ring_doorbell() { reg(AEROGPU_MMIO_REG_DOORBELL, 1); }
  /// Calls the device as an embedder's loop does, until a fence is complete. False when the loop
  /// spins for nothing.
  [[nodiscard]] auto wait_for(std::uint64_t fence) -> bool;
  /// The same for the fence of the last submission, which must come.
  void finish();

  /// Submits, waits, and says how it ended.
  [[nodiscard]] auto run(const stream_builder& stream, std::uint32_t context = 0) -> error_code;
  /// Submits and waits; it must succeed.
  void must_run(const stream_builder& stream, std::uint32_t context = 0);
  /// Why the last one failed, in words.
  [[nodiscard]] auto last_error() const -> std::string_view { return last_error_; }

  // Reading

  /// Bytes of a buffer, by a write-back.
  [[nodiscard]] auto read_buffer(std::uint32_t buffer, std::uint64_t offset, std::uint64_t size)
      -> byte_vector;
  [[nodiscard]] auto read_words(std::uint32_t buffer, std::uint64_t offset, std::size_t count)
      -> std::vector<std::uint32_t>;

 private:
  [[nodiscard]] auto error_of(std::uint64_t fence) -> error_code;

  computer& on_;
  std::uint64_t next_free_ = heap_at;
  std::uint32_t next_alloc_ = 1;
  std::uint64_t last_fence_ = 0;
  std::vector<aerogpu_alloc_entry> allocations_;
  std::uint64_t stream_at_ = 0, stream_room_ = 0;
  std::uint64_t ring_gpa_ = ring_at;
  std::uint32_t entries_ = ring_entries;
  std::uint32_t tail_ = 0;
  std::string_view last_error_;
};

/// A handle that attacks do not use.
inline constexpr std::uint32_t honest_handles = 0xFFFF'0000;

}  // namespace aerogpu::hostile
