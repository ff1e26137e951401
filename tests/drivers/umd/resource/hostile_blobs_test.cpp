// SPDX-License-Identifier: MIT
/// Private data of a shared surface that somebody damaged (umd-d3d9.md T236), and its fixed widths.
#include "aerogpu/memory/alloc_private_data.hpp"
#include "drivers/win7/umd/d3d9/resource/opening.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/fills.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <cstddef>
#include <random>

namespace aerogpu::umd::test {

namespace {

/// Opens blobs on one device; what opens is used as an application would, within the memory that
/// the kernel allocates by the blob.
class blob_opener {
 public:
  /// Its result is one of those that opening has.
  void open(const_bytes blob) {
    const auto data = parse_alloc_private_data(blob);
    const std::uint64_t memory_bytes = data ? allocation_bytes(*data) : 0;
    const bool is_small = memory_bytes <= most_memory_bytes;
    alloc_private_data standing = data ? *data : alloc_private_data{};
    if (!is_small || memory_bytes == 0) standing.size_bytes = 1;
    opening_request request;
    request.private_data = blob;
    request.takes_standard = true;
    request.allocation = rig_.runtime.open_standard(standing, nullptr);
    const kernel_allocation memory = request.allocation;
    resource* made = nullptr;
    const HRESULT result = open_resource(rig_.device, request, made);
    CHECK((made != nullptr) == SUCCEEDED(result));
    const bool is_known = result == S_OK || result == E_INVALIDARG ||
                          result == D3DERR_INVALIDCALL || result == E_OUTOFMEMORY;
    CHECK(is_known);
    if (made == nullptr) {
      rig_.runtime.deallocate(memory, nullptr);
      return;
    }
    ++opened_;
    REQUIRE(made->layout() != nullptr);
    CHECK(made->layout()->total_bytes() <= memory_bytes);
    CHECK(made->size_bytes == made->layout()->total_bytes());
    if (is_small) use(*made);
    CHECK(destroy_resource(rig_.device, made) == S_OK);
  }
  /// Everything that was recorded is a stream that the host takes apart.
  void finish() {
    CHECK(rig_.device.commands.submit() == S_OK);
    for (const seen_submission& each : rig_.runtime.submissions()) {
      CHECK(findings_of(each.stream) == std::vector<std::string>{});
    }
    CHECK(rig_.device.resources.size() == 0);
  }
  [[nodiscard]] auto opened() const -> int { return opened_; }

 private:
  static constexpr std::uint64_t most_memory_bytes = 1 << 20;

  void use(resource& surface) {
    CHECK(SUCCEEDED(fill_color(rig_.device, {&surface, 0}, {0, 0, 4, 4}, 0xFF112233)) ==
          surface.flags.is_render_target);
    lock_request request;
    request.is_read_only = true;
    lock_answer at;
    const HRESULT locked = lock_resource(rig_.device, surface, request, at);
    if (locked == S_OK) {
      const auto rows = surface.layout()->locate({0, 0});
      const std::size_t last =
          std::size_t{rows.row_count - 1} * at.row_pitch_bytes + rows.row_size_bytes - 1;
      touched_ = touched_ + std::to_integer<unsigned>(at.bytes[0]) +
                 std::to_integer<unsigned>(at.bytes[last]);
      CHECK(unlock_resource(rig_.device, surface, 0) == S_OK);
    }
    CHECK(locked == S_OK);
  }

  device_rig rig_{{.runs_streams = false}};
  int opened_ = 0;
  volatile unsigned touched_ = 0;
};

/// One of each kind that opens: version 1 of a Direct3D 9 producer, 2 and 3 of a newer one, and the
/// kernel driver's own.
[[nodiscard]] auto good_blobs() -> std::vector<byte_vector> {
  std::vector<byte_vector> blobs;
  alloc_private_data data{};
  data.magic = AEROGPU_WDDM_ALLOC_PRIV_MAGIC;
  data.version = AEROGPU_WDDM_ALLOC_PRIV_VERSION;
  data.alloc_id = 0x5A5A1234;  // No damage to one byte makes it that of another allocation.
  data.flags = AEROGPU_WDDM_ALLOC_PRIV_FLAG_IS_SHARED;
  data.share_token = 0x1122334455667788;
  data.size_bytes = 4096;
  data.reserved0 = *pack_description({D3DFMT_A8R8G8B8, 16, 8});
  const auto add = [&] {
    const const_bytes bytes = bytes_of(data);
    blobs.emplace_back(bytes.begin(), bytes.end());
  };
  add();
  blobs.back().resize(40);
  data.reserved0 = 0;
  data.kind = AEROGPU_WDDM_ALLOC_KIND_TEXTURE2D;
  data.width = 16;
  data.height = 8;
  data.format = 87;
  data.row_pitch_bytes = 64;
  for (const std::uint32_t version :
       {AEROGPU_WDDM_ALLOC_PRIV_VERSION_2, AEROGPU_WDDM_ALLOC_PRIV_VERSION_3}) {
    data.version = version;
    add();
  }
  data.flags = 0;
  data.share_token = 0;
  data.alloc_id = AEROGPU_WDDM_ALLOC_ID_KMD_MIN + 5;
  add();
  return blobs;
}

}  // namespace

TEST_CASE("a shared surface's private data with any byte or bit changed opens or is refused",
          "[umd][T236]") {
  blob_opener opener;
  for (const byte_vector& good : good_blobs()) {
    const int before = opener.opened();
    opener.open(good);
    REQUIRE(opener.opened() == before + 1);
    for (std::size_t at = 0; at < good.size(); ++at) {
      byte_vector damaged = good;
      for (const unsigned flip : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 255u}) {
        CAPTURE(at, flip);
        damaged[at] = good[at] ^ static_cast<std::byte>(flip);
        opener.open(damaged);
      }
    }
  }
  opener.finish();
}

