// SPDX-License-Identifier: MIT
// Tests of aerogpu/ring/fence_page.hpp.
#include "aerogpu/ring/fence_page.hpp"

#include "tests/catch.hpp"
#include "tests/unit/ring/ring_memory.hpp"

#include <algorithm>
#include <vector>

using namespace aerogpu;
using test::fake_memory;
using test::mapped_memory;

namespace {

constexpr gpa page_at{0x7000};

/// Remembers the order of writes.
struct write_log {
  struct entry {
    gpa at;
    std::size_t size;
  };
  std::vector<entry> writes;

  auto read(gpa, mutable_bytes) noexcept -> bool { return false; }
  auto write(gpa at, const_bytes in) noexcept -> bool {
    writes.push_back({at, in.size()});
    return true;
  }
};

}  // namespace

TEST_CASE("the fence page holds magic, version and value, as wire.md 15.4's golden one", "[ring]") {
  fake_memory memory;
  memory.map(page_at, 4096);
  write_fence_page(memory, page_at, fence_value{0x100000001});
  const std::vector<std::uint8_t> golden{0x46, 0x45, 0x4e, 0x43, 4, 0, 1, 0,
                                         1,    0,    0,    0,    1, 0, 0, 0};
  const auto bytes = memory.peek(page_at, 16);
  CHECK(std::equal(bytes.begin(), bytes.end(), std::as_bytes(std::span{golden}).begin()));
}

TEST_CASE("bytes of the fence page from 16 on are never written", "[ring]") {
  fake_memory memory;
  memory.map(page_at, 4096);
  write_fence_page(memory, page_at, fence_value{7});
  CHECK(memory.writes(advance(page_at, 16), 4080) == 0);
  CHECK(memory.writes(page_at, 16) == 16);
}

TEST_CASE("the completed fence is the last write and one aligned 8-byte one", "[ring]") {
  write_log memory;
  write_fence_page(memory, page_at, fence_value{7});
  REQUIRE_FALSE(memory.writes.empty());
  CHECK(memory.writes.back().at == advance(page_at, 8));
  CHECK(memory.writes.back().size == 8);
}

TEST_CASE("no page, or one that wraps past 2^64, is skipped", "[ring]") {
  const auto [at, writes] = GENERATE(table<std::uint64_t, bool>({{0, false},
                                                                 {UINT64_MAX, false},
                                                                 {UINT64_MAX - 55, false},
                                                                 {UINT64_MAX - 56, true},
                                                                 {UINT64_MAX - 7, false}}));
  write_log memory;
  write_fence_page(memory, static_cast<gpa>(at), fence_value{7});
  CAPTURE(at);
  CHECK(memory.writes.empty() != writes);
}

TEST_CASE("a fence page without memory behind it is skipped", "[ring]") {
  fake_memory memory;
  write_fence_page(memory, page_at, fence_value{7});
  CHECK(memory.writes(page_at, 16) == 0);
}

TEST_CASE("the guest reads what the device published", "[ring]") {
  mapped_memory memory{4096};
  init_fence_page(memory.mapping());
  CHECK(*read_fence_page(memory.mapping()) == fence_value{0});
  for (const std::uint64_t value : {1ull, 0xFFFFFFFFull, 0x100000000ull, UINT64_MAX - 0ull}) {
    write_fence_page(memory, mapped_memory::base, static_cast<fence_value>(value));
    CHECK(raw(*read_fence_page(memory.mapping())) == value);
  }
}

TEST_CASE("the guest refuses a page of another magic or major, and takes any minor", "[ring]") {
  mapped_memory memory{64};
  init_fence_page(memory.mapping());
  memory.mapping()[4] = std::byte{99};
  CHECK(read_fence_page(memory.mapping()));
  memory.mapping()[6] = std::byte{2};
  CHECK(read_fence_page(memory.mapping()).why().code == error_code::corrupt);
  init_fence_page(memory.mapping());
  memory.mapping()[0] = std::byte{0};
  CHECK(read_fence_page(memory.mapping()).why().code == error_code::corrupt);
}
