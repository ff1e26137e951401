// SPDX-License-Identifier: MIT
// Tests of aerogpu/ring/submission_fetch.hpp.
#include "aerogpu/ring/submission_fetch.hpp"

#include "aerogpu/abi/version.h"
#include "tests/catch.hpp"
#include "tests/unit/ring/ring_memory.hpp"

#include <vector>

using namespace aerogpu;
using test::fake_memory;
using test::memory_mood;

namespace {

constexpr std::uint32_t stream_limit = 64u << 20;
constexpr std::uint32_t table_limit = 16u << 20;
constexpr gpa buffer_at{0x20000};

/// Counts what is asked of it, so that a test sees that nothing was.
struct counting_storage {
  std::vector<std::byte> bytes;
  std::size_t most = SIZE_MAX;
  int calls = 0;

  auto reserve(std::size_t size) noexcept -> mutable_bytes {
    ++calls;
    if (size > most) return {};
    bytes.resize(size);
    return bytes;
  }
};
static_assert(byte_storage<counting_storage>);

auto stream_header(std::uint32_t size_bytes) -> aerogpu_cmd_stream_header {
  aerogpu_cmd_stream_header header{};
  header.magic = AEROGPU_CMD_STREAM_MAGIC;
  header.abi_version = AEROGPU_ABI_VERSION_U32;
  header.size_bytes = size_bytes;
  return header;
}

auto table_header(std::uint32_t size_bytes, std::uint32_t entry_count)
    -> aerogpu_alloc_table_header {
  aerogpu_alloc_table_header header{};
  header.magic = AEROGPU_ALLOC_TABLE_MAGIC;
  header.abi_version = AEROGPU_ABI_VERSION_U32;
  header.size_bytes = size_bytes;
  header.entry_count = entry_count;
  header.entry_stride_bytes = sizeof(aerogpu_alloc_entry);
  return header;
}

auto with_commands(std::uint64_t at, std::uint32_t size) -> aerogpu_submit_desc {
  aerogpu_submit_desc desc = test::empty_descriptor(1);
  desc.cmd_gpa = at;
  desc.cmd_size_bytes = size;
  return desc;
}

auto with_table(std::uint64_t at, std::uint32_t size) -> aerogpu_submit_desc {
  aerogpu_submit_desc desc = test::empty_descriptor(1);
  desc.alloc_table_gpa = at;
  desc.alloc_table_size_bytes = size;
  return desc;
}

}  // namespace

TEST_CASE("a submission without buffers has no bytes and touches no memory", "[ring][fetch]") {
  fake_memory memory;
  counting_storage storage;
  const auto desc = test::empty_descriptor(1);
  const auto commands = fetch_commands(memory, desc, stream_limit, storage);
  REQUIRE(commands);
  CHECK(commands->empty());
  const auto table = fetch_alloc_table(memory, desc, table_limit, storage);
  REQUIRE(table);
  CHECK(table->empty());
  CHECK(storage.calls == 0);
}

TEST_CASE("an address without size, a size without address and a wrapping range are refused",
          "[ring][fetch]") {
  const auto [at, size, code] = GENERATE(table<std::uint64_t, std::uint32_t, error_code>(
      {{0, 64, error_code::cmd_decode},
       {0x20000, 0, error_code::cmd_decode},
       {UINT64_MAX - 10, 64, error_code::out_of_bounds},
       {UINT64_MAX - 63, 64, error_code::out_of_bounds},
       {UINT64_MAX - 10, 8, error_code::cmd_decode},  // fits, but is below a header
       {0x20000, 23, error_code::cmd_decode}}));
  CAPTURE(at, size);
  fake_memory memory;
  memory.map(buffer_at, 4096);
  counting_storage storage;
  CHECK(fetch_commands(memory, with_commands(at, size), stream_limit, storage).why().code == code);
  CHECK(fetch_alloc_table(memory, with_table(at, size), table_limit, storage).why().code == code);
  CHECK(storage.calls == 0);
  CHECK(memory.max_reads(buffer_at, 4096) == 0);
}

