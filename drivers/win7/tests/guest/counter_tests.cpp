// SPDX-License-Identifier: MIT
/// \file What only ever grows: fences, counters, the ring's head and tail.
#include "aerogpu/abi/alloc_table.h"
#include "drivers/win7/tests/guest/tests.hpp"

namespace aerogpu::guest {
namespace {

constexpr int samples = 20;
constexpr std::uint32_t between_samples_ms = 10;

void run_fence_state(session& with, report& to) {
  bool is_ordered = true;
  bool is_rising = true;
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;
  for (int i = 0; i < samples; ++i) {
    aerogpu_escape_query_fence_out now{};
    if (!with.ask(to, "QUERY_FENCE answers", AEROGPU_ESCAPE_OP_QUERY_FENCE, now)) return;
    is_rising =
        is_rising && now.last_submitted_fence >= submitted && now.last_completed_fence >= completed;
    submitted = now.last_submitted_fence;
    completed = now.last_completed_fence;
    is_ordered = is_ordered && completed <= submitted;
    with.around().sleep_ms(between_samples_ms);
  }
  aerogpu_escape_query_error_out error{};
  if (!with.ask(to, "QUERY_ERROR answers", AEROGPU_ESCAPE_OP_QUERY_ERROR, error)) return;
  const message fences{"completed ", completed, ", submitted ", submitted};
  to.check(is_ordered, "no fence completes that was not submitted", fences);
  to.check(is_rising, "neither fence goes back", fences);
  to.check((error.flags & AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_LATCHED) == 0,
           "no error is latched", message{"code ", std::uint32_t{error.error_code}});
}

using perf = aerogpu_escape_query_perf_out;

/// The first counter that is smaller in `after`; empty when there is none.
auto find_falling(const perf& before, const perf& after) noexcept -> std::string_view {
  struct counter {
    std::string_view name;
    std::uint64_t before, after;
  };
  const counter all[] = {
      {"submitted fence", before.last_submitted_fence, after.last_submitted_fence},
      {"completed fence", before.last_completed_fence, after.last_completed_fence},
      {"submissions", before.total_submissions, after.total_submissions},
      {"presents", before.total_presents, after.total_presents},
      {"renders", before.total_render_submits, after.total_render_submits},
      {"internal submissions", before.total_internal_submits, after.total_internal_submits},
      {"fence interrupts", before.irq_fence_delivered, after.irq_fence_delivered},
      {"vblank interrupts", before.irq_vblank_delivered, after.irq_vblank_delivered},
      {"spurious interrupts", before.irq_spurious, after.irq_spurious},
      {"resets", before.reset_from_timeout_count, after.reset_from_timeout_count},
      {"error interrupts", before.error_irq_count, after.error_irq_count},
      {"push failures", before.ring_push_failures, after.ring_push_failures},
      {"self-tests", before.selftest_count, after.selftest_count},
      {"vblank sequence", before.vblank_seq, after.vblank_seq},
      {"tables", before.alloc_table_count, after.alloc_table_count},
      {"table entries", before.alloc_table_entries, after.alloc_table_entries},
      {"read-only entries", before.alloc_table_readonly_entries,
       after.alloc_table_readonly_entries},
  };
  for (const counter& one : all) {
    if (one.after < one.before) return one.name;
  }
  return {};
}

void check_perf(report& to, const perf& now) {
  constexpr std::uint64_t page_bytes = 4096;
  const std::uint32_t pending = now.ring0_tail - now.ring0_head;
  const std::uint32_t flags = now.flags;
  const std::uint64_t saved = now.contig_pool_bytes_saved;
  const std::uint64_t hits = now.contig_pool_hit;
  to.check(now.hdr.size == sizeof now, "all counters are filled",
           message{std::uint32_t{now.hdr.size}, " bytes"});
  to.check((flags & AEROGPU_DBGCTL_QUERY_PERF_FLAGS_VALID) != 0, "the flags are valid",
           message{hex{flags}});
  to.check(now.last_completed_fence <= now.last_submitted_fence,
           "no fence completes that was not submitted",
           message{std::uint64_t{now.last_completed_fence}, " of ",
                   std::uint64_t{now.last_submitted_fence}});
  to.check(pending <= now.ring0_entry_count, "the ring holds what is pending",
           message{pending, " of ", std::uint32_t{now.ring0_entry_count}});
  to.check(saved % page_bytes == 0 && (hits == 0) == (saved == 0),
           "the pool saves whole pages, when it is hit", message{saved, " bytes, ", hits, " hits"});
  to.check(now.alloc_table_readonly_entries <= now.alloc_table_entries,
           "read-only entries are entries",
           message{std::uint64_t{now.alloc_table_readonly_entries}, " of ",
                   std::uint64_t{now.alloc_table_entries}});
  to.check(now.alloc_table_entries >= now.alloc_table_count, "no table is empty",
           message{std::uint64_t{now.alloc_table_count}, " tables"});
}

void run_perf_state(session& with, report& to) {
  perf now{};
  std::string_view falling;
  if (!with.ask(to, "QUERY_PERF answers", AEROGPU_ESCAPE_OP_QUERY_PERF, now)) return;
  for (int i = 0; i < samples && falling.empty(); ++i) {
    with.around().sleep_ms(between_samples_ms);
    const perf before = now;
    now = {};
    if (!with.ask(to, "QUERY_PERF answers", AEROGPU_ESCAPE_OP_QUERY_PERF, now)) return;
    falling = find_falling(before, now);
  }
  to.check(falling.empty(), "no counter goes back", message{falling});
  check_perf(to, now);
}

using ring_dump = aerogpu_escape_dump_ring_v2_inout;

/// Sizes without addresses, or tables without room for their header.
auto count_bad_entries(const ring_dump& dump) noexcept -> std::uint32_t {
  std::uint32_t bad = 0;
  for (std::uint32_t i = 0; i < dump.desc_count && i < dump.desc_capacity; ++i) {
    const auto& one = dump.desc[i];
    const bool has_commands = one.cmd_gpa != 0;
    const bool has_table = one.alloc_table_gpa != 0;
    const bool is_table_right =
        has_table ? one.alloc_table_size_bytes >= sizeof(aerogpu_alloc_table_header)
                  : one.alloc_table_size_bytes == 0;
    if (has_commands != (one.cmd_size_bytes != 0) || !is_table_right) ++bad;
  }
  return bad;
}

void run_ring_state(session& with, report& to) {
  bool is_rising = true;
  std::uint32_t bad = 0;
  std::uint32_t most_pending = 0;
  ring_dump dump{};
  for (int i = 0; i < samples; ++i) {
    const std::uint32_t head = dump.head;
    const std::uint32_t tail = dump.tail;
    dump = {};
    dump.desc_capacity = 32;
    if (!with.ask(to, "DUMP_RING_V2 answers", AEROGPU_ESCAPE_OP_DUMP_RING_V2, dump)) return;
    // Free-running: a difference of half their range or more is a step back.
    is_rising =
        is_rising && (i == 0 || (dump.head - head < 0x80000000u && dump.tail - tail < 0x80000000u));
    if (dump.tail - dump.head > most_pending) most_pending = dump.tail - dump.head;
    if (dump.desc_count <= dump.desc_capacity) bad += count_bad_entries(dump);
    with.around().sleep_ms(between_samples_ms);
  }
  constexpr std::uint32_t most_entries =
      65'536;  // The ring's own limit, whatever the driver chose.
  to.check(dump.ring_size_bytes != 0, "the ring has a size",
           message{std::uint32_t{dump.ring_size_bytes}, " bytes"});
  to.check(dump.desc_count <= dump.desc_capacity && dump.desc_capacity <= 32,
           "the dump keeps within its entries",
           message{std::uint32_t{dump.desc_count}, " of ", std::uint32_t{dump.desc_capacity}});
  to.check(most_pending <= most_entries, "the head is not past the tail",
           message{"at most ", most_pending, " pending"});
  to.check(is_rising, "head and tail only grow",
           message{std::uint32_t{dump.head}, " and ", std::uint32_t{dump.tail}});
  to.check(bad == 0, "addresses and sizes go together", message{bad, " entries are wrong"});
}

constexpr std::uint32_t counter_limit_ms = 10'000;

}  // namespace

const guest_test fence_state_sanity{"fence_state_sanity",
                                    "completed fences were submitted, and neither goes back",
                                    counter_limit_ms, &run_fence_state};
const guest_test perf_state_sanity{"perf_state_sanity",
                                   "the driver's counters agree with each other and only grow",
                                   counter_limit_ms, &run_perf_state};
const guest_test ring_state_sanity{"ring_state_sanity",
                                   "the ring's dump is well formed, and head and tail only grow",
                                   counter_limit_ms, &run_ring_state};

}  // namespace aerogpu::guest
