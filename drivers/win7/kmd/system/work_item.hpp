// SPDX-License-Identifier: MIT
/// \file One entry of the software queue between SubmitCommand and the ring (kmd.md 3.8).
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/ring/submit_desc.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

enum class work_kind : std::uint8_t {
  stream,     ///< A descriptor with commands.
  internal,   ///< A stream of the driver's own (internal_slots.hpp): it has no fence of its own.
  empty,      ///< A descriptor that only signals its fence.
  present,    ///< The driver copies or fills rectangles, when all before it is complete.
  paging,     ///< The driver moves memory, when all before it is complete.
  abandoned,  ///< Was for a device that is gone: its fence completes in order, without work.
};

[[nodiscard]] constexpr auto is_for_device(work_kind kind) noexcept -> bool {
  return kind == work_kind::stream || kind == work_kind::internal || kind == work_kind::empty;
}
[[nodiscard]] constexpr auto is_for_processor(work_kind kind) noexcept -> bool {
  return kind == work_kind::present || kind == work_kind::paging;
}

/// Packets that the processor executes, and how far it has come.
struct cpu_work {
  std::byte* packets = nullptr;  ///< Kernel memory: valid until the fence is reported.
  std::uint32_t size_bytes = 0;
  std::uint32_t done_bytes = 0;      ///< Whole packets that are done.
  std::uint64_t done_in_packet = 0;  ///< Progress inside the next one, in its own units.
  std::uint32_t failed_maps = 0;     ///< How often pages could not be mapped, and were waited for.
  void* record = nullptr;            ///< The dma_record of a present.
};

struct work_item {
  work_kind kind = work_kind::empty;
  ring_submission submission{};  ///< `signal_fence` is filled in by the engine.
  cpu_work work{};
};

/// Bytes that one run of CPU work may move before it yields; small steps cost more than they move
/// (kmd.md 3.8).
inline constexpr std::uint64_t cpu_work_budget_bytes = 16u << 20;

}  // namespace aerogpu::kmd