TEST_CASE("a stream header is checked in the order of host.md 1.10", "[ring][fetch]") {
  struct row {
    const char* why;
    aerogpu_cmd_stream_header header;
    std::uint32_t capacity;
    error_code code;
  };
  auto other_magic = stream_header(24);
  other_magic.magic ^= 1;
  auto major_2 = stream_header(24);
  major_2.abi_version = 0x20000;
  auto minor_99 = stream_header(24);
  minor_99.abi_version = 0x10063;
  auto odd_and_large = stream_header(4097);
  auto reserved = stream_header(24);
  reserved.flags = reserved.reserved0 = reserved.reserved1 = ~0u;
  const row rows[] = {
      {"good", stream_header(24), 24, error_code::none},
      {"slack", stream_header(32), 4096, error_code::none},
      {"magic", other_magic, 4096, error_code::cmd_decode},
      {"major", major_2, 4096, error_code::cmd_decode},
      {"minor", minor_99, 4096, error_code::none},
      {"flags and reserved", reserved, 4096, error_code::none},
      {"size 20", stream_header(20), 4096, error_code::cmd_decode},
      {"size 26", stream_header(26), 4096, error_code::cmd_decode},
      {"size exceeds the buffer", stream_header(28), 24, error_code::out_of_bounds},
      {"odd size before the buffer's", odd_and_large, 4096, error_code::cmd_decode},
      {"at the limit, no memory", stream_header(stream_limit), UINT32_MAX, error_code::cmd_decode},
      {"above the limit", stream_header(stream_limit + 4), UINT32_MAX, error_code::cmd_decode},
      {"above both", stream_header(stream_limit + 4), 4096, error_code::out_of_bounds},
  };
  for (const row& r : rows) {
    CAPTURE(r.why);
    fake_memory memory;
    memory.map(buffer_at, 4096);
    memory.poke_object(buffer_at, r.header);
    counting_storage storage;
    const auto commands =
        fetch_commands(memory, with_commands(raw(buffer_at), r.capacity), stream_limit, storage);
    CHECK(commands.why().code == r.code);
    if (r.code == error_code::none) CHECK(commands->size() == r.header.size_bytes);
  }
}

TEST_CASE("an error of a stream header says which field it is, with its value and what is allowed",
          "[ring][fetch]") {
  const auto [field, value, detail, limit] =
      GENERATE(table<std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t>({
          {0, 0x444D4340, 0x444D4340, 0x444D4341},  // magic
          {4, 0x00020007, 2, 1},                    // abi_version: the major
          {8, 20, 20, 24},                          // size_bytes
          {8, 26, 26, 4},
      }));
  CAPTURE(field, value);
  fake_memory memory;
  memory.map(buffer_at, 4096);
  memory.poke_object(buffer_at, stream_header(24));
  memory.poke_object(advance(buffer_at, field), value);
  counting_storage storage;
  const auto commands =
      fetch_commands(memory, with_commands(raw(buffer_at), 4096), stream_limit, storage);
  const error why = commands.why();
  CHECK(why.code == error_code::cmd_decode);
  CHECK(why.offset == field);
  CHECK(why.detail == detail);
  CHECK(why.limit == limit);
}

TEST_CASE("a stream above the limit is refused before anything is reserved", "[ring][fetch]") {
  fake_memory memory;
  memory.poke_object(buffer_at, stream_header(stream_limit + 4));
  counting_storage storage;
  const auto desc = with_commands(raw(buffer_at), UINT32_MAX);
  CHECK(fetch_commands(memory, desc, stream_limit, storage).why().code == error_code::cmd_decode);
  CHECK(storage.calls == 0);
}

