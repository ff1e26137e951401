// SPDX-License-Identifier: MIT
// Tests of aerogpu/memory/alloc_private_data.hpp.
#include "aerogpu/memory/alloc_private_data.hpp"

#include "tests/catch.hpp"
#include "tests/data/golden_vectors.hpp"

#include <vector>

using namespace aerogpu;

namespace {

auto parsed(std::string_view golden_name) -> alloc_private_data {
  const auto data = parse_alloc_private_data(test::bytes_from_hex(test::golden(golden_name).hex));
  REQUIRE(data);
  return *data;
}

constexpr std::uint32_t newest_version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_3;

/// The version 2 texture, continued as version 3.
auto version_3_bytes(std::uint32_t handle = 0x1234) -> std::vector<std::byte> {
  std::vector<std::byte> bytes = test::bytes_from_hex(test::golden("alloc_priv_v2_texture").hex);
  bytes.resize(72);
  store(bytes.data() + 4, newest_version);
  store(bytes.data() + 64, handle);
  return bytes;
}

}  // namespace

TEST_CASE("reserved0 packs the descriptions of wire.md 12.1", "[memory][private_data]") {
  const auto [surface, packed] = GENERATE(table<d3d9_description, std::uint64_t>({
      {{21, 1920, 1080}, 0x8438078000000015},
      {{22, 1, 1}, 0x8001000100000016},
      {{0x31545844, 256, 512}, 0x8200010031545844},
      {{21, 65535, 32767}, 0xFFFFFFFF00000015},
      {{0, 0, 0}, 0x8000000000000000},
  }));
  CHECK(*pack_description(surface) == packed);
  CHECK(has_description(packed));
  CHECK(unpack_description(packed) == surface);
}

TEST_CASE("sizes that a description cannot hold are refused, not cut", "[memory][private_data]") {
  const auto surface = GENERATE(
      values<d3d9_description>({{21, 65536, 1}, {21, 1, 32768}, {21, UINT32_MAX, UINT32_MAX}}));
  CHECK(pack_description(surface).why().code == error_code::invalid_parameter);
}

TEST_CASE("a golden blob parses to its fields and writes back to its bytes",
          "[memory][private_data]") {
  const std::string_view name = GENERATE(as<std::string_view>{}, "alloc_priv_v1_pitch",
                                         "alloc_priv_v1_shared_d3d9_desc", "alloc_priv_v2_texture");
  CAPTURE(name);
  const std::vector<std::byte> bytes = test::bytes_from_hex(test::golden(name).hex);
  const alloc_private_data data = parsed(name);
  CHECK(+data.alloc_id == test::field_value(test::golden(name).fields, "alloc_id"));
  CHECK(+data.size_bytes == test::field_value(test::golden(name).fields, "size_bytes"));
  std::vector<std::byte> written(bytes.size());
  CHECK(write_alloc_private_data(written, data));
  CHECK(written == bytes);
}

TEST_CASE("a version 1 blob has zeros for what version 2 adds", "[memory][private_data]") {
  const std::vector<std::byte> bytes =
      test::bytes_from_hex(test::golden("alloc_priv_v1_pitch").hex);
  std::vector<std::byte> longer = bytes;
  longer.resize(64, std::byte{0xFF});
  const auto data = parse_alloc_private_data(longer);
  REQUIRE(data);
  CHECK(+data->kind == AEROGPU_WDDM_ALLOC_KIND_UNKNOWN);
  CHECK(+data->row_pitch_bytes == 0);
  CHECK(+data->reserved1 == 0);
}

TEST_CASE("a blob has zeros for what later versions add", "[memory][private_data]") {
  const std::uint32_t version = GENERATE(1u, 2u, 3u);
  CAPTURE(version);
  std::vector<std::byte> bytes(alloc_private_data_bytes(newest_version), std::byte{0xFF});
  store(bytes.data(), std::uint32_t{AEROGPU_WDDM_ALLOC_PRIV_MAGIC});
  store(bytes.data() + 4, version);
  const auto data = parse_alloc_private_data(bytes);
  REQUIRE(data);
  const std::size_t size = alloc_private_data_bytes(version);
  const const_bytes parsed_bytes = bytes_of(*data);
  for (std::size_t i = 0; i < parsed_bytes.size(); ++i) {
    CHECK(parsed_bytes[i] == (i < size ? bytes[i] : std::byte{0}));
  }
}

TEST_CASE("each version of the blob has its size, and no other version has one",
          "[memory][private_data]") {
  const auto [version, size] = GENERATE(table<std::uint32_t, std::size_t>(
      {{0, 0}, {1, 40}, {2, 64}, {3, 72}, {4, 0}, {UINT32_MAX, 0}}));
  CHECK(alloc_private_data_bytes(version) == size);
}

TEST_CASE("a version 3 blob parses to its handle and writes back to its bytes",
          "[memory][private_data]") {
  const std::uint32_t handle = GENERATE(0u, 1u, 0x1234u, UINT32_MAX);
  std::vector<std::byte> bytes = version_3_bytes(handle);
  bytes.resize(80, std::byte{0xEE});  // What follows is another's.
  const auto data = parse_alloc_private_data(bytes);
  REQUIRE(data);
  CHECK(+data->width == +parsed("alloc_priv_v2_texture").width);
  CHECK(resource_handle_of(*data) == static_cast<resource_handle>(handle));
  std::vector<std::byte> written(80, std::byte{0xEE});
  CHECK(write_alloc_private_data(written, *data));
  CHECK(written == bytes);
}

