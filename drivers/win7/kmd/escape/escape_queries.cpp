// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/escape/escape_queries.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/escape/escape_buffer.hpp"
#include "drivers/win7/kmd/submission/ring_slots.hpp"

#include <algorithm>
#include <iterator>

namespace aerogpu::kmd {
namespace {

auto is_source(std::uint32_t id) noexcept -> bool {
  return id == 0;
}

template <class Entry>
void fill_entry(Entry& out, const aerogpu_submit_desc& desc) noexcept {
  out = {};
  out.cmd_gpa = desc.cmd_gpa;
  out.cmd_size_bytes = desc.cmd_size_bytes;
  out.flags = desc.flags;
  if constexpr (requires { out.alloc_table_gpa; }) {
    out.fence = desc.signal_fence;
    out.alloc_table_gpa = desc.alloc_table_gpa;
    out.alloc_table_size_bytes = desc.alloc_table_size_bytes;
  } else {
    out.signal_fence = desc.signal_fence;
  }
}

/// Fills what both ring dumps have in common, with at most `most` of the newest descriptors.
template <class Dump>
void fill_ring(adapter& adapter, Dump& dump, const engine_progress& now,
               std::uint32_t most) noexcept {
  constexpr std::uint32_t room = std::size(decltype(dump.desc){});
  const std::uint32_t wanted = std::min(most, wanted_entries(dump.desc_capacity, room));
  const std::uint32_t count = count_newest(adapter.engine, now.tail, wanted);
  for (std::uint32_t i = 0; i < room; ++i) {
    const std::uint32_t index = now.tail - count + i;
    fill_entry(dump.desc[i], i < count ? load_slot(adapter.engine, index) : aerogpu_submit_desc{});
  }
  dump.ring_size_bytes = now.ring_bytes;
  dump.head = now.head;
  dump.tail = now.tail;
  dump.desc_count = count;
  dump.desc_capacity = room;
}

struct vblank_clock {
  std::uint64_t sequence = 0;
  std::uint64_t time_ns = 0;
  std::uint32_t period_ns = 0;
};

auto read_vblank(const adapter& adapter) noexcept -> vblank_clock {
  const registers& regs = adapter.hardware.regs;
  return {regs.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO),
          regs.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_TIME_NS_LO),
          regs.read(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_PERIOD_NS)};
}

auto can_read_vblank(const adapter& adapter) noexcept -> bool {
  return adapter.is_ready && adapter.hardware.has(AEROGPU_FEATURE_VBLANK);
}

void fill_cached_scanout(const adapter& adapter, aerogpu_escape_query_scanout_out& out) noexcept {
  const auto& scanout = adapter.display.scanout;
  const scanout_mode& mode = scanout.mode();
  out.cached_enable = scanout.is_visible() ? 1 : 0;
  out.cached_width = mode.width;
  out.cached_height = mode.height;
  out.cached_format = mode.format;
  out.cached_pitch_bytes = mode.pitch_bytes;
}

void fill_scanout_registers(const adapter& adapter,
                            aerogpu_escape_query_scanout_out& out) noexcept {
  if (!adapter.is_ready) return;
  const registers& regs = adapter.hardware.regs;
  out.mmio_enable = regs.read(AEROGPU_MMIO_REG_SCANOUT0_ENABLE);
  out.mmio_width = regs.read(AEROGPU_MMIO_REG_SCANOUT0_WIDTH);
  out.mmio_height = regs.read(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT);
  out.mmio_format = regs.read(AEROGPU_MMIO_REG_SCANOUT0_FORMAT);
  out.mmio_pitch_bytes = regs.read(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES);
  out.mmio_fb_gpa = regs.read64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO);
}

void fill_cursor_registers(const adapter& adapter, aerogpu_escape_query_cursor_out& out) noexcept {
  const registers& regs = adapter.hardware.regs;
  out.enable = regs.read(AEROGPU_MMIO_REG_CURSOR_ENABLE);
  out.x = regs.read(AEROGPU_MMIO_REG_CURSOR_X);
  out.y = regs.read(AEROGPU_MMIO_REG_CURSOR_Y);
  out.hot_x = regs.read(AEROGPU_MMIO_REG_CURSOR_HOT_X);
  out.hot_y = regs.read(AEROGPU_MMIO_REG_CURSOR_HOT_Y);
  out.width = regs.read(AEROGPU_MMIO_REG_CURSOR_WIDTH);
  out.height = regs.read(AEROGPU_MMIO_REG_CURSOR_HEIGHT);
  out.format = regs.read(AEROGPU_MMIO_REG_CURSOR_FORMAT);
  out.fb_gpa = regs.read64(AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO);
  out.pitch_bytes = regs.read(AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES);
}

