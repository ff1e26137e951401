// SPDX-License-Identifier: MIT
// What the debug tool makes of answers, good and bad.
#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/ring.h"
#include "canned_channel.hpp"
#include "drivers/win7/tools/dbgctl/commands.hpp"
#include "tests/catch.hpp"

#include <string>

using namespace aerogpu;
using namespace aerogpu::test;
using dbgctl::exit_code;

namespace {

constexpr std::uint32_t valid = 0x80000000u;

auto contains(const std::string& text, std::string_view part) -> bool {
  return text.find(part) != std::string::npos;
}

auto fence_answer() -> canned_answer {
  aerogpu_escape_query_fence_out body{};
  body.last_submitted_fence = 0x1'0000'0005;
  body.last_completed_fence = 12;
  body.error_irq_count = 3;
  return answer_of(AEROGPU_ESCAPE_OP_QUERY_FENCE, body);
}

auto ring_answer(std::uint32_t count) -> canned_answer {
  aerogpu_escape_dump_ring_v2_inout body{};
  body.ring_format = AEROGPU_DBGCTL_RING_FORMAT_AGPU;
  body.tail = 7;
  body.desc_count = count;
  body.desc[0] = {5, 0x10000, 64, AEROGPU_SUBMIT_FLAG_PRESENT | 0x10, 0x20000, 48, 0};
  body.desc[1] = {6, 0x30000, 128, 0, 0, 0, 0};
  return answer_of(AEROGPU_ESCAPE_OP_DUMP_RING_V2, body);
}

}  // namespace

TEST_CASE("values are one a line, names and values lined up", "[dbgctl]") {
  canned_driver driver{{{AEROGPU_ESCAPE_OP_QUERY_FENCE, fence_answer()}}, {}};
  const auto done = run_dbgctl(driver, {"query-fence"});
  CHECK(done.code == exit_code::fine);
  CHECK(done.err.empty());
  CHECK(done.out ==
        "query-fence\n"
        "  last_submitted_fence  4294967301\n"
        "  last_completed_fence  12\n"
        "  error_irq_count       3\n"
        "  last_error_fence      0\n");
}

TEST_CASE("the same as one JSON object", "[dbgctl]") {
  canned_driver driver{{{AEROGPU_ESCAPE_OP_QUERY_FENCE, fence_answer()}}, {}};
  CHECK(run_dbgctl(driver, {"query-fence", "--json"}).out ==
        "{\"command\":\"query-fence\",\"op\":2,\"answer\":{"
        "\"last_submitted_fence\":4294967301,\"last_completed_fence\":12,"
        "\"error_irq_count\":3,\"last_error_fence\":0}}\n");
}

TEST_CASE("an older driver's shorter answer leaves out what it does not have", "[dbgctl]") {
  canned_answer answer = fence_answer();
  answer.bytes.resize(32);
  answer.bytes[8] = std::byte{32};
  canned_driver driver{{{AEROGPU_ESCAPE_OP_QUERY_FENCE, answer}}, {}};
  const auto done = run_dbgctl(driver, {"query-fence"});
  CHECK(done.code == exit_code::fine);
  CHECK(contains(done.out, "  last_completed_fence  12\n"));
  CHECK(contains(done.out, "  error_irq_count       -\n"));
  CHECK(contains(run_dbgctl(driver, {"query-fence", "--json"}).out, "\"error_irq_count\":null"));
}

TEST_CASE("identity is named, and features read as in wire.md 3.3", "[dbgctl]") {
  aerogpu_escape_query_device_v2_out body{};
  body.detected_mmio_magic = AEROGPU_MMIO_MAGIC;
  body.abi_version_u32 = 0x10004;
  body.features_lo = AEROGPU_FEATURE_FENCE_PAGE | AEROGPU_FEATURE_CURSOR | 0x100'0000'0000;
  body.features_hi = 1;
  canned_driver driver{
      {{AEROGPU_ESCAPE_OP_QUERY_DEVICE_V2, answer_of(AEROGPU_ESCAPE_OP_QUERY_DEVICE_V2, body)}},
      {}};
  const auto text = run_dbgctl(driver, {"query-device-v2"}).out;
  CHECK(contains(text, "magic        AGPU\n"));
  CHECK(contains(text, "abi_version  1.4\n"));
  CHECK(contains(text, "features     cursor, fence_page, unknown_bit_40\n"));
  CHECK(contains(text, "features_hi  unknown_bit_64\n"));
  const auto json = run_dbgctl(driver, {"query-device-v2", "--json"}).out;
  CHECK(contains(json,
                 "\"magic\":\"AGPU\",\"abi_version\":\"1.4\",\"features\":["
                 "\"fence_page\",\"cursor\",\"unknown_bit_40\"],"
                 "\"features_hi\":[\"unknown_bit_64\"]"));
}