TEST_CASE("the handle of a blob before version 3 is unknown", "[memory][private_data]") {
  const auto [version, handle] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{1, 0}, {2, 0}, {3, 7}}));
  alloc_private_data data{};
  data.version = version;
  data.resource_handle = 7;
  CHECK(resource_handle_of(data) == static_cast<resource_handle>(handle));
}

TEST_CASE("a version 3 blob that is shorter than 72 bytes is out of bounds",
          "[memory][private_data]") {
  const std::size_t size = GENERATE(0u, 39u, 40u, 63u, 64u, 68u, 71u);
  std::vector<std::byte> bytes = version_3_bytes();
  bytes.resize(size);
  const auto data = parse_alloc_private_data(bytes);
  CHECK(data.why().code == error_code::out_of_bounds);
  CHECK(data.why().detail == size);
  CHECK(data.why().limit == (size < 40 ? 40u : 72u));
}

TEST_CASE("a blob shorter than its version is out of bounds", "[memory][private_data]") {
  const auto [name, size] =
      GENERATE(table<std::string_view, std::size_t>({{"alloc_priv_v1_pitch", 0},
                                                     {"alloc_priv_v1_pitch", 39},
                                                     {"alloc_priv_v2_texture", 40},
                                                     {"alloc_priv_v2_texture", 63}}));
  std::vector<std::byte> bytes = test::bytes_from_hex(test::golden(name).hex);
  bytes.resize(size);
  CHECK(parse_alloc_private_data(bytes).why().code == error_code::out_of_bounds);
}

TEST_CASE("a wrong magic and unknown versions are refused", "[memory][private_data]") {
  std::vector<std::byte> bytes = test::bytes_from_hex(test::golden("alloc_priv_v2_texture").hex);
  SECTION("magic") {
    store(bytes.data(), std::uint32_t{0x4F4C4C41});
  }
  SECTION("version 0") {
    store(bytes.data() + 4, std::uint32_t{0});
  }
  SECTION("version 4") {
    store(bytes.data() + 4, newest_version + 1);
  }
  CHECK(parse_alloc_private_data(bytes).why().code == error_code::invalid_parameter);
}

TEST_CASE("a blob is written whole or not at all", "[memory][private_data]") {
  alloc_private_data data = parsed("alloc_priv_v2_texture");
  std::vector<std::byte> out(63, std::byte{0xAA});
  CHECK(write_alloc_private_data(out, data).why().code == error_code::no_space);
  CHECK(out == std::vector<std::byte>(63, std::byte{0xAA}));
  data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION;
  CHECK(write_alloc_private_data(out, data));
  CHECK(out[40] == std::byte{0xAA});
  data.version = newest_version;
  std::vector<std::byte> longer(71, std::byte{0xAA});
  CHECK(write_alloc_private_data(longer, data).why().code == error_code::no_space);
  CHECK(longer == std::vector<std::byte>(71, std::byte{0xAA}));
  longer.resize(72);
  CHECK(write_alloc_private_data(longer, data));
  data.version = 9;
  CHECK(write_alloc_private_data(out, data).why().code == error_code::invalid_parameter);
}

TEST_CASE(
    "the pitch is the field's that version 2 brought, or reserved0's when that is no description",
    "[memory][private_data]") {
  const auto [version, field, reserved0, pitch] =
      GENERATE(table<std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t>({
          {1, 0, 7680, 7680},
          {1, 0, 0x7FFFFFFF00001E00, 7680},
          {1, 0, 0x8438078000000015, 0},
          {1, 99, 0, 0},
          {2, 256, 0, 256},
          {2, 256, 7680, 256},
          {2, 256, 0x8438078000000015, 256},
          {2, 0, 7680, 7680},
          {2, 0, 0, 0},
          {3, 256, 7680, 256},
          {3, 0, 7680, 7680},
          {3, 0, 0x8438078000000015, 0},
      }));
  alloc_private_data data{};
  data.version = version;
  data.row_pitch_bytes = field;
  data.reserved0 = reserved0;
  CHECK(row_pitch_bytes(data) == pitch);
}

TEST_CASE("a standard allocation is a described texture of the kernel driver without a token",
          "[memory][private_data]") {
  alloc_private_data data{};
  data.version = GENERATE(AEROGPU_WDDM_ALLOC_PRIV_VERSION_2, AEROGPU_WDDM_ALLOC_PRIV_VERSION_3);
  data.kind = AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D;
  CHECK(is_standard_allocation(data));
  data.alloc_id = AEROGPU_WDDM_ALLOC_ID_KMD_MIN;
  CHECK(is_standard_allocation(data));
  SECTION("user-mode id") {
    data.alloc_id = AEROGPU_WDDM_ALLOC_ID_UMD_MAX;
  }
  SECTION("buffer") {
    data.kind = AEROGPU_WDDM_ALLOC_KIND_BUFFER;
  }
  SECTION("version 1") {
    data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION;
  }
  SECTION("shared") {
    data.flags = AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED;
  }
  SECTION("token") {
    data.share_token = 1;
  }
  CHECK_FALSE(is_standard_allocation(data));
}

TEST_CASE("a standard allocation without a size takes its pitch times its height",
          "[memory][private_data]") {
  alloc_private_data data{};
  data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_2;
  data.kind = AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D;
  data.row_pitch_bytes = UINT32_MAX;
  data.height = UINT32_MAX;
  CHECK(allocation_bytes(data) == 0xFFFFFFFE00000001);
  data.size_bytes = 5;
  CHECK(allocation_bytes(data) == 5);
  data.size_bytes = 0;
  data.alloc_id = 7;
  CHECK(allocation_bytes(data) == 0);
}