void fill_cached_cursor(adapter& adapter, aerogpu_escape_query_cursor_out& out) noexcept {
  const auto now = adapter.display.cursor.current();
  out.enable = now.is_visible && now.shape.width != 0 ? 1 : 0;
  out.x = static_cast<std::uint32_t>(now.x);
  out.y = static_cast<std::uint32_t>(now.y);
  out.hot_x = static_cast<std::uint32_t>(now.shape.hot_x);
  out.hot_y = static_cast<std::uint32_t>(now.shape.hot_y);
  out.width = now.shape.width;
  out.height = now.shape.height;
  out.format = now.shape.format;
  out.fb_gpa = now.image_physical;
  out.pitch_bytes = now.shape.pitch_bytes;
}

/// Bit 31: an error is latched; below, the time of the newest in units of 10 ms.
auto pack_error_state(const error_telemetry::record& error) noexcept -> std::uint32_t {
  constexpr std::uint64_t unit_100ns = 100'000;
  const auto time = static_cast<std::uint32_t>(error.time_100ns / unit_100ns) & 0x7FFFFFFFu;
  return time | (error.is_latched ? 0x80000000u : 0);
}

void fill_counts(const counters& from, aerogpu_escape_query_perf_out& out) noexcept {
  out.total_submissions = from.submissions.get();
  out.total_presents = from.presents.get();
  out.total_render_submits = from.renders.get();
  out.total_internal_submits = from.internal.get();
  out.irq_fence_delivered = from.irq_fence.get();
  out.irq_vblank_delivered = from.irq_vblank.get();
  out.irq_spurious = from.irq_spurious.get();
  out.reset_from_timeout_count = from.resets.get();
  out.last_reset_time_100ns = from.last_reset_100ns;
  out.ring_push_failures = from.push_failures.get();
  out.selftest_count = from.selftests.get();
  out.selftest_last_error_code = from.last_selftest_error;
  out.get_scanline_cache_hits = from.scanline_cache_hits.get();
  out.get_scanline_mmio_polls = from.scanline_mmio_polls.get();
  // The read-only ones first: a table that is built meanwhile must not make them the more.
  out.alloc_table_readonly_entries = from.readonly_entries.get();
  out.alloc_table_count = from.tables.get();
  out.alloc_table_entries = from.table_entries.get();
}

void fill_engine(adapter& adapter, aerogpu_escape_query_perf_out& out) noexcept {
  const engine_progress now = adapter.engine.progress();
  out.last_submitted_fence = raw(now.submitted);
  out.last_completed_fence = raw(now.completed);
  if (now.ring_bytes == 0) return;
  out.flags |= AEROGPU_DBGCTL_QUERY_PERF_FLAG_RING_VALID;
  out.ring0_head = now.head;
  out.ring0_tail = now.tail;
  out.ring0_size_bytes = now.ring_bytes;
  out.ring0_entry_count = ring_entries;
}

void fill_vblank(const adapter& adapter, aerogpu_escape_query_perf_out& out) noexcept {
  if (!can_read_vblank(adapter)) return;
  const vblank_clock clock = read_vblank(adapter);
  out.flags |= AEROGPU_DBGCTL_QUERY_PERF_FLAG_VBLANK_VALID;
  out.vblank_seq = clock.sequence;
  out.last_vblank_time_ns = clock.time_ns;
  out.vblank_period_ns = clock.period_ns;
}

}  // namespace

auto query_device(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  auto& out = escape_as<aerogpu_escape_query_device_out>(buffer);
  out = {.hdr = reply_header(AEROGPU_ESCAPE_OP_QUERY_DEVICE, sizeof out),
         .mmio_version = adapter.hardware.abi_version,
         .reserved0 = 0};
  return STATUS_SUCCESS;
}