TEST_CASE("what its flags do not vouch for is shown as nothing", "[dbgctl]") {
  aerogpu_escape_query_cursor_out body{};
  body.x = 0xFFFFFFFF;
  body.fb_gpa = 0x7000;
  body.format = 2;
  struct expected {
    std::uint32_t flags;
    std::string_view x, fb;
  };
  constexpr std::uint32_t supported = AEROGPU_DBGCTL_QUERY_CURSOR_FLAG_CURSOR_SUPPORTED;
  for (const expected& row : {expected{valid | supported, "-1", "0x7000"},
                              expected{valid, "-", "-"}, expected{supported, "-", "-"}}) {
    body.flags = row.flags;
    canned_driver driver{
        {{AEROGPU_ESCAPE_OP_QUERY_CURSOR, answer_of(AEROGPU_ESCAPE_OP_QUERY_CURSOR, body)}}, {}};
    const auto text = run_dbgctl(driver, {"query-cursor"}).out;
    CHECK(contains(text, "  x            " + std::string{row.x} + "\n"));
    CHECK(contains(text, "  fb_gpa       " + std::string{row.fb} + "\n"));
  }
}

TEST_CASE("entries of a dump are a table, and objects in JSON", "[dbgctl]") {
  canned_driver driver{{{AEROGPU_ESCAPE_OP_DUMP_RING_V2, ring_answer(2)}}, {}};
  const auto text = run_dbgctl(driver, {"dump-ring-v2"}).out;
  CHECK(contains(text, "  fence  cmd_gpa  cmd_size_bytes  flags           alloc_table_gpa"));
  CHECK(contains(text, "  5      0x10000  64              present, bit 4  0x20000"));
  CHECK(contains(text, "  6      0x30000  128             none            0x0"));
  const auto json = run_dbgctl(driver, {"dump-ring-v2", "--json"}).out;
  CHECK(contains(json, "\"entries\":[{\"fence\":5,\"cmd_gpa\":\"0x10000\","));
  CHECK(contains(json, "\"flags\":[\"present\",\"bit 4\"]"));
  CHECK(contains(json, "},{\"fence\":6,"));
}

TEST_CASE("an answer that counts more than it holds is malformed", "[dbgctl]") {
  for (const std::uint32_t count : {0u, 1u, 32u}) {
    canned_driver driver{{{AEROGPU_ESCAPE_OP_DUMP_RING_V2, ring_answer(count)}}, {}};
    CHECK(run_dbgctl(driver, {"dump-ring-v2"}).code == exit_code::fine);
  }
  for (const std::uint32_t count : {33u, 0xFFFFFFFFu}) {
    canned_driver driver{{{AEROGPU_ESCAPE_OP_DUMP_RING_V2, ring_answer(count)}}, {}};
    const auto done = run_dbgctl(driver, {"dump-ring-v2"});
    CHECK(done.code == exit_code::malformed);
    CHECK(contains(done.err, "and has room for 32"));
  }
  canned_answer cut = ring_answer(2);
  const std::uint32_t one_entry = 52 + 40;
  std::memcpy(cut.bytes.data() + 8, &one_entry, 4);
  canned_driver driver{{{AEROGPU_ESCAPE_OP_DUMP_RING_V2, cut}}, {}};
  CHECK(run_dbgctl(driver, {"dump-ring-v2"}).code == exit_code::malformed);
}

TEST_CASE("headers that answer something else are malformed", "[dbgctl]") {
  struct spoiled {
    std::size_t at;
    std::uint32_t value;
    std::string_view text;
  };
  for (const spoiled& row : {spoiled{0, 2, "version 2, not 1"}, spoiled{4, 3, "operation 3, not 2"},
                             spoiled{8, 31, "31 bytes, not 32 to 48"},
                             spoiled{8, 49, "49 bytes, not 32 to 48"}, spoiled{8, 0, "0 bytes"}}) {
    canned_answer answer = fence_answer();
    std::memcpy(answer.bytes.data() + row.at, &row.value, 4);
    canned_driver driver{{{AEROGPU_ESCAPE_OP_QUERY_FENCE, answer}}, {}};
    const auto done = run_dbgctl(driver, {"query-fence"});
    CHECK(done.code == exit_code::malformed);
    CHECK(contains(done.err, row.text));
    CHECK(done.out.empty());
  }
}

