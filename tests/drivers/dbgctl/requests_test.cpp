// SPDX-License-Identifier: MIT
// What the debug tool sends.
#include "canned_channel.hpp"
#include "drivers/win7/tools/dbgctl/commands.hpp"
#include "tests/catch.hpp"

#include <cstdio>
#include <string>

using namespace aerogpu;
using namespace aerogpu::test;
using dbgctl::exit_code;

namespace {

/// A file of `size` bytes for as long as a case runs.
struct scratch_file {
  explicit scratch_file(std::size_t size, const char* name) : path(name) {
    std::FILE* const file = std::fopen(name, "wb");
    REQUIRE(file != nullptr);
    for (std::size_t i = 0; i < size; ++i) std::fputc(static_cast<int>(i & 0xFF), file);
    std::fclose(file);
  }
  ~scratch_file() { std::remove(path.c_str()); }
  std::string path;
};

}  // namespace

TEST_CASE("each request has a header of its own size, and zeros where nothing is asked",
          "[dbgctl]") {
  for (const dbgctl::command& row : dbgctl::commands()) {
    if (row.min_operands != 0) continue;
    canned_driver driver;
    INFO(row.name);
    CHECK(run_dbgctl(driver, {row.name}).code == exit_code::refused);
    const auto header = last_request<aerogpu_escape_header>(driver);
    CHECK(header.version == 1);
    CHECK(header.op == row.op);
    CHECK(header.size == row.layout->size);
    CHECK(header.reserved0 == 0);
    CHECK(driver.requests.back().size() == row.layout->size);
  }
}

TEST_CASE("dumps ask for all entries that an answer has room for", "[dbgctl]") {
  canned_driver driver;
  run_dbgctl(driver, {"dump-ring"});
  CHECK(last_request<aerogpu_escape_dump_ring_inout>(driver).desc_capacity == 32);
  run_dbgctl(driver, {"dump-ring-v2"});
  CHECK(last_request<aerogpu_escape_dump_ring_v2_inout>(driver).desc_capacity == 32);
  run_dbgctl(driver, {"dump-createallocation"});
  CHECK(last_request<aerogpu_escape_dump_createallocation_inout>(driver).entry_capacity == 32);
}

TEST_CASE("numbers may be decimal or hexadecimal", "[dbgctl]") {
  canned_driver driver;
  run_dbgctl(driver, {"read-gpa", "0x1234567890", "4096"});
  const auto read = last_request<aerogpu_escape_read_gpa_inout>(driver);
  CHECK(read.gpa == 0x1234567890u);
  CHECK(read.size_bytes == 4096);
  run_dbgctl(driver, {"selftest", "2500"});
  CHECK(last_request<aerogpu_escape_selftest_inout>(driver).timeout_ms == 2500);
}

TEST_CASE("a shared handle is the one that was given, or a section of the program's own",
          "[dbgctl]") {
  canned_driver driver;
  run_dbgctl(driver, {"map-shared-handle", "0x1c0"});
  CHECK(last_request<aerogpu_escape_map_shared_handle_inout>(driver).shared_handle == 0x1c0);
  run_dbgctl(driver, {"map-shared-handle"});
  CHECK(last_request<aerogpu_escape_map_shared_handle_inout>(driver).shared_handle == 0x44);
  driver.section = 0;
  driver.requests.clear();
  CHECK(run_dbgctl(driver, {"map-shared-handle"}).code == exit_code::wrong_usage);
  CHECK(driver.requests.empty());
}

TEST_CASE("a cursor's position may be negative, down to the limit", "[dbgctl]") {
  canned_driver driver;
  run_dbgctl(driver, {"set-cursor-position", "-5", "2147483647"});
  const auto position = last_request<aerogpu_escape_set_cursor_position_in>(driver);
  CHECK(position.x == 0xFFFFFFFBu);
  CHECK(position.y == 0x7FFFFFFFu);
  CHECK(run_dbgctl(driver, {"set-cursor-position", "0", "2147483648"}).code ==
        exit_code::wrong_usage);
}

TEST_CASE("a cursor's shape carries its pixels behind the structure", "[dbgctl]") {
  const scratch_file pixels(4 * 3 * 2, "dbgctl_cursor_fits.bin");
  canned_driver driver;
  run_dbgctl(driver, {"set-cursor-shape", "3", "2", "1", "0", pixels.path});
  const auto shape = last_request<aerogpu_escape_set_cursor_shape_in>(driver);
  CHECK(shape.hdr.size == 48 + 24);
  CHECK(shape.width == 3);
  CHECK(shape.height == 2);
  CHECK(shape.hot_x == 1);
  CHECK(shape.pitch_bytes == 12);
  CHECK(shape.format == 1);
  REQUIRE(driver.requests.back().size() == 48 + 24);
  for (std::size_t i = 0; i < 24; ++i) {
    CHECK(driver.requests.back()[48 + i] == static_cast<std::byte>(i));
  }
}

TEST_CASE("a picture of another size is refused before anything is sent", "[dbgctl]") {
  canned_driver driver;
  for (const std::size_t size : {0u, 23u, 25u}) {
    const scratch_file pixels(size, "dbgctl_cursor_wrong.bin");
    const auto done = run_dbgctl(driver, {"set-cursor-shape", "3", "2", "0", "0", pixels.path});
    CHECK(done.code == exit_code::wrong_usage);
    CHECK(done.err.find("4 * WIDTH * HEIGHT = 24") != std::string::npos);
  }
  CHECK(run_dbgctl(driver, {"set-cursor-shape", "3", "2", "0", "0", "no-such-file"}).code ==
        exit_code::wrong_usage);
  CHECK(driver.requests.empty());
}

TEST_CASE("operands beyond their limit are refused with the limit", "[dbgctl]") {
  struct wrong {
    std::vector<std::string_view> words;
    std::string_view text;
  };
  const std::vector<wrong> all{
      {{"read-gpa", "x", "1"}, "GPA is 'x'"},
      {{"read-gpa", "0x", "1"}, "GPA is '0x'"},
      {{"read-gpa", "0", "4097"}, "SIZE is '4097', not a number up to 4096"},
      {{"read-gpa", "18446744073709551616", "1"}, "GPA is"},
      {{"read-gpa", "0"}, "read-gpa needs GPA SIZE [FILE]"},
      {{"read-gpa", "0", "1", "a", "b"}, "and nothing more"},
      {{"selftest", "4294967296"}, "TIMEOUT_MS is"},
      {{"set-cursor-visibility", "2"}, "VISIBLE is '2', not a number up to 1"},
      {{"set-cursor-shape", "513", "1", "0", "0", "f"}, "WIDTH is '513'"},
      {{"set-cursor-shape", "0", "1", "0", "0", "f"}, "no pixels"},
      {{"query-fence", "1"}, "query-fence takes no operand"},
      {{"fly"}, "there is no command 'fly'"},
      {{"--fast", "query-fence"}, "there is no option --fast"},
      {{"status", "1"}, "status takes no operand"},
  };
  for (const wrong& row : all) {
    canned_driver driver;
    const auto done = run_dbgctl(driver, row.words);
    INFO(row.text);
    CHECK(done.code == exit_code::wrong_usage);
    CHECK(done.err.find(row.text) != std::string::npos);
    CHECK(done.out.empty());
    CHECK(driver.requests.empty());
  }
}
