// SPDX-License-Identifier: MIT
/// \file Bytes between the host and buffers: uploads, copies, read-backs.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "vulkan/device_parts.hpp"
#include "vulkan/resources/resource_objects.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

/// Records into the open batch. Preconditions of all: a batch is open; ranges lie in their buffers.
/// Errors of all: out_of_memory, device_lost.
class buffer_transfer {
 public:
  buffer_transfer(device_parts& device, resource_objects& resources) noexcept
      : device_(device), resources_(resources) {}

  [[nodiscard]] auto upload(buffer_record& to, std::uint64_t offset_bytes, const_bytes bytes)
      -> result<void>;
  /// Precondition: ranges of one buffer do not overlap, as the processor checks (host.md 2.10).
  [[nodiscard]] auto copy(buffer_record& to, std::uint64_t to_offset_bytes, buffer_record& from,
                          std::uint64_t from_offset_bytes, std::uint64_t size_bytes)
      -> result<void>;
  /// The bytes are there when the batch is done, until its memory is used again.
  [[nodiscard]] auto read_back(buffer_record& from, std::uint64_t offset_bytes,
                               std::uint64_t size_bytes) -> result<mutable_bytes>;

 private:
  [[nodiscard]] auto prepare(buffer_record& to, std::uint64_t size_bytes) -> result<void>;

  device_parts& device_;
  resource_objects& resources_;
};

}  // namespace aerogpu::vulkan
