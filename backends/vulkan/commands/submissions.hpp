// SPDX-License-Identifier: MIT
/// \file Submissions from the processor's point of view: open, ended, done, reported.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "vulkan/resources/texture_transfer.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

/// Rows that wait for their batch.
struct pending_write_back {
  guest_rows to{};
  read_back_rows rows;
};

struct pending_submission {
  submission_id id{};
  std::uint64_t first_batch = 0;  ///< From here on, memory of batches is still needed.
  std::uint64_t last_batch = 0;   ///< Done when this batch is.
  bool is_ended = false;
  error why;
  heap_array<pending_write_back> write_backs;
  std::uint64_t held_bytes = 0;  ///< Of the write-backs, beside memory of batches.
};

}  // namespace aerogpu::vulkan