auto query_device_v2(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  auto& out = escape_as<aerogpu_escape_query_device_v2_out>(buffer);
  out = {.hdr = reply_header(AEROGPU_ESCAPE_OP_QUERY_DEVICE_V2, sizeof out),
         .detected_mmio_magic = adapter.hardware.magic,
         .abi_version_u32 = adapter.hardware.abi_version,
         .features_lo = adapter.hardware.features,
         .features_hi = 0,
         .reserved0 = 0};
  return STATUS_SUCCESS;
}

auto query_fence(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  const engine_progress now = adapter.engine.progress();
  const error_telemetry::record error = adapter.errors.newest();
  aerogpu_escape_query_fence_out out{};
  const std::size_t size_bytes = buffer.size() >= sizeof out
                                     ? sizeof out
                                     : offsetof(aerogpu_escape_query_fence_out, error_irq_count);
  out.hdr = reply_header(AEROGPU_ESCAPE_OP_QUERY_FENCE, size_bytes);
  out.last_submitted_fence = raw(now.submitted);
  out.last_completed_fence = raw(now.completed);
  out.error_irq_count = error.interrupts;
  out.last_error_fence = raw(error.fence);
  copy_bytes(buffer.first(size_bytes), bytes_of(out).first(size_bytes));
  return STATUS_SUCCESS;
}

/// What the device has not taken yet.
auto dump_ring(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  auto& dump = escape_as<aerogpu_escape_dump_ring_inout>(buffer);
  if (dump.ring_id != 0) return STATUS_INVALID_PARAMETER;
  const engine_progress now = adapter.engine.progress();
  fill_ring(adapter, dump, now, now.tail - now.head);
  dump.hdr = reply_header(AEROGPU_ESCAPE_OP_DUMP_RING, sizeof dump);
  return STATUS_SUCCESS;
}

auto dump_ring_v2(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  auto& dump = escape_as<aerogpu_escape_dump_ring_v2_inout>(buffer);
  if (dump.ring_id != 0) return STATUS_INVALID_PARAMETER;
  const engine_progress now = adapter.engine.progress();
  fill_ring(adapter, dump, now, ring_entries);
  dump.ring_format =
      now.ring_bytes != 0 ? AEROGPU_DBGCTL_RING_FORMAT_AGPU : AEROGPU_DBGCTL_RING_FORMAT_UNKNOWN;
  dump.reserved0 = 0;
  dump.reserved1 = 0;
  dump.hdr = reply_header(AEROGPU_ESCAPE_OP_DUMP_RING_V2, sizeof dump);
  return STATUS_SUCCESS;
}

/// The log is of every process, and a token opens a surface to whoever names it.
auto dump_allocations(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  auto& dump = escape_as<aerogpu_escape_dump_createallocation_inout>(buffer);
  adapter.allocation_log.copy_to(dump);
  if (!os::is_caller_privileged()) {
    for (auto& one : dump.entries) one.share_token = 0;
  }
  dump.hdr = reply_header(AEROGPU_ESCAPE_OP_DUMP_CREATEALLOCATION, sizeof dump);
  return STATUS_SUCCESS;
}

auto query_vblank(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  auto& out = escape_as<aerogpu_escape_query_vblank_out>(buffer);
  if (!is_source(out.vidpn_source_id)) return STATUS_INVALID_PARAMETER;
  out = {};
  out.hdr = reply_header(AEROGPU_ESCAPE_OP_QUERY_VBLANK, sizeof out);
  out.flags = AEROGPU_DBGCTL_QUERY_VBLANK_FLAGS_VALID;
  out.irq_enable = adapter.irq.enabled();
  if (adapter.is_ready) {
    out.irq_enable = adapter.hardware.regs.read(AEROGPU_MMIO_REG_IRQ_ENABLE);
    out.irq_status = adapter.hardware.regs.read(AEROGPU_MMIO_REG_IRQ_STATUS);
  }
  if (!adapter.hardware.has(AEROGPU_FEATURE_VBLANK)) return STATUS_SUCCESS;
  out.flags |= AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_VBLANK_SUPPORTED |
               AEROGPU_DBGCTL_QUERY_VBLANK_FLAG_INTERRUPT_TYPE_VALID;
  out.vblank_interrupt_type = DXGK_INTERRUPT_CRTC_VSYNC;
  if (!can_read_vblank(adapter)) return STATUS_SUCCESS;
  const vblank_clock clock = read_vblank(adapter);
  out.vblank_seq = clock.sequence;
  out.last_vblank_time_ns = clock.time_ns;
  out.vblank_period_ns = clock.period_ns;
  return STATUS_SUCCESS;
}

