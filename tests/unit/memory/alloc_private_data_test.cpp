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
  SECTION("version 3") {
    store(bytes.data() + 4, std::uint32_t{3});
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
  data.version = 9;
  CHECK(write_alloc_private_data(out, data).why().code == error_code::invalid_parameter);
}

TEST_CASE("the pitch is version 2's, or reserved0's when that is no description",
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
      }));
  alloc_private_data data{};
  data.version = version;
  data.row_pitch_bytes = field;
  data.reserved0 = reserved0;
  CHECK(row_pitch_bytes(data) == pitch);
}

TEST_CASE("a standard allocation is a version 2 texture of the kernel driver without a token",
          "[memory][private_data]") {
  alloc_private_data data{};
  data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION_2;
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