TEST_CASE("memory is a dump of bytes, and as they are in a file", "[dbgctl]") {
  aerogpu_escape_read_gpa_inout body{};
  body.gpa = 0x5000;
  body.bytes_copied = 18;
  body.size_bytes = 18;
  for (int i = 0; i < 18; ++i) body.data[i] = static_cast<std::uint8_t>(0x3F + i);
  canned_driver driver{{{AEROGPU_ESCAPE_OP_READ_GPA, answer_of(AEROGPU_ESCAPE_OP_READ_GPA, body)}},
                       {}};
  const auto done = run_dbgctl(driver, {"read-gpa", "0x5000", "18", "dbgctl_memory.bin"});
  CHECK(done.code == exit_code::fine);
  CHECK(contains(done.out,
                 "  0x0000000000005000  3f 40 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e  "
                 "?@ABCDEFGHIJKLMN\n"));
  CHECK(contains(done.out, "  0x0000000000005010  4f 50" + std::string(42, ' ') + "  OP\n"));
  std::FILE* const file = std::fopen("dbgctl_memory.bin", "rb");
  REQUIRE(file != nullptr);
  char bytes[32]{};
  CHECK(std::fread(bytes, 1, sizeof bytes, file) == 18);
  std::fclose(file);
  std::remove("dbgctl_memory.bin");
  CHECK(std::string_view{bytes, 3} == "?@A");
  CHECK(contains(run_dbgctl(driver, {"read-gpa", "0x5000", "18", "--json"}).out,
                 "\"data\":\"3f4041"));
  CHECK(run_dbgctl(driver, {"read-gpa", "0", "18", "no/such/folder"}).code ==
        exit_code::wrong_usage);
}

TEST_CASE("faults that an answer reports are exit code 1", "[dbgctl]") {
  aerogpu_escape_selftest_inout test{};
  test.error_code = AEROGPU_DBGCTL_SELFTEST_ERR_GPU_BUSY;
  aerogpu_escape_query_error_out error{};
  error.flags = valid | AEROGPU_DBGCTL_QUERY_ERROR_FLAG_ERROR_LATCHED;
  error.error_code = 2;
  aerogpu_escape_read_gpa_inout read{};
  read.status = 0xC0000022;
  canned_driver driver{
      {{AEROGPU_ESCAPE_OP_SELFTEST, answer_of(AEROGPU_ESCAPE_OP_SELFTEST, test)},
       {AEROGPU_ESCAPE_OP_QUERY_ERROR, answer_of(AEROGPU_ESCAPE_OP_QUERY_ERROR, error)},
       {AEROGPU_ESCAPE_OP_READ_GPA, answer_of(AEROGPU_ESCAPE_OP_READ_GPA, read)}},
      {}};
  for (const auto& [words, text] :
       std::vector<std::pair<std::vector<std::string_view>, std::string>>{
           {{"selftest"}, "GPU busy"},
           {{"query-error"}, "OOB"},
           {{"read-gpa", "0", "1"}, "access denied"}}) {
    const auto done = run_dbgctl(driver, words);
    CHECK(done.code == exit_code::trouble);
    CHECK(contains(done.out, text));
    CHECK(!done.err.empty());
  }
  test.passed = 1;
  error.flags = valid;
  driver.answers[AEROGPU_ESCAPE_OP_SELFTEST] = answer_of(AEROGPU_ESCAPE_OP_SELFTEST, test);
  driver.answers[AEROGPU_ESCAPE_OP_QUERY_ERROR] = answer_of(AEROGPU_ESCAPE_OP_QUERY_ERROR, error);
  CHECK(run_dbgctl(driver, {"selftest"}).code == exit_code::fine);
  CHECK(run_dbgctl(driver, {"query-error"}).code == exit_code::fine);
}

