// SPDX-License-Identifier: MIT
// Tests of aerogpu/memory/umd_private_data.hpp.
#include "aerogpu/memory/umd_private_data.hpp"

#include "tests/catch.hpp"
#include "tests/data/golden_vectors.hpp"

#include <algorithm>
#include <vector>

using namespace aerogpu;

namespace {

constexpr device_identity device{AEROGPU_UMDPRIV_MMIO_MAGIC_NEW_AGPU, 0x10004, 0x3D, true};

auto golden_bytes() -> std::vector<std::byte> {
  return test::bytes_from_hex(test::golden("umd_private_v1").hex);
}

}  // namespace

TEST_CASE("the blob of the golden device is the golden blob", "[memory][private_data]") {
  CHECK(std::ranges::equal(bytes_of(make_umd_private(device)), golden_bytes()));
  const auto parsed = parse_umd_private(golden_bytes());
  REQUIRE(parsed);
  CHECK(+parsed->device_features == 0x3D);
  CHECK(+parsed->flags == (AEROGPU_UMDPRIV_FLAG_HAS_VBLANK | AEROGPU_UMDPRIV_FLAG_HAS_FENCE_PAGE));
}

TEST_CASE("flags say what a device has", "[memory][private_data]") {
  const auto [magic, features, has_page, flags, kept] =
      GENERATE(table<std::uint32_t, std::uint64_t, bool, std::uint32_t, std::uint64_t>({
          {0x55504741, 0, false, 0, 0},
          {0x55504741, 0x1, false, 0, 0x1},
          {0x55504741, 0x8, false, 2, 0x8},
          {0x55504741, 0x9, true, 6, 0x9},
          {0x41524750, 0x3D, false, 1, 0},
          {0, 0x8, false, 2, 0x8},
      }));
  const aerogpu_umd_private_v1 blob = make_umd_private({magic, 0x10004, features, has_page});
  CHECK(+blob.flags == flags);
  CHECK(+blob.device_features == kept);
  CHECK(+blob.device_mmio_magic == magic);
}

TEST_CASE("a query of 4 bytes gets the version alone", "[memory][private_data]") {
  std::uint32_t version = 0;
  CHECK(write_umd_private(mutable_bytes_of(version), make_umd_private(device)));
  CHECK(version == 0x10004);
}

TEST_CASE("a query of another small size is refused untouched", "[memory][private_data]") {
  const std::size_t size = GENERATE(0u, 3u, 5u, 63u);
  std::vector<std::byte> out(size, std::byte{0xAA});
  CHECK(write_umd_private(out, make_umd_private(device)).why().code == error_code::no_space);
  CHECK(out == std::vector<std::byte>(size, std::byte{0xAA}));
}

TEST_CASE("a longer query gets the blob and zeros", "[memory][private_data]") {
  std::vector<std::byte> out(100, std::byte{0xAA});
  CHECK(write_umd_private(out, make_umd_private(device)));
  std::vector<std::byte> expected = golden_bytes();
  expected.resize(100);
  CHECK(out == expected);
}

TEST_CASE("a newer, longer blob is read as far as it is known", "[memory][private_data]") {
  std::vector<std::byte> bytes = golden_bytes();
  bytes.resize(96, std::byte{0xFF});
  store(bytes.data(), std::uint32_t{96});
  CHECK(parse_umd_private(bytes));
}

TEST_CASE("a blob that is too short or of another version is refused", "[memory][private_data]") {
  std::vector<std::byte> bytes = golden_bytes();
  SECTION("bytes") {
    bytes.resize(63);
    CHECK(parse_umd_private(bytes).why().code == error_code::out_of_bounds);
  }
  SECTION("size_bytes") {
    store(bytes.data(), std::uint32_t{63});
    CHECK(parse_umd_private(bytes).why().code == error_code::out_of_bounds);
  }
  SECTION("version") {
    store(bytes.data() + 4, std::uint32_t{2});
    CHECK(parse_umd_private(bytes).why().code == error_code::bad_version);
  }
}
