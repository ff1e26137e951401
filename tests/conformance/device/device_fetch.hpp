// SPDX-License-Identifier: MIT
/// \file DEV-050..066: command buffers, allocation tables, and what their errors leave behind.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"
#include "tests/conformance/device/snapshot_edits.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::conformance {

/// A stream that leaves a buffer behind when it runs.
[[nodiscard]] inline auto visible_stream() -> byte_vector {
  return stream_builder{}.create_buffer(1, 16).bytes();
}

/// Submits, and checks that the stream did not run, the error holds the fence, and the fence moved.
template <class Rig>
void check_malformed(Rig& rig, const aerogpu_submit_desc& desc, aerogpu_error_code code,
                     std::uint32_t errors = 1) {
  rig.submit(desc);
  rig.check_error(code, desc.signal_fence, errors);
  CHECK(rig.completed() == desc.signal_fence);
  CHECK(rig.page_fence() == desc.signal_fence);
  CHECK(rig.pending() == 0);
  CHECK(rig.dev->processor().counts().buffers == 0);
}

template <class Backend, class Change>
void check_malformed_desc(aerogpu_error_code code, Change change) {
  device_rig<Backend> rig;
  rig.start();
  auto desc = rig.describe({.fence = 9, .stream = visible_stream(), .table = {{{1, 0, 0, 16, 0}}}});
  change(desc);
  check_malformed(rig, desc, code);
}

TEMPLATE_LIST_TEST_CASE("DEV-050 half of a command buffer's address and size is CMD_DECODE",
                        "[conformance][device]", backends) {
  check_malformed_desc<TestType>(AEROGPU_ERROR_CMD_DECODE, [](auto& d) { d.cmd_gpa = 0; });
  check_malformed_desc<TestType>(AEROGPU_ERROR_CMD_DECODE, [](auto& d) { d.cmd_size_bytes = 0; });
}

TEMPLATE_LIST_TEST_CASE("DEV-051 a command buffer that wraps past 2^64 is OOB",
                        "[conformance][device]", backends) {
  check_malformed_desc<TestType>(AEROGPU_ERROR_OOB,
                                 [](auto& d) { d.cmd_gpa = UINT64_MAX - d.cmd_size_bytes + 1; });
  check_malformed_desc<TestType>(AEROGPU_ERROR_OOB, [](auto& d) { d.cmd_gpa = UINT64_MAX; });
}

TEMPLATE_LIST_TEST_CASE("DEV-052 a command buffer below a stream header is CMD_DECODE",
                        "[conformance][device]", backends) {
  check_malformed_desc<TestType>(AEROGPU_ERROR_CMD_DECODE, [](auto& d) { d.cmd_size_bytes = 23; });
  check_malformed_desc<TestType>(AEROGPU_ERROR_CMD_DECODE, [](auto& d) { d.cmd_size_bytes = 1; });
}

TEMPLATE_LIST_TEST_CASE("DEV-053 a stream longer than its buffer is OOB, slack is ignored",
                        "[conformance][device]", backends) {
  check_malformed_desc<TestType>(AEROGPU_ERROR_OOB, [](auto& d) { d.cmd_size_bytes -= 1; });
  check_malformed_desc<TestType>(AEROGPU_ERROR_OOB, [](auto& d) { d.cmd_size_bytes = 24; });
  device_rig<TestType> rig;
  rig.start();
  auto stream = visible_stream();
  stream.resize(stream.size() + 100, std::byte{0xFF});
  rig.submit({.fence = 1, .stream = stream});
  CHECK(rig.dev->processor().counts().buffers == 1);
  rig.check_no_error();
}

/// The stream with one dword of its header changed, in a buffer that seems large enough.
template <class Backend>
void check_malformed_stream(std::uint32_t offset, std::uint32_t value,
                            std::uint32_t buffer_bytes = 0) {
  device_rig<Backend> rig;
  rig.start();
  auto desc = rig.describe(
      {.fence = 9, .stream = stream_builder{}.create_buffer(1, 16).patch(offset, value).bytes()});
  if (buffer_bytes != 0) desc.cmd_size_bytes = buffer_bytes;
  check_malformed(rig, desc, AEROGPU_ERROR_CMD_DECODE);
}

TEMPLATE_LIST_TEST_CASE("DEV-054 a stream above 64 MiB is refused before anything is allocated",
                        "[conformance][device]", backends) {
  check_malformed_stream<TestType>(8, (64u << 20) + 4, 0xFFFFFFFF);
  check_malformed_stream<TestType>(8, 0xFFFFFFFC, 0xFFFFFFFF);
}

TEMPLATE_LIST_TEST_CASE("DEV-055 a wrong size, magic or major of the stream is CMD_DECODE",
                        "[conformance][device]", backends) {
  check_malformed_stream<TestType>(8, 25);
  check_malformed_stream<TestType>(8, 62);
  check_malformed_stream<TestType>(8, 20);
  check_malformed_stream<TestType>(0, 0x444D4340);
  check_malformed_stream<TestType>(4, 0x00020000);
}

