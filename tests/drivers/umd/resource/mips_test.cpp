// SPDX-License-Identifier: MIT
/// Mip levels that the driver computes.
#include "drivers/win7/umd/d3d9/resource/texels/mips.hpp"

#include "drivers/win7/umd/d3d9/resource/texels/color_blocks.hpp"
#include "tests/drivers/umd/resource/resource_rig.hpp"

#include <algorithm>

namespace aerogpu::umd::test {

namespace {

/// The mean of a channel of the four texels above, by the rule of umd-d3d9.md 2.8.6.
[[nodiscard]] auto mean_of(const byte_vector& above, std::uint32_t width, std::uint32_t height,
                           std::uint32_t x, std::uint32_t y, std::uint32_t channel) -> std::byte {
  unsigned sum = 2;
  for (const std::uint32_t v : {2 * y, 2 * y + 1}) {
    for (const std::uint32_t u : {2 * x, 2 * x + 1}) {
      const std::size_t at =
          (std::size_t{std::min(v, height - 1)} * width + std::min(u, width - 1)) * 4 + channel;
      sum += static_cast<unsigned>(above[at]);
    }
  }
  return static_cast<std::byte>(sum / 4);
}

/// All levels of one layer of a 32-bit texture are the means of those above.
void check_chain(device_rig& rig, const resource& texture, std::uint32_t layer,
                 std::uint32_t channels) {
  const texture_layout& layout = *texture.layout();
  const std::uint32_t mips = layout.shape().mip_levels;
  for (std::uint32_t mip = 1; mip < mips; ++mip) {
    const byte_vector above = host_bytes(rig, texture, layer * mips + mip - 1);
    const byte_vector now = host_bytes(rig, texture, layer * mips + mip);
    for (std::uint32_t y = 0; y < layout.height_of(mip); ++y) {
      for (std::uint32_t x = 0; x < layout.width_of(mip); ++x) {
        for (std::uint32_t c = 0; c < channels; ++c) {
          CAPTURE(layer, mip, x, y, c);
          REQUIRE(now[(std::size_t{y} * layout.width_of(mip) + x) * 4 + c] ==
                  mean_of(above, layout.width_of(mip - 1), layout.height_of(mip - 1), x, y, c));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("each level is the mean of the one above", "[umd][T133]") {
  device_rig rig;
  const auto [width, height] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{8, 8}, {16, 4}, {7, 5}, {2, 1}, {1, 9}}));
  const auto format = GENERATE(D3DFMT_A8R8G8B8, D3DFMT_A8B8G8R8);
  resource& texture = make(rig, texture_of(width, height, format, 0));
  write_all(rig, texture, counted_bytes(std::size_t{width} * height * 4, 200));
  REQUIRE(generate_mips(rig.device, texture, mip_filter::box) == S_OK);
  check_chain(rig, texture, 0, 4);
}

TEST_CASE("a format without alpha stays opaque", "[umd][T133]") {
  device_rig rig;
  resource& texture = make(rig, texture_of(8, 8, D3DFMT_X8R8G8B8, 0));
  write_all(rig, texture, counted_bytes(256));
  REQUIRE(generate_mips(rig.device, texture, mip_filter::box) == S_OK);
  check_chain(rig, texture, 0, 3);
  CHECK(host_bytes(rig, texture, 3)[3] == std::byte{0xFF});
}

TEST_CASE("every face of a cube has its levels", "[umd][T133]") {
  device_rig rig;
  resource& cube = make(rig, cube_of(4, 0));
  for (std::uint32_t face = 0; face < 6; ++face) {
    write_all(rig, cube, counted_bytes(64, face * 40), face * 3);
  }
  REQUIRE(generate_mips(rig.device, cube, mip_filter::box) == S_OK);
  for (std::uint32_t face = 0; face < 6; ++face) check_chain(rig, cube, face, 4);
}

TEST_CASE("levels follow what was rendered", "[umd][T133]") {
  device_rig rig;
  resource& texture = make(rig, texture_of(8, 8, D3DFMT_A8R8G8B8, 0));
  paint(rig, texture, counted_bytes(256, 77));
  REQUIRE(generate_mips(rig.device, texture, mip_filter::box) == S_OK);
  CHECK(host_bytes(rig, texture, 0) == counted_bytes(256, 77));
  check_chain(rig, texture, 0, 4);
}

TEST_CASE("the nearest filter takes every second texel", "[umd][T133]") {
  device_rig rig;
  resource& texture = make(rig, texture_of(4, 4, D3DFMT_A8R8G8B8, 2));
  const byte_vector texels = counted_bytes(64);
  write_all(rig, texture, texels);
  REQUIRE(generate_mips(rig.device, texture, mip_filter::nearest) == S_OK);
  const byte_vector now = host_bytes(rig, texture, 1);
  for (const std::size_t y : {0u, 1u}) {
    for (const std::size_t x : {0u, 1u}) {
      CHECK(std::memcmp(now.data() + (y * 2 + x) * 4, texels.data() + (y * 8 + x * 2) * 4, 4) == 0);
    }
  }
}

TEST_CASE("sixteen-bit levels keep a uniform colour, and their alpha", "[umd][T133]") {
  device_rig rig;
  const auto [format, texel] =
      GENERATE(table<D3DFORMAT, std::uint16_t>({{D3DFMT_R5G6B5, 0x8C51},
                                                {D3DFMT_A1R5G5B5, 0x1234},
                                                {D3DFMT_A1R5G5B5, 0x9234},
                                                {D3DFMT_X1R5G5B5, 0x9234}}));
  resource& texture = make(rig, texture_of(8, 8, format, 0));
  byte_vector texels(128);
  for (std::size_t i = 0; i < 128; i += 2) store(texels.data() + i, texel);
  write_all(rig, texture, texels);
  REQUIRE(generate_mips(rig.device, texture, mip_filter::box) == S_OK);
  for (std::uint32_t mip = 1; mip < 4; ++mip) {
    const byte_vector now = host_bytes(rig, texture, mip);
    for (std::size_t i = 0; i < now.size(); i += 2) {
      CHECK(load<std::uint16_t>(now.data() + i) == texel);
    }
  }
}

TEST_CASE("a block of one colour gives blocks of that colour", "[umd][T133]") {
  device_rig rig;
  const auto format = GENERATE(D3DFMT_DXT1, D3DFMT_DXT2, D3DFMT_DXT3, D3DFMT_DXT4, D3DFMT_DXT5);
  const block_format kind = block_format_of(static_cast<std::uint32_t>(format));
  const bool has_alpha = kind != block_format::bc1;
  block_texels uniform{};
  uniform.fill(has_alpha ? 0x77314A63u : 0xFF314A63u);
  byte_vector block(block_bytes(kind));
  encode_block(kind, uniform, block.data());
  const block_texels exact = decode_block(kind, block.data());
  for (const std::uint32_t texel : exact) CHECK(texel == exact[0]);
  resource& texture = make(rig, texture_of(16, 16, format, 0));
  byte_vector texels;
  for (int i = 0; i < 16; ++i) texels.insert(texels.end(), block.begin(), block.end());
  write_all(rig, texture, texels);
  REQUIRE(generate_mips(rig.device, texture, mip_filter::box) == S_OK);
  for (std::uint32_t mip = 1; mip < 5; ++mip) {
    const byte_vector now = host_bytes(rig, texture, mip);
    for (std::size_t at = 0; at < now.size(); at += block.size()) {
      CHECK(decode_block(kind, now.data() + at) == exact);
    }
  }
}

TEST_CASE("blocks keep their clear texels and their ends", "[umd][T133]") {
  block_texels texels{};
  for (std::size_t i = 0; i < 16; ++i) texels[i] = i < 8 ? 0xFFFFFFFF : 0xFF000000;
  texels[3] = 0;
  std::array<std::byte, 8> block{};
  encode_block(block_format::bc1, texels, block.data());
  const block_texels decoded = decode_block(block_format::bc1, block.data());
  CHECK(decoded == texels);
  std::array<std::byte, 16> wide{};
  for (std::size_t i = 0; i < 16; ++i) texels[i] = static_cast<std::uint32_t>(i * 17) << 24;
  for (const block_format kind : {block_format::bc2, block_format::bc3}) {
    encode_block(kind, texels, wide.data());
    const block_texels now = decode_block(kind, wide.data());
    for (std::size_t i = 0; i < 16; ++i) {
      const int off = static_cast<int>(now[i] >> 24) - static_cast<int>(i * 17);
      CHECK(std::abs(off) <= (kind == block_format::bc2 ? 0 : 19));
    }
  }
}

TEST_CASE("one level, a lock and depth have no levels to compute", "[umd][T133]") {
  device_rig rig;
  CHECK(generate_mips(rig.device, make(rig, texture_of(8, 8)), mip_filter::box) ==
        D3DERR_INVALIDCALL);
  CHECK(generate_mips(rig.device, make(rig, buffer_of(8)), mip_filter::box) == D3DERR_INVALIDCALL);
  resource_request depth = depth_of(8, 8);
  depth.kind = resource_kind::texture;
  depth.mip_levels = 0;
  CHECK(generate_mips(rig.device, make(rig, depth), mip_filter::box) == D3DERR_INVALIDCALL);
  resource& texture = make(rig, texture_of(8, 8, D3DFMT_A8R8G8B8, 0));
  static_cast<void>(lock(rig, texture));
  CHECK(generate_mips(rig.device, texture, mip_filter::box) == D3DERR_INVALIDCALL);
  unlock(rig, texture);
}

TEST_CASE("levels travel as uploads of what lies below the top", "[umd][T133]") {
  device_rig rig;
  resource& texture = make(rig, texture_of(8, 8, D3DFMT_A8R8G8B8, 0));
  REQUIRE(generate_mips(rig.device, texture, mip_filter::box) == S_OK);
  std::uint64_t bytes = 0;
  for (const auto& each : sent<aerogpu_cmd_upload_resource>(rig)) {
    CHECK(std::uint64_t{each.fields.offset_bytes} >= 256);
    bytes += std::uint64_t{each.fields.size_bytes};
  }
  CHECK(bytes == texture.size_bytes - 256);
}

}  // namespace aerogpu::umd::test