auto query_scanout(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  if (!is_source(escape_as<aerogpu_escape_query_scanout_out>(buffer).vidpn_source_id))
    return STATUS_INVALID_PARAMETER;
  aerogpu_escape_query_scanout_out_v2 out{};
  const bool is_long = buffer.size() >= sizeof out;
  const std::size_t size_bytes = is_long ? sizeof out : sizeof out.base;
  out.base.hdr = reply_header(AEROGPU_ESCAPE_OP_QUERY_SCANOUT, size_bytes);
  fill_cached_scanout(adapter, out.base);
  fill_scanout_registers(adapter, out.base);
  out.cached_fb_gpa = adapter.display.scanout.displayed_address();
  if (is_long) out.base.reserved0 = AEROGPU_DBGCTL_QUERY_SCANOUT_FLAGS_VALID;
  if (is_long && out.cached_fb_gpa != 0)
    out.base.reserved0 |= AEROGPU_DBGCTL_QUERY_SCANOUT_FLAG_CACHED_FB_GPA_VALID;
  copy_bytes(buffer.first(size_bytes), bytes_of(out).first(size_bytes));
  return STATUS_SUCCESS;
}

auto query_cursor(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  auto& out = escape_as<aerogpu_escape_query_cursor_out>(buffer);
  out = {};
  out.hdr = reply_header(AEROGPU_ESCAPE_OP_QUERY_CURSOR, sizeof out);
  out.flags = AEROGPU_DBGCTL_QUERY_CURSOR_FLAGS_VALID;
  if (!adapter.hardware.has(AEROGPU_FEATURE_CURSOR)) return STATUS_SUCCESS;
  out.flags |= AEROGPU_DBGCTL_QUERY_CURSOR_FLAG_CURSOR_SUPPORTED;
  if (adapter.is_ready)
    fill_cursor_registers(adapter, out);
  else
    fill_cached_cursor(adapter, out);
  return STATUS_SUCCESS;
}

auto query_perf(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  const error_telemetry::record error = adapter.errors.newest();
  aerogpu_escape_query_perf_out out{};
  const std::size_t size_bytes = std::min(sizeof out, buffer.size());
  out.hdr = reply_header(AEROGPU_ESCAPE_OP_QUERY_PERF, size_bytes);
  out.flags = AEROGPU_DBGCTL_QUERY_PERF_FLAGS_VALID |
              AEROGPU_DBGCTL_QUERY_PERF_FLAG_GETSCANLINE_COUNTERS_VALID;
  fill_engine(adapter, out);
  fill_counts(adapter.counters, out);
  fill_vblank(adapter, out);
  out.reserved0 = pack_error_state(error);
  out.error_irq_count = error.interrupts;
  out.last_error_fence = raw(error.fence);
  copy_bytes(buffer.first(size_bytes), bytes_of(out).first(size_bytes));
  return STATUS_SUCCESS;
}

auto query_error(adapter& adapter, mutable_bytes buffer) noexcept -> NTSTATUS {
  const error_telemetry::record error = adapter.errors.newest();
  auto& out = escape_as<aerogpu_escape_query_error_out>(buffer);
  out = {};
  out.hdr = reply_header(AEROGPU_ESCAPE_OP_QUERY_ERROR, sizeof out);
  out.flags = AEROGPU_DBGCTL_QUERY_ERROR_FLAGS_VALID;
  if (adapter.hardware.has(AEROGPU_FEATURE_ERROR_INFO))
    out.flags |= AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_SUPPORTED;
  if (error.is_latched) out.flags |= AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_LATCHED;
  out.error_code = error.code;
  out.error_fence = raw(error.fence);
  out.error_count = error.count;
  return STATUS_SUCCESS;
}

}  // namespace aerogpu::kmd