TEST_CASE("a shared surface's private data of any length opens or is refused", "[umd][T236]") {
  blob_opener opener;
  for (const byte_vector& good : good_blobs()) {
    for (std::size_t size = 0; size <= good.size() + 8; ++size) {
      CAPTURE(size);
      // On the heap and exactly as long: reading behind it shows.
      byte_vector cut(size);
      copy_bytes(mutable_bytes{cut}.first(std::min(size, good.size())),
                 const_bytes{good}.first(std::min(size, good.size())));
      const int before = opener.opened();
      opener.open(cut);
      if (size < 40) CHECK(opener.opened() == before);
    }
  }
  opener.finish();
}

TEST_CASE("random private data behind a good header opens or is refused", "[umd][T236]") {
  constexpr int rounds = 4000;
  std::mt19937 random{20090721};
  blob_opener opener;
  const auto blobs = good_blobs();
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    byte_vector blob = blobs[random() % blobs.size()];
    const std::size_t first = random() % blob.size();
    const std::size_t count = 1 + random() % 16;
    for (std::size_t i = first; i < std::min(first + count, blob.size()); ++i) {
      blob[i] = random() % 4 == 0 ? std::byte{0xFF} : static_cast<std::byte>(random());
    }
    opener.open(blob);
  }
  CHECK(opener.opened() > rounds / 20);
  opener.finish();
}

// A producer of 32 bits and a consumer of 64 have one structure: no member depends on a pointer.
static_assert(sizeof(aerogpu_wddm_alloc_priv) == 40);
static_assert(sizeof(aerogpu_wddm_alloc_priv_v2) == 64);
static_assert(offsetof(alloc_private_data, magic) == 0);
static_assert(offsetof(alloc_private_data, version) == 4);
static_assert(offsetof(alloc_private_data, alloc_id) == 8);
static_assert(offsetof(alloc_private_data, flags) == 12);
static_assert(offsetof(alloc_private_data, share_token) == 16);
static_assert(offsetof(alloc_private_data, size_bytes) == 24);
static_assert(offsetof(alloc_private_data, reserved0) == 32);
static_assert(offsetof(alloc_private_data, kind) == 40);
static_assert(offsetof(alloc_private_data, width) == 44);
static_assert(offsetof(alloc_private_data, height) == 48);
static_assert(offsetof(alloc_private_data, format) == 52);
static_assert(offsetof(alloc_private_data, row_pitch_bytes) == 56);

TEST_CASE("a surface opens from the bytes that a producer of any width writes", "[umd][T111]") {
  // Little-endian, byte by byte, as a producer of either architecture has them.
  constexpr std::array<unsigned char, 40> written{
      0x4F, 0x4C, 0x4C, 0x41, 1,    0,    0,    0,
      0x34, 0x12, 0x5A, 0x5A, 1,    0,    0,    0,     // magic to flags
      0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,  // share_token
      0x00, 0x10, 0,    0,    0,    0,    0,    0,     // size_bytes
      0,    0,    0,    0,    0,    0,    0,    0};    // reserved0
  byte_vector blob(written.size());
  std::memcpy(blob.data(), written.data(), written.size());
  const std::uint64_t description = *pack_description({D3DFMT_A8R8G8B8, 16, 8});
  for (std::size_t i = 0; i < 8; ++i) blob[32 + i] = static_cast<std::byte>(description >> (8 * i));
  CHECK(blob == good_blobs()[0]);
  blob_opener opener;
  opener.open(blob);
  CHECK(opener.opened() == 1);
  opener.finish();
}

}  // namespace aerogpu::umd::test