TEST_CASE("a table header is checked in the order of host.md 1.10", "[ring][fetch]") {
  struct row {
    const char* why;
    void (*spoil)(aerogpu_alloc_table_header&);
    std::uint32_t capacity;
    error_code code;
  };
  const row rows[] = {
      {"good", [](auto&) {}, 88, error_code::none},
      {"spare capacity", [](auto&) {}, 4096, error_code::none},
      {"magic", [](auto& h) { h.magic = 0; }, 88, error_code::cmd_decode},
      {"major", [](auto& h) { h.abi_version = 0; }, 88, error_code::cmd_decode},
      {"minor", [](auto& h) { h.abi_version = 0x10063; }, 88, error_code::none},
      {"size 23", [](auto& h) { h.size_bytes = 23; }, 88, error_code::cmd_decode},
      {"size exceeds the buffer", [](auto&) {}, 87, error_code::cmd_decode},
      {"above the limit", [](auto& h) { h.size_bytes = table_limit + 1; }, UINT32_MAX,
       error_code::cmd_decode},
      {"stride 31", [](auto& h) { h.entry_stride_bytes = 31; }, 88, error_code::cmd_decode},
      {"stride 48 does not fit", [](auto& h) { h.entry_stride_bytes = 48; }, 88,
       error_code::out_of_bounds},
      {"one entry too many", [](auto& h) { h.entry_count = 3; }, 88, error_code::out_of_bounds},
      {"product above 32 bits",
       [](auto& h) {
         h.entry_count = 0x80000001;
         h.entry_stride_bytes = 0x80000000;
       },
       88, error_code::out_of_bounds},
      {"no entries", [](auto& h) { h.entry_count = 0; }, 88, error_code::none},
  };
  for (const row& r : rows) {
    CAPTURE(r.why);
    auto header = table_header(88, 2);
    r.spoil(header);
    fake_memory memory;
    memory.map(buffer_at, 4096);
    memory.poke_object(buffer_at, header);
    counting_storage storage;
    const auto table =
        fetch_alloc_table(memory, with_table(raw(buffer_at), r.capacity), table_limit, storage);
    CHECK(table.why().code == r.code);
    CHECK(storage.calls == (r.code == error_code::none ? 1 : 0));
  }
}

TEST_CASE("only the used bytes are copied, each of them once", "[ring][fetch]") {
  fake_memory memory{memory_mood::hostile};
  memory.map(buffer_at, 4096);
  std::vector<std::byte> stream(1024, std::byte{0x5A});
  store(stream.data(), stream_header(1024));
  memory.poke(buffer_at, stream);
  counting_storage storage;
  const auto desc = with_commands(raw(buffer_at), 4096);
  const auto commands = fetch_commands(memory, desc, stream_limit, storage);
  REQUIRE(commands);
  CHECK(std::vector<std::byte>(commands->begin(), commands->end()) == stream);
  CHECK(memory.max_reads(buffer_at, 1024) == 1);
  CHECK(memory.max_reads(advance(buffer_at, 1024), 3072) == 0);
}

TEST_CASE("a table that changes while it is fetched parses as the copy says", "[ring][fetch]") {
  fake_memory memory{memory_mood::hostile};
  memory.map(buffer_at, 4096);
  memory.poke_object(buffer_at, table_header(88, 2));
  for (std::uint32_t i = 0; i < 2; ++i) {
    const aerogpu_alloc_entry entry{
        .alloc_id = i + 1, .flags = 0, .gpa = 0x1000, .size_bytes = 16, .reserved0 = 0};
    memory.poke_object(advance(buffer_at, 24 + 32 * i), entry);
  }
  counting_storage storage;
  const auto bytes =
      fetch_alloc_table(memory, with_table(raw(buffer_at), 4096), table_limit, storage);
  REQUIRE(bytes);
  std::vector<alloc_table::slot> slots(8);
  alloc_table table{slots};
  REQUIRE(table.parse(*bytes));
  CHECK(table.size() == 2);
}

TEST_CASE("a buffer that is only partly in memory is malformed", "[ring][fetch]") {
  const auto missing = GENERATE(0u, 23u, 24u, 63u);
  fake_memory memory;
  memory.map(buffer_at, 64);
  memory.poke_object(buffer_at, stream_header(64));
  memory.unmap(advance(buffer_at, missing), 1);
  counting_storage storage;
  const auto desc = with_commands(raw(buffer_at), 64);
  CHECK(fetch_commands(memory, desc, stream_limit, storage).why().code == error_code::cmd_decode);
}

TEST_CASE("a stream that is its header alone needs no memory behind it", "[ring][fetch]") {
  fake_memory memory;
  memory.poke_object(buffer_at, stream_header(24));
  counting_storage storage;
  const auto desc = with_commands(raw(buffer_at), 24);
  CHECK(fetch_commands(memory, desc, stream_limit, storage));
}

TEST_CASE("storage that cannot grow is out of memory", "[ring][fetch]") {
  fake_memory memory;
  memory.map(buffer_at, 4096);
  memory.poke_object(buffer_at, stream_header(1024));
  counting_storage storage;
  storage.most = 1023;
  const auto desc = with_commands(raw(buffer_at), 4096);
  CHECK(fetch_commands(memory, desc, stream_limit, storage).why().code ==
        error_code::out_of_memory);
}
