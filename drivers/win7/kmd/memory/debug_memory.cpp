// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/memory/debug_memory.hpp"

#include "aerogpu/core/checked.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/submission/ring_slots.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace aerogpu::kmd {
namespace {

struct physical_range {
  std::uint64_t first = 0;
  std::uint64_t size_bytes = 0;

  [[nodiscard]] auto contains(std::uint64_t at) const noexcept -> bool {
    return at >= first && at - first < size_bytes;
  }
  /// Bytes from `at` to the end. Precondition: contains(at).
  [[nodiscard]] auto bytes_from(std::uint64_t at) const noexcept -> std::uint64_t {
    return size_bytes - (at - first);
  }
};

auto range_of(const os::contiguous_memory& memory) noexcept -> physical_range {
  return {memory.physical, memory.size_bytes};
}

/// A larger one is no screen.
constexpr std::uint64_t most_scanout_bytes = 512u << 20;

auto scanout_range(const adapter& adapter) noexcept -> physical_range {
  const auto& scanout = adapter.display.scanout;
  const std::uint64_t address = scanout.displayed_address();
  if (address == 0) return {};
  const std::uint64_t bytes = std::uint64_t{scanout.mode().pitch_bytes} * scanout.mode().height;
  return {address, std::min(bytes, most_scanout_bytes)};
}

/// Whether `range` is one of a submission that the device has not taken yet: its buffers live.
auto find_pending(adapter& adapter, std::uint64_t at, physical_range& range) noexcept -> bool {
  const engine_progress now = adapter.engine.progress();
  const std::uint32_t pending = std::min(now.tail - now.head, ring_entries);
  for (std::uint32_t i = 1; i <= pending; ++i) {
    const aerogpu_submit_desc one = load_slot(adapter.engine, now.tail - i);
    range = {one.cmd_gpa, one.cmd_size_bytes};
    if (range.contains(at)) return true;
    range = {one.alloc_table_gpa, one.alloc_table_size_bytes};
    if (range.contains(at)) return true;
  }
  return false;
}

auto find_ram(adapter& adapter, std::uint64_t at, physical_range& range) noexcept -> bool {
  const cursor::state cursor = adapter.display.cursor.current();
  const std::uint64_t image_bytes = std::uint64_t{cursor.shape.pitch_bytes} * cursor.shape.height;
  const std::array owned{range_of(adapter.engine.ring_memory()),
                         range_of(adapter.engine.fence_page_memory()),
                         physical_range{cursor.image_physical, image_bytes}};
  for (const physical_range& one : owned) {
    range = one;
    if (one.contains(at)) return true;
  }
  return find_pending(adapter, at, range);
}

/// A surface is in the video segment, which is no RAM, but is mapped.
auto read_video(adapter& adapter, std::uint64_t at, mutable_bytes to) noexcept -> bool {
  const placement place{segment_id::video, at};
  std::size_t done = 0;
  while (done < to.size()) {
    const mutable_bytes piece = adapter.segments.piece(place, done, to.size() - done);
    if (piece.empty()) return false;
    copy_bytes(to.subspan(done, piece.size()), piece);
    done += piece.size();
  }
  return true;
}

auto read(adapter& adapter, std::uint64_t at, mutable_bytes to, std::uint32_t& copied) noexcept
    -> NTSTATUS {
  if (to.empty() || to.size() > AEROGPU_DBGCTL_READ_GPA_MAX_BYTES) return STATUS_INVALID_PARAMETER;
  if (range_wraps(at, to.size())) return STATUS_INVALID_PARAMETER;
  physical_range owner = scanout_range(adapter);
  const bool is_video = owner.contains(at);
  if (!is_video && !find_ram(adapter, at, owner)) return STATUS_ACCESS_DENIED;

  const auto size =
      static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), owner.bytes_from(at)));
  const mutable_bytes part = to.first(size);
  const bool is_read = is_video ? read_video(adapter, at, part) : os::read_physical(at, part);
  if (!is_read) {
    std::memset(part.data(), 0, part.size());
    return STATUS_INSUFFICIENT_RESOURCES;
  }
  copied = static_cast<std::uint32_t>(size);
  return size == to.size() ? STATUS_SUCCESS : STATUS_PARTIAL_COPY;
}

}  // namespace

void read_debug_memory(adapter& adapter, aerogpu_escape_read_gpa_inout& request) noexcept {
  const std::uint64_t at = request.gpa;
  const std::uint32_t size_bytes = request.size_bytes;
  std::memset(request.data, 0, sizeof request.data);
  auto* const data = reinterpret_cast<std::byte*>(request.data);
  std::uint32_t copied = 0;
  const NTSTATUS status = size_bytes > sizeof request.data
                              ? STATUS_INVALID_PARAMETER
                              : read(adapter, at, {data, size_bytes}, copied);
  request.status = static_cast<std::uint32_t>(status);
  request.bytes_copied = copied;
}

}  // namespace aerogpu::kmd