TEMPLATE_LIST_TEST_CASE("DEV-056 half of a table's address and size is CMD_DECODE, wrapping OOB",
                        "[conformance][device]", backends) {
  check_malformed_desc<TestType>(AEROGPU_ERROR_CMD_DECODE, [](auto& d) { d.alloc_table_gpa = 0; });
  check_malformed_desc<TestType>(AEROGPU_ERROR_CMD_DECODE,
                                 [](auto& d) { d.alloc_table_size_bytes = 0; });
  check_malformed_desc<TestType>(AEROGPU_ERROR_OOB, [](auto& d) {
    d.alloc_table_gpa = UINT64_MAX - d.alloc_table_size_bytes + 1;
  });
}

/// Submits with a table whose bytes `change` made wrong.
template <class Backend, class Change>
void check_malformed_table(aerogpu_error_code code, Change change) {
  device_rig<Backend> rig;
  rig.start();
  auto table = test::make_table({{1, 0, 0x5000, 16, 0}, {2, 0, 0x6000, 16, 0}});
  auto desc = rig.describe({.fence = 9, .stream = visible_stream()});
  const auto patch = [&](std::size_t offset, auto value) { store(table.data() + offset, value); };
  change(patch);
  desc.alloc_table_gpa = raw(rig.place(table));
  desc.alloc_table_size_bytes = static_cast<std::uint32_t>(table.size());
  check_malformed(rig, desc, code);
}

TEMPLATE_LIST_TEST_CASE("DEV-057 a wrong header of the table is CMD_DECODE",
                        "[conformance][device]", backends) {
  const auto [offset, value] = GENERATE(table<std::size_t, std::uint32_t>({
      {0, 0x434F4C40},  // magic
      {4, 0x00020000},  // major
      {8, 23},          // size_bytes
      {8, 89},          // more than the descriptor's
      {16, 31},         // entry_stride_bytes
      {16, 0},
  }));
  const auto at = offset;
  const auto word = value;
  check_malformed_table<TestType>(AEROGPU_ERROR_CMD_DECODE, [&](auto patch) { patch(at, word); });
}

TEMPLATE_LIST_TEST_CASE("DEV-057 a table below its header, or above 16 MiB, is CMD_DECODE",
                        "[conformance][device]", backends) {
  check_malformed_desc<TestType>(AEROGPU_ERROR_CMD_DECODE,
                                 [](auto& d) { d.alloc_table_size_bytes = 23; });
  device_rig<TestType> rig;
  rig.start();
  auto table = test::make_table({});
  store(table.data() + 8, (16u << 20) + 1);
  auto desc = rig.describe({.fence = 9, .stream = visible_stream()});
  desc.alloc_table_gpa = raw(rig.place(table));
  desc.alloc_table_size_bytes = 0xFFFFFFFF;
  check_malformed(rig, desc, AEROGPU_ERROR_CMD_DECODE);
}

TEMPLATE_LIST_TEST_CASE("DEV-058 entries beyond the table's size are OOB", "[conformance][device]",
                        backends) {
  const auto count = GENERATE(as<std::uint32_t>{}, 3, 0x08000000, 0xFFFFFFFF);
  check_malformed_table<TestType>(AEROGPU_ERROR_OOB, [&](auto patch) { patch(12, count); });
}

TEMPLATE_LIST_TEST_CASE("DEV-059 entries without id or size are CMD_DECODE, wrapping ones OOB",
                        "[conformance][device]", backends) {
  check_malformed_table<TestType>(AEROGPU_ERROR_CMD_DECODE,
                                  [](auto patch) { patch(24 + 32, std::uint32_t{0}); });
  check_malformed_table<TestType>(AEROGPU_ERROR_CMD_DECODE,
                                  [](auto patch) { patch(24 + 32 + 16, std::uint64_t{0}); });
  check_malformed_table<TestType>(AEROGPU_ERROR_OOB,
                                  [](auto patch) { patch(24 + 32 + 8, UINT64_MAX - 14); });
}

TEMPLATE_LIST_TEST_CASE("DEV-060 an id that occurs twice is CMD_DECODE, also with equal contents",
                        "[conformance][device]", backends) {
  const bool is_equal = GENERATE(true, false);
  check_malformed_table<TestType>(AEROGPU_ERROR_CMD_DECODE, [&](auto patch) {
    patch(24 + 32, std::uint32_t{1});
    if (is_equal) patch(24 + 32 + 8, std::uint64_t{0x5000});
  });
}

