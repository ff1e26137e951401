// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/escape/escapes.hpp"

#include "aerogpu/core/checked.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/escape/escape_buffer.hpp"
#include "drivers/win7/kmd/escape/escape_queries.hpp"
#include "drivers/win7/kmd/escape/selftest.hpp"
#include "drivers/win7/kmd/memory/debug_memory.hpp"

#include <cstddef>

namespace aerogpu::kmd {
namespace {

using handler = auto(adapter&, mutable_bytes) noexcept -> NTSTATUS;

auto selftest(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  auto& test = escape_as<aerogpu_escape_selftest_inout>(buffer);
  const auto result = run_selftest(adapter, test.timeout_ms);
  test.hdr = reply_header(AEROGPU_ESCAPE_OP_SELFTEST, sizeof test);
  test.passed = result == AEROGPU_DBGCTL_SELFTEST_OK ? 1 : 0;
  test.error_code = result;
  test.reserved0 = 0;
  return STATUS_SUCCESS;
}

/// Section objects alone: their kernel address is compared, and never shown.
auto map_shared_handle(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  if (!adapter.knobs.allows_map_shared_handle || !os::is_caller_privileged())
    return STATUS_NOT_SUPPORTED;
  auto& request = escape_as<aerogpu_escape_map_shared_handle_inout>(buffer);
  const void* const section = os::section_of_handle(request.shared_handle);
  if (section == nullptr) return STATUS_INVALID_HANDLE;
  request.debug_token = adapter.shared_handles.number_of(section);
  request.reserved0 = 0;
  request.hdr = reply_header(AEROGPU_ESCAPE_OP_MAP_SHARED_HANDLE, sizeof request);
  return STATUS_SUCCESS;
}

auto read_gpa(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  if (!adapter.knobs.allows_read_gpa || !os::is_caller_privileged()) return STATUS_NOT_SUPPORTED;
  auto& request = escape_as<aerogpu_escape_read_gpa_inout>(buffer);
  read_debug_memory(adapter, request);
  request.reserved0 = 0;
  request.hdr = reply_header(AEROGPU_ESCAPE_OP_READ_GPA, sizeof request);
  return STATUS_SUCCESS;
}

/// The pointer is the desktop's. A program has it as long as the screen shows a surface of its own.
[[nodiscard]] auto has_pointer(adapter& adapter) noexcept -> bool {
  const void* const shown = adapter.display.scanout.shown_allocation();
  return adapter.objects.maker_of(shown) == os::current_process() || os::is_caller_privileged();
}

auto set_cursor_shape(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  if (!has_pointer(adapter)) return STATUS_ACCESS_DENIED;
  constexpr std::size_t head_bytes = offsetof(aerogpu_escape_set_cursor_shape_in, pixels);
  // The structure states one pixel byte more than the least buffer has.
  aerogpu_escape_set_cursor_shape_in request{};
  copy_bytes(mutable_bytes_of(request).first(head_bytes), buffer.first(head_bytes));
  const std::uint64_t pixel_bytes = std::uint64_t{request.pitch_bytes} * request.height;
  if (!range_fits(head_bytes, pixel_bytes, buffer.size())) return STATUS_BUFFER_TOO_SMALL;
  const auto size_bytes = static_cast<std::size_t>(pixel_bytes);
  const cursor_shape shape{.width = request.width,
                           .height = request.height,
                           .pitch_bytes = request.pitch_bytes,
                           .hot_x = static_cast<std::int32_t>(request.hot_x),
                           .hot_y = static_cast<std::int32_t>(request.hot_y),
                           .format = request.format,
                           .pixels = buffer.subspan(head_bytes, size_bytes)};
  return adapter.display.cursor.set_shape(adapter, shape);
}

auto set_cursor_position(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  if (!has_pointer(adapter)) return STATUS_ACCESS_DENIED;
  const auto& request = escape_as<aerogpu_escape_set_cursor_position_in>(buffer);
  return adapter.display.cursor.move(adapter, static_cast<std::int32_t>(request.x),
                                     static_cast<std::int32_t>(request.y));
}

auto set_cursor_visibility(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  if (!has_pointer(adapter)) return STATUS_ACCESS_DENIED;
  const auto& request = escape_as<aerogpu_escape_set_cursor_visibility_in>(buffer);
  return adapter.display.cursor.set_visible(adapter, request.visible != 0);
}

struct operation {
  std::uint32_t op;
  std::size_t least_bytes;
  handler* run;
};

/// QUERY_FENCE ended after the completed fence once, and QUERY_PERF after the vertical blank.
constexpr std::size_t short_query_fence_bytes = 32;
constexpr std::size_t short_query_perf_bytes = 144;
static_assert(short_query_fence_bytes == offsetof(aerogpu_escape_query_fence_out, error_irq_count));

constexpr operation operations[] = {
    {AEROGPU_ESCAPE_OP_QUERY_DEVICE, sizeof(aerogpu_escape_query_device_out), &query_device},
    {AEROGPU_ESCAPE_OP_QUERY_FENCE, short_query_fence_bytes, &query_fence},
    {AEROGPU_ESCAPE_OP_DUMP_RING, sizeof(aerogpu_escape_dump_ring_inout), &dump_ring},
    {AEROGPU_ESCAPE_OP_SELFTEST, sizeof(aerogpu_escape_selftest_inout), &selftest},
    {AEROGPU_ESCAPE_OP_QUERY_VBLANK, sizeof(aerogpu_escape_query_vblank_out), &query_vblank},
    {AEROGPU_ESCAPE_OP_DUMP_RING_V2, sizeof(aerogpu_escape_dump_ring_v2_inout), &dump_ring_v2},
    {AEROGPU_ESCAPE_OP_QUERY_DEVICE_V2, sizeof(aerogpu_escape_query_device_v2_out),
     &query_device_v2},
    {AEROGPU_ESCAPE_OP_MAP_SHARED_HANDLE, sizeof(aerogpu_escape_map_shared_handle_inout),
     &map_shared_handle},
    {AEROGPU_ESCAPE_OP_DUMP_CREATEALLOCATION, sizeof(aerogpu_escape_dump_createallocation_inout),
     &dump_allocations},
    {AEROGPU_ESCAPE_OP_QUERY_SCANOUT, sizeof(aerogpu_escape_query_scanout_out), &query_scanout},
    {AEROGPU_ESCAPE_OP_QUERY_CURSOR, sizeof(aerogpu_escape_query_cursor_out), &query_cursor},
    {AEROGPU_ESCAPE_OP_QUERY_PERF, short_query_perf_bytes, &query_perf},
    {AEROGPU_ESCAPE_OP_READ_GPA, sizeof(aerogpu_escape_read_gpa_inout), &read_gpa},
    {AEROGPU_ESCAPE_OP_QUERY_ERROR, sizeof(aerogpu_escape_query_error_out), &query_error},
    {AEROGPU_ESCAPE_OP_SET_CURSOR_SHAPE, offsetof(aerogpu_escape_set_cursor_shape_in, pixels),
     &set_cursor_shape},
    {AEROGPU_ESCAPE_OP_SET_CURSOR_POSITION, sizeof(aerogpu_escape_set_cursor_position_in),
     &set_cursor_position},
    {AEROGPU_ESCAPE_OP_SET_CURSOR_VISIBILITY, sizeof(aerogpu_escape_set_cursor_visibility_in),
     &set_cursor_visibility},
};

}  // namespace

auto run_escape(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  if (buffer.size() < sizeof(aerogpu_escape_header)) return STATUS_BUFFER_TOO_SMALL;
  const auto header = load<aerogpu_escape_header>(buffer.data());
  if (header.version != AEROGPU_ESCAPE_VERSION) return STATUS_NOT_SUPPORTED;
  for (const operation& one : operations) {
    if (one.op != header.op) continue;
    return buffer.size() < one.least_bytes ? STATUS_BUFFER_TOO_SMALL : one.run(adapter, buffer);
  }
  return STATUS_NOT_SUPPORTED;
}

}  // namespace aerogpu::kmd
