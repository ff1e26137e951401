// SPDX-License-Identifier: MIT
/// \file What a device tells its host, a recorder or a debugger, as values.
#pragma once

#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/ring.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/memory/alloc_table.hpp"
#include "aerogpu/memory/memory_ref.hpp"
#include "aerogpu/processor/present_log.hpp"

#include <cstdint>

namespace aerogpu {

/// An error as the registers got it, with the reason behind it.
struct error_record {
  aerogpu_error_code code = AEROGPU_ERROR_NONE;
  fence_value fence{};  ///< Of the submission; 0 when it belongs to none.
  error why;
};

/// A PRESENT or PRESENT_EX that ran, and whose it was.
struct present_notice {
  context_id context{};
  fence_value fence{};
  present_event present;
};

/// A well-formed submission at the moment it is consumed, before it runs. Everything is a private
/// copy and valid during the call; `memory` reads what the submission will read.
struct submission_view {
  const aerogpu_submit_desc& desc;
  const_bytes stream;              ///< Used bytes; empty when there is none.
  const_bytes table;               ///< Used bytes; empty when there is none.
  const alloc_table& allocations;  ///< The parsed table.
  memory_ref memory;
};

/// Who watches submissions, such as a trace recorder. Returns the bytes of guest memory that it
/// looked at: they count as moved in the tick's budget, because the guest chose how many there are.
struct submission_tap {
  void* context = nullptr;
  auto(*on_submission)(void* context, const submission_view& submission) noexcept
      -> std::uint64_t = nullptr;
};

/// One of the last submissions, for a debugger.
struct submission_record {
  std::uint64_t number = 0;  ///< 1 for the first since power-on.
  fence_value fence{};
  context_id context{};
  std::uint32_t flags = 0;
  std::uint32_t stream_bytes = 0;
  std::uint32_t table_bytes = 0;
  std::uint32_t packets = 0;
  error_code why = error_code::none;  ///< Of decoding or execution, as known when it was consumed.
};

/// Counters since power-on. Device reset, ring reset and snapshots leave them alone.
struct device_statistics {
  std::uint64_t doorbells = 0;
  std::uint64_t submissions = 0;            ///< Consumed from the ring.
  std::uint64_t malformed_submissions = 0;  ///< Of those, never executed.
  std::uint64_t failed_submissions = 0;     ///< Executed or captured, and reported an error.
  std::uint64_t dropped_submissions = 0;    ///< Pushed out of the capture queue.
  std::uint64_t packets = 0;
  std::uint64_t unknown_packets = 0;
  std::uint64_t presents = 0;
  std::uint64_t stream_bytes = 0;
  std::uint64_t write_back_bytes = 0;
  std::uint64_t vblanks = 0;
  std::uint64_t errors = 0;
  std::uint64_t ring_resets = 0;
};

}  // namespace aerogpu
