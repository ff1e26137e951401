// SPDX-License-Identifier: MIT
// Fuzzes texture layout against a walk over every row, and range splitting against every byte.
#include "aerogpu/memory/texture_layout.hpp"

#include "aerogpu/memory/texture_range.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <vector>

using namespace aerogpu;

namespace {

constexpr std::uint64_t most_bytes = 1u << 14;  // Of a texture whose bytes are walked one by one.

/// What one byte of a texture is, by the plain walk.
struct byte_place {
  std::uint32_t mip = 0;
  std::uint32_t layer = 0;
  std::uint32_t row = 0;
  std::uint64_t x = 0;
  bool is_padding = false;
};

/// Every byte of the texture in memory order, straight from host.md 2.6.
auto walk(const texture_shape& shape, const format_info& format) -> std::vector<byte_place> {
  std::vector<byte_place> bytes;
  for (std::uint32_t layer = 0; layer < shape.array_layers; ++layer) {
    for (std::uint32_t mip = 0; mip < shape.mip_levels; ++mip) {
      const std::uint32_t w = std::max(1u, shape.width >> mip);
      const std::uint32_t h = std::max(1u, shape.height >> mip);
      const std::uint64_t tight =
          std::uint64_t{(w + format.block_dim - 1) / format.block_dim} * format.bytes_per_block;
      const std::uint64_t pitch =
          mip == 0 && shape.row_pitch_bytes != 0 ? shape.row_pitch_bytes : tight;
      for (std::uint32_t row = 0; row < (h + format.block_dim - 1) / format.block_dim; ++row) {
        for (std::uint64_t x = 0; x < pitch; ++x) bytes.push_back({mip, layer, row, x, x >= tight});
      }
    }
  }
  return bytes;
}

void check_places(const texture_layout& layout, const std::vector<byte_place>& bytes) {
  fuzz::claim(layout.total_bytes() == bytes.size(), "the total is the number of bytes");
  for (std::uint64_t i = 0; i < bytes.size(); ++i) {
    const subresource found = layout.at_offset(i);
    fuzz::claim(found.mip_level == bytes[i].mip && found.array_layer == bytes[i].layer,
                "a byte lies in its subresource");
    const subresource_layout at = layout.locate(found);
    fuzz::claim(at.offset_bytes + std::uint64_t{bytes[i].row} * at.pitch_bytes + bytes[i].x == i,
                "a byte lies in its row");
  }
}

void check_pieces(const texture_layout& layout, const std::vector<byte_place>& bytes,
                  byte_range range) {
  std::vector<int> hits(bytes.size());
  const auto visited =
      for_each_piece(layout, range, [&](const texture_piece& piece) -> result<void> {
        const subresource_layout at = layout.locate(piece.rows.where);
        for (std::uint32_t row = 0; row < piece.rows.row_count; ++row) {
          for (std::uint32_t x = 0; x < piece.rows.row_size_bytes; ++x) {
            const std::uint64_t in_range =
                piece.offset_in_range + row * piece.rows.source_pitch_bytes + x;
            const std::uint64_t offset =
                at.offset_bytes + std::uint64_t{piece.rows.first_row + row} * at.pitch_bytes +
                piece.rows.first_byte + x;
            fuzz::claim(range.offset_bytes + in_range == offset,
                        "a piece names its bytes of the range");
            fuzz::claim(offset < hits.size(), "a piece lies in the texture");
            ++hits[offset];
          }
        }
        return {};
      });
  fuzz::claim(static_cast<bool>(visited), "the visit does not fail");
  for (std::uint64_t i = 0; i < bytes.size(); ++i) {
    const bool is_inside = i >= range.offset_bytes && i - range.offset_bytes < range.size_bytes;
    fuzz::claim(hits[i] == (is_inside && !bytes[i].is_padding ? 1 : 0),
                "each byte of the range that is not padding is visited once");
  }
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  texture_shape shape{};
  shape.format = in.u8();
  const bool is_small = in.u8() % 4 != 0;
  const auto number = [&](std::uint32_t most) { return is_small ? in.u8() % most : in.u32(); };
  shape.width = number(48);
  shape.height = number(48);
  shape.mip_levels = number(7);
  shape.array_layers = number(4);
  shape.row_pitch_bytes = number(255);
  const auto layout = texture_layout::create(shape);
  if (!layout) return 0;
  const byte_range range{in.u64() % (layout->total_bytes() + 2), in.u64()};
  const auto inside = layout->check_range(range);
  const auto upload = check_upload_range(*layout, range);
  fuzz::claim(static_cast<bool>(inside) || !upload, "an upload lies inside the texture");
  if (layout->total_bytes() > most_bytes) return 0;
  const std::vector<byte_place> bytes = walk(shape, layout->format());
  check_places(*layout, bytes);
  const byte_range small{range.offset_bytes % (bytes.size() + 1), 0};
  const byte_range cut{small.offset_bytes,
                       range.size_bytes % (bytes.size() - small.offset_bytes + 1)};
  if (check_upload_range(*layout, cut)) check_pieces(*layout, bytes, cut);
  return 0;
}