TEST_CASE("a refused gated operation says how to allow it, another one that it is missing",
          "[dbgctl]") {
  canned_driver driver;
  const auto gated = run_dbgctl(driver, {"read-gpa", "0", "1"});
  CHECK(gated.code == exit_code::refused);
  CHECK(contains(gated.err, "refused with 0xc00000bb"));
  CHECK(contains(gated.err, "EnableReadGpaEscape"));
  CHECK(contains(gated.err, "SeDebugPrivilege"));
  const auto handle = run_dbgctl(driver, {"map-shared-handle", "--json"});
  CHECK(contains(handle.err, "EnableMapSharedHandleEscape"));
  CHECK(contains(handle.out, "\"problem\":\"map-shared-handle is refused"));
  const auto plain = run_dbgctl(driver, {"query-perf"});
  CHECK(plain.code == exit_code::refused);
  CHECK(contains(plain.err, "does not have it"));
  CHECK(!contains(plain.err, "Enable"));
  driver.answers[AEROGPU_ESCAPE_OP_QUERY_PERF].status = dbgctl::nt_status::access_denied;
  CHECK(contains(run_dbgctl(driver, {"query-perf"}).err, "refused with 0xc0000022\n"));
}

TEST_CASE("status asks every query and changes nothing; its code is the worst", "[dbgctl]") {
  canned_driver driver{{{AEROGPU_ESCAPE_OP_QUERY_FENCE, fence_answer()},
                        {AEROGPU_ESCAPE_OP_DUMP_RING_V2, ring_answer(1)}},
                       {}};
  const auto done = run_dbgctl(driver, {"status"});
  CHECK(done.code == exit_code::refused);
  CHECK(driver.requests.size() == 11);
  CHECK(driver.opened == 1);
  for (const auto& request : driver.requests) {
    std::uint32_t op = 0;
    std::memcpy(&op, request.data() + 4, sizeof op);
    CHECK(op != AEROGPU_ESCAPE_OP_SELFTEST);
    CHECK(op != AEROGPU_ESCAPE_OP_MAP_SHARED_HANDLE);
    CHECK(op != AEROGPU_ESCAPE_OP_READ_GPA);
    CHECK(op < AEROGPU_ESCAPE_OP_SET_CURSOR_SHAPE);
  }
  CHECK(contains(done.out, "query-fence\n"));
  CHECK(contains(done.out, "dump-ring-v2\n"));
  const auto json = run_dbgctl(driver, {"status", "--json"}).out;
  CHECK(json.starts_with("[{\"command\":\"query-device\",\"op\":1,\"problem\":"));
  CHECK(json.ends_with("}]\n"));
}

TEST_CASE("without an adapter the reason is told and the code is 3", "[dbgctl]") {
  dbgctl::output to;
  const std::vector<std::string_view> words{"status"};
  const auto none = [](std::string& why) -> std::unique_ptr<dbgctl::escape_channel> {
    why = "no display here";
    return nullptr;
  };
  CHECK(dbgctl::run(words, none, to) == exit_code::no_adapter);
  CHECK(to.err == "aerogpu_dbgctl: no display here\n");
  CHECK(to.out.empty());
}

TEST_CASE("help is complete, fits a terminal and needs no adapter", "[dbgctl]") {
  canned_driver driver;
  const auto help = run_dbgctl(driver, {"--help"});
  CHECK(help.code == exit_code::fine);
  CHECK(contains(help.out, "Exit codes: 0 fine; 1"));
  for (const dbgctl::command& row : dbgctl::commands()) {
    INFO(row.name);
    CHECK(contains(help.out, "\n  " + std::string{row.name} + "  "));
    const auto own = run_dbgctl(driver, {row.name, "--help"});
    CHECK(own.code == exit_code::fine);
    CHECK(own.out.starts_with("usage: aerogpu_dbgctl [--json] " + std::string{row.name}));
    CHECK(contains(own.out, row.operands));
    CHECK(contains(own.out, "SeDebugPrivilege") == !row.gate.empty());
    for (std::size_t at = 0; at < own.out.size(); at = own.out.find('\n', at) + 1) {
      CHECK(own.out.find('\n', at) - at <= 100);
    }
  }
  CHECK(driver.opened == 0);
  CHECK(run_dbgctl(driver, {}).code == exit_code::wrong_usage);
  CHECK(run_dbgctl(driver, {"--version"}).out.starts_with("aerogpu_dbgctl "));
}
