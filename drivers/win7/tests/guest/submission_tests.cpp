// SPDX-License-Identifier: MIT
/// \file Submissions and allocations of our own: fences, tables, the allocation log.
#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/abi/ring.h"
#include "drivers/win7/tests/guest/renderer.hpp"
#include "drivers/win7/tests/guest/tests.hpp"

#include <cstring>

namespace aerogpu::guest {
namespace {

/// As each submission has it that names two surfaces.
constexpr std::uint32_t two_entry_table_bytes =
    sizeof(aerogpu_alloc_table_header) + 2 * sizeof(aerogpu_alloc_entry);

auto submitted_fence(session& with, report& to, std::uint64_t& fence) -> bool {
  aerogpu_escape_query_fence_out now{};
  if (!with.ask(to, "QUERY_FENCE answers", AEROGPU_ESCAPE_OP_QUERY_FENCE, now)) return false;
  fence = now.last_submitted_fence;
  return true;
}

/// The newest descriptor that `is_wanted`; null when the dump has none.
template <class Condition>
auto find_newest(const aerogpu_escape_dump_ring_v2_inout& dump, Condition&& is_wanted) noexcept
    -> const aerogpu_dbgctl_ring_desc_v2* {
  for (std::uint32_t i = dump.desc_count < 32 ? dump.desc_count : 32; i > 0; --i) {
    if (is_wanted(dump.desc[i - 1])) return &dump.desc[i - 1];
  }
  return nullptr;
}

auto dump_ring(session& with, report& to, aerogpu_escape_dump_ring_v2_inout& dump) -> bool {
  dump = {};
  dump.desc_capacity = 32;
  return with.ask(to, "DUMP_RING_V2 answers", AEROGPU_ESCAPE_OP_DUMP_RING_V2, dump);
}

/// Submits, and wants a new fence each time. False: the report has why not.
auto run_clears(renderer& draws, report& to, const surface& target, std::uint64_t& fence) -> bool {
  constexpr int submissions = 64;
  for (int i = 0; i < submissions; ++i) {
    const NTSTATUS status = draws.clear(target);
    if (!NT_SUCCESS(status))
      return to.check(false, "a submission is taken", message{i, ": ", status_of(status)});
    if (!draws.wait_submitted(fence))
      return to.check(false, "each submission has a fence of its own",
                      message{i, ": still ", fence});
  }
  to.check(true, "each submission has a fence of its own", message{submissions, " submissions"});
  return to.check(draws.wait_completed(fence), "the last fence completes", message{fence});
}

/// `before` is the newest fence from before the call: what is older is not ours.
void check_present(session& with, report& to, std::uint64_t before) {
  aerogpu_escape_dump_ring_v2_inout dump{};
  if (!dump_ring(with, to, dump)) return;
  const auto* const present = find_newest(dump, [&](const auto& d) {
    return d.fence > before && d.alloc_table_size_bytes == two_entry_table_bytes &&
           (d.flags & AEROGPU_SUBMIT_FLAG_PRESENT) != 0;
  });
  if (!to.check(present != nullptr, "the present's descriptor says so")) return;
  to.check(
      present->alloc_table_gpa != 0, "it has an allocation table",
      message{hex{present->alloc_table_gpa}, ", ", present->alloc_table_size_bytes + 0u, " bytes"});
}

void run_submit_fence(session& with, report& to) {
  renderer draws{with};
  surface front;
  surface back;
  std::uint64_t fence = 0;
  if (!draws.open(to) || !draws.create(to, front) || !draws.create(to, back) ||
      !submitted_fence(with, to, fence)) {
    return;
  }
  if (run_clears(draws, to, back, fence)) {
    const std::uint64_t before = fence;
    const NTSTATUS status = draws.blt(back, front);
    to.check(NT_SUCCESS(status) && draws.wait_submitted(fence) && draws.wait_completed(fence),
             "a present is submitted and completes", message{status_of(status)});
    check_present(with, to, before);
  }
  draws.destroy(back);
  draws.destroy(front);
}

struct table_counters {
  std::uint64_t tables = 0, entries = 0, readonly = 0;
};

auto read_counters(session& with, report& to, table_counters& out) -> bool {
  aerogpu_escape_query_perf_out now{};
  if (!with.ask(to, "QUERY_PERF answers", AEROGPU_ESCAPE_OP_QUERY_PERF, now)) return false;
  out = {now.alloc_table_count, now.alloc_table_entries, now.alloc_table_readonly_entries};
  return true;
}

/// The table's bytes; false: `why` says why they cannot be had.
auto read_table(session& with, const aerogpu_dbgctl_ring_desc_v2& of,
                aerogpu_escape_read_gpa_inout& out, message& why) -> bool {
  out.gpa = of.alloc_table_gpa;
  out.size_bytes = of.alloc_table_size_bytes < sizeof out.data
                       ? of.alloc_table_size_bytes
                       : static_cast<std::uint32_t>(sizeof out.data);
  const NTSTATUS status = with.escape(AEROGPU_ESCAPE_OP_READ_GPA, out);
  if (!NT_SUCCESS(status)) {
    why = message{"READ_GPA is switched off, or the caller no administrator"};
  } else if (out.status != 0) {
    why = message{"the device had already done with it"};
  }
  return NT_SUCCESS(status) && out.status == 0;
}

void check_table(report& to, const aerogpu_escape_read_gpa_inout& bytes) {
  aerogpu_alloc_table_header header{};
  std::memcpy(&header, bytes.data, sizeof header);
  const std::uint32_t stride = header.entry_stride_bytes;
  const bool is_table =
      header.magic == AEROGPU_ALLOC_TABLE_MAGIC && stride >= sizeof(aerogpu_alloc_entry) &&
      header.size_bytes <= bytes.bytes_copied &&
      sizeof header + std::uint64_t{stride} * header.entry_count <= bytes.bytes_copied;
  if (!to.check(is_table, "the table's header is right",
                message{hex{header.magic}, ", stride ", stride}))
    return;
  std::uint32_t readonly = 0;
  for (std::uint32_t i = 0; i < header.entry_count; ++i) {
    aerogpu_alloc_entry entry{};
    std::memcpy(&entry, bytes.data + sizeof header + std::size_t{stride} * i, sizeof entry);
    if ((entry.flags & AEROGPU_ALLOC_FLAG_READONLY) != 0) ++readonly;
  }
  to.check(readonly != 0 && readonly != header.entry_count, "it has read-only and writable entries",
           message{readonly, " of ", header.entry_count + 0u, " read-only"});
}

/// The table can be read while the device has not taken the submission: that takes luck.
void check_newest_table(session& with, report& to, std::uint64_t before) {
  aerogpu_escape_dump_ring_v2_inout dump{};
  if (!dump_ring(with, to, dump)) return;
  const auto* const ours = find_newest(dump, [&](const auto& d) {
    return d.fence > before && d.alloc_table_size_bytes == two_entry_table_bytes;
  });
  if (!to.check(ours != nullptr, "the submission has a table of two entries")) return;
  aerogpu_escape_read_gpa_inout bytes{};
  message why;
  if (read_table(with, *ours, bytes, why))
    check_table(to, bytes);
  else
    to.note("the table's bytes are not read", why);
}

void check_counters(report& to, const table_counters& before, const table_counters& after) {
  to.check(after.tables > before.tables, "a table is counted",
           message{after.tables - before.tables});
  to.check(after.entries - before.entries >= 2, "its entries are counted",
           message{after.entries - before.entries});
  to.check(after.readonly > before.readonly, "the read-only one is counted",
           message{after.readonly - before.readonly});
}

void run_table_readonly(session& with, report& to) {
  renderer draws{with};
  surface source;
  surface target;
  table_counters before;
  table_counters after;
  std::uint64_t fence = 0;
  if (!draws.open(to) || !draws.create(to, source) || !draws.create(to, target) ||
      !submitted_fence(with, to, fence) || !draws.wait_completed(fence) ||
      !read_counters(with, to, before)) {
    return;
  }
  const std::uint64_t last_before = fence;
  const NTSTATUS status = draws.clear(target, &source);
  const bool is_taken =
      to.check(NT_SUCCESS(status) && draws.wait_submitted(fence),
               "a submission that reads and writes is taken", message{status_of(status)});
  if (is_taken) check_newest_table(with, to, last_before);
  to.check(draws.wait_completed(fence), "it completes", message{fence});
  if (read_counters(with, to, after)) check_counters(to, before, after);
  draws.destroy(target);
  draws.destroy(source);
}

using allocation_dump = aerogpu_escape_dump_createallocation_inout;

struct log_figures {
  std::uint32_t without_id = 0, out_of_order = 0, beyond_call = 0;
};

auto judge_log(const allocation_dump& dump) noexcept -> log_figures {
  log_figures all;
  for (std::uint32_t i = 0; i < dump.entry_count; ++i) {
    const auto& one = dump.entries[i];
    if (one.alloc_id == 0) ++all.without_id;
    if (one.alloc_index >= one.num_allocations) ++all.beyond_call;
    if (i != 0 && one.seq <= dump.entries[i - 1].seq) ++all.out_of_order;
  }
  return all;
}

void run_allocation_log(session& with, report& to) {
  renderer draws{with};
  surface made;
  if (!draws.open(to) || !draws.create_allocation(to, made)) return;
  allocation_dump dump{};
  dump.entry_capacity = 32;
  if (!with.ask(to, "DUMP_CREATEALLOCATION answers", AEROGPU_ESCAPE_OP_DUMP_CREATEALLOCATION, dump))
    return;
  const std::uint32_t count = dump.entry_count;
  const bool is_countable = to.check(
      count != 0 && count <= dump.entry_capacity && count <= 32 && dump.write_index >= count,
      "the log is not empty, and its counts agree", message{count, " of ", dump.write_index + 0u});
  if (!is_countable) return;
  const log_figures all = judge_log(dump);
  bool has_ours = false;
  for (std::uint32_t i = 0; i < count; ++i) has_ours |= dump.entries[i].alloc_id == made.alloc_id;
  to.check(all.without_id == 0, "each has an id", message{all.without_id, " have none"});
  to.check(all.beyond_call == 0, "each has a place in its call",
           message{all.beyond_call, " are beyond it"});
  to.check(all.out_of_order == 0, "their numbers rise", message{all.out_of_order, " do not"});
  to.check(has_ours, "ours is among them", message{hex{made.alloc_id}});
}

}  // namespace

const guest_test submit_fence_stress{"submit_fence_stress",
                                     "each submission gets a fence of its own, and all complete",
                                     60'000, &run_submit_fence};
const guest_test alloc_table_readonly_sanity{
    "alloc_table_readonly_sanity", "what a submission only reads is read-only in its table", 30'000,
    &run_table_readonly};
const guest_test dump_createalloc_sanity{"dump_createalloc_sanity",
                                         "the log of allocations is well formed, and has ours",
                                         10'000, &run_allocation_log};

}  // namespace aerogpu::guest