TEMPLATE_LIST_TEST_CASE("DEV-061 guest memory at address 0 can be an allocation",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.machine.ram.poke(gpa{0}, test::filled(16, 0x5A));
  rig.submit({.fence = 1,
              .stream = stream_builder{}
                            .create_buffer(1, 16, {.alloc_id = 7})
                            .create_buffer(2, 16, {.alloc_id = 8})
                            .copy_buffer(2, 0, 1, 0, 16, AEROGPU_COPY_FLAG_WRITEBACK_DST)
                            .bytes(),
              .table = {{{7, 0, 0, 16, 0}, {8, 0, 0x8000, 16, 0}}}});
  rig.machine.ram.map(gpa{0x8000}, 16);
  rig.check_error(AEROGPU_ERROR_BACKEND, 1);  // Nothing was mapped at 0x8000 yet.
  rig.machine.ram.poke(gpa{0}, test::filled(16, 0x5A));
  rig.submit({.fence = 2,
              .stream = stream_builder{}
                            .dirty(1, 0, 16)
                            .copy_buffer(2, 0, 1, 0, 16, AEROGPU_COPY_FLAG_WRITEBACK_DST)
                            .bytes(),
              .table = {{{7, 0, 0, 16, 0}, {8, 0, 0x8000, 16, 0}}}});
  CHECK(rig.error_count() == 1);
  CHECK(rig.machine.ram.peek(gpa{0x8000}, 16) == test::filled(16, 0x5A));
}

TEMPLATE_LIST_TEST_CASE("DEV-062 a longer stride and spare room in the table are accepted",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  byte_vector table(24 + 2 * 48 + 100, std::byte{0xFF});
  store(table.data(),
        aerogpu_alloc_table_header{AEROGPU_ALLOC_TABLE_MAGIC, 0x00010063, 24 + 2 * 48, 2, 48, 0});
  store(table.data() + 24, aerogpu_alloc_entry{1, 0, 0x5000, 16, 0});
  store(table.data() + 24 + 48, aerogpu_alloc_entry{2, 0, 0x6000, 16, 0});
  auto desc =
      rig.describe({.fence = 1, .stream = stream_builder{}.create_buffer(1, 16, {2}).bytes()});
  desc.alloc_table_gpa = raw(rig.place(table));
  desc.alloc_table_size_bytes = static_cast<std::uint32_t>(table.size());
  rig.submit(desc);
  rig.check_no_error();
  CHECK(rig.dev->processor().counts().buffers == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-062 a table without entries is valid", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 1, .stream = visible_stream(), .table = std::vector<aerogpu_alloc_entry>{}});
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-063 a malformed submission completes at once, present or not",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_scanout({});
  auto desc =
      rig.describe({.fence = 9, .stream = present_stream(), .flags = AEROGPU_SUBMIT_FLAG_PRESENT});
  desc.alloc_table_gpa = 0x1000;
  check_malformed(rig, desc, AEROGPU_ERROR_CMD_DECODE);
}

TEMPLATE_LIST_TEST_CASE("DEV-064 a bad table and a bad stream count as two errors",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  auto desc = rig.describe({.fence = 9, .stream = visible_stream()});
  desc.alloc_table_gpa = 0x1000;
  desc.cmd_gpa = UINT64_MAX;
  check_malformed(rig, desc, AEROGPU_ERROR_OOB, 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-065 the last error stays through acks and is counted",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 1, .stream = byte_vector(8)});
  rig.acknowledge(0xFFFFFFFF);
  CHECK(rig.error_code_register() == AEROGPU_ERROR_CMD_DECODE);
  CHECK(rig.error_fence() == 1);
  auto desc = rig.describe({.fence = 2, .stream = idle_stream()});
  desc.cmd_gpa = UINT64_MAX;
  rig.submit(desc);
  rig.check_error(AEROGPU_ERROR_OOB, 2, 2);
  rig.submit({.fence = 3, .stream = idle_stream()});
  rig.check_error(AEROGPU_ERROR_OOB, 2, 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-065 the count of errors saturates", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig;
  rig.start();
  const auto nearly_full = snapshot_case::with_registers(
      snapshot_case::save(rig), [](saved_registers& r) { r.error_count = UINT32_MAX - 1; });
  REQUIRE(rig.dev->load(nearly_full));
  for (const std::uint64_t fence : {1u, 2u, 3u}) {
    rig.submit({.fence = fence, .stream = byte_vector(8)});
    rig.check_error(AEROGPU_ERROR_CMD_DECODE, fence, UINT32_MAX);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-065 execution errors are BACKEND, framing errors CMD_DECODE",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 1, .stream = stream_builder{}.copy_buffer(1, 0, 2, 0, 4).bytes()});
  rig.check_error(AEROGPU_ERROR_BACKEND, 1, 1);
  CHECK(rig.completed() == 1);
  rig.submit({.fence = 2, .stream = stream_builder{}.append_words({1, 4}).bytes()});
  rig.check_error(AEROGPU_ERROR_CMD_DECODE, 2, 2);
  CHECK(rig.completed() == 2);
  REQUIRE(rig.machine.errors.size() == 2);
  CHECK(rig.machine.errors[0].why.code == error_code::unknown_handle);
  CHECK(rig.machine.errors[1].why.code == error_code::framing);
}

TEMPLATE_LIST_TEST_CASE("DEV-066 ERROR_FENCE holds 64 bits", "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.submit({.fence = 0x1234567890ABCDEF, .stream = byte_vector(8)});
  CHECK(rig.read(AEROGPU_MMIO_REG_ERROR_FENCE_LO) == 0x90ABCDEF);
  CHECK(rig.read(AEROGPU_MMIO_REG_ERROR_FENCE_HI) == 0x12345678);
}

}  // namespace aerogpu::conformance
