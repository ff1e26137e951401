// SPDX-License-Identifier: MIT
/// \file Escapes that show or do more: the gated ones, and the self-test.
#include "drivers/win7/tests/guest/tests.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace aerogpu::guest {
namespace {

/// A driver that refuses the operation to this caller.
auto is_gated(NTSTATUS status) noexcept -> bool {
  return status == STATUS_NOT_SUPPORTED;
}

auto map_handle(session& with, std::uint64_t handle, std::uint32_t& number) -> NTSTATUS {
  aerogpu_escape_map_shared_handle_inout asked{};
  asked.shared_handle = handle;
  const NTSTATUS status = with.escape(AEROGPU_ESCAPE_OP_MAP_SHARED_HANDLE, asked);
  number = asked.debug_token;
  return status;
}

/// One section must keep its number while many others get theirs.
struct section_figures {
  std::uint32_t failed = 0, zero = 0, changed = 0;
};

auto map_many(session& with, std::uint64_t kept, std::uint32_t number) -> section_figures {
  constexpr int rounds = 1500;  // More sections than the driver remembers.
  section_figures all;
  for (int i = 0; i < rounds; ++i) {
    std::uint32_t now = 0;
    const std::uint64_t other = with.around().create_section();
    if (other == 0 || !NT_SUCCESS(map_handle(with, other, now))) ++all.failed;
    if (now == 0) ++all.zero;
    with.around().close_section(other);
    if (!NT_SUCCESS(map_handle(with, kept, now))) ++all.failed;
    if (now != number) ++all.changed;
  }
  return all;
}

void run_map_shared_handle(session& with, report& to) {
  const std::uint64_t section = with.around().create_section();
  if (!to.check(section != 0, "a section can be created")) return;
  std::uint32_t number = 0;
  const NTSTATUS status = map_handle(with, section, number);
  if (is_gated(status)) {
    to.skip(message{"EnableMapSharedHandleEscape is not set, or the caller no administrator"});
  } else if (to.check(NT_SUCCESS(status) && number != 0, "a section gets a number",
                      message{number, ", ", status_of(status)})) {
    const section_figures all = map_many(with, section, number);
    to.check(all.failed == 0, "so does every other one", message{all.failed, " fail"});
    to.check(all.zero == 0, "no number is 0", message{all.zero, " are"});
    to.check(all.changed == 0, "the first one keeps its number", message{all.changed, " changes"});
  }
  with.around().close_section(section);
}

constexpr unsigned char untouched = 0xA5;

void check_bad_address(session& with, report& to, std::uint64_t gpa) {
  aerogpu_escape_read_gpa_inout asked{};
  asked.gpa = gpa;
  asked.size_bytes = sizeof asked.data;
  std::memset(asked.data, untouched, sizeof asked.data);
  const NTSTATUS status = with.escape(AEROGPU_ESCAPE_OP_READ_GPA, asked);
  const bool is_refused = !NT_SUCCESS(status);
  const unsigned char expected = is_refused ? untouched : 0;
  const bool is_clean = std::all_of(std::begin(asked.data), std::end(asked.data),
                                    [&](unsigned char byte) { return byte == expected; });
  to.check(is_refused || (asked.status != 0 && asked.bytes_copied == 0),
           "READ_GPA of a bad address does not succeed",
           message{hex{gpa}, ": ", status_of(status), ", inner ", hex{asked.status}});
  to.check(is_clean, "and copies nothing", message{hex{gpa}});
}

void check_bad_handles(session& with, report& to) {
  constexpr std::array<std::uint64_t, 4> handles{0, 0xDEADBEE0, UINT64_MAX, UINT64_MAX - 1};
  std::uint32_t taken = 0;
  for (const std::uint64_t handle : handles) {
    std::uint32_t number = 0;
    if (NT_SUCCESS(map_handle(with, handle, number))) ++taken;
  }
  to.check(taken == 0, "MAP_SHARED_HANDLE refuses what is no section",
           message{taken, " of ", handles.size(), " taken"});
}

void check_stable_number(session& with, report& to) {
  const std::uint64_t section = with.around().create_section();
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  const NTSTATUS status = map_handle(with, section, first);
  if (is_gated(status)) {
    to.note("a section's number is not asked for", message{"the operation is switched off"});
  } else {
    const bool is_same = NT_SUCCESS(status) && NT_SUCCESS(map_handle(with, section, second)) &&
                         first != 0 && first == second;
    to.check(is_same, "one section has one number", message{first, " and ", second});
  }
  with.around().close_section(section);
}

void check_bad_packets(session& with, report& to) {
  constexpr std::uint32_t size = sizeof(aerogpu_escape_query_device_out);
  struct packet {
    std::uint32_t version, op, sent_bytes;
  };
  constexpr std::array packets{
      packet{AEROGPU_ESCAPE_VERSION, 0, size},
      packet{AEROGPU_ESCAPE_VERSION, 18, size},
      packet{AEROGPU_ESCAPE_VERSION, 9999, size},
      packet{0, AEROGPU_ESCAPE_OP_QUERY_DEVICE, size},
      packet{2, AEROGPU_ESCAPE_OP_QUERY_DEVICE, size},
      packet{AEROGPU_ESCAPE_VERSION, AEROGPU_ESCAPE_OP_QUERY_DEVICE, size - 1},
      packet{AEROGPU_ESCAPE_VERSION, AEROGPU_ESCAPE_OP_QUERY_DEVICE, 15}};
  std::uint32_t taken = 0;
  for (const packet& one : packets) {
    aerogpu_escape_query_device_out bytes{};
    bytes.hdr = {one.version, one.op, one.sent_bytes, 0};
    if (NT_SUCCESS(with.send(&bytes, one.sent_bytes))) ++taken;
  }
  to.check(taken == 0, "unknown operations, versions and short packets are refused",
           message{taken, " of ", packets.size(), " taken"});
}

void run_escape_security(session& with, report& to) {
  check_bad_address(with, to, 0);
  check_bad_address(with, to, UINT64_MAX - 0xFFF);
  check_bad_handles(with, to);
  check_stable_number(with, to);
  check_bad_packets(with, to);
}

void run_selftest(session& with, report& to) {
  constexpr std::uint32_t attempts = 20;  // The desktop may be drawing.
  aerogpu_escape_selftest_inout test{};
  std::uint32_t attempt = 0;
  do {
    if (attempt != 0) with.around().sleep_ms(100);
    test = {};
    if (!with.ask(to, "SELFTEST answers", AEROGPU_ESCAPE_OP_SELFTEST, test)) return;
    ++attempt;
  } while (test.error_code == AEROGPU_DBGCTL_SELFTEST_ERR_GPU_BUSY && attempt < attempts);
  to.check(test.passed == 1 && test.error_code == AEROGPU_DBGCTL_SELFTEST_OK,
           "the self-test passes", message{"error ", test.error_code + 0u, ", attempt ", attempt});
}

}  // namespace

const guest_test map_shared_handle_stress{
    "map_shared_handle_stress", "a section keeps its number while many others come and go", 60'000,
    &run_map_shared_handle};
const guest_test dbgctl_escape_security_sanity{"dbgctl_escape_security_sanity",
                                               "escapes refuse bad addresses, handles and packets",
                                               10'000, &run_escape_security};
const guest_test dbgctl_selftest_sanity{"dbgctl_selftest_sanity", "the driver's self-test passes",
                                        90'000, &run_selftest};

}  // namespace aerogpu::guest
